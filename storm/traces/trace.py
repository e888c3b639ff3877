"""What a trace is: one run of a tool or job, looked at afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime, Field, JsonValue

from storm.errors import UsageError
from storm.models.base import Frozen

#: The largest integer of a database column.
_MAX_ID = 2**63 - 1


class TraceStatus(StrEnum):
    """The status of a trace. One whose process was killed stays `in_progress` until it is resumed."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    MAX_ITERATIONS = "max_iterations"


#: The statuses of a trace that is not finished.
OPEN = (TraceStatus.PENDING, TraceStatus.IN_PROGRESS)

#: Open traces that are looked at, newest first, for jobs whose process has ended.
MAX_OPEN = 200

#: The `error_message` of a trace whose process ended before the trace did.
INTERRUPTED = "interrupted: the process that worked on it has ended"


class Owner(Frozen):
    """Whose traces: a user (0 is the local user), and the organisation for which he works, if any.

    Every query is bound to both: nothing of another user or organisation is read or changed.
    """

    user_id: int = Field(default=0, ge=0, le=_MAX_ID)
    org_id: int | None = Field(default=None, ge=0, le=_MAX_ID)


#: The owner of what is run on this machine.
LOCAL = Owner()


_owner: ContextVar[Owner] = ContextVar("owner", default=LOCAL)


def current_owner() -> Owner:
    """Whose jobs this task runs: the local user's, unless `owned_by` says otherwise."""
    return _owner.get()


@contextmanager
def owned_by(owner: Owner) -> Iterator[None]:
    """Within the context, the jobs of this task and of those that it starts are recorded as the owner's."""
    token = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(token)


class EventKind(StrEnum):
    """What a line of a trace's timeline is about."""

    STAGE = "stage"
    SEARCH = "search"
    CALL = "call"
    AGENT = "agent"
    FAILURE = "failure"


class TraceEvent(Frozen):
    """One line of a trace's timeline: a stage that began, a search, a call of a model.

    `name` is the stage, the database, or the role of the model; `event_id` is unique in the trace. What is not known
    is None: a cost, for a model without a price.
    """

    event_id: str
    at: AwareDatetime
    kind: EventKind
    name: str = ""
    message: str = ""
    outcome: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None


class TraceSummary(Frozen):
    """A trace as lists show it; the times are in UTC."""

    id: str
    user_id: int
    org_id: int | None
    tool_name: str
    input_params: dict[str, JsonValue]
    status: TraceStatus
    progress: float
    current_stage: str
    error_message: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None

    @property
    def is_interrupted(self) -> bool:
        """Whether the process that worked on it is known to have ended before the trace did."""
        return self.status in OPEN and self.error_message == INTERRUPTED


class Trace(TraceSummary):
    """A whole trace: also what was known while it ran (`state`), its result, and its counts (`metrics`)."""

    state: dict[str, JsonValue] | None
    result: dict[str, JsonValue] | None
    metrics: dict[str, JsonValue] | None


class OpenTrace(NamedTuple):
    """A trace that is not finished; `job_id` is empty where no job was run."""

    trace_id: str
    job_id: str
    created_at: datetime


class TraceFilter(Frozen):
    """Which traces are wanted: created from `since` on and before `until`; `text` stands in the input, the id, the
    tool's name or the error (upper and lower case are one; in SQLite of a to z).

    `everyone`: the traces of all users of the owner's organisation, instead of the owner's alone. `interrupted`: only
    those whose process has ended before they did.
    """

    tool_name: str = ""
    status: TraceStatus | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    text: str = ""
    everyone: bool = False
    interrupted: bool = False


class TracePage(Frozen):
    """Some traces, newest first; `cursor` asks for those after them and is empty on the last page."""

    traces: tuple[TraceSummary, ...]
    cursor: str = ""


def utc_now() -> datetime:
    """The clock of a real run."""
    return datetime.now(UTC)


def new_trace_id(tool_name: str) -> str:
    """An id that nothing else has: `deep_research-3f0c…`."""
    return f"{tool_name}-{secrets.token_hex(12)}"


def check_tool_name(name: str) -> str:
    """The name; UsageError if it is empty or longer than a column."""
    if not 0 < len(name) <= 100:
        raise UsageError(f"a tool's name has 1 to 100 characters, not {len(name):,}")
    return name
