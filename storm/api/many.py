"""Many jobs from Python, several at a time."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple, Unpack, cast

from storm.api.blocking import make_synchronous, show_hint
from storm.api.job import reuse_or_open
from storm.api.request import JobOptions, job_request
from storm.app import App, event_sinks
from storm.errors import Code, StormError, UsageError
from storm.export import check_folder, write_report
from storm.models import Dossier, JobRequest, JobState, request_job_id
from storm.ports import EventSink, Observer
from storm.settings import Settings, read_settings


class JobOutcome(NamedTuple):
    """How the job of one drug ended: with a dossier and its files, or with an error. `made_before`: an earlier call had
    finished it."""

    drug: str
    job_id: str
    dossier: Dossier | None = None
    error: StormError | None = None
    files: tuple[Path, ...] = ()
    made_before: bool = False

    @property
    def exit_code(self) -> int:
        """0 complete, 3 partial, 4 nothing found; 1 or 2 for an error."""
        return self.dossier.exit_code if self.dossier else self.error.exit_code if self.error else 1

    def __str__(self) -> str:
        if self.error:
            hint = f"; {self.error.hint}" if self.error.hint else ""
            return f"Error: {self.drug.strip() or repr(self.drug)}: {self.error.message}{hint}"
        sources = self.dossier.coverage.total if self.dossier else 0
        before = ("finished before",) if self.made_before else ()
        parts = (f"{self.drug}: exit {self.exit_code}", f"{sources} sources", *before, *map(str, self.files[:1]))
        return ", ".join(parts)


#: The exit code of several jobs is the first of these that occurs.
_WORST_FIRST = (1, 3, 4, 0)


def worst_exit_code(outcomes: Iterable[JobOutcome]) -> int:
    """Return one exit code for several jobs.

        sys.exit(storm.worst_exit_code(storm.run_many(["trastuzumab", "metformin"])))

    It is 1 if a job ended in an error, else 3 if a dossier is partial, else 4 if nothing was found for a drug, else 0.
    """
    codes = {1 if outcome.error else outcome.exit_code for outcome in outcomes}
    return next((code for code in _WORST_FIRST if code in codes), 0)


async def arun_many(
    drugs: Iterable[str],
    *,
    concurrency: int = 4,
    out: Path | str | None = None,
    on_outcome: Callable[[JobOutcome], object] | None = None,
    on_event: Observer | EventSink | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[JobOptions],
) -> list[JobOutcome]:
    """Run one job for each different drug, at most `concurrency` at a time. A failure does not stop the others.

        outcomes = await storm.arun_many(["trastuzumab", "metformin"], out="reports", on_outcome=print)

    Outcomes are in the order of the drugs; `on_outcome` is called with each as soon as it is there. A job's id is made
    from the drug and the options, so a second call reads what is finished and resumes the rest. It does not search what
    was added to a corpus since: `storm delete JOB` first. With `out`, each job's files are written to OUT/JOB/. The
    other options are those of `storm.run`, for every drug.

    Raises storm.errors.UsageError if `drugs` is not a list of names or `concurrency` not a number of jobs. A wrong drug
    or option becomes the outcome of its drug. An error that `on_outcome` raises ends all jobs.
    """
    with show_hint():
        names = _check_names(drugs)
        if type(concurrency) is not int or concurrency < 1:
            raise UsageError(f"concurrency is {concurrency!r}; it takes a whole number of jobs, at least 1")
        inspect.signature(job_request).bind("", None, **options)  # TypeError for an unknown option
        event_sinks(on_event)
        folder = None if out is None else Path(out)
        if folder:
            check_folder(folder)
        gate = asyncio.Semaphore(concurrency)
        async with reuse_or_open(app, settings or (None if app else read_settings())) as use:
            make_request = partial(job_request, settings=use.settings, **options)

            async def run_one(drug: str) -> JobOutcome:
                async with gate:
                    outcome = await _run_job(use, drug, make_request, on_event, folder)
                if on_outcome:
                    on_outcome(outcome)
                return outcome

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(run_one(drug)) for drug in names]
            except ExceptionGroup as faults:
                raise faults.exceptions[0] from None
        return [task.result() for task in tasks]


def _check_names(drugs: Iterable[str]) -> list[str]:
    """Each different name once; UsageError unless it is a list of texts."""
    given = None if isinstance(drugs, str | bytes) or not isinstance(drugs, Iterable) else list(drugs)
    if given is None or not all(isinstance(drug, str) for drug in given):
        raise UsageError(f"drugs is {drugs!r}; it takes a list of names", hint='storm.run_many(["trastuzumab"])')
    return list(dict.fromkeys(drug.strip(" ") for drug in given))


async def _run_job(
    app: App,
    drug: str,
    make_request: Callable[[str], JobRequest],
    on_event: Observer | EventSink | None,
    folder: Path | None,
) -> JobOutcome:
    job_id = ""
    try:
        request = make_request(drug)
        job_id = request_job_id(request)
        if folder:
            request = request.model_copy(update={"out": str((folder / job_id).absolute())})
        made_before = await _is_finished(app, request, job_id)
        dossier = cast(Dossier, await app.work(job_id, on_event))
        files = write_report(dossier, folder / job_id, request.formats) if folder else ()
    except StormError as error:
        return JobOutcome(drug, job_id, error=error)
    return JobOutcome(drug, job_id, dossier, files=tuple(files), made_before=made_before)


async def _is_finished(app: App, request: JobRequest, job_id: str) -> bool:
    """Start the job unless it exists; whether it is finished."""
    try:
        await app.start(request, job_id)
    except UsageError as error:
        if error.code is not Code.JOB_EXISTS:
            raise
        return (await app.store.jobs.get(job_id)).state is JobState.FINISHED
    return False


run_many = make_synchronous(arun_many)
