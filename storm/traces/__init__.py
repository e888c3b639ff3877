"""What happened: each run of a job or tool as a trace in SQL, to look back at. Losing it loses no job.

What needs SQLAlchemy is in `service` and below, and is imported when traces are first read or written.
"""

from storm.traces.opening import are_traces_on, open_traces, open_writer, traces_place
from storm.traces.recorder import NewTrace, TraceRecorder, describe_job, record_job
from storm.traces.trace import (
    LOCAL,
    EventKind,
    Owner,
    Trace,
    TraceEvent,
    TraceFilter,
    TracePage,
    TraceStatus,
    TraceSummary,
    current_owner,
    new_trace_id,
    owned_by,
    utc_now,
)

__all__ = [
    "LOCAL", "EventKind", "NewTrace", "Owner", "Trace", "TraceEvent", "TraceFilter", "TracePage", "TraceRecorder",
    "TraceStatus", "TraceSummary", "are_traces_on", "current_owner", "describe_job", "new_trace_id", "open_traces",
    "open_writer", "owned_by", "record_job", "traces_place", "utc_now",
]  # fmt: skip
