"""What is written of a trace as it begins, goes on and ends: the same whichever way it is written. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import JsonValue

from storm.errors import TraceFinished, UsageError
from storm.traces.plain_values import make_storable, make_storable_value
from storm.traces.trace import OPEN, Owner, Trace, TraceStatus, check_tool_name, new_trace_id
from storm.value_wording import list_choices

_DONE = (TraceStatus.COMPLETED, TraceStatus.MAX_ITERATIONS)


class Change(NamedTuple):
    """New values of a trace's columns. `progress` is written where it is more than there is, `started_at` where there
    is none. It is for a trace in one of these statuses."""

    values: Mapping[str, Any]
    progress: float | None = None
    started_at: datetime | None = None
    allowed: tuple[TraceStatus, ...] = OPEN


def make_trace(
    owner: Owner, tool_name: str, input_params: Mapping[str, JsonValue], now: datetime, trace_id: str = ""
) -> Trace:
    """A new trace; UsageError for a tool's name that is none."""
    tool_name = make_storable(check_tool_name(tool_name))
    return Trace(
        **dict.fromkeys(("error_message", "started_at", "completed_at", "state", "result", "metrics")),
        id=make_storable(trace_id) or new_trace_id(tool_name),
        user_id=owner.user_id,
        org_id=owner.org_id,
        tool_name=tool_name,
        input_params=make_storable_value(input_params),
        status=TraceStatus.PENDING,
        progress=0.0,
        current_stage="",
        created_at=now,
    )


def make_progress(
    progress: float,
    now: datetime,
    stage: str,
    state: Mapping[str, JsonValue] | None,
    metrics: Mapping[str, JsonValue] | None,
) -> Change:
    """How far a trace is, which is then `in_progress`; what is not given stays."""
    stages = {"current_stage": make_storable(stage)} if stage else {}
    values = {
        "status": TraceStatus.IN_PROGRESS,
        "error_message": None,
        **stages,
        **_given(state=state, metrics=metrics),
    }
    return Change(values, min(1.0, max(0.0, progress)), now)


def make_completion(status: TraceStatus, now: datetime, **given: Mapping[str, JsonValue] | None) -> Change:
    """The end of a trace as `completed` or `max_iterations`; UsageError for another status."""
    if status not in _DONE:
        raise UsageError(f"a trace is not completed as {status}; it must be {list_choices(_DONE)}")
    return _make_end(status, now, progress=1.0, error_message=None, **_given(**given))


def make_failure(error_message: str, now: datetime, **given: Mapping[str, JsonValue] | None) -> Change:
    """The end of a trace with an error."""
    return _make_end(TraceStatus.FAILED, now, error_message=make_storable(error_message), **_given(**given))


def make_cancellation(now: datetime, **given: Mapping[str, JsonValue] | None) -> Change:
    """The end of a trace that was cancelled."""
    return _make_end(TraceStatus.CANCELLED, now, error_message=None, **_given(**given))


def make_resumption() -> Change:
    """The opening of a trace that has not ended, or otherwise than completed."""
    values = {"status": TraceStatus.IN_PROGRESS, "completed_at": None, "error_message": None}
    return Change(values, allowed=tuple(status for status in TraceStatus if status is not TraceStatus.COMPLETED))


def finished_error(trace_id: str, status: str) -> TraceFinished:
    """Why a trace is not changed."""
    return TraceFinished(f"the trace {trace_id} is {status}: it is not changed any more")


def taken_error(trace_id: str) -> UsageError:
    """Why a trace is not created."""
    return UsageError(f"there is already a trace {trace_id}", hint="leave the id out")


def _make_end(status: TraceStatus, now: datetime, **values: Any) -> Change:
    return Change({"status": status, "completed_at": now, **values})


def _given(**values: Mapping[str, JsonValue] | None) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
