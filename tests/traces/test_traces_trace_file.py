"""The writer without SQLAlchemy: it leaves in a file what the service leaves there, and meets the same faults."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from traced import START, ticking

from storm.errors import (
    TraceFinished,
    TracesBusy,
    TracesError,
    TracesRefused,
    TracesSchemaError,
    TracesUnavailable,
    UnknownTrace,
    UsageError,
)
from storm.traces import EventKind, Owner, TraceEvent, TraceStatus
from storm.traces.database import TraceDatabase
from storm.traces.schema import migrate
from storm.traces.service import Traces
from storm.traces.trace_file import TraceFile
from storm.traces.versions import REVISIONS, make_file
from storm.traces.writer import TraceWriter

on_each_writer = pytest.mark.parametrize("place", ["sqlite", "file", "postgres"], indirect=True)
ODD = 'a\0b \ud800 é 💊 "quoted" \\ \'; DROP TABLE tool_traces'


async def write_whole(writer: TraceWriter) -> None:
    """A trace with all that a trace can have."""
    await writer.create_trace("report", {"text": ODD, "odd": [float("inf"), {"a\0": True}]}, trace_id="t-1")
    line = TraceEvent(event_id="1-0", at=START, kind=EventKind.CALL, name="writer", message=ODD, outcome="ok",
                      prompt_tokens=9, completion_tokens=1, cost_usd=0.25, seconds=1.5)  # fmt: skip
    for reached in (0.4, 0.2):
        await writer.update_progress(
            "t-1", reached, stage="gather", state={"é": [1]}, metrics={"searches": 2}, events=[line]
        )
    await writer.complete_trace("t-1", {"answer": ODD}, status=TraceStatus.MAX_ITERATIONS)
    await writer.disconnect()


def rows_of(file: Path) -> list[Any]:
    with closing(sqlite3.connect(file)) as found:
        return [found.execute(f"SELECT * FROM {table}").fetchall() for table in ("tool_traces", "trace_events")]


async def test_a_file_holds_the_same_whoever_wrote_it(tmp_path: Path) -> None:
    quick, other = tmp_path / "quick.db", tmp_path / "other.db"
    await write_whole(TraceFile(quick, Owner(user_id=7), ticking()))
    await write_whole(Traces(TraceDatabase(other), Owner(user_id=7), ticking()))
    assert rows_of(quick) == rows_of(other)


async def test_a_new_file_has_the_tables_that_the_migrations_make(tmp_path: Path) -> None:
    def tables(file: Path) -> list[str]:
        with closing(sqlite3.connect(file)) as found:
            made = found.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name").fetchall()
            mode = found.execute("PRAGMA journal_mode").fetchone()[0]
        return [mode, *("".join(sql.split()) for (sql,) in made)]

    await TraceFile(tmp_path / "quick.db").create_trace("report", {}, trace_id="t-1")
    migrated = TraceDatabase(tmp_path / "other.db")
    await migrated.open()
    await migrated.close()
    assert tables(tmp_path / "quick.db") == tables(tmp_path / "other.db")
    assert (tmp_path / "quick.db").stat().st_mode & 0o077 == 0


@on_each_writer
@pytest.mark.parametrize("status", ["failed", "cancelled"])
async def test_a_trace_that_ended_is_resumed_with_what_it_had(writer: TraceWriter, traces: Traces, status: str) -> None:
    await writer.create_trace("report", {}, trace_id="t-1")
    await writer.update_progress("t-1", 0.5, state={"a": 1}, metrics={"searches": 2})
    await (writer.fail_trace("t-1", "no model") if status == "failed" else writer.cancel_trace("t-1"))
    ended = await traces.get_trace("t-1")
    assert (ended.status, ended.error_message) == (status, "no model" if status == "failed" else None)
    assert ended.completed_at
    resumed = await writer.resume_trace("t-1")
    assert (resumed.state, resumed.metrics) == ({"a": 1}, {"searches": 2})
    found = await traces.get_trace("t-1")
    assert (found.status, found.progress, found.error_message, found.completed_at) == ("in_progress", 0.5, None, None)


@on_each_writer
async def test_a_finished_an_unknown_and_a_taken_trace_are_refused(writer: TraceWriter) -> None:
    await writer.create_trace("report", {}, trace_id="t-1")
    with pytest.raises(UsageError, match="already a trace t-1"):
        await writer.create_trace("report", {}, trace_id="t-1")
    await writer.complete_trace("t-1", None)
    with pytest.raises(TraceFinished):
        await writer.update_progress("t-1", 1.0)
    with pytest.raises(TraceFinished):
        await writer.resume_trace("t-1")
    with pytest.raises(UnknownTrace):
        await writer.fail_trace("t-2", "x")


@on_each_writer
async def test_a_writer_reaches_no_trace_of_another_owner(writer_of: Callable[..., TraceWriter]) -> None:
    owners = [Owner(), Owner(user_id=1), Owner(org_id=0), Owner(user_id=1, org_id=0)]
    for number, owner in enumerate(owners):
        await writer_of(owner).create_trace("report", {"job_id": f"job-{number}"}, trace_id=f"t-{number}")
    for number, owner in enumerate(owners):
        writer = writer_of(owner)
        assert [each[:2] for each in await writer.list_open()] == [(f"t-{number}", f"job-{number}")]
        for other in range(len(owners)):
            if other != number:
                assert await writer.mark_interrupted([f"t-{other}"]) == 0
                with pytest.raises(UnknownTrace):
                    await writer.update_progress(f"t-{other}", 1.0)


# Faults.


async def test_an_earlier_file_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "traces.db"
    database = TraceDatabase(file)
    database._check_file(create=True)
    async with database._writer.begin() as connection:
        await connection.run_sync(migrate, REVISIONS[0])
    await database.close()
    writer = TraceFile(file)
    await write_whole(writer)
    assert (tmp_path / "traces.db.version-0001").exists()
    assert len(rows_of(file)[1]) == 1


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE alembic_version SET version_num = '0099'", TracesSchemaError),
        ("ALTER TABLE tool_traces RENAME TO others", TracesSchemaError),
    ],
)
async def test_a_file_of_a_newer_storm_or_another_program_is_refused(
    tmp_path: Path, statement: str, error: type[TracesError]
) -> None:
    await write_whole(TraceFile(tmp_path / "traces.db"))
    with closing(sqlite3.connect(tmp_path / "traces.db")) as other:
        other.execute(statement)
        other.commit()
    writer = TraceFile(tmp_path / "traces.db")
    with pytest.raises(error):
        await writer.create_trace("report", {}, trace_id="t-2")
    await writer.disconnect()


async def test_a_locked_file_is_said_and_used_when_it_is_free(tmp_path: Path) -> None:
    writer = TraceFile(tmp_path / "traces.db", busy_seconds=0)
    await writer.create_trace("report", {}, trace_id="t-1")
    with closing(sqlite3.connect(tmp_path / "traces.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TracesBusy):
            await writer.update_progress("t-1", 0.5)
        other.execute("ROLLBACK")
    await writer.update_progress("t-1", 0.5)
    await writer.disconnect()


async def test_a_full_file_is_said_and_nothing_is_written_in_part(tmp_path: Path) -> None:
    writer = TraceFile(tmp_path / "traces.db")
    await writer.create_trace("report", {}, trace_id="t-1")
    assert writer._connection
    pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
    writer._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    lines = [TraceEvent(event_id=str(n), at=START, kind=EventKind.SEARCH, message="x" * 1_000) for n in range(100)]
    with pytest.raises(TracesRefused, match="no space left"):
        await writer.update_progress("t-1", 0.5, events=lines)
    await writer.disconnect()
    trace, events = rows_of(tmp_path / "traces.db")
    assert (trace[0][6], events) == (0.0, [])


@pytest.mark.parametrize(
    ("content", "error"), [(b"no database at all " * 99, TracesRefused), (None, TracesUnavailable)]
)
async def test_what_is_no_database_is_said_and_left_alone(
    tmp_path: Path, content: bytes | None, error: type[TracesError]
) -> None:
    file = tmp_path / "traces.db"
    file.write_bytes(content) if content else file.mkdir()
    writer = TraceFile(file)
    with pytest.raises(error):
        await writer.create_trace("report", {}, trace_id="t-1")
    assert file.is_dir() if content is None else file.read_bytes() == content


async def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TracesUnavailable):
        await TraceFile(tmp_path / "file" / "traces.db").create_trace("report", {}, trace_id="t-1")


async def test_several_write_to_a_new_file_at_once(tmp_path: Path) -> None:
    writers = [TraceFile(tmp_path / "traces.db") for _ in range(4)]
    await asyncio.gather(
        *(writer.create_trace("report", {}, trace_id=f"t-{number}") for number, writer in enumerate(writers))
    )
    for writer in writers:
        await writer.disconnect()
    assert len(rows_of(tmp_path / "traces.db")[0]) == len(writers)


def test_a_new_file_can_be_read_while_it_is_written_to_and_is_never_half_made(tmp_path: Path) -> None:
    file = tmp_path / "traces.db"
    make_file(file)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.execute("CREATE TABLE filled (number INTEGER)")
    before = file.read_bytes()
    make_file(file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


async def test_both_kinds_of_writer_take_turns_at_one_file(tmp_path: Path) -> None:
    quick, database = TraceFile(tmp_path / "traces.db"), TraceDatabase(tmp_path / "traces.db")
    await quick.create_trace("report", {}, trace_id="t-1")
    await Traces(database).update_progress("t-1", 0.25)
    await quick.update_progress("t-1", 0.5)
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT progress FROM tool_traces")) == 0.5
    await quick.disconnect()
    await database.close()
