"""The store: the state of all jobs in Redis. `open_store` opens it; keys.py lists the keys, lua/ has the scripts."""

from storm.store.batches import BatchRow, BatchState
from storm.store.collector import SourceCollector
from storm.store.connection import Store, StoreInfo, open_store, raw_command
from storm.store.embedded import ServerStatus
from storm.store.entries import read_result
from storm.store.job_records import JobSummary
from storm.store.jobs import JobList, JobRegistry
from storm.store.journal import JobJournal
from storm.store.lease import Lease
from storm.store.limiter import StoreLimiter
from storm.store.local import embedded_status, keep_embedded, stop_embedded
from storm.store.submissions import JobNeeds, Submission, SubmissionRegistry, WorkerRecord, find_waiting_reason
from storm.store.throwaway import clear_abandoned, throwaway_folder

__all__ = [
    "BatchRow",
    "BatchState",
    "JobJournal",
    "JobList",
    "JobNeeds",
    "JobRegistry",
    "JobSummary",
    "Lease",
    "ServerStatus",
    "SourceCollector",
    "Store",
    "StoreInfo",
    "StoreLimiter",
    "Submission",
    "SubmissionRegistry",
    "WorkerRecord",
    "clear_abandoned",
    "embedded_status",
    "find_waiting_reason",
    "keep_embedded",
    "open_store",
    "raw_command",
    "read_result",
    "stop_embedded",
    "throwaway_folder",
]  # fmt: skip
