"""The report of a finished job, as the store has it."""

from __future__ import annotations

from storm.errors import Code, UsageError
from storm.modes import find_mode
from storm.reports import Report
from storm.store import JobJournal, Store


async def read_report(store: Store, job_id: str) -> Report:
    """Read a finished job's report; UsageError if it is not finished, CollectionDamaged if data was lost."""
    job = await store.jobs.check(job_id, texts=True)
    mode, journal = find_mode(job), JobJournal(store, job_id, None)
    stored = await journal.find_stage("report")
    if not stored:
        raise UsageError(
            f"{job_id} has no {mode.report.file_name} yet",
            hint=f"finish it: App.work({job_id!r})",
            code=Code.JOB_UNFINISHED,
            job=job_id,
        )
    made_by = (await journal.stage_versions())["report"] or job.mode_version
    return mode.versions.read(job, "report", stored, made_by, mode.report)
