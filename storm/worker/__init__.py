"""Workers: jobs of the store that other processes carry out, here or on other machines, through a queue (Dramatiq)."""

from storm.worker.needs import JobNeeds, find_needs, why_it_waits
from storm.worker.submitting import QueueExecutor, submit_job, submit_request

__all__ = ["JobNeeds", "QueueExecutor", "find_needs", "submit_job", "submit_request", "why_it_waits"]
