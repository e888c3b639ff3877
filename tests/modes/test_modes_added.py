"""What a mode of one's own takes is one coroutine and its line in MODES."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

import storm
from storm.app import App, open_app
from storm.errors import UsageError
from storm.models import (
    Answer,
    Dossier,
    Event,
    JobRequest,
    JobState,
    Plan,
    Question,
    ReportPreferences,
    RequestKind,
    ResearchSettings,
    RunSettings,
    StopReason,
    Syllabus,
)
from storm.modes import MODES, Mode, Run, make_plan
from storm.reports import DossierMaterial, compile_dossier
from storm.settings import read_settings
from storm.tools import finalize_sources

SHARES = {"plan": 0.1, "short:0": 0.5, "short:1": 0.2, "report": 0.2}
QUESTION = "Does trastuzumab harm the heart?\nAnd does it in children?"
MADE = Syllabus(
    name="made",
    questions=tuple(
        Question(key=key, label=key, description=f"What is known of {key}?", min_sources=1)
        for key in ("efficacy", "safety")
    ),
)


class Planner:
    """Makes the questions out of what was asked."""

    async def plan(self, request: JobRequest) -> Plan:
        assert request.kind is RequestKind.QUESTION and request.syllabus is None
        return Plan(names=("trastuzumab",), syllabus=MADE)


async def search_in_rounds(run: Run) -> Dossier:
    """Searches, looks which questions are short of sources, and searches those again."""
    request = run.job.request
    plan = await make_plan(run)

    async def gather(question: Question) -> StopReason:
        part = plan.model_copy(update={"syllabus": Syllabus(name=question.key, questions=(question,))})
        return StopReason(await run.crew.researcher.gather(request, part))

    async def short() -> tuple[str, ...]:
        counts = (await run.crew.collection.progress()).counts
        return tuple(question.key for question in MADE.questions if counts[question.key] < 30)

    wanted: Sequence[Question] = plan.syllabus.questions
    for number in range(run.job.settings.research.max_iterations):
        await run.each(f"gather:{number}", wanted, StopReason, gather, key=lambda q: q.key, at_once=1)
        keys = await run.step(f"short:{number}", tuple[str, ...], short)
        wanted = [plan.syllabus.question(key) for key in keys]

    async def answer(question: Question) -> Answer:
        return await run.crew.synthesizer.answer(await finalize_sources(run.crew.collection, question), plan)

    answers = await run.each("answer", plan.syllabus.questions, Answer, answer, key=lambda q: q.key)

    async def report() -> Dossier:
        sources, searches = await run.crew.collection.load_sources(), await run.crew.journal.searches()
        return compile_dossier(DossierMaterial(run.job, plan, "mine", StopReason.COMPLETE, sources, answers, searches))

    return await run.step("report", Dossier, report)


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode is among the modes, and the settings are a test's own."""
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    mode = Mode("rounds", 1, needs_model=False, run=search_in_rounds, shares=SHARES, kinds=(RequestKind.QUESTION,))
    monkeypatch.setitem(MODES, "rounds", mode)  # type: ignore[arg-type]


def request(mode: str = "rounds") -> JobRequest:
    settings = RunSettings(mode=mode, research=ResearchSettings(max_iterations=2))
    return JobRequest(kind=RequestKind.QUESTION, text=QUESTION, offline=True, settings=settings)


async def work(app: App, job_id: str, stop_at: str = "") -> tuple[Dossier | None, list[str]]:
    """The dossier, if nothing stopped it, and the searches that were run."""
    searches: list[str] = []

    def observe(event: Event) -> None:
        if event.kind == "search":
            searches.append(event.message)
        if event.message == stop_at:
            task.cancel()

    task = asyncio.create_task(app.work(job_id, observe, change=lambda bench, crew: crew._replace(planner=Planner())))
    try:
        return await task, searches
    except asyncio.CancelledError:
        return None, searches


@pytest.mark.slow
async def test_a_mode_of_two_rounds_answers_a_question_with_questions_of_its_planner() -> None:
    async with open_app(read_settings()) as app:
        job = await app.start(request())
        assert (job.settings.mode, job.request.settings.research.max_iterations) == ("rounds", 2)
        dossier, _ = await work(app, job.job_id)
        stages = await app.journal(job.job_id).stages()
        done = await app.store.jobs.check(job.job_id, check_records=True)
        assert (await app.syllabus(done)) == MADE
        assert await app.report(job.job_id) == dossier
    assert dossier is not None and [question.key for question in dossier.questions] == ["efficacy", "safety"]
    assert dossier.drug == "Does trastuzumab harm the heart? And does it in children?"
    assert [name for name in sorted(stages) if not name.startswith("inputs:")] == [
        "answer:efficacy", "answer:safety", "gather:0:efficacy", "gather:0:safety", "gather:1:efficacy",
        "gather:1:safety", "own_crew", "plan", "report", "scope", "short:0", "short:1",
    ]  # fmt: skip
    assert (done.state, done.questions) == (JobState.FINISHED, MADE.keys)


@pytest.mark.parametrize("stop_at", ["plan", "short:0", "short:1", "report"])
async def test_it_is_resumed_where_it_was_stopped(stop_at: str) -> None:
    async with open_app(read_settings()) as app:
        whole, searches = await work(app, (await app.start(request())).job_id)
        job = await app.start(request())
        stopped, first = await work(app, job.job_id, stop_at)
        assert stopped is None
        resumed, second = await work(app, job.job_id)
    assert whole is not None and resumed is not None
    assert resumed.answers == whole.answers
    assert sorted(first + second) == sorted(searches), "no search was run twice"


async def test_a_mode_takes_requests_of_its_kinds_only() -> None:
    async with open_app(read_settings()) as app:
        for mode, message in (("extractive", "takes a drug, and this is a question"), ("fast", "mode is 'fast'")):
            with pytest.raises(UsageError, match=message):
                await app.start(request(mode))


async def test_preferences_are_for_a_mode_that_reads_them_and_refused_by_one_that_would_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wishes = request().model_copy(update={"preferences": ReportPreferences(audience="regulators")})
    async with open_app(read_settings()) as app:
        with pytest.raises(UsageError, match="the mode rounds writes its report in one form, whatever is preferred"):
            await app.start(wishes)
        monkeypatch.setitem(MODES, "rounds", MODES["rounds"]._replace(reads_preferences=True))  # type: ignore[arg-type]
        job = await app.start(wishes)
        assert (await app.store.jobs.get(job.job_id)).request.preferences.audience == "regulators"


def test_the_name_of_a_mode_is_written_once_and_read_from_there() -> None:
    folder = Path(storm.__file__).parent
    files = (file for file in folder.rglob("*.py") if '"deep_research"' in file.read_text(encoding="utf-8"))
    named = {file.relative_to(folder).as_posix() for file in files}
    same_name = {"models/__init__.py", "toolkit/deep_research.py", "toolkit/tracing.py"}  # a module, and a tool
    assert named - same_name == {"models/program.py"}
