"""What a recorder writes through: `Traces`, or a `TraceFile`, which needs no SQLAlchemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from storm.traces.trace import OpenTrace, TraceEvent, TraceStatus


class Recorded(NamedTuple):
    """What an earlier process recorded of a trace."""

    state: dict[str, JsonValue] | None
    metrics: dict[str, JsonValue] | None


class _Recorded(Protocol):
    @property
    def state(self) -> dict[str, JsonValue] | None: ...

    @property
    def metrics(self) -> dict[str, JsonValue] | None: ...


class TraceWriter(Protocol):
    """Writes the traces of one owner, as `Traces` says of each method."""

    async def create_trace(self, tool_name: str, input_params: Mapping[str, JsonValue], *, trace_id: str) -> object: ...

    async def update_progress(
        self,
        trace_id: str,
        progress: float,
        *,
        stage: str = "",
        state: Mapping[str, JsonValue] | None = None,
        metrics: Mapping[str, JsonValue] | None = None,
        events: Sequence[TraceEvent] = (),
    ) -> None: ...

    async def complete_trace(
        self,
        trace_id: str,
        result: Mapping[str, JsonValue] | None = None,
        *,
        status: TraceStatus = TraceStatus.COMPLETED,
    ) -> None: ...

    async def fail_trace(
        self, trace_id: str, error_message: str, result: Mapping[str, JsonValue] | None = None
    ) -> None: ...

    async def cancel_trace(self, trace_id: str) -> None: ...

    async def resume_trace(self, trace_id: str) -> _Recorded: ...

    async def list_open(self) -> Sequence[OpenTrace]: ...

    async def mark_interrupted(self, trace_ids: Sequence[str]) -> int: ...

    async def disconnect(self) -> None: ...
