"""A caller brings parts of its own: what they make is kept, checked and resumed like any other's."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import own_parts
import pytest
from own_parts import MADE, with_own_planner
from python_process import run_python

import storm
from storm.app import Workbench, open_app
from storm.errors import DrugNotIdentified
from storm.models import Answer, CollectedQuestion, Dossier, Hit, JobRequest, JobState, Plan, Step, StopReason
from storm.modes import Crew
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

TEXT = "Cardiac dysfunction was seen in 3% of the patients who received trastuzumab."
FOUND = Hit.of("web", "https://example.org/heart", "https://example.org/heart", "The heart", text=TEXT)


def set_data_dir(patch: pytest.MonkeyPatch, data: Path) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        patch.delenv(name, raising=False)
    patch.setenv("STORM_DATA_DIR", str(data))


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_data_dir(monkeypatch, tmp_path / "data")


def said(dossier: Dossier) -> list[tuple[str, list[str]]]:
    return [(answer.question, [statement.text for statement in answer.statements]) for answer in dossier.answers]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Dossier:
    """The dossier of a job that nobody kills."""
    with pytest.MonkeyPatch.context() as patch:
        set_data_dir(patch, tmp_path_factory.mktemp("whole"))
        return storm.run("trastuzumab", offline=True, job_id="whole", crew=with_own_planner)


@pytest.mark.parametrize(("kind", "number"), [("stage", 1), ("stage", 2), ("search", 1), ("stage", 4), ("answer", 1)])
async def test_a_job_with_questions_of_its_planner_is_killed_and_resumed(
    whole: Dossier, kind: str, number: int
) -> None:
    assert [question.key for question in whole.questions] == ["heart", "survival"]
    killed = await asyncio.to_thread(run_python, own_parts.__file__, kind, str(number))
    assert killed == -signal.SIGKILL
    async with open_app(read_settings()) as app:
        job = await app.store.jobs.check("mine", check_records=True)
        assert job.state is JobState.INTERRUPTED
        assert job.questions == (() if (kind, number) == ("stage", 1) else MADE.keys)
        resumed = await app.work("mine", change=with_own_planner)
        assert (await app.syllabus(await app.store.jobs.get("mine"))) == MADE
    assert said(resumed) == said(whole) and resumed.references == whole.references


class OwnResearcher:
    """Searches nothing: files what it knows, as two agents that take their steps beside each other."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        bench, tools = self._bench, self._bench.toolbox(plan)
        await bench.collection.record_hits([FOUND])
        for thread in ("reader", "critic"):
            assert await bench.journal.log_step(Step(number=1, thread=thread))
        saved = await tools.save_source(
            "web", FOUND.url, FOUND.url, FOUND.title, ["clinical.safety"], key_excerpts=TEXT
        )
        assert saved["source_id"] == "src_001"
        return StopReason.NO_PROGRESS


class Confused:
    """A synthesizer that raises what only a planner should."""

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        raise DrugNotIdentified("which of them?")


@pytest.mark.slow
async def test_a_job_that_has_sources_is_not_deleted_whatever_a_part_raises() -> None:
    with pytest.raises(DrugNotIdentified):
        await storm.arun(
            "trastuzumab", offline=True, job_id="mine", crew=lambda _, crew: crew._replace(synthesizer=Confused())
        )
    async with open_app(read_settings()) as app:
        assert (await app.store.jobs.check("mine")).state is JobState.FAILED
        assert (await app.collection("mine").progress()).total == 74


@pytest.mark.slow
async def test_a_researcher_that_logs_steps_is_no_agent_with_a_language_model() -> None:
    async with open_app(read_settings()) as app:
        syllabus = bundled_syllabus(app.settings.config_dir)
        job_id = (await app.start(JobRequest(text="trastuzumab", syllabus=syllabus, offline=True))).job_id
        async with app.workbench(job_id) as bench:
            await bench.journal.log_step(Step(number=1, thread="reader"))
        assert not any("language model" in note for note in (await app.work(job_id)).notes)


def with_own_researcher(bench: Workbench, crew: Crew) -> Crew:
    return crew._replace(engine="mine", researcher=OwnResearcher(bench))


async def test_a_researcher_of_the_callers_own_files_sources_through_the_tools() -> None:
    dossier = await storm.arun("trastuzumab", offline=True, job_id="mine", crew=with_own_researcher)
    assert (dossier.engine, dossier.coverage.total, dossier.exit_code) == ("mine", 1, 3)
    assert dict(said(dossier))["clinical.safety"] == [TEXT]
    async with open_app(read_settings()) as app:
        assert await app.journal("mine").count_steps() == {"critic": 1, "reader": 1}
