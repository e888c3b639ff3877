"""Jobs that an earlier version began, as its store held them, go on where they stood."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from agents.openai_server import ModelServer
from redis import Redis
from test_cli_models import bibliographer, playing

from storm.app import App, open_app, open_corpus
from storm.databases.corpus.database import add_paths
from storm.errors import StepMismatch
from storm.models import Dossier, Event, Exclusion, FlowCounts, JobState
from storm.modes import MODES, Converter
from storm.settings import Environment, Settings, read_settings
from storm.store.embedded import EmbeddedServer

RECORDED = Path(__file__).parent / "jobs_begun_before"


def restore(redis: Redis, keys: Mapping[str, Any]) -> None:
    """Every key as it was recorded."""
    for key, recorded in keys.items():
        value = recorded["value"]
        match recorded["type"]:
            case "hash":
                redis.hset(key, mapping=value)
            case "list":
                redis.rpush(key, *value)
            case "zset":
                redis.zadd(key, dict(value))
            case "stream":
                for entry_id, fields in value:
                    redis.xadd(key, fields, id=entry_id)


@pytest.fixture
def settings(tmp_path: Path, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A real server that holds nothing, and the corpus that the jobs searched."""
    for name in ("REDIS_URL", "STORM_HTTP", "STORM_MODELS", "STORM_DATABASES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_REDIS_URL", f"unix://{server.socket}")
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path))
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.flushall()
    found = read_settings()
    assert not add_paths(open_corpus(found), [RECORDED / "corpus.csv"]).errors
    return found


def begun(server: EmbeddedServer, name: str) -> str:
    """The id of a recorded job, which is in the store now."""
    recorded = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    with Redis(unix_socket_path=str(server.socket), decode_responses=True) as redis:
        restore(redis, recorded["keys"])
    return str(recorded["job_id"])


async def resume(app: App, job_id: str, model: str = "") -> tuple[Dossier, list[Event]]:
    events: list[Event] = []
    return await app.work(job_id, events.append, model=model), events


def flow_of(dossier: Dossier) -> FlowCounts:
    """What became of the job's records; its numbers follow from the dossier's other fields."""
    assert dossier.flow
    total = dossier.flow.total
    assert (total.sought, total.included) == (dossier.coverage.total, len(dossier.references))
    asked = [line for line in dossier.search_log if line.question not in ("names", "sources")]
    assert dossier.flow.search_counts.identified == sum(line.hits for line in asked)
    return total


async def test_a_job_that_was_killed_while_it_gathered_gathers_on_and_searches_nothing_twice(
    settings: Settings, server: EmbeddedServer
) -> None:
    job_id = begun(server, "gathering")
    async with open_app(settings) as app:
        assert (await app.store.jobs.get(job_id)).state is JobState.INTERRUPTED
        before = await app.journal(job_id).searches()
        dossier, events = await resume(app, job_id)
        assert await app.journal(job_id).searches() == before
    assert [event.message for event in events if event.kind == "stage"] == ["gather", "check", "answer", "report"]
    assert (dossier.drug, dossier.coverage.total, dossier.exit_code) == ("zorvimab", 6, 3)
    assert Exclusion.UNRECORDED not in flow_of(dossier).reasons
    assert sum(len(answer.statements) for answer in dossier.answers) > 0


async def test_a_job_that_was_killed_while_it_answered_keeps_the_answers_that_it_had(
    settings: Settings, server: EmbeddedServer
) -> None:
    job_id = begun(server, "answering")
    async with open_app(settings) as app:
        kept = {k: v for k, v in (await app.journal(job_id).stages()).items() if k.startswith("answer:")}
        assert kept
        dossier, events = await resume(app, job_id)
        stages = await app.journal(job_id).stages()
    assert {name: stages[name] for name in kept} == kept
    answered = {f"answer:{event.data['question']}" for event in events if event.kind == "answer"}
    assert answered.isdisjoint(kept)
    assert dossier.coverage.total == 6
    assert flow_of(dossier).reasons.keys() <= {Exclusion.UNRECORDED, Exclusion.NOT_CITED}


@pytest.mark.slow
async def test_a_job_whose_model_failed_gathers_on_with_another_and_writes_its_dossier(
    settings: Settings, server: EmbeddedServer
) -> None:
    job_id = begun(server, "model-failed")
    play = bibliographer()
    async with ModelServer(playing(lambda prompt: play(prompt).replace("search_sample", "search_corpus"))) as models:
        environment = Environment(OPENAI_API_BASE=models.base, OPENAI_API_KEY="sk-verysecret")
        async with open_app(settings._replace(environment=environment)) as app:
            assert (await app.store.jobs.get(job_id)).state is JobState.FAILED
            steps = await app.journal(job_id).steps()
            dossier, _ = await asyncio.wait_for(resume(app, job_id), 60)
            assert (await app.journal(job_id).steps())[: len(steps)] == steps
    assert (dossier.coverage.total, dossier.can_go_on) == (6, False)
    assert Exclusion.UNRECORDED not in flow_of(dossier).reasons
    assert sum(len(answer.statements) for answer in dossier.answers) > 0


# A job that an earlier version of its mode began.


def later_version(monkeypatch: pytest.MonkeyPatch, *converters: Converter) -> None:
    """The mode without a model is in its next version, in which some steps give something else."""
    mode = MODES["extractive"]._replace(version=2, converters=converters)
    monkeypatch.setitem(MODES, "extractive", mode)  # type: ignore[arg-type]


def with_gap(answer: dict[str, Any]) -> dict[str, Any]:
    return answer | {"gaps": [*answer["gaps"], "made by version 1"]}


async def test_what_an_earlier_version_of_the_mode_stored_is_converted_once_and_stays_as_it_was(
    settings: Settings, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    later_version(monkeypatch, Converter("answer", 2, with_gap))
    job_id = begun(server, "answering")
    async with open_app(settings) as app:
        before = await app.journal(job_id).stages()
        kept = {name.partition(":")[2] for name in before if name.startswith("answer:")}

        def stop(event: Event) -> None:
            if event.kind == "answer":  # one more is made, by the later version
                raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            await app.work(job_id, stop)
        dossier, _ = await resume(app, job_id)
        after = await app.journal(job_id).stages()
    assert isinstance(dossier, Dossier)
    converted = {answer.question for answer in dossier.answers if "made by version 1" in answer.gaps}
    assert kept == converted and len(dossier.answers) > len(kept)
    assert all(answer.gaps.count("made by version 1") <= 1 for answer in dossier.answers)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("fault", [ValueError("no"), KeyError("gaps"), None])
async def test_where_no_converter_can_make_of_it_what_is_read_now_the_run_ends_and_overwrites_nothing(
    settings: Settings, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch, fault: Exception | None
) -> None:
    def convert(answer: Any) -> Any:
        if fault:
            raise fault
        return {"text": "of another type"}

    later_version(monkeypatch, Converter("answer", 2, convert))
    job_id = begun(server, "answering")
    message = (
        rf"'answer:mechanism.moa' of {job_id} was made by version 1 of the mode extractive: version 2 cannot read it"
    )
    async with open_app(settings) as app:
        before = await app.journal(job_id).stages()
        with pytest.raises(StepMismatch, match=message):
            await app.work(job_id)
        after = await app.journal(job_id).stages()
        monkeypatch.undo()
    assert {name: after[name] for name in before} == before and "report" not in after


async def test_the_report_that_an_earlier_version_finished_is_converted_when_it_is_read(
    settings: Settings, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = begun(server, "answering")
    async with open_app(settings) as app:
        first, _ = await resume(app, job_id)
        later_version(monkeypatch, Converter("report", 2, lambda report: report | {"notes": ["as of version 1"]}))
        read = await app.report(job_id)
    assert isinstance(read, Dossier)
    assert read == first.model_copy(update={"notes": ("as of version 1",)})
