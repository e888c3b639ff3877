"""storm from Python: run, resume and list jobs."""

from storm.api.asking import aask, ask, question_request
from storm.api.batches import BatchLimits
from storm.api.job import (
    ajobs,
    areport,
    arepurpose,
    aresume,
    arun,
    aupdate,
    jobs,
    report,
    repurpose,
    resume,
    run,
    update,
)
from storm.api.many import JobOutcome, arun_many, run_many, worst_exit_code
from storm.api.report_agent import AgentAnswer, ReportAgent
from storm.api.request import JobOptions, ReportOptions, RepurposingOptions, job_request
from storm.api.research import CONFIGURABLE

__all__ = [
    "CONFIGURABLE", "AgentAnswer", "BatchLimits", "JobOptions", "JobOutcome", "ReportAgent", "ReportOptions",
    "RepurposingOptions", "aask", "ajobs", "areport", "arepurpose", "aresume", "arun", "arun_many", "ask", "aupdate",
    "job_request", "jobs", "question_request", "report", "repurpose", "resume", "run", "run_many", "update",
    "worst_exit_code",
]  # fmt: skip
