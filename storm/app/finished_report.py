"""The report of a job, as the store has it."""

from __future__ import annotations

from pydantic import TypeAdapter

from storm.errors import Code, UsageError
from storm.models import Job, JobState
from storm.models.dossier import Dossier
from storm.models.reference import ReferenceList
from storm.modes import find_mode
from storm.reports import Report
from storm.store import JobJournal, Lease, Store

#: The step that finishes a job, and where the report of one that can go on is stored: a resume does not read it.
_FINISHED, _SO_FAR = "report", "report:so_far"


async def keep_report_so_far(store: Store, job: Job, lease: Lease, report: Report) -> None:
    """Store the report of a job that can go on, for whoever reads it before it does."""
    mode = find_mode(job)
    text = TypeAdapter(mode.report).dump_json(report).decode()
    await JobJournal(store, job.job_id, lease).finish_stage(_SO_FAR, text, mode_version=mode.version)


async def read_report(store: Store, job_id: str, *, references_only: bool = False) -> Report:
    """Read a finished job's report, or that of a failed one as it was when it last came to its end; UsageError if there
    is none, CollectionDamaged if data was lost. With `references_only` a dossier is read as a ReferenceList."""
    job = await store.jobs.check(job_id, check_records=True)
    mode, journal = find_mode(job), JobJournal(store, job_id, None)
    for step in (_FINISHED, *([_SO_FAR] if job.state is JobState.FAILED else [])):
        if stored := await journal.find_stage(step):
            made_by = (await journal.stage_versions())[step] or job.mode_version
            if not references_only or not issubclass(mode.report, Dossier):
                return mode.versions.read(job, step, stored, made_by, mode.report)
            found = mode.versions.read(job, step, stored, made_by, ReferenceList)
            return found.model_copy(update={"file_name": mode.report.file_name})
    if await store.submissions.find_submission(job_id):
        raise UsageError(
            f"{job_id} has no {mode.report.file_name} yet: it is with the workers, or waits for one",
            hint="wait for its end",
            code=Code.JOB_SUBMITTED,
            job=job_id,
        )
    raise UsageError(
        f"{job_id} has no {mode.report.file_name} yet",
        hint=f"finish it: storm.resume({job_id!r})",
        code=Code.JOB_UNFINISHED,
        job=job_id,
    )
