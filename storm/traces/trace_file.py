"""Writes traces to a file of SQLite with the standard library alone: SQLAlchemy takes longer to import than a short job
takes to be recorded. Lists, migrations and servers are the business of `service` and `database`."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import JsonValue

from storm.errors import Code, TraceFinished, TracesError, UnknownTrace, UsageError
from storm.traces.faults import BUSY_SECONDS, make_error, unreachable
from storm.traces.plain_values import make_storable, make_storable_value, write_json
from storm.traces.trace import INTERRUPTED, LOCAL, MAX_OPEN, Owner, TraceEvent, TraceStatus, utc_now
from storm.traces.versions import NEWEST, REVISIONS, check_version, make_file
from storm.traces.writer import Recorded

_OWNED = "user_id = ? AND org_id IS ?"
_OPEN = "status IN ('pending', 'in_progress')"
_EVENT = tuple(TraceEvent.model_fields)
_ADD_EVENT = f"INSERT OR IGNORE INTO trace_events (trace_id, {', '.join(_EVENT)}) VALUES (?{', ?' * len(_EVENT)})"

T = TypeVar("T")


class TraceFile:
    """A TraceWriter: the traces of one owner in a file of SQLite, which is made or brought up to date."""

    def __init__(
        self,
        file: Path,
        owner: Owner = LOCAL,
        clock: Callable[[], datetime] = utc_now,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self._file = file
        self._owned = (owner.user_id, owner.org_id)
        self._clock = clock
        self._busy_seconds = busy_seconds
        self._connection: sqlite3.Connection | None = None

    async def create_trace(self, tool_name: str, input_params: Mapping[str, JsonValue], *, trace_id: str) -> None:
        """A new trace, `pending`; UsageError if that id is taken."""
        row = (
            trace_id,
            *self._owned,
            make_storable(tool_name),
            write_json(input_params),
            "pending",
            0.0,
            "",
            self._now(),
        )

        def insert(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "INSERT OR IGNORE INTO tool_traces (id, user_id, org_id, tool_name, input_params, status, progress, "
                "current_stage, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            ).rowcount

        if not await self._write(insert):
            raise UsageError(f"there is already a trace {trace_id}", hint="leave the id out")

    async def update_progress(
        self,
        trace_id: str,
        progress: float,
        *,
        stage: str = "",
        state: Mapping[str, JsonValue] | None = None,
        metrics: Mapping[str, JsonValue] | None = None,
        events: Sequence[TraceEvent] = (),
    ) -> None:
        """As `Traces.update_progress`."""
        changes: dict[str, Any] = {
            "status = ?": TraceStatus.IN_PROGRESS.value,
            "progress = max(progress, ?)": min(1.0, max(0.0, progress)),
            "started_at = coalesce(started_at, ?)": self._now(),
            "error_message = ?": None,
            **({"current_stage = ?": make_storable(stage)} if stage else {}),
            **_given(state=state, metrics=metrics),
        }
        await self._change(trace_id, changes, events)

    async def complete_trace(
        self,
        trace_id: str,
        result: Mapping[str, JsonValue] | None = None,
        *,
        status: TraceStatus = TraceStatus.COMPLETED,
    ) -> None:
        """As `Traces.complete_trace`."""
        await self._end(trace_id, status, **{"progress = ?": 1.0, "error_message = ?": None, **_given(result=result)})

    async def fail_trace(
        self, trace_id: str, error_message: str, result: Mapping[str, JsonValue] | None = None
    ) -> None:
        """As `Traces.fail_trace`."""
        changes = {"error_message = ?": make_storable(error_message), **_given(result=result)}
        await self._end(trace_id, TraceStatus.FAILED, **changes)

    async def cancel_trace(self, trace_id: str) -> None:
        """As `Traces.cancel_trace`."""
        await self._end(trace_id, TraceStatus.CANCELLED, **{"error_message = ?": None})

    async def resume_trace(self, trace_id: str) -> Recorded:
        """As `Traces.resume_trace`; returns what was recorded."""
        changes = {"status = ?": TraceStatus.IN_PROGRESS.value, "completed_at = ?": None, "error_message = ?": None}
        await self._change(trace_id, changes, reopens=True)
        query = f"SELECT state, metrics FROM tool_traces WHERE id = ? AND {_OWNED}"
        found = await self._write(lambda connection: connection.execute(query, (trace_id, *self._owned)).fetchone())
        return Recorded(*(json.loads(text) if text else None for text in found))

    async def list_open(self) -> Mapping[str, str]:
        """As `Traces.list_open`."""
        query = (
            f"SELECT id, json_extract(input_params, '$.job_id') FROM tool_traces WHERE {_OWNED} AND {_OPEN} "
            f"AND error_message IS NULL ORDER BY created_at DESC LIMIT {MAX_OPEN}"
        )
        found = await self._write(lambda connection: connection.execute(query, self._owned).fetchall())
        return {trace_id: job_id for trace_id, job_id in found if job_id}

    async def mark_interrupted(self, trace_ids: Sequence[str]) -> int:
        """As `Traces.mark_interrupted`."""
        change = f"UPDATE tool_traces SET error_message = ? WHERE id = ? AND {_OWNED} AND {_OPEN}"
        rows = [(INTERRUPTED, trace_id, *self._owned) for trace_id in trace_ids]
        return await self._write(lambda connection: connection.executemany(change, rows).rowcount)

    async def disconnect(self) -> None:
        """Close the connection; the next write opens one."""
        connection, self._connection = self._connection, None
        if connection:
            await asyncio.to_thread(connection.close)

    def _now(self) -> str:
        return _write_moment(self._clock())

    async def _end(self, trace_id: str, status: TraceStatus, **more: Any) -> None:
        await self._change(trace_id, {"status = ?": status.value, "completed_at = ?": self._now(), **more})

    async def _change(
        self, trace_id: str, changes: Mapping[str, Any], events: Sequence[TraceEvent] = (), *, reopens: bool = False
    ) -> None:
        """Change an open trace, or with `reopens` any that is not completed; says why if there is none."""
        allowed = "status != 'completed'" if reopens else _OPEN
        change = f"UPDATE tool_traces SET {', '.join(changes)} WHERE id = ? AND {_OWNED} AND {allowed}"
        rows = [(trace_id, *_event_values(event)) for event in events]
        which = (trace_id, *self._owned)

        def write(connection: sqlite3.Connection) -> str | None:
            """The status that forbids the change, empty without a trace; None if it is made."""
            if connection.execute(change, (*changes.values(), *which)).rowcount:
                connection.executemany(_ADD_EVENT, rows)
                return None
            found = connection.execute(f"SELECT status FROM tool_traces WHERE id = ? AND {_OWNED}", which).fetchone()
            return found[0] if found else ""

        status = await self._write(write)
        if status == "":
            raise UnknownTrace(f"there is no trace {trace_id}", code=Code.TRACE_UNKNOWN)
        if status:
            raise TraceFinished(f"the trace {trace_id} is {status}: it is not changed any more")

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work in one transaction, in a thread."""
        try:
            if self._connection is None:
                self._connection = await asyncio.to_thread(self._connect)
                await self._check_tables(self._connection)
            return await asyncio.to_thread(_transact, self._connection, work)
        except sqlite3.Error as exc:
            raise make_error(exc, str(self._file)) from exc
        except OSError as exc:
            raise unreachable(str(self._file)) from exc

    def _connect(self) -> sqlite3.Connection:
        if not self._file.exists():
            make_file(self._file)
        connection = sqlite3.connect(
            self._file, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA synchronous=NORMAL")  # as in database.py
        return connection

    async def _check_tables(self, connection: sqlite3.Connection) -> None:
        """Make the tables of a new file, or bring those of an earlier version up to date."""
        try:
            version = await asyncio.to_thread(_read_or_make, connection)
            if check_version(version, str(self._file)) == REVISIONS[-1]:
                return
            from storm.traces.database import TraceDatabase

            database = TraceDatabase(self._file)
            try:
                await database.open()
            finally:
                await database.close()
        except (sqlite3.Error, TracesError):
            await self.disconnect()
            raise


def _read_or_make(connection: sqlite3.Connection) -> str:
    """The version of the tables, which are made if there are none."""
    has_version = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
    if not connection.execute(has_version).fetchone():
        connection.execute("PRAGMA journal_mode=WAL")  # is kept in the file

        def make(connection: sqlite3.Connection) -> None:
            if not connection.execute(has_version).fetchone():  # another process made them meanwhile
                for statement in filter(str.strip, NEWEST.split(";")):
                    connection.execute(statement)

        _transact(connection, make)
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found[0]) if found else ""


def _transact(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Do the work alone; all of it is written, or nothing."""
    connection.execute("BEGIN IMMEDIATE")  # taken later, the lock may be refused without a wait
    try:
        done = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have done so itself
            connection.execute("ROLLBACK")
        raise
    return done


def _write_moment(moment: datetime) -> str:
    """The moment as SQLAlchemy writes it to SQLite."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def _given(**values: Mapping[str, JsonValue] | None) -> dict[str, str]:
    return {f"{name} = ?": write_json(value) for name, value in values.items() if value is not None}


def _event_values(event: TraceEvent) -> tuple[Any, ...]:
    values = make_storable_value(event.model_dump()) | {"at": _write_moment(event.at), "kind": event.kind.value}
    return tuple(values[name] for name in _EVENT)
