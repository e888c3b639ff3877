"""Each job is recorded as one trace, whichever mode and door; what happens to the traces changes no job."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agents.library import says
from agents.scripted import asked
from long_parameters import mark_long
from python_process import run_python
from repurposing_parts import use_parts
from service_lists import NOBODY

import storm
from storm.api.request import job_request
from storm.app import App
from storm.app.recording import keep_result, name_tool
from storm.errors import DrugNotIdentified, JobCancelled, ModelError, StormError
from storm.models import Event, JobState
from storm.reports import Report, Summary
from storm.settings import Settings, read_settings
from storm.testing import ScriptedModel, open_test_app
from storm.traces import EventKind, Owner, Trace, TraceEvent, TraceStatus, open_traces, owned_by
from storm.traces.trace_file import TraceFile

QUESTION = "Is trastuzumab safe for the heart?"
QUICK = {"max_iterations": 0}


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS", "STORM_TRACES_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    monkeypatch.chdir(tmp_path)
    return read_settings()


async def read_traces(settings: Settings, owner: Owner | None = None) -> list[tuple[Trace, list[TraceEvent]]]:
    async with open_traces(settings, owner or Owner(), create=False) as traces:
        return [(trace, list(lines)) async for trace, lines in traces.export_traces()]


async def read_trace(settings: Settings) -> Trace:
    ((trace, _),) = await read_traces(settings)
    return trace


def file_of(settings: Settings) -> Path:
    return settings.data_dir / "traces" / "traces.db"


# One job, one trace.


@pytest.mark.parametrize(
    ("tool", "run"),
    [
        ("run_drug", lambda: storm.arun("metformin", offline=True)),
        ("run_drug", lambda: storm.arun("metformin", offline=True, mode="parallel", research=QUICK)),
        ("report", lambda: storm.areport(QUESTION, offline=True, research=QUICK)),
        ("repurpose", lambda: storm.arepurpose("trastuzumab for breast cancer", offline=True, research=QUICK)),
        ("run_drug", lambda: storm.call_tool("run_drug", {"drug": "metformin", "offline": True})),
    ],
)
async def test_a_job_of_each_mode_and_door_is_one_trace(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tool: str, run: Callable[[], Any]
) -> None:
    use_parts(monkeypatch)
    await run()
    ((trace, lines),) = await read_traces(settings)
    (job,) = await storm.ajobs()
    assert (trace.tool_name, trace.status, trace.progress) == (tool, TraceStatus.COMPLETED, 1)
    assert trace.id.startswith(job.job_id) and trace.input_params["job_id"] == job.job_id
    assert trace.result and (trace.result["job_id"], trace.result["exit_code"]) == (job.job_id, job.exit_code)
    searches = [line for line in lines if line.kind is EventKind.SEARCH]
    assert trace.metrics and trace.metrics["searches"] == len(searches) > 0
    assert all(line.seconds is not None for line in searches if line.outcome == "found")
    assert [line.name for line in lines if line.kind is EventKind.STAGE][:1] == ["plan"]


@pytest.mark.parametrize(("drug", "exit_code"), [("metformin", 0), ("unobtainium", 4)])
async def test_a_job_is_completed_whatever_it_found_and_its_result_says_so(
    settings: Settings, drug: str, exit_code: int
) -> None:
    report = await storm.arun(drug, offline=True)
    trace = await read_trace(settings)
    assert trace.status is TraceStatus.COMPLETED and trace.result
    assert report.exit_code == trace.result["exit_code"] == exit_code


@pytest.mark.slow
async def test_a_partial_job_is_completed_as_partial(settings: Settings) -> None:
    report = await storm.arun("trastuzumab")  # no database answers, and the sample is searched
    trace = await read_trace(settings)
    assert trace.result and trace.result["exit_code"] == report.exit_code == 3
    assert trace.status is TraceStatus.COMPLETED


@pytest.mark.slow
async def test_the_jobs_of_a_tool_s_user_are_that_user_s(settings: Settings) -> None:
    context = storm.ToolContext(user_id=7, org_id=3)
    await storm.call_tool("run_drug", {"drug": "metformin", "offline": True}, context)
    assert await read_traces(settings) == []
    assert len(await read_traces(settings, Owner(user_id=7, org_id=3))) == 1


@pytest.mark.slow
async def test_a_job_of_a_tool_s_user_stays_that_user_s_by_whichever_door_it_is_resumed(settings: Settings) -> None:
    owner = Owner(user_id=7, org_id=3)
    async with storm.open_app() as app:
        with owned_by(owner):
            job = await app.start(job_request("metformin", app.settings, offline=True), "mine")
    assert (job.user_id, job.org_id) == (7, 3)
    await storm.aresume("mine")
    assert await read_traces(settings) == []
    ((trace, _),) = await read_traces(settings, owner)
    assert trace.status is TraceStatus.COMPLETED


@pytest.mark.slow
async def test_a_failed_job_says_why_and_goes_on_as_the_same_trace(settings: Settings) -> None:
    def fail(bench: Any, crew: Any) -> Any:
        raise ModelError("no model answers")

    with pytest.raises(ModelError):
        await storm.arun("metformin", offline=True, job_id="mine", crew=fail)
    failed = await read_trace(settings)
    assert (failed.status, failed.error_message) == (TraceStatus.FAILED, "no model answers")
    await storm.aresume("mine")
    ended = await read_trace(settings)
    assert (ended.id, ended.status, ended.error_message) == (failed.id, TraceStatus.COMPLETED, None)


async def test_a_cancelled_job_is_cancelled(settings: Settings) -> None:
    async with storm.open_app() as app:

        async def observe(event: Event) -> None:
            if (event.kind, event.message) == ("stage", "gather"):
                await app.store.jobs.cancel("mine")

        with pytest.raises(JobCancelled):
            await storm.arun("metformin", offline=True, job_id="mine", app=app, on_event=observe)
    assert (await read_trace(settings)).status is TraceStatus.CANCELLED


@pytest.mark.slow
async def test_an_interrupted_job_says_so_and_goes_on_as_the_same_trace(settings: Settings) -> None:
    async def observe(event: Event) -> None:
        if (event.kind, event.message) == ("stage", "gather"):
            work.cancel()
            await asyncio.Event().wait()  # nothing is done after that event

    work = asyncio.create_task(storm.arun("metformin", offline=True, job_id="mine", on_event=observe))
    with pytest.raises(asyncio.CancelledError):
        await work
    stopped = await read_trace(settings)
    assert (stopped.status, stopped.is_interrupted) == (TraceStatus.IN_PROGRESS, True)
    await storm.aresume("mine")
    ended = await read_trace(settings)
    assert (ended.id, ended.status, ended.is_interrupted) == (stopped.id, TraceStatus.COMPLETED, False)
    assert await app_stages(settings) == ["plan", "gather", "check", "answer", "report"]


async def app_stages(settings: Settings) -> list[str]:
    ((_, lines),) = await read_traces(settings)
    return list(dict.fromkeys(line.name for line in lines if line.kind is EventKind.STAGE))


KILLED = """
import asyncio, os, signal, storm
from storm.traces import TraceRecorder
written = TraceRecorder._write_news
async def write_and_die(self):
    await written(self)
    os.kill(os.getpid(), signal.SIGKILL)
TraceRecorder._write_news = write_and_die
async def observe(event):
    if (event.kind, event.message) == ("stage", "gather"):
        await asyncio.Event().wait()
storm.run("metformin", offline=True, job_id="mine", on_event=observe)
"""


@pytest.mark.slow
async def test_the_trace_of_a_killed_process_is_interrupted_after_the_next_start_and_resumed_as_the_same(
    settings: Settings,
) -> None:
    assert await asyncio.to_thread(run_python, "-c", KILLED) == -signal.SIGKILL
    left = await read_trace(settings)
    assert (left.status, left.is_interrupted) == (TraceStatus.IN_PROGRESS, False)
    await storm.arun("metformin", offline=True, job_id="next")
    traces = {trace.id: trace for trace, _ in await read_traces(settings)}
    assert len(traces) == 2
    assert (traces[left.id].status, traces[left.id].is_interrupted) == (TraceStatus.IN_PROGRESS, True)
    await storm.aresume("mine")
    traces = {trace.id: trace for trace, _ in await read_traces(settings)}
    assert {trace.status for trace in traces.values()} == {TraceStatus.COMPLETED} and len(traces) == 2


async def test_a_job_that_is_deleted_since_its_drug_is_not_known_leaves_a_failed_trace(settings: Settings) -> None:
    def refuse(bench: Any, crew: Any) -> Any:
        raise DrugNotIdentified("which drug is meant?")

    with pytest.raises(DrugNotIdentified):
        await storm.arun("metformin", offline=True, crew=refuse)
    assert await storm.ajobs() == ()
    assert (await read_trace(settings)).status is TraceStatus.FAILED


@pytest.mark.slow
async def test_no_trace_is_kept_where_they_are_turned_off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORM_TRACES_URL", "off")
    assert (await storm.arun("metformin", offline=True)).exit_code == 0
    assert (await storm.call_tool("search_corpus", {"query": "metformin"})).exit_code == 4
    assert not file_of(settings).parent.exists()
    with pytest.raises(StormError, match="turned off"):
        await read_traces(read_settings())


# The details: calls of models, and the state of the mode.


def play(prompt: str) -> str:
    """An agent that gathers nothing; whoever writes finds nothing to say."""
    return says("finish", {}) if "recent_steps" in asked(prompt) else "[[ ## statements ## ]]\n[]\n"


async def run_with_model(data: Path, observe: Callable[[Event], object] | None = None) -> tuple[App, Report]:
    model = ScriptedModel(play)
    async with open_test_app(model, data_dir=data) as app:
        app.settings = app.settings._replace(traces_url=None)
        report = await storm.arun("trastuzumab", offline=True, app=app, job_id="mine", prefill="none", on_event=observe)
        streamed = await app.journal("mine").events(10_000)
        spent = await app.journal("mine").spending()
    assert not {"call", "state"} & {event.kind for event in streamed}
    assert sum(row.calls for row in spent.spending) == len(model.prompts)
    return app, report


async def test_each_call_of_a_model_is_a_line_without_what_was_said(settings: Settings) -> None:
    seen = list[str]()
    app, _ = await run_with_model(settings.data_dir, lambda event: seen.append(event.kind))
    ((trace, lines),) = await read_traces(app.settings)
    calls = [line for line in lines if line.kind is EventKind.CALL]
    assert calls and trace.metrics and trace.metrics["llm_calls"] == len(calls)
    assert {line.outcome for line in calls} == {"ok"} and "agent" in {line.name for line in calls}
    assert all(line.prompt_tokens and line.completion_tokens and line.seconds is not None for line in calls)
    assert trace.metrics["tokens"] == sum((line.prompt_tokens or 0) + (line.completion_tokens or 0) for line in calls)
    assert {line.message for line in calls} == {"scripted"} or all("[[" not in line.message for line in calls)
    assert not {"call", "state"} & set(seen)


@pytest.mark.slow
async def test_a_mode_reports_its_state_to_the_trace_alone(settings: Settings) -> None:
    seen = list[str]()

    def change(bench: Any, crew: Any) -> Any:
        report = bench.journal.report

        async def report_with_state(kind: str, *args: Any, **data: Any) -> None:
            await report(kind, *args, **data)
            if (kind, args[0]) == ("stage", "gather"):
                await bench.journal.report_state(iterations=[1])
                await bench.journal.report_state(iterations=[1, 2], refined_question="Is it safe?")

        bench.journal.report = report_with_state
        return crew

    await storm.arun(
        "metformin", offline=True, job_id="mine", crew=change, on_event=lambda event: seen.append(event.kind)
    )
    state = (await read_trace(settings)).state or {}
    assert (state["iterations"], state["refined_question"]) == ([1, 2], "Is it safe?")
    assert set(state) == {"iterations", "refined_question", "sources_per_question"}
    async with storm.open_app() as app:
        streamed = [event.kind for event in await app.journal("mine").events(10_000)]
    assert "state" not in {*seen, *streamed}


# An answer to a question: what is known after each round, and what it took.

ASKED = "Does trastuzumab harm the heart?"
#: The metrics of an answer.
TOOK = ("total_iterations", "pubmed_queries", "web_queries", "sources_processed", "llm_calls", "tokens", "cost")


@pytest.mark.slow
async def test_the_trace_of_an_answer_has_its_state_its_result_and_what_it_took(settings: Settings) -> None:
    answer = await storm.aask(ASKED, offline=True)
    trace = await read_trace(settings)
    assert (trace.tool_name, trace.status, trace.progress) == ("deep_research", TraceStatus.COMPLETED, 1)
    assert (trace.user_id, trace.org_id, trace.error_message) == (0, None, None)
    assert trace.input_params["text"] == ASKED and trace.created_at <= (trace.started_at or trace.created_at)
    assert trace.completed_at and trace.state and trace.result and trace.metrics
    check_state(trace.state, answer.checklist_coverage.model_dump(mode="json"))
    assert len(trace.state["iterations"]) == answer.iterations_used  # type: ignore[arg-type]
    whole = answer.model_dump(mode="json", exclude={"trace_id"})
    assert {name: trace.result[name] for name in whole} == whole and trace.result["job_id"] == answer.trace_id
    facts = trace.state["knowledge_base"]["sources"]  # type: ignore[index,call-overload]
    assert {name: trace.metrics[name] for name in TOOK} == {
        "total_iterations": answer.iterations_used, "pubmed_queries": 0, "web_queries": 0,
        "sources_processed": len(facts), "llm_calls": 0, "tokens": 0, "cost": 0.0,
    }  # fmt: skip
    with closing(sqlite3.connect(file_of(settings))) as file:
        (row,) = file.execute("SELECT tool_name, status, state, result, metrics FROM tool_traces").fetchall()
    assert row[:2] == ("deep_research", "completed")
    assert [json.loads(text) for text in row[2:]] == [trace.state, trace.result, trace.metrics]


def check_state(state: Any, coverage: Any) -> None:
    """The parts of the state belong together."""
    known = state["knowledge_base"]
    facts = {(fact["id"], fact["item"]): fact for fact in known["facts"]}
    sources = {source["id"] for source in known["sources"]}
    items = {item["id"]: item for item in state["checklist"]}
    assert state["refined_question"] and 3 <= len(items) <= 7 and facts
    for fact in facts.values():
        assert fact["item"] in items and fact["text"] and fact["quote"] and {*fact["sources"]} <= sources
    assert all((name, key) in facts for key, item in items.items() for name in item["evidence"])
    assert [item["description"] for item in items.values() if item["satisfied"]] == coverage["satisfied"]
    assert known["gaps"] == coverage["gaps"]
    for number, one in enumerate(state["iterations"], start=1):
        counts = dict(one["checklist_progress"])
        assert one["iteration"] == number and one["queries"] and one["results_count"] >= 0
        assert counts.pop("items") == len(items) == sum(counts.values())


async def test_an_answer_at_its_last_iteration_says_so(settings: Settings) -> None:
    answer = await storm.aask(ASKED, offline=True, max_iterations=1)
    trace = await read_trace(settings)
    assert answer.status == "max_iterations_reached" and trace.status is TraceStatus.MAX_ITERATIONS
    assert trace.metrics and trace.metrics["total_iterations"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["search", "judge:2", "section", "report"])
async def test_an_answer_that_was_interrupted_goes_on_with_its_state_and_counts_nothing_twice(
    settings: Settings, stage: str
) -> None:
    async def observe(event: Event) -> None:
        if (event.kind, event.message) == ("stage", stage):
            work.cancel()
            await asyncio.Event().wait()  # nothing is done after that event

    await storm.aask(ASKED, offline=True, job_id="whole")
    work = asyncio.create_task(storm.aask(ASKED, offline=True, job_id="mine", on_event=observe))
    with pytest.raises(asyncio.CancelledError):
        await work
    traces = {trace.input_params["job_id"]: trace for trace, _ in await read_traces(settings)}
    stopped = traces["mine"].state
    assert stopped and len(stopped["iterations"]) == {"search": 0, "judge:2": 1}.get(stage, 2)  # type: ignore[arg-type]
    await storm.aresume("mine")
    traces = {trace.input_params["job_id"]: trace for trace, _ in await read_traces(settings)}
    whole, mine = traces["whole"], traces["mine"]
    assert (mine.status, mine.state) == (TraceStatus.COMPLETED, whole.state)
    assert mine.metrics and whole.metrics
    assert [mine.metrics[name] for name in TOOK] == [whole.metrics[name] for name in TOOK]


# Faults of the database: the job's outcome is the same.


def lock(settings: Settings) -> sqlite3.Connection:
    other = sqlite3.connect(file_of(settings), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


async def outcome_of(job_id: str, **options: Any) -> tuple[Any, ...]:
    report = await storm.arun("metformin", offline=True, job_id=job_id, **options)
    (job,) = [job for job in await storm.ajobs() if job.job_id == job_id]
    return report.exit_code, report.answers, job.state


async def said(job_id: str) -> list[str]:
    """What the job's stream says of its trace."""
    async with storm.open_app() as app:
        return [event.message for event in await app.journal(job_id).events(10_000) if event.kind == "traces"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    mark_long(
        ["locked", "full", "read-only", "no database", "gone in mid job", "a folder"], but=("full", "gone in mid job")
    ),
)
async def test_a_job_ends_as_ever_whatever_happens_to_its_trace(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    monkeypatch.setattr(TraceFile.__init__, "__defaults__", (*TraceFile.__init__.__defaults__[:-1], 0))  # type: ignore[index]
    expected = await outcome_of("before")
    options: dict[str, Any] = {}
    file = file_of(settings)
    if fault == "full":
        monkeypatch.setattr(
            "storm.traces.trace_file._transact", lambda *_: (_ for _ in ()).throw(make_full(settings.data_dir))
        )
    elif fault == "read-only":
        connect = TraceFile._connect

        def connect_to_read(self: TraceFile) -> sqlite3.Connection:
            connection = connect(self)
            connection.execute("PRAGMA query_only=ON")
            return connection

        monkeypatch.setattr(TraceFile, "_connect", connect_to_read)
    elif fault == "no database":
        file.write_bytes(b"no database at all " * 99)
    elif fault == "a folder":
        shutil.rmtree(file.parent)
        file.mkdir(parents=True)
    elif fault == "gone in mid job":

        def observe(event: Event) -> None:
            if (event.kind, event.message) == ("stage", "answer"):
                shutil.rmtree(file.parent, ignore_errors=True)
                file.parent.write_text("in the way")

        options = {"on_event": observe}
    with closing(lock(settings) if fault == "locked" else sqlite3.connect(":memory:")):
        assert await outcome_of("after", **options) == expected
    assert expected[0] == 0 and expected[2] is JobState.FINISHED
    (message,) = await said("after")
    assert "is not written, and the job goes on: " in message
    assert caplog.text.count("the job goes on") == 1
    assert await said("before") == []


def make_full(folder: Path) -> sqlite3.Error:
    """The error of SQLite for a full disk."""
    with closing(sqlite3.connect(folder / "small.db")) as small:
        small.execute("CREATE TABLE t (x)")
        small.execute("PRAGMA max_page_count = 2")
        try:
            small.execute("INSERT INTO t VALUES (zeroblob(100000))")
        except sqlite3.Error as exc:
            return exc
    raise AssertionError("the file took more than it can hold")


# What the trace of a mode is called, and how it ends.


@pytest.mark.parametrize(
    ("mode", "tool"), [("", "run_drug"), ("extractive", "run_drug"), ("report", "report"), ("deep_research",) * 2]
)
def test_a_trace_is_called_as_the_tool_that_runs_the_mode(mode: str, tool: str) -> None:
    assert name_tool(mode) == tool


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"status": "max_iterations_reached"}, TraceStatus.MAX_ITERATIONS),
        ({"exit_code": 3}, TraceStatus.COMPLETED),
        ({"status": "error", "error": "no search succeeded"}, TraceStatus.FAILED),
    ],
)
def test_a_trace_ends_as_its_report_says(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], status: TraceStatus
) -> None:
    kept: list[Any] = []

    class Recorder:
        def set_result(self, *given: Any) -> None:
            kept.append(given)

    monkeypatch.setattr("storm.reports.summary_of", lambda report: Summary((), fields))
    keep_result(Recorder(), None)  # type: ignore[arg-type]
    assert kept == [(fields, status, fields.get("error", ""))]
