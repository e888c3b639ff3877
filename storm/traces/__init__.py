"""What happened: each run of a job or tool as a trace in SQL, to look back at. Losing it loses no job.

What needs SQLAlchemy is in `service` and below, and is imported when traces are first read or written.
"""

from storm.traces.opening import open_traces, traces_place
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
)

__all__ = [
    "LOCAL", "EventKind", "NewTrace", "Owner", "Trace", "TraceEvent", "TraceFilter", "TracePage", "TraceRecorder",
    "TraceStatus", "TraceSummary", "describe_job", "open_traces", "record_job", "traces_place",
]  # fmt: skip
