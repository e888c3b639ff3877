"""The store: Redis, what is in flight. `open_store` is the way in; keys.py and lua/ say what lies where."""

from storm.store.collector import SourceCollector
from storm.store.connection import Store, StoreInfo, open_store, raw_command
from storm.store.embedded import stop_embedded
from storm.store.jobs import JobList, JobRegistry
from storm.store.journal import JobJournal
from storm.store.lease import Lease
from storm.store.limiter import StoreLimiter

__all__ = [
    "JobJournal", "JobList", "JobRegistry", "Lease", "SourceCollector", "Store", "StoreInfo", "StoreLimiter",
    "open_store", "raw_command", "stop_embedded",
]  # fmt: skip
