"""The recorder: a job's events become one trace, which survives a resume; a database that is lost loses no job."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traced import START, job_event, ticking

from storm.errors import JobCancelled, TracesUnavailable
from storm.models import Event, Job, JobRequest, JobState, RunSettings
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus
from storm.traces import (
    EventKind,
    NewTrace,
    TraceFilter,
    TraceRecorder,
    TraceStatus,
    describe_job,
)
from storm.traces.database import TraceDatabase
from storm.traces.job_record import JobRecord
from storm.traces.recorder import ABANDONED_AFTER, MAX_WAITING
from storm.traces.service import Traces
from storm.traces.trace import utc_now
from storm.traces.writer import TraceWriter

JOB = NewTrace("job-1", "report", {"text": "Is it safe?"})
#: Long enough that only an ending, `flush` or `close` writes.
NEVER = 3600.0
SYLLABUS = bundled_syllabus(read_settings().config_dir)


#: The service on SQLite and PostgreSQL, and the writer that needs no SQLAlchemy.
on_each_writer = pytest.mark.parametrize("place", ["sqlite", "file", "postgres"], indirect=True)


def recorder_of(writer: TraceWriter, **settings: Any) -> TraceRecorder:
    return TraceRecorder(lambda: writer, JOB, **{"pause": NEVER, **settings})


async def write_all(recorder: TraceRecorder, events: list[Event]) -> None:
    for event in events:
        await recorder.write(event)


WHOLE_JOB = [
    job_event(0, "stage", "plan"),
    job_event(1, "questions", "Safety", safety="Is it safe?"),
    job_event(2, "stage", "gather"),
    job_event(3, "search", "PubMed: 3 for x", 0.2, database="pubmed", status="found", hits=3, total=3),
    job_event(4, "search", "ChEMBL: failed", 0.3, database="chembl", status="failed", reason="timed out", hits=0),
    job_event(5, "saved", "#1 …", 0.4),
    job_event(6, "progress", "sources per question", 0.5, safety="1/5"),
    job_event(7, "call", "answered", 0.6, role="synthesizer", outcome="ok", prompt_tokens=900, completion_tokens=100,
              cost_usd=0.01, seconds=2.5),
    job_event(8, "state", "checklist", 0.7, checklist=[{"id": "1", "satisfied": True}]),
    job_event(9, "failed", "Safety: no answer", 0.8, question="safety"),
    job_event(10, "finished", "finished with exit code 0", 1.0),
]  # fmt: skip


@on_each_writer
async def test_a_job_becomes_one_trace_with_its_timeline(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer)
    await write_all(recorder, WHOLE_JOB[:-1])
    recorder.set_result({"answer": "Yes [1]."})
    await recorder.write(WHOLE_JOB[-1])
    trace = await traces.get_trace("job-1")
    assert (trace.tool_name, trace.input_params) == ("report", {"text": "Is it safe?"})
    assert (trace.status, trace.progress, trace.error_message) == (TraceStatus.COMPLETED, 1, None)
    assert trace.result == {"answer": "Yes [1]."}
    assert trace.state == {
        "questions": {"safety": "Is it safe?"},
        "sources_per_question": {"safety": "1/5"},
        "checklist": [{"id": "1", "satisfied": True}],
    }
    assert trace.metrics == {
        "searches": 2, "searches_failed": 1, "queries": {"pubmed": 1, "chembl": 1}, "hits": 3, "sources_processed": 1,
        "llm_calls": 1, "tokens": 1000, "cost_usd": 0.01,
    }  # fmt: skip
    timeline = await traces.list_events("job-1")
    assert [(line.kind, line.name, line.outcome) for line in timeline] == [
        (EventKind.STAGE, "plan", ""),
        (EventKind.STAGE, "gather", ""),
        (EventKind.SEARCH, "pubmed", "found"),
        (EventKind.SEARCH, "chembl", "failed"),
        (EventKind.CALL, "synthesizer", "ok"),
        (EventKind.FAILURE, "safety", ""),
    ]
    call = next(line for line in timeline if line.kind is EventKind.CALL)
    assert (call.prompt_tokens, call.completion_tokens, call.cost_usd, call.seconds) == (900, 100, 0.01, 2.5)


@on_each_writer
async def test_a_job_that_came_to_its_last_iteration_says_so(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer)
    recorder.set_result({"answer": ""}, TraceStatus.MAX_ITERATIONS)
    await recorder.write(job_event(1, "finished"))
    assert (await traces.get_trace("job-1")).status is TraceStatus.MAX_ITERATIONS


@on_each_writer
async def test_a_failed_job_says_why(writer: TraceWriter, traces: Traces) -> None:
    await recorder_of(writer).write(job_event(1, "failed", "the model is gone"))
    trace = await traces.get_trace("job-1")
    assert (trace.status, trace.error_message) == (TraceStatus.FAILED, "the model is gone")


@on_each_writer
async def test_a_job_with_a_failed_part_keeps_its_result(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer)
    recorder.set_result({"answer": "In part."})
    await recorder.write(job_event(1, "failed", "the language model failed"))
    trace = await traces.get_trace("job-1")
    assert (trace.status, trace.result) == (TraceStatus.FAILED, {"answer": "In part."})


def test_a_failed_role_and_a_database_that_is_not_searched_end_and_count_nothing() -> None:
    record = JobRecord()
    record.add(job_event(1, "failed", "The judgement: no model", work="The judgement"))
    record.add(job_event(2, "search", "Web", database="web", status="not applicable", hits=0))
    assert record.ending is None and record.metrics == {}


@on_each_writer
async def test_a_failure_after_which_the_job_goes_on_ends_nothing(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer)
    await write_all(recorder, [job_event(1, "failed", "one section"), job_event(2, "finished", progress=1.0)])
    trace = await traces.get_trace("job-1")
    assert (trace.status, trace.error_message) == (TraceStatus.COMPLETED, None)


@on_each_writer
async def test_a_cancelled_job_is_cancelled(writer: TraceWriter, traces: Traces) -> None:
    with pytest.raises(JobCancelled):
        async with recorder_of(writer) as recorder:
            await recorder.write(job_event(1, "stage", "plan"))
            await recorder.write(job_event(2, "cancelled", "cancelled by request"))
            raise JobCancelled("cancelled")
    assert (await traces.get_trace("job-1")).status is TraceStatus.CANCELLED


@on_each_writer
async def test_an_interrupted_job_is_written_to_its_last_event_and_says_so(writer: TraceWriter, traces: Traces) -> None:
    with pytest.raises(KeyboardInterrupt):
        async with recorder_of(writer) as recorder:
            await recorder.write(job_event(1, "search", "x", 0.3, database="pubmed", status="found"))
            raise KeyboardInterrupt
    trace = await traces.get_trace("job-1")
    assert (trace.status, trace.progress, trace.is_interrupted) == (TraceStatus.IN_PROGRESS, 0.3, True)
    assert len(await traces.list_events("job-1")) == 1


@on_each_writer
async def test_a_recorder_without_events_writes_nothing(writer: TraceWriter, traces: Traces) -> None:
    with pytest.raises(ValueError, match="held"):
        async with recorder_of(writer):
            raise ValueError("held by another process")
    assert (await traces.list_traces()).traces == ()


@pytest.mark.parametrize("ended", [[], [job_event(2, "failed", "no model")], [job_event(2, "cancelled")]])
@on_each_writer
async def test_a_resumed_job_goes_on_with_its_trace(writer: TraceWriter, traces: Traces, ended: list[Event]) -> None:
    first = recorder_of(writer)
    found = {"database": "pubmed", "status": "found", "hits": 2}
    await write_all(first, [job_event(1, "search", "a", 0.5, **found), *ended])
    await first.close()
    second = recorder_of(writer)
    await write_all(second, [job_event(8, "search", "b", 0.4, **found), job_event(9, "finished", "", 1.0)])
    (summary,) = (await traces.list_traces()).traces
    assert summary.status is TraceStatus.COMPLETED
    trace = await traces.get_trace(summary.id)
    assert trace.metrics == {"searches": 2, "searches_failed": 0, "queries": {"pubmed": 2}, "hits": 4}
    searches = [line.message for line in await traces.list_events(trace.id) if line.kind is EventKind.SEARCH]
    assert searches == ["a", "b"]


@given(parts=st.lists(st.tuples(st.sampled_from(["stage", "search", "saved", "odd"]), st.floats(0, 1)), max_size=8))
def test_progress_never_falls_whatever_the_events_say(parts: list[tuple[str, float]]) -> None:
    record, seen = JobRecord(), [0.0]
    for number, (kind, progress) in enumerate(parts):
        record.add(job_event(number, kind, "x", progress))
        seen.append(record.progress)
    assert seen == sorted(seen)


@on_each_writer
async def test_a_trace_is_written_while_the_job_goes_on(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer, pause=0)
    await recorder.write(job_event(1, "stage", "plan"))
    assert recorder._timer
    recorder._stop_timer()
    recorder._begin_write()
    assert recorder._task
    await recorder._task
    assert (await traces.get_trace("job-1")).current_stage == "plan"


async def test_the_first_event_is_written_at_once_so_that_a_job_killed_early_is_traced(database: TraceDatabase) -> None:
    recorder = recorder_of(Traces(database), pause=NEVER)
    await recorder.write(job_event(1, "stage", "plan"))
    for _ in range(100):
        await asyncio.sleep(0)
    assert recorder._task
    await recorder._task
    assert (await Traces(database).get_trace("job-1")).current_stage == "plan"


async def test_many_events_are_written_in_few_transactions(
    database: TraceDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = 0
    write = TraceDatabase.write

    def counted(self: TraceDatabase) -> Any:
        nonlocal writes
        writes += 1
        return write(self)

    monkeypatch.setattr(TraceDatabase, "write", counted)
    recorder = recorder_of(Traces(database))
    found = {"database": "pubmed", "status": "found"}
    await write_all(recorder, [job_event(number, "search", "x", **found) for number in range(2_000)])
    await recorder.close()
    assert writes == 2  # creates it, writes all
    assert len(await Traces(database).list_events("job-1")) == 2_000


class Held:
    """Traces whose first write of progress waits until it is let go."""

    def __init__(self, traces: TraceWriter) -> None:
        self._traces = traces
        self.began, self.let_go = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def ask(*args: Any, **values: Any) -> Any:
            if name == "update_progress":
                self.began.set()
                await self.let_go.wait()
            return await getattr(self._traces, name)(*args, **values)

        return ask


@on_each_writer
async def test_a_job_that_ends_during_a_write_is_ended_once(
    writer: TraceWriter, traces: Traces, caplog: pytest.LogCaptureFixture
) -> None:
    held = Held(writer)
    recorder = recorder_of(held)  # type: ignore[arg-type]
    await recorder.write(job_event(1, "stage", "plan"))
    writing = asyncio.create_task(recorder.flush())
    await held.began.wait()
    ending = asyncio.create_task(recorder.write(job_event(2, "finished", "", 1.0)))
    await asyncio.sleep(0)
    held.let_go.set()
    await asyncio.gather(writing, ending)
    await recorder.write(job_event(3, "observer", "after the end"))
    await recorder.close()
    assert (await traces.get_trace("job-1")).status is TraceStatus.COMPLETED
    assert caplog.text == ""


async def open_jobs(writer: TraceWriter, *job_ids: str) -> None:
    """Traces of jobs whose recorder is gone."""
    for job_id in job_ids:
        await writer.create_trace("report", {"job_id": job_id}, trace_id=f"{job_id}-trace")


@on_each_writer
async def test_the_traces_of_jobs_without_a_process_are_marked_when_the_next_begins(
    writer: TraceWriter, traces: Traces
) -> None:
    asked = 0

    async def find_worked() -> Mapping[str, bool]:
        nonlocal asked
        asked += 1
        return {"killed": False, "running": True}

    await open_jobs(writer, "killed", "running", "of another store")
    await writer.create_trace("own", {}, trace_id="a tool, which is no job")
    recorder = recorder_of(writer, find_worked=find_worked)
    await recorder.write(job_event(1, "finished"))
    marked = {trace.id: trace.is_interrupted for trace in (await traces.list_traces()).traces}
    others = {"running-trace": False, "of another store-trace": False, "a tool, which is no job": False}
    assert marked == {"job-1": False, "killed-trace": True, **others}
    await recorder_of(writer, find_worked=find_worked).close()
    assert asked == 1


@on_each_writer
async def test_old_traces_of_which_no_job_is_known_are_taken_for_interrupted_until_they_are_written_again(
    writer: TraceWriter, traces: Traces
) -> None:
    async def find_worked() -> Mapping[str, bool]:
        return {"running": True}

    await open_jobs(writer, "running", "of another store")
    await writer.create_trace("search_database", {}, trace_id="a tool, killed")
    tomorrow = utc_now() + ABANDONED_AFTER
    recorder = recorder_of(writer, find_worked=find_worked, clock=lambda: tomorrow)
    await recorder.write(job_event(1, "finished"))
    found = (await traces.list_traces(TraceFilter(interrupted=True))).traces
    assert {trace.id for trace in found} == {"of another store-trace", "a tool, killed"}
    await writer.update_progress("of another store-trace", 0.5)
    assert not (await traces.get_trace("of another store-trace")).is_interrupted


@on_each_writer
async def test_where_the_jobs_cannot_be_read_no_trace_is_marked(writer: TraceWriter, traces: Traces) -> None:
    async def find_worked() -> None:
        return None

    await open_jobs(writer, "killed")
    recorder = recorder_of(writer, find_worked=find_worked, clock=lambda: utc_now() + ABANDONED_AFTER)
    await recorder.write(job_event(1, "finished"))
    assert not (await traces.list_traces(TraceFilter(interrupted=True))).traces


@on_each_writer
async def test_a_job_whose_answer_is_an_error_has_a_failed_trace_with_its_result(
    writer: TraceWriter, traces: Traces
) -> None:
    recorder = recorder_of(writer)
    recorder.set_result({"status": "error"}, TraceStatus.FAILED, "no search succeeded")
    await recorder.write(job_event(1, "finished"))
    trace = await traces.get_trace("job-1")
    assert (trace.status, trace.error_message, trace.result) == ("failed", "no search succeeded", {"status": "error"})


# A database that is lost.


class Broken:
    """Traces whose database is away until it is repaired."""

    def __init__(self, traces: TraceWriter) -> None:
        self._traces = traces
        self.is_away = True

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def ask(*args: Any, **values: Any) -> Any:
            if self.is_away:
                raise TracesUnavailable("no database answers")
            return await getattr(self._traces, name)(*args, **values)

        return ask


@on_each_writer
async def test_a_loss_is_said_once_and_the_job_goes_on(
    writer: TraceWriter, traces: Traces, caplog: pytest.LogCaptureFixture
) -> None:
    said = list[str]()

    async def report_loss(why: str) -> None:
        said.append(why)

    recorder = recorder_of(Broken(writer))  # type: ignore[arg-type]
    recorder.report_loss = report_loss
    for number in range(3):
        await recorder.write(job_event(number, "stage", "plan"))
        await recorder.flush()
    await recorder.write(job_event(9, "finished", "", 1.0))
    await recorder.close(interrupted=True)
    assert said == ["the trace job-1 is not written, and the job goes on: no database answers"]
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == said


@on_each_writer
async def test_what_a_database_missed_is_written_when_it_is_back(writer: TraceWriter, traces: Traces) -> None:
    broken = Broken(writer)
    recorder = recorder_of(broken)  # type: ignore[arg-type]
    await recorder.write(job_event(1, "stage", "plan"))
    await recorder.flush()
    broken.is_away = False
    await recorder.write(job_event(2, "finished", "", 1.0))
    assert (await traces.get_trace("job-1")).status is TraceStatus.COMPLETED
    assert [line.name for line in await traces.list_events("job-1")] == ["plan"]


@pytest.mark.slow
@on_each_writer
async def test_a_database_that_is_away_for_long_does_not_fill_the_memory(writer: TraceWriter, traces: Traces) -> None:
    recorder = recorder_of(writer)
    await write_all(recorder, [job_event(number, "stage", "x") for number in range(MAX_WAITING + 7)])
    await recorder.close()
    assert len(await traces.list_events("job-1")) == MAX_WAITING
    assert (await traces.get_trace("job-1")).metrics == {"timeline_lost": 7}


async def test_a_mistake_of_the_recorder_ends_no_job(caplog: pytest.LogCaptureFixture) -> None:
    def connect() -> Traces:
        raise ZeroDivisionError

    recorder = TraceRecorder(connect, JOB, pause=NEVER)
    await recorder.write(job_event(1, "finished"))
    assert "the job goes on" in caplog.text


# What the trace of a job is.


def job_of(**values: Any) -> Job:
    asked = JobRequest(text="trastuzumab")
    described = {"settings": RunSettings(mode="broad"), "state": JobState.QUEUED, "created": START}
    return Job(job_id="trastuzumab-1", request=asked, **{**described, **values})


def test_the_trace_of_a_job_is_the_same_whenever_it_is_asked_for() -> None:
    job = job_of()
    assert describe_job(job) == describe_job(job_of(state=JobState.FAILED, exit_code=1, finished=START))
    assert describe_job(job).trace_id.startswith("trastuzumab-1-")
    assert describe_job(job).tool_name == "broad"
    assert describe_job(job).input_params == {"job_id": "trastuzumab-1", "text": "trastuzumab"}
    others = [
        describe_job(job_of(user_id=1)),
        describe_job(job_of(org_id=0)),
        describe_job(job_of(created=ticking()().replace(year=2027))),
    ]
    assert len({describe_job(job).trace_id, *(trace.trace_id for trace in others)}) == 4


@pytest.mark.slow
def test_a_job_that_is_recorded_in_the_data_directory_imports_no_sql_library(tmp_path: Path) -> None:
    code = "import sys, storm; storm.run('metformin', offline=True)\n"
    code += "print([n for n in ('sqlalchemy', 'alembic') if n in sys.modules])"
    own = {**os.environ, "STORM_DATA_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=own, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert (tmp_path / "traces" / "traces.db").is_file()
