"""Jobs that bring the dossier of another job up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storm.errors import Code, UnknownJob, UsageError
from storm.export import PageSetup, check_pages
from storm.models import Answer, Dossier, Job, JobLimits, JobRequest, JobState, Plan, RunSettings
from storm.modes import find_mode
from storm.reports import Report
from storm.store import JobJournal, JobSummary, SourceCollector, Store, read_result
from storm.tools.carry_over import PreviousJob, find_covered_days


def make_request(
    job: Job,
    settings: RunSettings,
    limits: JobLimits | None,
    out: str | None,
    formats: Sequence[str],
    template: Path | str | None = None,
) -> JobRequest:
    """The request of an update: what the job was asked for, with these settings; `changes` is among its files.

    UsageError if files are wanted whose template cannot be read."""
    wanted = tuple(dict.fromkeys(formats or (*job.request.formats, "changes")))
    if limits is not None:
        settings = settings.model_copy(update={"limits": limits})
    pages = PageSetup.of(job.request, template)
    if out:
        check_pages(pages, wanted)
    changed = {"settings": settings, "out": out, "formats": wanted, "update_of": job.job_id}
    style = str(pages.template.absolute()) if pages.template else None
    return job.request.model_copy(update={**changed, "template": style})


def check_dossier(job: Job, report: Report) -> Dossier:
    """The report as a dossier; UsageError if the job's mode writes something else."""
    if isinstance(report, Dossier) and report.research is None:
        return report
    raise UsageError(
        f"{job.job_id} cannot be updated: only dossiers of the modes broad and extractive can be",
        hint="start a new job for it",
    )


def check_finished(job: Job) -> None:
    """UsageError unless the job is finished."""
    if job.state is not JobState.FINISHED:
        raise UsageError(
            f"{job.job_id} is {job.state}: only a finished job can be updated",
            hint=f"finish it: storm.resume({job.job_id!r})",
            code=Code.JOB_UNFINISHED,
            job=job.job_id,
        )


def check_no_other(job: Job, listed: Sequence[JobSummary]) -> None:
    """UsageError if a process works on an update of the job."""
    for other in listed:
        if other.update_of == job.job_id and other.state is JobState.RUNNING:
            raise UsageError(
                f"{job.job_id} is being updated, by the job {other.job_id}",
                hint="wait for it, or cancel it",
                code=Code.JOB_HELD,
                job=other.job_id,
            )


async def find_updated(job: Job, store: Store) -> Job:
    """The job that this one updates; UnknownJob if it is gone."""
    try:
        return await store.jobs.get(job.request.update_of)
    except UnknownJob as exc:
        raise UnknownJob(
            f"{job.job_id} cannot go on: the job {job.request.update_of}, which it updates, is gone",
            hint="start a new job",
        ) from exc


async def read_previous(job: Job, store: Store, report: Report) -> PreviousJob:
    """The finished job that another one updates, with its `report`."""
    journal, collection = JobJournal(store, job.job_id, None), SourceCollector(store, job.job_id, None)
    dossier, searches = check_dossier(job, report), await journal.searches()
    plan, answers = await journal.find_stage("plan") or "", await journal.find_stage("answer") or ""
    made_by = (await journal.stage_versions())["answer"] or job.mode_version
    return PreviousJob(
        job=job,
        plan=read_result(job.job_id, job.version, "plan", plan, Plan),
        dossier=dossier,
        answers=find_mode(job).versions.read(job, "answer", answers, made_by, tuple[Answer, ...]),
        searches=searches,
        collection=collection,
        searched_since=find_covered_days(searches, dossier.changes.searched_since if dossier.changes else {}),
    )
