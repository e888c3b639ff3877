"""storm from Python: run, resume and list jobs."""

from storm.api.job import ajobs, aresume, arun, aupdate, jobs, resume, run, update
from storm.api.many import JobOutcome, arun_many, run_many, worst_exit_code
from storm.api.request import JobOptions, job_request

__all__ = [
    "JobOptions", "JobOutcome", "ajobs", "aresume", "arun", "arun_many", "aupdate", "job_request", "jobs", "resume",
    "run", "run_many", "update", "worst_exit_code",
]  # fmt: skip
