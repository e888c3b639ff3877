"""The traces of one owner: create them, follow a run, end them, look them up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from pydantic import JsonValue
from sqlalchemy import Insert, Row, Select, bindparam, case, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from storm.errors import Code, UnknownTrace, UsageError
from storm.traces import changes, queries
from storm.traces.changes import Change
from storm.traces.database import TraceDatabase
from storm.traces.plain_values import make_storable_value
from storm.traces.tables import TimelineEvent, ToolTrace, UtcTime
from storm.traces.trace import (
    INTERRUPTED,
    LOCAL,
    MAX_OPEN,
    OpenTrace,
    Owner,
    Trace,
    TraceEvent,
    TraceFilter,
    TracePage,
    TraceStatus,
    TraceSummary,
    utc_now,
)

#: Traces on one page, and those that are read or deleted at once.
MAX_PAGE = 500
_AT_ONCE = 200

_Found = TypeVar("_Found", bound=TraceSummary)


class Traces:
    """The traces of an owner in a database; those of others are not there for it."""

    def __init__(self, database: TraceDatabase, owner: Owner = LOCAL, clock: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._owner = owner
        self._clock = clock

    async def create_trace(self, tool_name: str, input_params: Mapping[str, JsonValue], *, trace_id: str = "") -> Trace:
        """A new trace, `pending`; UsageError if that id is taken."""
        trace = changes.make_trace(self._owner, tool_name, input_params, self._clock(), trace_id)
        async with self._database.write() as connection:
            try:
                await connection.execute(insert(ToolTrace).values(**dict(trace)))
            except IntegrityError as exc:
                raise changes.taken_error(trace.id) from exc
        return trace

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
        """What is known of a trace by now, which is then `in_progress`; what is not given stays. The progress never
        falls. Events are added to its timeline, each once. TraceFinished if it is finished."""
        change = changes.make_progress(progress, self._clock(), stage, state, metrics)
        async with self._database.write() as connection:
            await self._change(connection, trace_id, change)
            if events:
                rows = [
                    make_storable_value(event.model_dump()) | {"trace_id": trace_id, "at": event.at} for event in events
                ]
                await connection.execute(_insert_events(connection), rows)

    async def complete_trace(
        self,
        trace_id: str,
        result: Mapping[str, JsonValue] | None = None,
        *,
        metrics: Mapping[str, JsonValue] | None = None,
        status: TraceStatus = TraceStatus.COMPLETED,
    ) -> None:
        """End a trace with its result, as `completed` or `max_iterations`. TraceFinished if it is finished."""
        await self._write(trace_id, changes.make_completion(status, self._clock(), result=result, metrics=metrics))

    async def fail_trace(
        self,
        trace_id: str,
        error_message: str,
        result: Mapping[str, JsonValue] | None = None,
        *,
        metrics: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """End a trace with an error, and with the result if a part of the work has one. TraceFinished if it is
        finished."""
        await self._write(trace_id, changes.make_failure(error_message, self._clock(), result=result, metrics=metrics))

    async def cancel_trace(self, trace_id: str, *, metrics: Mapping[str, JsonValue] | None = None) -> None:
        """End a trace that was cancelled. TraceFinished if it is finished."""
        await self._write(trace_id, changes.make_cancellation(self._clock(), metrics=metrics))

    async def resume_trace(self, trace_id: str) -> Trace:
        """Go on with a trace, as the same one: also with one that failed, was cancelled or came to its last iteration.
        TraceFinished if it is completed."""
        await self._write(trace_id, changes.make_resumption())
        return await self.get_trace(trace_id)

    async def list_open(self) -> Sequence[OpenTrace]:
        """The newest traces that are not finished nor known to be interrupted."""
        async with self._database.read() as connection:
            found = (await connection.execute(queries.select_open(self._owner).limit(MAX_OPEN))).all()
        return [OpenTrace(row.id, str(row.input_params.get("job_id") or ""), row.created_at) for row in found]

    async def mark_interrupted(self, trace_ids: Sequence[str]) -> int:
        """Note that the processes which worked on these traces have ended; returns how many of them were not finished.
        They stay `in_progress`, and a resume goes on with them."""
        change = queries.change_traces(self._owner).where(ToolTrace.id.in_(trace_ids), queries.is_open())
        async with self._database.write() as connection:
            return (await connection.execute(change.values(error_message=INTERRUPTED))).rowcount

    async def get_trace(self, trace_id: str) -> Trace:
        """The whole trace of this id, or of the job with it; UnknownTrace if the owner has none."""
        async with self._database.read() as connection:
            row = (await connection.execute(queries.select_trace(self._owner, trace_id))).first()
            if row is None:
                row = (await connection.execute(queries.select_of_job(self._owner, trace_id))).first()
        if row is None:
            raise _unknown_error(trace_id)
        return _read_row(Trace, row)

    async def find_trace(self, beginning: str) -> Trace:
        """The whole trace whose id, or job's id, is this, or alone begins so; UnknownTrace, naming those that do."""
        async with self._database.read() as connection:
            found = (await connection.scalars(queries.select_ids(self._owner, beginning))).all()
            of_job = (await connection.execute(queries.select_of_job(self._owner, beginning))).first()
        if of_job and beginning not in found:
            return _read_row(Trace, of_job)
        if len(found) > 1 and beginning not in found:
            raise UnknownTrace(f"several traces begin with {beginning}", hint=f"one of: {', '.join(found)}")
        if not found:
            raise _unknown_error(beginning)
        return await self.get_trace(beginning if beginning in found else found[0])

    async def list_events(self, trace_id: str) -> Sequence[TraceEvent]:
        """The timeline of a trace, in order."""
        async with self._database.read() as connection:
            rows = await connection.execute(queries.select_events(self._owner, [trace_id]))
            return [_read_event(row) for row in rows]

    async def list_traces(self, wanted: TraceFilter | None = None, *, limit: int = 50, cursor: str = "") -> TracePage:
        """One page of the wanted traces, newest first. UsageError for a limit outside 1 to 500, a cursor that is none,
        or `everyone` without an organisation."""
        if not 1 <= limit <= MAX_PAGE:
            raise UsageError(f"limit is {limit}; it must be from 1 to {MAX_PAGE}")
        wanted = wanted or TraceFilter()
        statement = queries.select_traces(self._owner, wanted, queries.SUMMARY)
        async with self._database.read() as connection:
            statement = await _narrow_by_text(connection, statement, wanted.text)
            rows = (await connection.execute(queries.select_after(statement, cursor).limit(limit + 1))).all()
        traces = tuple(_read_row(TraceSummary, row) for row in rows[:limit])
        return TracePage(traces=traces, cursor=queries.write_cursor(traces[-1]) if len(rows) > limit else "")

    async def export_traces(
        self, wanted: TraceFilter | None = None
    ) -> AsyncIterator[tuple[Trace, Sequence[TraceEvent]]]:
        """All wanted traces, newest first, each with its timeline; a few are read at a time."""
        wanted, cursor = wanted or TraceFilter(), ""
        statement = queries.select_traces(self._owner, wanted, queries.WHOLE).limit(_AT_ONCE)
        while True:
            async with self._database.read() as connection:
                rows = (await connection.execute(queries.select_after(statement, cursor))).all()
                traces = [_read_row(Trace, row) for row in rows]
                ids = [trace.id for trace in traces]
                events = await connection.execute(queries.select_events(self._owner, ids, everyone=wanted.everyone))
                timelines = {key: list(map(_read_event, of)) for key, of in groupby(events, lambda row: row.trace_id)}
            for trace in traces:
                yield trace, timelines.get(trace.id, ())
            if len(traces) < _AT_ONCE:
                return
            cursor = queries.write_cursor(traces[-1])

    async def count_old(self, before: datetime, *, unfinished: bool = False) -> int:
        """How many traces `prune` would delete."""
        old = queries.select_old(self._owner, before, unfinished=unfinished).subquery()
        async with self._database.read() as connection:
            return (await connection.execute(select(func.count()).select_from(old))).scalar_one()

    async def prune(self, before: datetime, *, unfinished: bool = False) -> int:
        """Delete the traces that were created before, with their timelines; returns how many. Those that are not
        finished stay, unless `unfinished` is set."""
        old = queries.select_old(self._owner, before, unfinished=unfinished).limit(_AT_ONCE)
        deleted = 0
        while True:
            async with self._database.write() as connection:
                ids = (await connection.scalars(old)).all()
                await connection.execute(delete(TimelineEvent).where(TimelineEvent.trace_id.in_(ids)))
                await connection.execute(delete(ToolTrace).where(ToolTrace.id.in_(ids)))
            deleted += len(ids)
            if len(ids) < _AT_ONCE:
                return deleted

    async def disconnect(self) -> None:
        """Close the connections; the next query opens one."""
        await self._database.close()

    async def _write(self, trace_id: str, change: Change) -> None:
        async with self._database.write() as connection:
            await self._change(connection, trace_id, change)

    async def _change(self, connection: AsyncConnection, trace_id: str, change: Change) -> None:
        """Change a trace in one of the statuses that the change is for; says why if there is none."""
        wanted = queries.change_traces(self._owner).where(
            ToolTrace.id == trace_id, ToolTrace.status.in_(change.allowed)
        )
        if (await connection.execute(wanted.values(**_list_values(change)))).rowcount:
            return
        found = select(ToolTrace.status).where(ToolTrace.id == trace_id, queries.belongs_to(self._owner))
        status = await connection.scalar(found)
        raise changes.finished_error(trace_id, status) if status else _unknown_error(trace_id)


def _list_values(change: Change) -> dict[str, Any]:
    values = dict(change.values)
    if change.progress is not None:
        values["progress"] = case((ToolTrace.progress < change.progress, change.progress), else_=ToolTrace.progress)
    if change.started_at:
        values["started_at"] = func.coalesce(ToolTrace.started_at, bindparam(None, change.started_at, UtcTime))
    return values


async def _narrow_by_text(connection: AsyncConnection, statement: Select[Any], wanted: str) -> Select[Any]:
    """The statement, bound to the few traces in which SQLite's index finds the text; PostgreSQL uses its own."""
    candidates = queries.select_candidates(wanted) if connection.dialect.name == "sqlite" else None
    if candidates is None:
        return statement
    found = (await connection.scalars(candidates)).all()
    return statement.where(ToolTrace.id.in_(found)) if len(found) <= queries.MOST_CANDIDATES else statement


def _insert_events(connection: AsyncConnection) -> Insert:
    """Adds events to a timeline; one that is there already (a write whose answer was lost) is left."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(TimelineEvent).on_conflict_do_nothing()
    return sqlite.insert(TimelineEvent).on_conflict_do_nothing()


def _read_row(kind: type[_Found], row: Row[Any]) -> _Found:
    return kind.model_validate(dict(row._mapping))


def _read_event(row: Row[Any]) -> TraceEvent:
    return TraceEvent.model_validate({name: row._mapping[name] for name in TraceEvent.model_fields})


def _unknown_error(trace_id: str) -> UnknownTrace:
    return UnknownTrace(f"there is no trace {trace_id}", code=Code.TRACE_UNKNOWN)
