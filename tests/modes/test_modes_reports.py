"""A mode whose report is no dossier is added by its line in MODES: every door writes it, goes on with it and looks into
it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from shortlist_mode import MOST, SHORTLIST, Shortlist, write_shortlist
from storm_program import Program, newest_job

import storm
from storm.api import job_request
from storm.app import open_app
from storm.errors import StormError, UsageError
from storm.models import Event, JobState
from storm.modes import MODES, Provisional, Run
from storm.reports import document_of, summary_of
from storm.settings import Settings, read_settings

QUESTION = "Does trastuzumab harm the heart?"
ASK = ("report", QUESTION, "--offline", "--mode", SHORTLIST.name)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortlist is the only mode for questions."""
    monkeypatch.delitem(MODES, "report")  # type: ignore[arg-type]
    monkeypatch.setitem(MODES, SHORTLIST.name, SHORTLIST)  # type: ignore[arg-type]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    return read_settings()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path / "data", tmp_path)
    yield made
    made.server().stop_server(force=True)


def test_the_command_line_writes_its_files_and_says_what_it_is(program: Program) -> None:
    result = program(*ASK, "--out", "reports", "--format", "md,json")
    assert (result.code, result.err.count("Traceback")) == (0, 0)
    files = [program.folder / "reports" / name for name in ("shortlist.md", "shortlist.json")]
    assert result.out.splitlines()[:3] == [f"Shortlist: {QUESTION}", *map(str, files)]
    page, fields = files[0].read_text(encoding="utf-8"), json.loads(files[1].read_text(encoding="utf-8"))
    assert page.startswith(f"# Shortlist: {QUESTION}\n\n## First to read\n\n- ") and "\n3. " in page
    assert Shortlist.model_validate(fields).picked[0].n == 1


def test_a_program_that_runs_it_gets_its_job_its_exit_code_and_its_files(program: Program) -> None:
    result = program(*ASK, "--json", "--format", "md")
    job_id = newest_job(program)
    file = program.folder / "storm-reports" / job_id / "shortlist.md"
    assert result.json() == {"job_id": job_id, "exit_code": 0, "files": [str(file)]}


@pytest.mark.slow
def test_it_is_inspected_exported_and_written_again(program: Program) -> None:
    assert program(*ASK, "--out", "reports").code == 0
    job_id = newest_job(program)
    (job,) = program.jobs()
    assert (job["drug"], job["state"]) == (QUESTION, "finished")
    found = program("inspect", job_id, "--sources", "--json").json()
    assert list(found["questions"]) == ["asked"] and found["sources"]
    assert program("export", job_id, "--format", "md,json,bib,sources", "--out", "again").code == 0
    assert program("resume", job_id, "--out", "third").code == 0
    first = (program.folder / "reports" / "shortlist.md").read_bytes()
    assert [(program.folder / name / "shortlist.md").read_bytes() for name in ("again", "third")] == [first] * 2
    listed = (program.folder / "again" / "shortlist.bib").read_text(encoding="utf-8")
    assert sum(line.startswith("@") for line in listed.splitlines()) == MOST
    written = json.loads((program.folder / "again" / "sources.json").read_text(encoding="utf-8"))
    assert len(written["questions"]["asked"]["sources"]) == len(found["sources"])


def test_a_job_that_is_not_finished_has_none_yet(program: Program, settings: Settings) -> None:
    async def start() -> str:
        async with open_app(settings) as app:
            request = job_request(QUESTION, settings, kind="question", mode="shortlist", offline=True)
            return (await app.start(request)).job_id

    result = program("export", asyncio.run(start()))
    assert result.code == 2 and "has no shortlist yet" in result.err


@pytest.mark.parametrize("stage", ["gather", "pick", "report"])
async def test_it_goes_on_where_it_was_stopped(stage: str, settings: Settings) -> None:
    def stop(event: Event) -> None:
        if event.message == stage:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await storm.arun(QUESTION, kind="question", mode="shortlist", offline=True, job_id="mine", on_event=stop)
    stages: list[str] = []
    async with open_app(settings) as app:
        resumed = await app.work("mine", lambda event: stages.append(event.message) if event.kind == "stage" else None)
        assert await app.report("mine") == resumed
    assert stages == [*SHORTLIST.shares][[*SHORTLIST.shares].index(stage) :]
    assert isinstance(resumed, Shortlist) and len(resumed.picked) == 3


async def test_python_gets_the_report_itself_and_can_show_it(settings: Settings) -> None:
    found = await storm.arun(QUESTION, kind="question", mode="shortlist", offline=True)
    assert isinstance(found, Shortlist)
    assert storm.to_markdown(found).startswith(f"# Shortlist: {QUESTION}\n")
    assert json.loads(storm.to_json(found))["job_id"] == found.job_id


async def test_a_job_of_which_a_result_was_not_stored_is_not_finished_and_a_resume_makes_it_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(run: Run) -> Shortlist:
        async def gather() -> Provisional[str]:
            return Provisional("half of it")

        async def report() -> Shortlist:
            return Shortlist(job_id=run.job.job_id, question="", created=run.job.created, exit_code=0, picked=())

        await run.step("gather", str, gather)
        return await run.step("report", Shortlist, report)

    monkeypatch.setitem(MODES, "shortlist", SHORTLIST._replace(run=write))  # type: ignore[arg-type]
    await storm.arun(QUESTION, kind="question", mode="shortlist", offline=True, job_id="mine")
    async with open_app(settings) as app:
        assert (await app.store.jobs.get("mine")).state is JobState.FAILED
        monkeypatch.setitem(MODES, "shortlist", SHORTLIST._replace(run=write_shortlist))  # type: ignore[arg-type]
        resumed = await app.work("mine")
        assert isinstance(resumed, Shortlist) and len(resumed.picked) == MOST
        assert (await app.store.jobs.get("mine")).state is JobState.FINISHED


async def test_a_mode_that_keeps_no_report_is_refused_before_the_job_counts_as_finished(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forget(run: Run) -> Shortlist:
        job = run.job
        return Shortlist(job_id=job.job_id, question="", created=job.created, exit_code=0, picked=())

    monkeypatch.setitem(MODES, "shortlist", SHORTLIST._replace(run=forget))  # type: ignore[arg-type]
    with pytest.raises(StormError, match="the mode shortlist ended without a step named 'report'"):
        await storm.arun(QUESTION, kind="question", mode="shortlist", offline=True, job_id="mine")
    async with open_app(settings) as app:
        assert (await app.store.jobs.get("mine")).state is JobState.FAILED
        monkeypatch.setitem(MODES, "shortlist", SHORTLIST._replace(run=write_shortlist))  # type: ignore[arg-type]
        assert (await app.work("mine")).exit_code == 0


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: mode.name)
def test_the_report_of_each_mode_has_a_document_and_a_summary(mode: object) -> None:
    report = getattr(mode, "report")  # noqa: B009
    assert document_of.dispatch(report) is not document_of.dispatch(object)
    assert summary_of.dispatch(report) is not summary_of.dispatch(object)


# What is asked for is a drug, a question or a topic.


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("report", "HER2", "--topic", "--mode", "shortlist"), "shortlist takes a question, and this is a topic"),
        (("report", QUESTION, "--mode", "extractive"), "mode extractive takes a drug, and this is a question"),
        (("run", "trastuzumab", "--mode", "shortlist"), "the mode shortlist takes a question, and this is a drug"),
        (("run", QUESTION), "this is a question, and storm run takes a drug"),
        (("run",), "nothing is asked for"),
        (("report",), "nothing is asked for"),
        (("report", QUESTION, "--model", "openai/a", "--mode", "shortlist"), "asks no language model"),
    ],
)
def test_what_no_mode_takes_is_a_usage_error_that_says_so(
    argv: tuple[str, ...], expected: str, program: Program
) -> None:
    said = program(*argv, "--offline")
    assert said.code == 2 and said.is_one_clear_error() and expected in said.err
    assert program.jobs() == []


def test_python_refuses_a_kind_that_there_is_not(settings: Settings) -> None:
    with pytest.raises(UsageError, match="kind is 'disease'; it must be one of drug, question, topic"):
        job_request("cancer", settings, kind="disease")
