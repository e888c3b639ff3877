"""Batches: many jobs that are checked, started, followed and collected together."""

from storm.api.batches.results import write_results
from storm.api.batches.rows import CheckedBatch, RowFormat, check_options, check_rows, digest_of
from storm.api.batches.running import BatchLimits, JobEnd, LocalExecutor, run_batch, stop_batch
from storm.api.batches.status import BatchTable, JobLine, read_batch, read_spent
from storm.api.batches.tables import to_csv, to_html, to_json

__all__ = [
    "BatchLimits", "BatchTable", "CheckedBatch", "JobEnd", "JobLine", "LocalExecutor", "RowFormat", "check_options",
    "check_rows", "digest_of", "read_batch", "read_spent", "run_batch", "stop_batch", "to_csv",
    "to_html", "to_json", "write_results",
]  # fmt: skip
