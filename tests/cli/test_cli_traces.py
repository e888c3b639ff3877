"""`storm traces`: lists, timelines, pruning, exports, and one clear error for each fault of the database."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from storm_program import Program
from traced import START, ticking

from storm.traces import EventKind, Owner, TraceEvent
from storm.traces.database import TraceDatabase
from storm.traces.service import Traces

FILE = "traces/traces.db"


@pytest.fixture
def bare(tmp_path: Path) -> Program:
    """A program without an index of the sample, which traces do not need."""
    return Program(tmp_path / "data", tmp_path)


def fill(program: Program, write: Callable[[Traces], Coroutine[Any, Any, None]], owner: Owner | None = None) -> None:
    """Write traces where the program finds them."""

    async def run() -> None:
        database = TraceDatabase(program.data / FILE)
        await write(Traces(database, owner or Owner(), ticking()))
        await database.close()

    asyncio.run(run())


async def three(traces: Traces) -> None:
    line = {"kind": EventKind.SEARCH, "name": "pubmed", "outcome": "found", "message": "PubMed: 3\x1b[31m"}
    call = {
        "kind": EventKind.CALL, "name": "judge", "prompt_tokens": 900, "completion_tokens": 100, "cost_usd": 0.01,
        "seconds": 2.5,
    }  # fmt: skip
    await traces.create_trace("report", {"text": "Is it safe?\x1b[31m"}, trace_id="heart-1-a")
    await traces.update_progress(
        "heart-1-a", 0.25, stage="gather", metrics={"searches": 1},
        events=[
            TraceEvent(event_id="1", at=START, **line),
            TraceEvent(event_id="2", at=START + timedelta(seconds=4), **call),
        ],
    )  # fmt: skip
    await traces.create_trace("run_drug", {"text": "metformin"}, trace_id="metformin-1-b")
    await traces.fail_trace("metformin-1-b", "the model is gone")
    await traces.create_trace("run_drug", {"text": "aspirin"}, trace_id="aspirin-1-c")
    await traces.complete_trace("aspirin-1-c", {"answer": "Yes."})


def test_without_traces_the_list_is_empty(bare: Program) -> None:
    assert bare("traces", "list").out == "No traces.\n"
    assert bare("traces", "list", "--json").json() == {"traces": [], "cursor": ""}


def test_a_list_shows_the_newest_first_and_nothing_that_a_terminal_obeys(bare: Program) -> None:
    fill(bare, three)
    lines = bare("traces", "list").out.splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["TRACE", "TOOL", "STATUS", "DONE"],
        ["aspirin-1-c", "run_drug", "completed", "100%"],
        ["metformin-1-b", "run_drug", "failed", "0%"],
        ["heart-1-a", "report", "in_progress", "25%"],
    ]
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--tool", "report"], ["heart-1-a"]),
        (["--status", "failed"], ["metformin-1-b"]),
        (["--text", "ASPIRIN"], ["aspirin-1-c"]),
        (["--since", "2026-11-23"], []),
        (["--until", "2026-11-21"], []),
        (["--until", "2026-11-22", "--since", "2026-11-22", "--limit", "1"], ["aspirin-1-c"]),
        (["--until", "2026-11-22T09:30:01"], ["heart-1-a"]),
        (["--user", "1"], []),
        (["--org", "1"], []),
    ],
)
def test_a_list_is_narrowed(bare: Program, options: list[str], expected: list[str]) -> None:
    fill(bare, three)
    found = bare("traces", "list", "--json", *options).json()["traces"]
    assert [trace["id"] for trace in found] == expected


def test_the_next_page_is_named(bare: Program) -> None:
    fill(bare, three)
    outcome = bare("traces", "list", "--limit", "2")
    cursor = outcome.err.split("--cursor ")[1].strip()
    assert "heart-1-a" in bare("traces", "list", "--cursor", cursor).out


def test_an_organisation_is_listed_whole_when_asked_for(bare: Program) -> None:
    fill(bare, three, Owner(user_id=4, org_id=2))
    assert "heart-1-a" in bare("traces", "list", "--org", "2", "--everyone").out
    assert bare("traces", "list", "--org", "2").out == "No traces.\n"


def test_an_interrupted_trace_is_listed_as_such(bare: Program) -> None:
    async def write(traces: Traces) -> None:
        await traces.create_trace("report", {}, trace_id="a")
        await traces.mark_interrupted(["a"])
        await traces.create_trace("report", {}, trace_id="b")

    fill(bare, write)
    assert "interrupted" in bare("traces", "list").out
    assert len(bare("traces", "list", "--json").json()["traces"]) == 2
    (found,) = bare("traces", "list", "--status", "interrupted", "--json").json()["traces"]
    assert (found["id"], found["interrupted"]) == ("a", True)
    assert found["status"] == "pending"


def test_a_trace_is_shown_as_a_timeline(bare: Program) -> None:
    fill(bare, three)
    outcome = bare("traces", "show", "heart-1").out.splitlines()
    assert outcome[0] == "heart-1-a: report, in_progress, 25%, gather"
    search, call = outcome[-2:]
    assert search.split()[:5] == ["0.0", "s", "search", "pubmed", "found"]
    assert call.split() == ["4.0", "s", "call", "judge", "1,000", "0.0100", "2.5"]
    shown = bare("traces", "show", "heart-1-a", "--json").json()
    assert shown["metrics"] == {"searches": 1}
    assert [event["kind"] for event in shown["events"]] == ["search", "call"]
    assert "the model is gone" in bare("traces", "show", "metformin-1-b").out


def test_an_unknown_trace_is_a_usage_error(bare: Program) -> None:
    fill(bare, three)
    outcome = bare("traces", "show", "ibuprofen")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "storm traces list" in outcome.err


def test_old_traces_are_deleted_and_unfinished_ones_only_on_request(bare: Program) -> None:
    fill(bare, three)
    assert bare("traces", "prune", "--older-than", "36500").out == "0 traces deleted.\n"
    assert bare("traces", "prune", "--older-than", "0", "--dry-run").out == "2 traces would be deleted.\n"
    assert bare("traces", "prune", "--older-than", "0", "--dry-run", "--json").json() == {"would_be_deleted": 2}
    assert bare("traces", "prune", "--older-than", "0", "--json").json() == {"deleted": 2}
    assert "heart-1-a" in bare("traces", "list").out
    assert bare("traces", "prune", "--older-than", "0", "--unfinished").out == "1 trace deleted.\n"


def test_an_export_is_one_trace_a_line(bare: Program) -> None:
    fill(bare, three)
    outcome = bare("traces", "export")
    lines = [json.loads(line) for line in outcome.out.splitlines()]
    assert [line["id"] for line in lines] == ["aspirin-1-c", "metformin-1-b", "heart-1-a"]
    assert lines[0]["result"] == {"answer": "Yes."}
    assert len(lines[2]["events"]) == 2
    assert outcome.err == "3 traces written.\n"
    bare("traces", "export", "--tool", "report", "--out", "traces.jsonl")
    assert json.loads((bare.folder / "traces.jsonl").read_text(encoding="utf-8"))["id"] == "heart-1-a"


def test_an_export_that_cannot_be_written_is_said(bare: Program) -> None:
    fill(bare, three)
    outcome = bare("traces", "export", "--out", "no/such/folder.jsonl")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--status", "odd"], "--status is 'odd'; it must be one of pending, in_progress"),
        (["--since", "soon"], "--since is 'soon'; it must be a date"),
        (["--until", "2026-02-31"], "--until is '2026-02-31'; it must be a date"),
        (["--cursor", "abc"], "invalid cursor: 'abc'"),
        (["--everyone"], "those of an organisation"),
    ],
)
def test_a_wrong_option_is_said(bare: Program, options: list[str], message: str) -> None:
    said = bare("traces", "list", *options)
    assert (said.code, said.is_one_clear_error()) == (2, True)
    assert message in said.err


def change(program: Program, statement: str) -> None:
    with closing(sqlite3.connect(program.data / FILE, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_newer_database_is_refused_in_one_line(bare: Program) -> None:
    fill(bare, three)
    change(bare, "UPDATE alembic_version SET version_num = '0099'")
    for command in (["list"], ["show", "x"], ["prune", "--older-than", "1"], ["export"]):
        outcome = bare("traces", *command)
        assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
        assert "a newer storm wrote them" in outcome.err
        assert "update storm" in outcome.err


def test_a_locked_database_is_listed_but_not_pruned(bare: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(bare, three)
    monkeypatch.setattr(TraceDatabase.__init__, "__kwdefaults__", {"busy_seconds": 0})
    with closing(sqlite3.connect(bare.data / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert bare("traces", "list").code == 0
        outcome = bare("traces", "prune", "--older-than", "0")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "locked by another process" in outcome.err


def test_a_read_only_database_is_listed_but_not_pruned(bare: Program) -> None:
    fill(bare, three)
    url = f"sqlite:///file:{bare.data / FILE}?mode=ro&uri=true"
    assert "aspirin-1-c" in bare("traces", "list", STORM_TRACES_URL=url).out
    outcome = bare("traces", "prune", "--older-than", "0", STORM_TRACES_URL=url)
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "may be read, but not written" in outcome.err


@pytest.mark.parametrize(
    ("url", "message", "code"),
    [
        ("sqlite:///nowhere/traces.db", "there are no traces at nowhere/traces.db", 1),
        ("postgresql://me:secret@/x?host=/nowhere", "no database answers at", 1),
        ("mysql://me:secret@host/x", "STORM_TRACES_URL is wrong: mysql is not among", 2),
        ("me:secret", "STORM_TRACES_URL is wrong: it is not a database URL", 2),
    ],
)
def test_a_database_that_is_not_there_is_said_without_its_password(
    bare: Program, url: str, message: str, code: int
) -> None:
    said = bare("traces", "list", STORM_TRACES_URL=url)
    assert (said.code, said.is_one_clear_error()) == (code, True)
    assert message in said.err
    assert "secret" not in said.text


def test_an_export_to_a_dash_is_printed(bare: Program) -> None:
    fill(bare, three)
    assert bare("traces", "export", "--out", "-").out == bare("traces", "export").out != ""
    assert not (bare.folder / "-").exists()


def test_a_list_shows_what_a_tool_was_asked(bare: Program) -> None:
    async def search(traces: Traces) -> None:
        await traces.create_trace("search_database", {"database": "pubmed", "query": "zorvimab"}, trace_id="one")

    fill(bare, search)
    assert bare("traces", "list").out.rstrip().endswith("  zorvimab")


def test_an_export_replaces_a_file_only_if_told_to(bare: Program) -> None:
    fill(bare, three)
    (bare.folder / "kept.jsonl").write_text("mine")
    said = bare("traces", "export", "--out", "kept.jsonl")
    assert said.code == 2 and "kept.jsonl is there already" in said.err
    assert (bare.folder / "kept.jsonl").read_text() == "mine"
    assert bare("traces", "export", "--out", "kept.jsonl", "--overwrite").code == 0
    assert len((bare.folder / "kept.jsonl").read_text().splitlines()) == 3
