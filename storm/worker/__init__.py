"""Workers: jobs of the store that other processes carry out, here or on other machines, through a queue (Dramatiq)."""

from storm.worker.needs import find_needs, name_queue
from storm.worker.submitting import QueueExecutor, submit_job, submit_request

__all__ = ["QueueExecutor", "find_needs", "name_queue", "submit_job", "submit_request"]
