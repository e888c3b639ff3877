"""Each job that is worked on becomes a trace in SQL, by default; what cannot be written loses no job."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from storm.errors import StoreError
from storm.models import Job, JobState
from storm.settings import Settings
from storm.store import Store

# Imported where a job is worked on: `inspect` must start without it.
if TYPE_CHECKING:
    from storm.reports import Report
    from storm.traces import TraceRecorder

#: The tool that runs the jobs of a mode, where it is not named like the mode.
_TOOLS = {
    "": "run_drug",
    "broad": "run_drug",
    "extractive": "run_drug",
    "parallel": "run_drug",
    "repurposing": "repurpose",
}


def name_tool(mode: str) -> str:
    """The tool that runs the jobs of this mode."""
    return _TOOLS.get(mode, mode)


@asynccontextmanager
async def recorded(settings: Settings, store: Store, job: Job) -> AsyncIterator[TraceRecorder | None]:
    """The recorder of the job, among whose sinks it belongs; None if traces are turned off."""
    from storm.traces import are_traces_on, record_job

    async def find_worked() -> Mapping[str, bool] | None:
        """Whether a process works on each job of this store; those of another store are unknown here."""
        try:
            return {each.job_id: each.state is JobState.RUNNING for each in (await store.jobs.all()).jobs}
        except StoreError:
            return None

    if not are_traces_on(settings):
        yield None
        return
    tool = name_tool(job.settings.mode)
    async with record_job(settings, job, tool_name=tool, find_worked=find_worked) as recorder:
        yield recorder


def keep_result(recorder: TraceRecorder | None, report: Report) -> None:
    """Keep what the report comes to as the result of the trace; the answer to a question is kept whole."""
    from storm.models import Dossier, ResearchStatus
    from storm.reports import summary_of
    from storm.reports.deep_research import make_result
    from storm.traces import TraceStatus

    ends: Mapping[object, TraceStatus] = {
        ResearchStatus.MAX_ITERATIONS: TraceStatus.MAX_ITERATIONS,
        ResearchStatus.ERROR: TraceStatus.FAILED,
    }
    if recorder:
        fields = dict(summary_of(report).fields)
        if isinstance(report, Dossier) and report.deep_research:
            fields |= make_result(report).model_dump(mode="json", exclude={"trace_id"})
        status = ends.get(fields.get("status"), TraceStatus.COMPLETED)
        recorder.set_result(fields, status, str(fields.get("error") or ""))
