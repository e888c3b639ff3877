"""Working on a job in sight of a person: progress while it runs, where things are when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from storm.app import App
from storm.cli.console import counted, plain, remark, run_async, say, say_json
from storm.cli.interruption import Ending
from storm.cli.progress import live_progress
from storm.export import write_dossier
from storm.models import Dossier, Job, JobState, SearchStatus, summed
from storm.reports import failures, why_stopped


class Wanted(NamedTuple):
    """How the person wants it: folder and formats (None: as the job was started), and how much to be told."""

    out: Path | None
    formats: Sequence[str] | None
    quiet: bool
    as_json: bool
    plain: bool


def run_job(work: Callable[[Ending], Coroutine[Any, Any, int]]) -> int:
    """Run what works on a job; the exit code. A signal ends it soon, whatever it is doing."""
    ending = Ending()
    with ending.enforced():
        return run_async(work(ending))


async def work_on(app: App, job_id: str, wanted: Wanted, ending: Ending, model: str = "") -> int:
    """Work on the job to its end, from here on with `model`, write its files and say where they are; the exit code."""
    ending.job_id = job_id
    job = await app.store.jobs.get(job_id)
    silent = wanted.quiet or wanted.as_json
    if not silent and job.state is not JobState.FINISHED:
        remark(f"Job {job_id}")
    try:
        with live_progress(await app.syllabus(job), silent=silent, animated=not wanted.plain) as observer:
            dossier = await app.work(job_id, observer, model=model)
    except (KeyboardInterrupt, asyncio.CancelledError) as exc:
        raise ending.error() from exc
    folder = wanted.out or Path(job.request.out or Path("storm-reports") / job_id)
    paths = write_dossier(dossier, folder, wanted.formats or job.request.formats)
    if wanted.as_json:
        say_json(_result(dossier, paths))
    else:
        if wanted.quiet and not dossier.coverage.total:
            remark(_verdict(dossier))
        _tell(dossier, paths, say if not wanted.quiet else None)
    return dossier.exit_code


async def tell_unfinished(app: App, job: Job) -> None:
    """Name the newest unfinished job of the same drug, for the person who may have wanted that one."""
    for other in (await app.store.jobs.all()).jobs:
        same = other.drug.casefold() == job.request.subject.casefold()
        if same and other.job_id != job.job_id and other.state is JobState.INTERRUPTED:
            remark(f"An unfinished job of this drug is there too; to finish it: storm resume {other.job_id}")
            return


def _result(dossier: Dossier, paths: Sequence[Path]) -> dict[str, object]:
    return {
        "job_id": dossier.job_id,
        "drug": dossier.drug,
        "exit_code": dossier.exit_code,
        "stopped": dossier.stopped,
        "engine": dossier.engine,
        "mode": dossier.mode,
        "statements": dossier.statements.model_dump(mode="json"),
        "spent": summed(row.spent for row in dossier.spending)._asdict() if dossier.spending else None,
        "coverage": dossier.coverage.model_dump(mode="json"),
        "not_searched": {use.name: use.reason for use in dossier.databases if use.status is SearchStatus.FAILED},
        "searched_in_part": {use.name: use.reason for use in dossier.databases if use.incomplete},
        "files": [str(path) for path in paths],
    }


def _tell(dossier: Dossier, paths: Sequence[Path], tell: Callable[[str], None] | None) -> None:
    """The summary a person reads at the end; with `tell` None only the files."""
    if tell:
        for question in dossier.coverage.questions if dossier.coverage.total else ():
            mark = "✓" if question.sufficient else "⚠"
            tell(f"{mark} {question.label}: {counted(question.sources, 'source')}, {question.min_sources} needed")
        tell(_verdict(dossier))
        tell(_identity(dossier))
        for use in dossier.searched:
            tell(f"Searched: {plain(use.scope)}")
        for failure in failures(dossier):
            tell(plain(failure))
        for note in dossier.notes if dossier.coverage.total else dossier.notes[:-1]:
            tell(f"Note: {plain(note)}")
        if dossier.statements.marked:
            tell(f"Marked as not supported by their sources: {counted(dossier.statements.marked, 'statement')}")
        if dossier.spending:
            tell(f"Language models: {summed(row.spent for row in dossier.spending)}")
    for path in paths:
        say(str(path))
    if tell:
        if dossier.goes_on:
            tell(f"Gather on: storm resume {dossier.job_id} (with another model: --model NAME)")
        tell(f"Look into it: storm inspect {dossier.job_id} --sources")


def _verdict(dossier: Dossier) -> str:
    total, cited = dossier.coverage.total, len(dossier.references)
    if not total:
        tried = counted(len(dossier.search_log), "query that was", "queries that were")
        return f"{plain(dossier.notes[-1])} The dossier lists the {tried} tried."
    complete = "complete" if dossier.exit_code == 0 else "partial"
    told = f"{counted(total, 'source')}, {cited} of them cited; the dossier is {complete}. Engine: {dossier.engine}."
    return told if dossier.stopped == "complete" else f"{told} It stopped because {why_stopped(dossier)}."


def _identity(dossier: Dossier) -> str:
    names = f"Searched as: {', '.join(map(plain, dossier.names))}"
    found = dossier.identity
    return f"{names} ({plain(found.inn)}, {found.chembl})" if found and found.inn and found.chembl else names
