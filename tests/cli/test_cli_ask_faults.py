"""`storm ask` where something fails: all its searches, the database of its traces, its process."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from asked_parts import use_parts
from long_parameters import mark_long
from service_lists import services_at
from storm_program import Child, Outcome, Program, await_event

from storm.models import DeepResearchResult
from storm.traces.database import TraceDatabase
from storm.traces.schema import migrate
from storm.traces.trace_file import TraceFile
from storm.traces.versions import REVISIONS

ASKED = "Does trastuzumab harm the heart?"
ASK = ("ask", ASKED, "--offline", "--job-id", "mine")
TRIED = "No search succeeded, so there is no answer. Tried: Europe PMC (no connection)."


def traces(program: Program) -> list[dict[str, Any]]:
    """The traces, whole, newest first."""
    return [json.loads(line) for line in program("traces", "export").out.splitlines()]


def text_of(outcome: Outcome) -> str:
    """The answer without where to find the rest of it."""
    return outcome.out.partition("\nWith all quotes")[0].strip()


# Every search fails.


@pytest.fixture
def dead(program: Program) -> dict[str, str]:
    """The environment in which the one database, which the sample cannot stand in for, does not answer."""
    path = services_at(program.folder / "dead.yaml", "http://127.0.0.1:9", ["europepmc"], label="Europe PMC")
    return {"STORM_DATABASES": str(path)}


@pytest.mark.slow
def test_where_every_search_fails_there_is_no_prose_and_the_error_says_what_was_tried(
    program: Program, dead: dict[str, str]
) -> None:
    asked = ("ask", "Does aspirin prevent stroke?", "--databases", "europepmc")
    outcome = program(*asked, "--json", **dead)
    result = DeepResearchResult.model_validate(outcome.json())
    assert (outcome.code, result.status, result.answer, result.sources) == (3, "error", "", ())
    assert result.error == TRIED and len(result.checklist_coverage.gaps) == 3
    said = program(*asked, **dead)
    assert (said.code, text_of(said)) == (3, "") and said.is_one_clear_error() and TRIED in said.err
    (*_, last) = map(json.loads, program(*asked, "--stream", **dead).out.splitlines())
    assert (last["failed"], last["exit_code"], last["payload"]["data"]["error"]) == (True, 3, TRIED)
    (trace, *_) = traces(program)
    assert {line["outcome"] for line in trace["events"] if line["kind"] == "search"} == {"failed"}


def test_as_a_tool_it_has_failed_and_says_what_was_tried(program: Program, dead: dict[str, str]) -> None:
    asked = {"question": "Does aspirin prevent stroke?", "databases": ["europepmc"]}
    outcome = program("tools", "call", "deep_research", json.dumps(asked), "--json", "--quiet", **dead)
    result = outcome.json()
    assert (outcome.code, result["failed"], result["payload"]["data"]["status"]) == (3, True, "error")
    first, _, rest = result["text"].partition("\n")
    assert ": failed, asked on 20" in first and TRIED in rest and "Sources:" not in rest


# The database of the traces: the answer is the same, and the loss is said once.


@contextmanager
def broken(fault: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file of the traces, in which there is one, with that fault."""
    connect = TraceFile._connect

    def connect_with(pragma: str) -> None:
        def change(self: TraceFile) -> sqlite3.Connection:
            connection = connect(self)
            connection.execute(pragma)
            return connection

        monkeypatch.setattr(TraceFile, "_connect", change)

    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        if fault == "locked":
            other.execute("BEGIN IMMEDIATE")
        elif fault == "full":
            shutil.rmtree(file.parent)
            connect_with("PRAGMA max_page_count=3")
        elif fault == "read-only":
            connect_with("PRAGMA query_only=ON")
        elif fault == "too new":
            other.execute("UPDATE alembic_version SET version_num = '0099'")
        elif fault == "other tables":
            other.execute("ALTER TABLE tool_traces RENAME TO others")
        elif fault == "gone in mid job":
            write = TraceFile.update_progress

            async def lose(self: TraceFile, *args: Any, **given: Any) -> None:
                shutil.rmtree(file.parent, ignore_errors=True)
                file.parent.write_text("in the way")
                await self.disconnect()
                monkeypatch.setattr(TraceFile, "update_progress", write)
                await write(self, *args, **given)

            monkeypatch.setattr(TraceFile, "update_progress", lose)
        yield


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["locked", "full", "read-only", "too new", "other tables", "gone in mid job"])
def test_a_trace_that_cannot_be_written_is_said_once_and_changes_no_answer(
    program: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    use_parts(monkeypatch)
    monkeypatch.setattr(TraceFile.__init__, "__defaults__", (*TraceFile.__init__.__defaults__[:-1], 0))  # type: ignore[index]
    expected = program("ask", ASKED, "--offline", "--fresh")
    with broken(fault, program.data / "traces" / "traces.db", monkeypatch):
        outcome = program(*ASK, "--fresh")
    assert (outcome.code, text_of(outcome)) == (expected.code, text_of(expected)) == (0, text_of(expected))
    assert "[1]" in text_of(outcome) and "Traceback" not in outcome.text
    assert caplog.text.count("is not written, and the job goes on: ") == 1


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--quiet", "--json", "--stream"])
def test_the_loss_is_one_line_on_standard_error_and_none_of_the_output(program: Program, option: str) -> None:
    (program.data / "traces").write_text("in the way")
    outcome = program.start(*ASK, option).end()
    assert outcome.code in (0, 3) and "job goes on" not in outcome.out
    (said,) = outcome.err.splitlines()
    assert said.startswith("the trace mine-") and "is not written, and the job goes on: " in said


async def make_old(file: Path) -> None:
    database = TraceDatabase(file)
    database._check_file(create=True)
    async with database._writer.begin() as connection:
        await connection.run_sync(migrate, REVISIONS[0])
    await database.close()


def test_traces_of_an_earlier_version_are_brought_up_to_date_by_the_first_question(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_parts(monkeypatch)
    file = program.data / "traces" / "traces.db"
    asyncio.run(make_old(file))
    outcome = program(*ASK)
    assert outcome.code == 0 and "the job goes on" not in outcome.text
    assert Path(f"{file}.version-{REVISIONS[0]}").exists()
    assert [trace["status"] for trace in traces(program)] == ["completed"]


# Processes.


@pytest.mark.slow
def test_two_processes_that_ask_at_once_leave_two_whole_traces(program: Program) -> None:
    children = [program.start("ask", ASKED, "--offline", "--job-id", name) for name in ("first", "second")]
    ended = [child.end() for child in children]
    assert {one.code for one in ended} <= {0, 3} and text_of(ended[0]) == text_of(ended[1]) != ""
    assert "is not written" not in ended[0].err + ended[1].err
    found = traces(program)
    assert {trace["input_params"]["job_id"] for trace in found} == {"first", "second"}
    for trace in found:
        stages = [line["name"] for line in trace["events"] if line["kind"] == "stage"]
        assert trace["status"] == "completed" and stages[0] == "refine" and "report" in stages


@pytest.fixture
def whole(program: Program, tmp_path: Path) -> Outcome:
    """The answer that nobody disturbs, in a data directory of its own."""
    shutil.copytree(program.data, tmp_path / "whole")
    other = Program(tmp_path / "whole", program.folder)
    outcome = other(*ASK, "--quiet")
    other.server().stop_server(force=True)
    return outcome


def stop(child: Child, how: signal.Signals) -> Outcome:
    child.send(how)
    return child.end()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "number"),
    mark_long(
        [("created", 1), ("stage", 2), ("search", 2), ("saved", 3), ("stage", 7)],
        but=[("created", 1), ("saved", 3), ("stage", 7)],
    ),
)
def test_a_killed_question_is_resumed_to_the_same_answer_with_the_same_trace(
    program: Program, whole: Outcome, kind: str, number: int
) -> None:
    child = program.start(*ASK)
    await_event(program, child.job_id(), kind, number)
    stop(child, signal.SIGKILL)
    assert program.jobs()[0]["state"] in ("queued", "interrupted")
    left = {trace["id"]: trace["status"] for trace in traces(program)}
    assert set(left.values()) <= {"in_progress", "pending"}
    outcome = program("resume", "mine", "--quiet")
    assert (outcome.code, outcome.out) == (whole.code, whole.out)
    (trace,) = traces(program)
    assert (trace["status"], trace["interrupted"]) == ("completed", False) and {*left} <= {trace["id"]}


#: Asks, waits at the stage that is named, and is killed as soon as its trace is written.
KILLED = """
import asyncio, os, signal, sys, storm
from storm.traces import TraceRecorder
written = TraceRecorder._write_news
async def write_and_die(self):
    await written(self)
    os.kill(os.getpid(), signal.SIGKILL)
TraceRecorder._write_news = write_and_die
async def observe(event):
    if (event.kind, event.message) == ("stage", sys.argv[2]):
        await asyncio.Event().wait()
storm.ask(sys.argv[1], offline=True, job_id="mine", on_event=observe)
"""


@pytest.mark.slow
@pytest.mark.parametrize("stage", mark_long(["plan", "search", "judge:1", "section"], but=["search", "section"]))
def test_the_trace_of_a_killed_question_is_listed_as_interrupted_and_goes_on_as_one(
    program: Program, whole: Outcome, stage: str
) -> None:
    assert program.start_python("-c", KILLED, ASKED, stage).end().code == -signal.SIGKILL
    (left,) = traces(program)
    assert (left["status"], left["interrupted"]) == ("in_progress", False)
    assert program("ask", "Does metformin lower HbA1c?", "--offline").code in (0, 3)
    listed = {trace["input_params"]["job_id"] == "mine": trace["interrupted"] for trace in traces(program)}
    assert listed == {True: True, False: False}
    assert " interrupted " in program("traces", "list").out
    assert program("resume", "mine", "--quiet").out == whole.out
    (trace,) = [one for one in traces(program) if one["input_params"]["job_id"] == "mine"]
    assert (trace["id"], trace["status"], trace["interrupted"]) == (left["id"], "completed", False)
    names = [line["name"] for line in trace["events"] if line["kind"] == "stage"]
    assert names[0] == "refine" and names[-1] == "report"


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_question_says_how_to_go_on_and_its_trace_that_it_is_interrupted(
    program: Program, whole: Outcome, how: signal.Signals
) -> None:
    child = program.start(*ASK)
    await_event(program, child.job_id(), "saved", 3)
    outcome = stop(child, how)
    assert outcome.code == 130 and outcome.is_one_clear_error() and "storm resume mine" in outcome.err
    (left,) = traces(program)
    assert (left["status"], left["interrupted"]) == ("in_progress", True)
    assert program("resume", "mine", "--quiet").out == whole.out
    (trace,) = traces(program)
    assert (trace["id"], trace["status"], trace["interrupted"]) == (left["id"], "completed", False)
