"""The statements: each is bound to an owner."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, TextClause, Update, and_, cast, or_, select, text, tuple_, update

from storm.errors import UsageError
from storm.traces.tables import TimelineEvent, ToolTrace
from storm.traces.trace import INTERRUPTED, OPEN, Owner, TraceEvent, TraceFilter, TraceSummary

#: The fewest letters that the text index knows, and the most traces that are looked through by their ids: a text that
#: more of them have is soon met by reading the newest.
_SHORTEST, MOST_CANDIDATES = 3, 500
_CANDIDATES = """SELECT trace_id FROM trace_texts WHERE number IN (
    SELECT rowid FROM trace_text_index WHERE text LIKE :plain
    UNION ALL SELECT rowid FROM trace_text_index WHERE text LIKE :written LIMIT :most
)"""
#: The columns of a trace in lists, and of a whole one.
SUMMARY = tuple(getattr(ToolTrace, name) for name in TraceSummary.model_fields)
WHOLE = (*SUMMARY, ToolTrace.state, ToolTrace.result, ToolTrace.metrics)
TIMELINE = tuple(getattr(TimelineEvent, name) for name in TraceEvent.model_fields)


def belongs_to(owner: Owner) -> ColumnElement[bool]:
    """The traces of exactly this user, working for this organisation or for none."""
    return and_(ToolTrace.user_id == owner.user_id, ToolTrace.org_id == owner.org_id)


def is_open() -> ColumnElement[bool]:
    """The traces that are not finished."""
    return ToolTrace.status.in_(OPEN)


def select_traces(owner: Owner, wanted: TraceFilter, columns: Sequence[Any]) -> Select[Any]:
    """The wanted traces, newest first."""
    newest = (ToolTrace.created_at.desc(), ToolTrace.id.desc())
    return select(*columns).where(_reach(owner, wanted), *_conditions(wanted)).order_by(*newest)


def select_after(statement: Select[Any], cursor: str) -> Select[Any]:
    """Those that come after a cursor; UsageError if it is none of ours."""
    if not cursor:
        return statement
    created_at, trace_id = _read_cursor(cursor)
    place = tuple_(ToolTrace.created_at, ToolTrace.id)
    return statement.where(place < tuple_(created_at, trace_id))


def select_candidates(wanted: str) -> TextClause | None:
    """From a file of SQLite the ids of a few traces of all owners, among them those with this text, by its index; None
    for a text that is too short for it. `_` and `%` are not escaped, as the index is not used then: more is found."""
    if len(wanted) < _SHORTEST:
        return None
    patterns = {"plain": f"%{wanted}%", "written": f"%{_write_text(wanted)}%"}
    return text(_CANDIDATES).bindparams(**patterns, most=MOST_CANDIDATES + 1)


def select_trace(owner: Owner, trace_id: str) -> Select[Any]:
    """One whole trace."""
    return select(*WHOLE).where(ToolTrace.id == trace_id, belongs_to(owner))


def select_of_job(owner: Owner, job_id: str) -> Select[Any]:
    """The whole trace of a job, whose id it begins with; the newest where the id was taken again."""
    begins = ToolTrace.id.startswith(f"{job_id}-", autoescape=True)
    is_of_job = ToolTrace.input_params["job_id"].as_string() == job_id
    return select(*WHOLE).where(begins, is_of_job, belongs_to(owner)).order_by(ToolTrace.created_at.desc()).limit(1)


def select_events(owner: Owner, trace_ids: Sequence[str], *, everyone: bool = False) -> Select[Any]:
    """The timelines of these traces, in order."""
    return (
        select(TimelineEvent.trace_id, *TIMELINE)
        .join(ToolTrace, ToolTrace.id == TimelineEvent.trace_id)
        .where(TimelineEvent.trace_id.in_(trace_ids), _reach(owner, TraceFilter(everyone=everyone)))
        .order_by(TimelineEvent.trace_id, TimelineEvent.at, TimelineEvent.event_id)
    )


def select_ids(owner: Owner, beginning: str) -> Select[Any]:
    """The ids that begin so, a few of them; the one that is it comes first."""
    found = select(ToolTrace.id).where(ToolTrace.id.startswith(beginning, autoescape=True), belongs_to(owner))
    return found.order_by(ToolTrace.id != beginning, ToolTrace.id).limit(5)


def select_open(owner: Owner) -> Select[Any]:
    """The id, input and age of those that are not finished and not marked as interrupted, newest first."""
    found = select(ToolTrace.id, ToolTrace.input_params, ToolTrace.created_at).where(belongs_to(owner), is_open())
    return found.where(ToolTrace.error_message.is_(None)).order_by(ToolTrace.created_at.desc())


def select_old(owner: Owner, before: datetime, *, unfinished: bool) -> Select[Any]:
    """The ids of traces that were created before a moment: finished ones, or all."""
    old = select(ToolTrace.id).where(belongs_to(owner), ToolTrace.created_at < before)
    return old if unfinished else old.where(~is_open())


def change_traces(owner: Owner) -> Update:
    """A change of the owner's traces, to be narrowed."""
    return update(ToolTrace).where(belongs_to(owner))


def _reach(owner: Owner, wanted: TraceFilter) -> ColumnElement[bool]:
    """The owner's traces, or with `everyone` those of the whole organisation."""
    if not wanted.everyone:
        return belongs_to(owner)
    if owner.org_id is None:
        raise UsageError("the traces of everyone are those of an organisation", hint="name the organisation, too")
    return ToolTrace.org_id == owner.org_id


def _conditions(wanted: TraceFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.tool_name:
        conditions.append(ToolTrace.tool_name == wanted.tool_name)
    if wanted.status:
        conditions.append(ToolTrace.status == wanted.status)
    if wanted.interrupted:
        conditions += [is_open(), ToolTrace.error_message == INTERRUPTED]
    if wanted.since:
        conditions.append(ToolTrace.created_at >= wanted.since)
    if wanted.until:
        conditions.append(ToolTrace.created_at < wanted.until)
    if wanted.text:
        conditions.append(_has_text(wanted.text))
    return conditions


def _has_text(wanted: str) -> ColumnElement[bool]:
    plain = (ToolTrace.id, ToolTrace.tool_name, ToolTrace.error_message)
    return or_(
        cast(ToolTrace.input_params, Text).icontains(_write_text(wanted), autoescape=True),
        *(column.icontains(wanted, autoescape=True) for column in plain),
    )


def _write_text(wanted: str) -> str:
    """The text as it stands in JSON, where quotation marks and backslashes are escaped."""
    return json.dumps(wanted, ensure_ascii=False)[1:-1]


def write_cursor(last: TraceSummary) -> str:
    """The cursor that asks for what comes after this trace."""
    place = json.dumps([last.created_at.isoformat(), last.id])
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        created_at, trace_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        moment = datetime.fromisoformat(created_at)
        if moment.tzinfo is None or not isinstance(trace_id, str):
            raise ValueError(cursor)
    except (ValueError, TypeError, binascii.Error) as exc:
        raise UsageError(f"invalid cursor: {cursor[:80]!r}", hint="take it from the page before") from exc
    return moment, trace_id
