"""storm from Python: run, resume and list jobs."""

from typing import TYPE_CHECKING

from storm.lazy_imports import import_on_first_use

if TYPE_CHECKING:
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

# Imported on first use: `storm run` needs neither what asks questions nor what runs batches.
_NAMES = {
    "asking": "aask ask question_request",
    "batches": "BatchLimits",
    "job": "ajobs areport arepurpose aresume arun aupdate jobs report repurpose resume run update",
    "many": "JobOutcome arun_many run_many worst_exit_code",
    "report_agent": "AgentAnswer ReportAgent",
    "request": "JobOptions ReportOptions RepurposingOptions job_request",
    "research": "CONFIGURABLE",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__getattr__ = import_on_first_use(__name__, _HOMES)
