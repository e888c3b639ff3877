"""The models of a job made ready: what of them is kept in its store."""

from __future__ import annotations

from agents.jobs import open_job
from agents.openai_server import UNKNOWN, ModelServer, answer

from storm.agents.crew import ModelCrew
from storm.models import JobLimits


async def test_what_a_trial_showed_is_kept_without_what_could_be_a_key_and_not_tried_again() -> None:
    async with ModelServer(answer()) as server, open_job() as job:
        choice = server.choice(UNKNOWN, context=None)
        secret = choice.model_copy(update={"api_base": f"{server.base}?key=verysecret"})
        server.on("/v1", answer())  # where a client goes that puts its path behind the query
        for _ in range(2):
            await ModelCrew.hired({"agent": secret}, JobLimits(), journal=job.journal)
        (kept,) = [text for name, text in (await job.journal.stages()).items() if name == "trials"]
        tried = [seen for seen in server.requests if seen.method == "POST"]
    assert f"{UNKNOWN} {server.base}" in kept and "verysecret" not in kept
    assert len(tried) == 1
