"""An open store with its jobs: create them, work on them, read them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from storm import models, wording
from storm.data_dir import make_private
from storm.errors import (
    Code,
    DrugNotIdentified,
    LeaseLost,
    ModelError,
    NothingSearched,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    StormError,
    UsageError,
)
from storm.models import Job, JobLimits, JobRequest, JobState, Place, RunSettings, Scope, Syllabus, new_job_id
from storm.settings import Settings, read_settings
from storm.store import JobJournal, Lease, SourceCollector, Store, clear_abandoned, open_store, read_result
from storm.store.lease import cancelled_job_error

# What only a running job needs is imported where it is used: `inspect` must start without it.
if TYPE_CHECKING:
    from storm.app.crews import Crews
    from storm.app.scope import SearchScope
    from storm.app.similar_questions import SimilarQuestion
    from storm.app.workbench import Workbench
    from storm.modes import Crew
    from storm.ports import EventSink, Observer
    from storm.reports import Report
    from storm.traces import TraceRecorder

#: Puts parts of the caller's own in the crew of a job.
ChangeCrew: TypeAlias = "Callable[[Workbench, Crew], Crew]"


def utc_now() -> datetime:
    """The clock of a real run."""
    return datetime.now(UTC)


class App:
    """One open store and its jobs.

        async with storm.open_app() as app:
            dossier = await storm.arun("trastuzumab", app=app)

    `crews` builds what works on them.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        opened: AsyncExitStack,
        crews: Crews | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.settings = settings
        self.store = store
        self._opened = opened
        self._given_crews = crews
        self._clock = clock

    @cached_property
    def scope(self) -> SearchScope:
        """Decides where its jobs search."""
        from storm.app.scope import SearchScope

        return SearchScope(self.settings, self.store, self._opened)

    @cached_property
    def _crews(self) -> Crews:
        from storm.app.crews import Crews

        return self._given_crews or Crews(self.settings)

    async def start(self, request: JobRequest, job_id: str = "") -> Job:
        """Create a job of the present owner, under the given id or a new one; nothing is searched yet. UsageError for
        an unknown database or an id that is taken."""
        from storm.modes import MODES
        from storm.traces import current_owner

        settings = await self.check(request)
        job_id = job_id or new_job_id(request.subject, self._clock())
        version = MODES[settings.mode].version
        return await self.store.jobs.create(request, job_id, settings, version, **current_owner().model_dump())

    async def check(self, request: JobRequest) -> RunSettings:
        """The settings that a job of this request would run with; UsageError if it could not be started."""
        await self.scope.check_request(request)
        return self._crews.decide_settings(request)

    async def find_similar(self, request: JobRequest) -> SimilarQuestion | None:
        """The nearest question that a finished job of the same owner has answered, if one is similar; nothing is
        searched. A job in whose crew the caller's own roles worked is passed over."""
        from storm.app.similar_questions import EarlierQuestions
        from storm.traces import current_owner

        questions = EarlierQuestions(self.store, self.scope, self._crews, self._clock())
        return await questions.find_similar(request, current_owner())

    async def start_update(
        self,
        job_id: str,
        new_id: str = "",
        *,
        model: str = "",
        limits: JobLimits | None = None,
        out: str | None = None,
        formats: Sequence[str] = (),
        template: Path | str | None = None,
    ) -> Job:
        """Create a job that brings the dossier of a finished one up to date; that job is only read. UsageError if it is
        not finished, has no dossier, is being updated, or its template cannot be read; UnknownJob if there is none."""
        from storm.app import updates

        job = await self.store.jobs.get(job_id)
        updates.check_finished(job)
        updates.check_dossier(job, await self.report(job_id))
        updates.check_no_other(job, (await self.store.jobs.all()).jobs)
        settings = self._crews.change_model(job, model) if model else job.settings
        return await self.start(updates.make_request(job, settings, limits, out, formats, template), new_id)

    async def work(
        self,
        job_id: str,
        observer: Observer | EventSink | None = None,
        *,
        model: str = "",
        change: ChangeCrew | None = None,
        expected_state: JobState | None = None,
    ) -> Report:
        """Work on the job to its end, or read the report of a finished one. JobHeld if another process works on it;
        StepMismatch if its mode, or the mode's version, is unknown; JobCancelled if it was cancelled since the caller
        saw it in the `expected_state` (one that was cancelled before is reopened).

        The `observer` gets each event; if it fails, it gets no more and the job goes on. From here on `model` plays
        every role; UsageError if the job calls no model (any more). `change` puts the caller's own roles into the crew.
        """
        from storm.modes import find_mode

        job = await self.store.jobs.get(job_id)
        if job.state is JobState.FINISHED:
            if model:
                raise UsageError(
                    f"{job_id} is finished: no model is asked any more",
                    hint="leave `model` out to read its report",
                    code=Code.JOB_ASKS_NO_MORE,
                )
            return await self.report(job_id)
        find_mode(job)  # raises before the job is changed
        settings = self._crews.change_model(job, model) if model else job.settings
        if expected_state:
            job = job.model_copy(update={"state": expected_state})
        try:
            return await self.finish_job(job, observer, settings, change)
        except (StoreUnavailable, StoreRefused, ModelError) as exc:
            exc.unfinished_job = job_id
            raise

    async def finish_job(
        self,
        job: Job,
        observer: Observer | EventSink | None,
        settings: RunSettings,
        change: ChangeCrew | None = None,
    ) -> Report:
        """Finish a job with these settings. JobHeld if another process works on it, JobCancelled if it was cancelled
        since the `job` was read.

        DrugNotIdentified if the drug needs another name; a job that somebody waits for is then deleted, unless it has a
        source.
        """
        from storm.app.events import event_sinks
        from storm.app.recording import recorded

        async with recorded(self.settings, self.store, job) as trace:
            try:
                sinks = (*event_sinks(observer), *([trace] if trace else ()))
                async with await self.store.jobs.hold(job.job_id, sinks, job.state) as lease:
                    return await self._finish_held(job, lease, settings, change, trace)
            except DrugNotIdentified:
                if not self.settings.unattended and not (await self.collection(job.job_id).progress()).total:
                    await self.store.jobs.delete(job.job_id)
                raise

    async def _finish_held(
        self, job: Job, lease: Lease, settings: RunSettings, change: ChangeCrew | None, trace: TraceRecorder | None
    ) -> Report:
        if trace:
            trace.report_loss = partial(JobJournal(self.store, job.job_id, lease).report, "traces")
        try:
            with lease.cancel_current_task_on_loss():
                if settings != job.settings:
                    job = await self.store.jobs.change(lease, settings, f"goes on with {settings.model} in every role")
                return await self._run_held(job, lease, change, trace)
        except LeaseLost as exc:
            if (await self.store.jobs.get(job.job_id)).state is not JobState.CANCELLED:
                raise
            (last,) = await self.journal(job.job_id).events(1)
            if lease.sinks:
                await lease.sinks.write(last)  # another process wrote it
            raise cancelled_job_error(job.job_id) from exc

    async def _run_held(self, job: Job, lease: Lease, change: ChangeCrew | None, trace: TraceRecorder | None) -> Report:
        from storm.app.recording import keep_result
        from storm.modes import run_mode

        try:
            crew = await self._build_crew(job, await self._find_scope(job), lease, change)
            report, is_provisional = await run_mode(job, crew)
        except StoreError:
            raise
        except StormError as exc:
            await self.store.jobs.fail(lease, exc.message)
            raise
        keep_result(trace, report)
        if report.can_go_on or is_provisional:
            from storm.app.finished_report import keep_report_so_far

            await keep_report_so_far(self.store, job, lease, report)
            await self.store.jobs.fail(lease, wording.MODEL_FAILED if crew.by_model else wording.RESEARCH_FAILED)
        else:
            await self.store.jobs.finish(lease, report.exit_code)
        return report

    async def _build_crew(self, job: Job, scope: Scope, lease: Lease, change: ChangeCrew | None) -> Crew:
        """The crew for the job in this scope, with the caller's own roles."""
        bench = await self._build_workbench(job, scope, lease)

        async def fallback(failed: NothingSearched) -> Crew:
            if scope.place is not Place.LIVE:
                raise failed
            moved = await self.scope.move_to_sample(job.request, failed)
            await bench.journal.report("changed", wording.NO_PUBLIC_DATABASE)
            return await self._build_crew(job, moved, lease, change)

        crew = (await self._crews.build_crew(bench))._replace(fallback=fallback)
        if change is None:
            return crew
        from storm.app.crews import OWN_CREW

        await bench.journal.finish_stage(OWN_CREW, "true")
        return change(bench, crew)

    async def _find_scope(self, job: Job) -> Scope:
        """Where the job searches: as decided when its plan was made, or else decided now."""
        journal = self.journal(job.job_id)
        if await journal.find_stage("plan") and (stored := await journal.find_stage("scope")):
            return read_result(job.job_id, job.version, "scope", stored, Scope)
        if job.request.update_of:  # what changed can only be found where the dossier is from
            from storm.app import updates

            return await self._find_scope(await updates.find_updated(job, self.store))
        return job.scope or await self.scope.choose_scope(job.request, await journal.searches())

    @asynccontextmanager
    async def workbench(self, job_id: str) -> AsyncIterator[Workbench]:
        """Hold a job and yield what an agent of one's own needs to work on it; JobHeld if another process holds it. A
        job without a plan takes the questions of its request."""
        job = await self.store.jobs.get(job_id)
        async with await self.store.jobs.hold(job_id) as lease:
            bench = await self._build_workbench(job, await self._find_scope(job), lease)
            if job.request.syllabus and not job.questions:
                await bench.collection.set_questions(job.request.syllabus.keys)
            yield bench

    async def _build_workbench(self, job: Job, scope: Scope, lease: Lease) -> Workbench:
        from storm.app.workbench_builder import WorkbenchBuilder

        builder = WorkbenchBuilder(self.store, self.scope, self._crews, self._clock)
        return await builder.build_workbench(job, scope, lease, self.syllabus)

    async def syllabus(self, job: Job) -> Syllabus | None:
        """The job's questions, from its plan or its request; None before a planner has made them."""
        asked = job.request.syllabus
        if asked and job.questions in ((), asked.keys):
            return asked
        stored = await self.journal(job.job_id).find_stage("plan")
        return read_result(job.job_id, job.version, "plan", stored, models.Plan).syllabus if stored else asked

    async def report(self, job_id: str, *, references_only: bool = False) -> Report:
        """Read a finished job's report, or no more of it than bibliographies need, or that of a failed job as it was at
        its last end; UsageError if there is none, CollectionDamaged if data was lost."""
        from storm.app.finished_report import read_report

        return await read_report(self.store, job_id, references_only=references_only)

    def collection(self, job_id: str) -> SourceCollector:
        """A job's collection, to read."""
        return SourceCollector(self.store, job_id, None)

    def journal(self, job_id: str) -> JobJournal:
        """A job's journal, to read."""
        return JobJournal(self.store, job_id, None)


@asynccontextmanager
async def open_app(settings: Settings | None = None) -> AsyncIterator[App]:
    """Open an App on the store of these settings, by default those of the environment.

        async with storm.open_app() as app:
            progress = await app.collection("trastuzumab-20261122-7f3a9c").progress()

    The embedded server is started if it is needed.
    """
    settings = settings or read_settings()
    make_private(settings.data_dir)
    clear_abandoned(settings.data_dir)
    store = await open_store(
        data_dir=settings.data_dir,
        redis_url=settings.redis_url,
        job_ttl=settings.job_ttl,
        clock=utc_now,
        may_evict=settings.may_evict,
    )
    try:
        async with store, AsyncExitStack() as opened:
            yield App(settings, store, opened)
    finally:
        make_private(settings.data_dir)  # libraries create files with the umask
