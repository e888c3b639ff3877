"""Many jobs from Python, several at a time."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Unpack, cast

from storm.api.batches import BatchLimits, CheckedBatch, JobEnd, LocalExecutor, digest_of, run_batch
from storm.api.blocking import make_synchronous, show_hint
from storm.api.job import reuse_or_open
from storm.api.request import JobOptions, job_request
from storm.app import App, event_sinks
from storm.errors import StormError, UsageError
from storm.export import check_folder, write_report
from storm.models import Dossier, JobRequest, JobState, request_job_id
from storm.ports import EventSink, JobExecutor, Observer
from storm.settings import Settings, read_settings
from storm.store import BatchRow


class JobOutcome(NamedTuple):
    """How the job of one drug ended: with a dossier and its files, or with an error. `made_before`: an earlier call had
    finished it.

        for outcome in storm.run_many(["trastuzumab", "metformin"]):
            print(outcome.drug, outcome.exit_code, outcome.error or outcome.dossier.coverage.total)
    """

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
            drug = self.drug if self.drug.strip() and self.drug.isprintable() else repr(self.drug)
            subject = "" if self.error.message.startswith(f"{drug} ") else f"{drug}: "
            return f"Error: {subject}{self.error.message}{hint}"
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
    name: str = "",
    batch_limits: BatchLimits | None = None,
    executor: JobExecutor | None = None,
    on_outcome: Callable[[JobOutcome], object] | None = None,
    on_event: Observer | EventSink | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[JobOptions],
) -> list[JobOutcome]:
    """Run one job for each different drug, at most `concurrency` at a time. A failure does not stop the others.

        outcomes = await storm.arun_many(["trastuzumab", "metformin"], out="reports", on_outcome=print)

    Outcomes are in the order of the drugs; `on_outcome` is called with each as soon as its job has ended. The jobs are
    a batch, which `storm batch status`, `cancel` and `resume` know by its `name` (by default made from its jobs), and
    which may spend no more than `batch_limits` together. A job's id is made from the drug and the options, so a second
    call reads what is finished and resumes the rest. It does not search what was added to a corpus since: `storm delete
    JOB` first. With `out`, each job's files are written to OUT/JOB/. An `executor` has the jobs carried out elsewhere:
    `storm.worker.QueueExecutor(app)` by workers, which send no events to `on_event`. The other options are those of
    `storm.run`, for every drug.

    Raises storm.errors.UsageError if `drugs` is not a list, `concurrency` not a number of jobs, or `name` that
    of a batch of other jobs; JobHeld if another process works on the same batch; StoreError if the store is lost. A
    wrong drug or option becomes the outcome of its drug. An error that `on_outcome` raises ends all jobs.
    """
    with show_hint():
        names = _list_names(drugs)
        if type(concurrency) is not int or concurrency < 1:
            raise UsageError(f"concurrency is {concurrency!r}; it must be a whole number of jobs, at least 1")
        if not isinstance(batch_limits, BatchLimits | None):
            raise UsageError(
                f"batch_limits is {batch_limits!r}; it must be storm.BatchLimits", hint="storm.BatchLimits(usd=20)"
            )
        _check_options(options)
        event_sinks(on_event)
        folder = None if out is None else Path(out)
        if folder:
            check_folder(folder)
        own = None if app else (settings or read_settings())._replace(unattended=True)
        async with reuse_or_open(app, own) as use:
            many = _ManyJobs(use, folder, on_outcome)
            await many.prepare(names, partial(job_request, settings=use.settings, **options))
            batch = await many.create_batch(name, batch_limits or BatchLimits())
            if batch:
                carry_out = executor or LocalExecutor(use, on_event)
                stopped = await run_batch(
                    use, batch, carry_out, concurrency, retry=True, limits=batch_limits, on_end=many.record_end
                )
                many.record_stop(stopped)
            return [many.find_outcome(drug) for drug in names]


class _ManyJobs:
    """The jobs of one call, and what became of each."""

    def __init__(self, app: App, folder: Path | None, on_outcome: Callable[[JobOutcome], object] | None) -> None:
        self._app, self._folder, self._on_outcome = app, folder, on_outcome
        self._requests: dict[str, JobRequest] = {}
        self._drugs: dict[str, str] = {}
        self._jobs: dict[str, str] = {}
        self.outcomes: dict[str, JobOutcome] = {}

    async def prepare(self, drugs: Sequence[str], make_request: Callable[[str], JobRequest]) -> None:
        """Make the request of each drug's job; a wrong one, or a job that is finished, has its outcome at once."""
        for drug in drugs:
            try:
                request = make_request(_check_name(drug))
                job_id = request_job_id(request)
                if self._folder:
                    request = request.model_copy(update={"out": str((self._folder / job_id).absolute())})
            except StormError as error:
                self._add(JobOutcome(drug, "", error=error))
                continue
            self._jobs[drug] = job_id
            self._requests.setdefault(job_id, request)
            self._drugs.setdefault(job_id, drug)  # names that differ in spaces or capital letters alone are one job
        for job_id, found in zip(self._drugs, await self._app.store.jobs.summaries(list(self._drugs)), strict=True):
            if not isinstance(found, str) and found.state is JobState.FINISHED:
                self._add(await self._read_outcome(job_id, made_before=True))

    async def create_batch(self, name: str, limits: BatchLimits) -> str:
        """Create the batch of these jobs, or find it; its name, empty if there is no job."""
        rows = [
            BatchRow(job_id, json.dumps({"drug": self._drugs[job_id], "request": request.model_dump(mode="json")}))
            for job_id, request in self._requests.items()
        ]
        if not rows:
            return ""
        checked = CheckedBatch(tuple(rows), digest_of(self._requests))
        await self._app.store.batches.create(
            name or checked.name, checked.digest, checked.rows, limits.model_dump_json()
        )
        return name or checked.name

    def find_outcome(self, drug: str) -> JobOutcome:
        """What became of the drug."""
        if job_id := self._jobs.get(drug):
            return self.outcomes[self._drugs[job_id]]._replace(drug=drug)
        return self.outcomes[drug]

    async def record_end(self, end: JobEnd) -> None:
        """Take the outcome of a job that has ended."""
        outcome = JobOutcome(self._drugs[end.job_id], end.job_id, error=end.error)
        if not end.error and end.state in (JobState.FINISHED, JobState.FAILED):
            outcome = await self._read_outcome(end.job_id)
        if not outcome.dossier and end.state != JobState.FINISHED:
            outcome = outcome._replace(error=end.error or StormError(end.reason or f"the job is {end.state}"))
        self._add(outcome)

    def record_stop(self, reason: str) -> None:
        """Say of the jobs that were not started why."""
        for job_id, drug in self._drugs.items():
            if drug not in self.outcomes:
                self._add(JobOutcome(drug, job_id, error=StormError(f"it was not started: {reason}")))

    async def _read_outcome(self, job_id: str, *, made_before: bool = False) -> JobOutcome:
        drug, request = self._drugs[job_id], self._requests[job_id]
        try:
            dossier = cast(Dossier, await self._app.report(job_id))
            files = write_report(dossier, self._folder / job_id, request.formats) if self._folder else ()
        except StormError as error:
            return JobOutcome(drug, job_id, error=error)
        return JobOutcome(drug, job_id, dossier, files=tuple(files), made_before=made_before)

    def _add(self, outcome: JobOutcome) -> None:
        self.outcomes[outcome.drug] = outcome
        if self._on_outcome:
            self._on_outcome(outcome)


def _check_options(options: Mapping[str, Any]) -> None:
    """TypeError for an option that no job takes."""
    try:
        inspect.signature(job_request).bind("", None, **options)
    except TypeError as error:
        raise TypeError(f"run_many() {error}; help(storm.run_many) says what it takes") from None


def _list_names(drugs: object) -> list[str]:
    """Each different name once; UsageError unless it is a list."""
    if isinstance(drugs, str | bytes | Mapping) or not isinstance(drugs, Iterable):
        raise UsageError(f"drugs is {drugs!r}; it must be a list of names", hint='storm.run_many(["trastuzumab"])')
    return list(dict.fromkeys(drug.strip(" ") if isinstance(drug, str) else _NotText(repr(drug)) for drug in drugs))


class _NotText(str):
    """What stands in a list in place of a name, such as the None or NaN of an empty cell."""


def _check_name(drug: str) -> str:
    if isinstance(drug, _NotText):
        raise UsageError(f"{drug} is not the name of a drug", hint="leave it out, or give a text")
    return drug


run_many = make_synchronous(arun_many)
