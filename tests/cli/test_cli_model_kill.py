"""A job with a model that is killed: the resume asks once more what was being asked, and collects the same."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agents.library import says
from agents.openai_server import ModelServer, answer
from agents.scripted import asked, chat
from fault_server import Reply, Seen
from long_parameters import mark_long
from storm_program import Child, Program, await_event, newest_job

RULES = ("run", "trastuzumab", "--offline", "--out", "out", "--model", "openai/house-model")
RUN = (*RULES, "--prefill", "none")
WORDS = ("survival", "cardiac", "patent", "biosimilar")


def bibliographer(prompt: str) -> str:
    """Saves what it sees, and gives up at the sixth source. What it says follows from the prompt alone."""
    fields = asked(prompt)
    if "state" not in fields:
        return "yes" if "one word yes" in prompt else chat(statements=[])
    recent, state = fields["recent_steps"], fields["state"]
    if "Sources saved: 6" in state:
        return says("finish", {})
    needy = re.findall(r"^  (\S+): \d+ of \d+$", state, re.M)
    saved = re.findall(r'^save_source\(.*?external_id="([^"]+)"', recent, re.M)
    for database, record in re.findall(r"^(\w+) (\S+) · ", recent, re.M):
        if record not in saved:
            found = {"source_type": database, "external_id": record, "url": "", "title": ""}
            return says("save_source", {**found, "relevant_questions": needy[:1]})
    return says("search_sample", {"words": WORDS[len(saved) % len(WORDS)]})


class Job(NamedTuple):
    """What a job asked its agent, and what it has collected."""

    prompts: list[str]
    collected: list[dict[str, Any]]


class Played:
    """The model behind OpenAI's interface; `at` is given the number of each of the agent's calls when it arrives."""

    def __init__(self, at: Callable[[int], None] = lambda number: None) -> None:
        self.prompts: list[str] = []
        self._at = at

    def __call__(self, seen: Seen) -> Reply:
        prompt = "\n\n".join(message["content"] for message in seen.json["messages"])
        if "state" in asked(prompt):
            self.prompts.append(prompt)
            self._at(len(self.prompts))
        return answer(bibliographer(prompt), prompt=len(prompt.split()), reply=20)


async def whole_job(program: Program, run: Sequence[str] = RUN) -> Job:
    played = Played()
    async with ModelServer(played) as server:
        outcome = await asyncio.to_thread(program, *run, **model_at(server))
    assert outcome.code == 3, outcome.text  # the writer finds nothing to say
    job_id = await asyncio.to_thread(newest_job, program)
    return Job(played.prompts, await asyncio.to_thread(program.sources, job_id))


async def killed_job(program: Program, call: int, saved: int, run: Sequence[str] = RUN) -> Job:
    """Killed when that call of the agent arrives, or when so many sources are saved; then resumed."""
    child: list[Child] = []
    played = Played(lambda number: child[0].process.kill() if number == call else None)
    async with ModelServer(played) as server:
        child.append(program.start(*run, **model_at(server)))
        job_id = await asyncio.to_thread(child[0].job_id)
        if saved:
            await asyncio.to_thread(await_event, program, job_id, "saved", saved)
            child[0].process.kill()
        assert (await asyncio.to_thread(child[0].end)).code == -9
        outcome = await asyncio.to_thread(program, "resume", job_id, **model_at(server))
    assert outcome.code == 3, outcome.text  # the writer finds nothing to say
    return Job(played.prompts, await asyncio.to_thread(program.sources, job_id))


def model_at(server: ModelServer) -> dict[str, str]:
    return {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "none"}


@pytest.fixture(scope="module")
def whole(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The job that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    shutil.copytree(prepared, folder / "data")
    program = Program(folder / "data", folder)
    job = asyncio.run(whole_job(program))
    program.server().stop_server(force=True)
    return job


@pytest.mark.slow
@pytest.mark.parametrize(("call", "saved"), mark_long([(4, 0), (0, 3), (9, 0)], but=[(4, 0), (0, 3)]))
async def test_a_killed_job_asks_its_model_at_most_once_more_and_collects_the_same(
    program: Program, whole: Job, call: int, saved: int
) -> None:
    assert len(whole.prompts) == 9 and len(whole.collected) == 6
    job = await killed_job(program, call, saved)
    assert job.collected == whole.collected
    assert list(dict.fromkeys(map(as_first_answered, job.prompts))) == whole.prompts
    assert len(job.prompts) - len(whole.prompts) <= 1


def as_first_answered(prompt: str) -> str:
    """A prompt without the words by which a call that is made again says so."""
    return re.sub(r"✓ Already there: source #", "✓ Saved source #", prompt).replace(
        "citation_status： existing", "citation_status： auto_registered"
    )


@pytest.mark.slow
async def test_a_job_killed_while_rules_file_ends_as_one_that_was_not(
    prepared: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = []
    for saved in (0, 1, 12):
        folder = tmp_path_factory.mktemp("prefilled")
        shutil.copytree(prepared, folder / "data")
        program = Program(folder / "data", folder)
        made.append(await (killed_job(program, 0, saved, RULES) if saved else whole_job(program, RULES)))
        await asyncio.to_thread(program.server().stop_server, force=True)
    whole, *killed = made
    assert len(whole.collected) > 20
    for job in killed:
        assert job.collected == whole.collected
        # On a busy machine the kill may come when all is filed and the first call has been made.
        assert list(dict.fromkeys(job.prompts)) == whole.prompts
        assert len(job.prompts) - len(whole.prompts) <= 1
