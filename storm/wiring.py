"""Settings in, a ready App out: the only place where objects are built and joined."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from storm.errors import StoreError, StoreRefused, StoreUnavailable, StormError, UsageError
from storm.models import Event, Job, JobRequest, JobState, Plan, database_label, new_job_id
from storm.settings import Settings
from storm.store import JobJournal, SourceCollector, Store, open_store

# The parts that only a running job needs are imported where it is put together: `inspect` must start without them.
if TYPE_CHECKING:
    from storm.databases.corpus_index import CorpusIndex
    from storm.models import Dossier
    from storm.roles import Database
    from storm.tools import JobTools
    from storm.workflow import Crew

ENGINE = "extractive (no language model)"
SAMPLE_NOTE = (
    "Only the bundled sample (trastuzumab, metformin) was searched: identifiers, titles and figures are real, its "
    "abstracts are short ones of our own. Add records of your own with: storm corpus add PATHS"
)
NOT_LIVE_NOTE = "No live database can be searched in this version; only what is on this machine was."


def utc_now() -> datetime:
    """The clock of a real run."""
    return datetime.now(UTC)


class Searchable(NamedTuple):
    """What a job searches, what the reader must know about it, and whether something asked for was left out."""

    databases: Sequence[Database]
    notes: tuple[str, ...]
    partial: bool


class App:
    """One open store and the jobs in it."""

    def __init__(self, settings: Settings, store: Store, clock: Callable[[], datetime] = utc_now) -> None:
        self.settings = settings
        self.store = store
        self._clock = clock

    async def start(self, request: JobRequest) -> Job:
        """A new job; nothing has been searched yet. UsageError if it names a database that is not here."""
        place = searchable(self.settings, request).databases[0].name
        kept = request.model_copy(update={"place": place})
        return await self.store.jobs.create(kept, new_job_id(request.drug, self._clock()))

    async def work(self, job_id: str, observer: Callable[[Event], None] | None = None) -> Dossier:
        """The job's dossier: from where it stands, or the finished one. JobHeld if another process works on it."""
        job = await self.store.jobs.get(job_id)
        if job.state is JobState.FINISHED:
            return await self.dossier(job_id)
        try:
            return await self._finish(job, observer)
        except (StoreUnavailable, StoreRefused) as exc:
            exc.hint = "; ".join(part for part in (exc.hint, f"then go on: storm resume {job_id}") if part)
            raise

    async def _finish(self, job: Job, observer: Callable[[Event], None] | None) -> Dossier:
        from storm.workflow import run_stages

        async with await self.store.jobs.hold(job.job_id) as lease:
            journal = JobJournal(self.store, job.job_id, lease, observer=observer)
            collection = SourceCollector(self.store, job.job_id, lease)
            try:
                dossier = await run_stages(job, await self._crew(job, collection, journal))
            except StoreError:
                raise
            except StormError as exc:
                await self.store.jobs.fail(lease, exc.message)
                raise
            await self.store.jobs.finish(lease, dossier.exit_code)
        return dossier

    async def dossier(self, job_id: str) -> Dossier:
        """A finished job's dossier; UsageError if it is not finished."""
        from storm.models import Dossier

        await self.store.jobs.get(job_id)
        stages = await self.journal(job_id).stages()
        if "report" not in stages:
            raise UsageError(f"{job_id} has no dossier yet", hint=f"finish it: storm resume {job_id}")
        return Dossier.model_validate_json(stages["report"])

    def collection(self, job_id: str) -> SourceCollector:
        """A job's collection, to read."""
        return SourceCollector(self.store, job_id, None)

    def journal(self, job_id: str) -> JobJournal:
        """A job's journal, to read."""
        return JobJournal(self.store, job_id, None)

    async def _crew(self, job: Job, collection: SourceCollector, journal: JobJournal) -> Crew:
        from storm.extractive import ExtractivePlanner, ExtractiveResearcher, ExtractiveSynthesizer
        from storm.tools import JobSearch, JobTools
        from storm.workflow import Crew

        where = searchable(self.settings, job.request)
        searcher = JobSearch(where.databases, collection, journal, self._clock, await journal.searches())

        def toolbox(plan: Plan) -> JobTools:
            return JobTools(collection, plan.syllabus, plan.names)

        return Crew(
            engine=ENGINE,
            planner=ExtractivePlanner(searcher, collection),
            researcher=ExtractiveResearcher(searcher, toolbox, collection, journal),
            synthesizer=ExtractiveSynthesizer(),
            collection=collection,
            journal=journal,
            notes=where.notes,
            partial=where.partial,
        )


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """An App on the store that the settings name; the embedded server is left or stopped as the store decides."""
    store = await open_store(
        data_dir=settings.data_dir, redis_url=settings.redis_url, job_ttl=settings.job_ttl, clock=utc_now
    )
    async with store:
        yield App(settings, store)


def open_corpus(settings: Settings) -> CorpusIndex:
    """The user's own corpus."""
    from storm.databases.corpus import corpus_index

    return corpus_index(settings.data_dir)


def searchable(settings: Settings, request: JobRequest) -> Searchable:
    """The user's corpus, or the bundled sample while that is empty; on a resume, the same as before.

    The two never mix, since the sample's texts are our own. UsageError if the request names a database that holds no
    record here.
    """
    from storm.databases.corpus import CorpusDatabase, sample_index

    index = open_corpus(settings)
    place = request.place or ("corpus" if index.count() else "sample")
    what = "your corpus"
    notes: tuple[str, ...] = () if request.offline else (NOT_LIVE_NOTE,)
    if place == "sample":
        index, what = sample_index(settings.data_dir), "the bundled sample (trastuzumab, metformin)"
        notes = (*notes, SAMPLE_NOTE)
    counts = index.count()
    _check_databases(request.databases, counts, what)
    held = ", ".join(f"{database_label(key)} {count}" for key, count in sorted(counts.items()))
    scope = f"{what}: {sum(counts.values())} records ({held})"
    return Searchable((CorpusDatabase(index, place, scope),), notes, partial=not request.offline)


def _check_databases(wanted: Sequence[str], counts: Mapping[str, int], what: str) -> None:
    unknown = [name for name in wanted if name not in counts]
    if unknown:
        held = ", ".join(sorted(counts)) or "nothing"
        raise UsageError(f"there are no records of {', '.join(unknown)} in {what}", hint=f"it holds: {held}")
