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

from storm.errors import Code, TracesError, UnknownTrace
from storm.traces import changes
from storm.traces.changes import Change
from storm.traces.faults import BUSY_SECONDS, make_error, unreachable
from storm.traces.plain_values import make_storable_value, write_json
from storm.traces.trace import INTERRUPTED, LOCAL, MAX_OPEN, OpenTrace, Owner, TraceEvent, TraceStatus, utc_now
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
        self._owner, self._owned = owner, (owner.user_id, owner.org_id)
        self._clock = clock
        self._busy_seconds = busy_seconds
        self._connection: sqlite3.Connection | None = None

    async def create_trace(self, tool_name: str, input_params: Mapping[str, JsonValue], *, trace_id: str) -> None:
        """A new trace, `pending`; UsageError if that id is taken."""
        trace = changes.make_trace(self._owner, tool_name, input_params, self._clock(), trace_id)
        columns = _write_columns({name: value for name, value in trace if value is not None})
        add = f"INSERT OR IGNORE INTO tool_traces ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        if not await self._write(lambda connection: connection.execute(add, tuple(columns.values())).rowcount):
            raise changes.taken_error(trace.id)

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
        await self._change(trace_id, changes.make_progress(progress, self._clock(), stage, state, metrics), events)

    async def complete_trace(
        self,
        trace_id: str,
        result: Mapping[str, JsonValue] | None = None,
        *,
        status: TraceStatus = TraceStatus.COMPLETED,
    ) -> None:
        """As `Traces.complete_trace`."""
        await self._change(trace_id, changes.make_completion(status, self._clock(), result=result))

    async def fail_trace(
        self, trace_id: str, error_message: str, result: Mapping[str, JsonValue] | None = None
    ) -> None:
        """As `Traces.fail_trace`."""
        await self._change(trace_id, changes.make_failure(error_message, self._clock(), result=result))

    async def cancel_trace(self, trace_id: str) -> None:
        """As `Traces.cancel_trace`."""
        await self._change(trace_id, changes.make_cancellation(self._clock()))

    async def resume_trace(self, trace_id: str) -> Recorded:
        """As `Traces.resume_trace`; returns what was recorded."""
        await self._change(trace_id, changes.make_resumption())
        query = f"SELECT state, metrics FROM tool_traces WHERE id = ? AND {_OWNED}"
        found = await self._write(lambda connection: connection.execute(query, (trace_id, *self._owned)).fetchone())
        return Recorded(*(json.loads(text) if text else None for text in found))

    async def list_open(self) -> Sequence[OpenTrace]:
        """As `Traces.list_open`."""
        query = (
            f"SELECT id, coalesce(json_extract(input_params, '$.job_id'), ''), created_at FROM tool_traces "
            f"WHERE {_OWNED} AND {_OPEN} AND error_message IS NULL ORDER BY created_at DESC LIMIT {MAX_OPEN}"
        )
        found = await self._write(lambda connection: connection.execute(query, self._owned).fetchall())
        return [OpenTrace(trace_id, job_id, _read_moment(created)) for trace_id, job_id, created in found]

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

    async def _change(self, trace_id: str, change: Change, events: Sequence[TraceEvent] = ()) -> None:
        """Change a trace in one of the statuses that the change is for; says why if there is none."""
        settings, values = _write_changes(change)
        allowed = f"status IN ({', '.join('?' * len(change.allowed))})"
        update = f"UPDATE tool_traces SET {', '.join(settings)} WHERE id = ? AND {_OWNED} AND {allowed}"
        rows = [(trace_id, *_event_values(event)) for event in events]
        which = (trace_id, *self._owned)

        def write(connection: sqlite3.Connection) -> str | None:
            """The status that forbids the change, empty without a trace; None if it is made."""
            if connection.execute(update, (*values, *which, *change.allowed)).rowcount:
                connection.executemany(_ADD_EVENT, rows)
                return None
            found = connection.execute(f"SELECT status FROM tool_traces WHERE id = ? AND {_OWNED}", which).fetchone()
            return found[0] if found else ""

        status = await self._write(write)
        if status == "":
            raise UnknownTrace(f"there is no trace {trace_id}", code=Code.TRACE_UNKNOWN)
        if status:
            raise changes.finished_error(trace_id, status)

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
                for statement in NEWEST:
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


def _read_moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _write_columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as SQLAlchemy writes them to SQLite."""
    return {name: _write_value(value) for name, value in values.items()}


def _write_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return _write_moment(value)
    if isinstance(value, TraceStatus):
        return value.value
    return write_json(value) if isinstance(value, Mapping) else value


def _write_changes(change: Change) -> tuple[list[str], list[Any]]:
    """What UPDATE sets, and the values for it."""
    columns = _write_columns(change.values)
    settings, values = [f"{name} = ?" for name in columns], [*columns.values()]
    if change.progress is not None:
        settings, values = [*settings, "progress = max(progress, ?)"], [*values, change.progress]
    if change.started_at:
        settings.append("started_at = coalesce(started_at, ?)")
        values.append(_write_moment(change.started_at))
    return settings, values


def _event_values(event: TraceEvent) -> tuple[Any, ...]:
    values = make_storable_value(event.model_dump()) | {"at": _write_moment(event.at), "kind": event.kind.value}
    return tuple(values[name] for name in _EVENT)
