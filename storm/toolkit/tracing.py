"""Records each use of a tool as a trace in SQL, unless the tool runs a job: then the job is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storm.settings import Settings
from storm.toolkit.tool import Params, ToolContext, ToolProgress, ToolResult

# Imported where a tool is used: listing the tools must not wait for it.
if TYPE_CHECKING:
    from storm.models import Event
    from storm.traces import TraceRecorder

#: Tools whose jobs are recorded as such.
_JOBS = ("run_drug", "report", "repurpose", "deep_research")


class TraceToolRecorder:
    """A ToolRecorder that keeps traces in the database of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._uses: dict[str, TraceRecorder] = {}

    async def start(self, tool: str, params: Params, context: ToolContext) -> str:
        """Begin a trace of the context's user, unless the tool runs a job, which has a trace of its own."""
        return "" if tool in _JOBS else await self.begin(tool, params, context)

    async def begin(self, tool: str, params: Params, context: ToolContext) -> str:
        """As `start`, also of a tool that runs jobs."""
        from storm.traces import NewTrace, Owner, TraceRecorder, new_trace_id, open_writer

        owner = Owner(user_id=context.user_id, org_id=context.org_id)
        trace = NewTrace(new_trace_id(tool), tool, dict(params))
        self._uses[trace.trace_id] = TraceRecorder(lambda: open_writer(self._settings, owner), trace)
        await self._uses[trace.trace_id].write(_make_event("begun"))
        return trace.trace_id

    async def record_progress(self, trace_id: str, progress: ToolProgress) -> None:
        """Add a line to the timeline where a stage begins, and how far the tool is."""
        if use := self._uses.get(trace_id):
            kind = "progress" if progress.stage == use.stage else "stage"
            await use.write(_make_event(kind, progress.stage, progress.progress))

    async def end(self, trace_id: str, result: ToolResult | None) -> None:
        """Write the trace with the text of the result; the payload, which may hold whole records, is left out."""
        if not (use := self._uses.pop(trace_id, None)):
            return
        if result is None:
            await use.write(_make_event("cancelled"))
        elif result.failed:
            await use.write(_make_event("failed", result.text))
        else:
            use.set_result({"text": result.text, "exit_code": result.exit_code})
            await use.write(_make_event("finished"))


def _make_event(kind: str, message: str = "", progress: float = 0.0) -> Event:
    from storm.models import Event
    from storm.traces import utc_now

    return Event(at=utc_now(), kind=kind, message=message, progress=progress)


def default_recorder(context: ToolContext) -> TraceToolRecorder | None:
    """What records the tools of a context that names no recorder; None if traces are turned off."""
    from storm.settings import read_settings
    from storm.traces import are_traces_on

    settings = context.app.settings if context.app else context.settings or read_settings()
    return TraceToolRecorder(settings) if are_traces_on(settings) else None


async def record_answer(tool: str, params: Params, context: ToolContext, result: ToolResult) -> None:
    """Record a use that took an earlier answer, for which no job is run; not where the context has a recorder, which
    has it already."""
    if context.recorder is None and (recorder := default_recorder(context)):
        await recorder.end(await recorder.begin(tool, params, context), result)
