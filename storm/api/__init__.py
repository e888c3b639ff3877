"""storm from Python: run, resume and list jobs."""

from storm.api.job import ajobs, areport, aresume, arun, aupdate, jobs, report, resume, run, update
from storm.api.many import JobOutcome, arun_many, run_many, worst_exit_code
from storm.api.request import JobOptions, ReportOptions, job_request
from storm.api.research import CONFIGURABLE

__all__ = [
    "CONFIGURABLE", "JobOptions", "JobOutcome", "ReportOptions", "ajobs", "areport", "aresume", "arun", "arun_many",
    "aupdate", "job_request", "jobs", "report", "resume", "run", "run_many", "update", "worst_exit_code",
]  # fmt: skip
