"""What the events of a job say of it, as a trace has it. Pure: nothing is written here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from storm.models import Event, SearchStatus
from storm.traces.trace import EventKind, TraceEvent, TraceStatus

#: The events that are lines of the timeline, and which of their data is the name in it.
_TIMELINE: Mapping[str, tuple[EventKind, str]] = {
    "stage": (EventKind.STAGE, ""),
    "search": (EventKind.SEARCH, "database"),
    "call": (EventKind.CALL, "role"),
    "agent": (EventKind.AGENT, "thread"),
    "failed": (EventKind.FAILURE, "question"),
}
#: The events that end a job. A `failed` one of a part of a job has data and ends nothing.
_ENDINGS: Mapping[str, TraceStatus] = {
    "finished": TraceStatus.COMPLETED,
    "failed": TraceStatus.FAILED,
    "cancelled": TraceStatus.CANCELLED,
}
#: The events whose data is part of the state, and its name there; those of `state` are merged into it.
_STATE = {"questions": "questions", "progress": "sources_per_question"}


class JobRecord:
    """The trace of a job as its events make it; `metrics` are those of an earlier process, to go on with.

    `ending` is how the job ended, None while it is worked on; `done` is how the trace of a finished one ends, `failure`
    with which error.
    """

    def __init__(self) -> None:
        self.progress = 0.0
        self.stage = ""
        self.state: dict[str, JsonValue] = {}
        self.metrics: dict[str, JsonValue] = {}
        self._whole: set[str] = set()
        self.result: dict[str, JsonValue] | None = None
        self.done = TraceStatus.COMPLETED
        self.failure = ""
        self.ending: TraceStatus | None = None
        self.error = ""

    def add(self, event: Event) -> TraceEvent | None:
        """Take in an event; returns its line of the timeline, if it is one."""
        self.progress, self.stage = max(self.progress, event.progress), event.stage or self.stage
        self.ending = None if event.data else _ENDINGS.get(event.kind)
        self.error = event.message if self.ending is TraceStatus.FAILED else ""
        if event.kind == "stage":
            self.stage = event.message
        if event.kind in _STATE:
            name = _STATE[event.kind]
            known = self.state.get(name)
            self.state[name] = {**(known if isinstance(known, dict) else {}), **event.data}
        elif event.kind == "state":
            self.state.update(event.data)
        elif event.kind == "metrics":  # of the whole job, whichever process they are from
            self.metrics.update(event.data)
            self._whole.update(event.data)
        self._count(event)
        return _make_line(event)

    def go_on(self, state: Mapping[str, JsonValue] | None, metrics: Mapping[str, JsonValue] | None) -> None:
        """Go on with what an earlier process recorded of this job; what is known by now stands."""
        self.state = {**(state or {}), **self.state}
        for name, value in (metrics or {}).items():
            if name not in self._whole:
                self.metrics[name] = _add(value, self.metrics.get(name))

    def _count(self, event: Event) -> None:
        if event.kind == "search" and event.data.get("status") != SearchStatus.NOT_APPLICABLE:
            database = str(event.data.get("database", ""))
            self._add(searches=1, searches_failed=int(event.data.get("status") == "failed"))
            self._add(queries={database: 1}, hits=event.data.get("hits"))
        elif event.kind == "saved":
            self._add(sources_processed=1)
        elif event.kind == "call":
            tokens = sum(filter(None, (_integer(event.data, name) for name in ("prompt_tokens", "completion_tokens"))))
            self._add(llm_calls=1, tokens=tokens, cost_usd=_number(event.data, "cost_usd"))

    def _add(self, **more: JsonValue) -> None:
        for name, value in more.items():
            if value is not None:
                self.metrics[name] = _add(self.metrics.get(name), value)


def _add(before: JsonValue, more: JsonValue) -> JsonValue:
    """Sums of numbers, also within a mapping; another value is kept as it is."""
    if isinstance(before, dict) and isinstance(more, dict):
        return {name: _add(before.get(name), more.get(name)) for name in {**before, **more}}
    if isinstance(before, int | float) and isinstance(more, int | float):
        return before + more
    return before if more is None else more


def _make_line(event: Event) -> TraceEvent | None:
    if event.kind not in _TIMELINE:
        return None
    kind, named_by = _TIMELINE[event.kind]
    data: Mapping[str, Any] = event.data
    name = event.message if kind is EventKind.STAGE else str(data.get(named_by) or "")
    return TraceEvent(
        event_id=event.id or secrets.token_hex(12),
        at=event.at,
        kind=kind,
        name=name,
        message="" if kind is EventKind.STAGE else event.message,
        outcome=str(data.get("status") or data.get("outcome") or data.get("reason") or ""),
        prompt_tokens=_integer(data, "prompt_tokens"),
        completion_tokens=_integer(data, "completion_tokens"),
        cost_usd=_number(data, "cost_usd"),
        seconds=_number(data, "seconds"),
    )


def _integer(data: Mapping[str, Any], name: str) -> int | None:
    found = data.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _number(data: Mapping[str, Any], name: str) -> float | None:
    found = data.get(name)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None
