"""Settings in, a ready App out: the only place where objects are built and joined."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from storm.errors import ModelError, NothingSearched, StoreError, StoreRefused, StoreUnavailable, StormError, UsageError
from storm.models import (
    Event,
    Job,
    JobLimits,
    JobRequest,
    JobState,
    Plan,
    SavedProgram,
    Syllabus,
    database_label,
    lookup_keys,
    new_job_id,
)
from storm.settings import Settings
from storm.store import JobJournal, Lease, SourceCollector, Store, StoreLimiter, open_store

# The parts that only a running job needs are imported where it is put together: `inspect` must start without them.
if TYPE_CHECKING:
    from storm.agents.crew import ModelCrew
    from storm.agents.model_choice import ModelChoice
    from storm.databases.corpus_index import CorpusIndex
    from storm.databases.live import LiveDatabases
    from storm.databases.page import MayRead
    from storm.models import Dossier
    from storm.roles import Database, Journal, Limiter, Pages, Register
    from storm.tools import JobSearch, JobTools
    from storm.workflow import Crew

ENGINE = "extractive (no language model)"
SAMPLE = "the bundled sample (trastuzumab, metformin)"
SAMPLE_NOTE = (
    "Only the bundled sample (trastuzumab, metformin) was searched: identifiers, titles and figures are real, its "
    "abstracts are short ones of our own. Add records of your own with: storm corpus add PATHS"
)
AGENT_NOTE = "An agent with a language model worked on this job before: sources may have been filed by it."
UNSEARCHED_NOTE = "No public database could be searched."


def utc_now() -> datetime:
    """The clock of a real run."""
    return datetime.now(UTC)


class Searchable(NamedTuple):
    """What a job searches, what the reader must know about it, and who is asked about its sources."""

    databases: Sequence[Database]
    notes: tuple[str, ...]
    registers: Sequence[Register] = ()
    pages: Pages | None = None


class Workbench(NamedTuple):
    """What the parts of one job share: what is searched and through whom, its collection and its journal."""

    job: Job
    where: Searchable
    searcher: JobSearch
    collection: SourceCollector
    journal: JobJournal

    def toolbox(self, plan: Plan) -> JobTools:
        """The tools that file sources under the plan's questions."""
        from storm.tools import JobTools

        return JobTools(self.collection, plan, self.where.pages, self.searcher.rendezvous)

    def tools(self, plan: Plan) -> Sequence[Callable[..., Awaitable[Any]]]:
        """All that an agent may call: a search for each database, reading, filing, and how things stand."""
        from storm.tools import SourceReader, database_tools

        box = self.toolbox(plan)
        return [
            *database_tools(self.searcher, self.collection, plan), SourceReader(self.collection).read_source,
            box.scrape_url, box.save_source, box.register_citation, box.get_citation, box.get_progress,
            box.check_completion,
        ]  # fmt: skip


class App:
    """One open store and the jobs in it; the way to the public services is opened when it is first needed."""

    def __init__(
        self, settings: Settings, store: Store, opened: AsyncExitStack, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self.settings = settings
        self.store = store
        self._opened = opened
        self._clock = clock
        self._live: LiveDatabases | None = None

    async def live(self) -> LiveDatabases:
        """The public databases; ConfigError if their configuration is wrong."""
        if self._live is None:
            self._live = await self._opened.enter_async_context(open_live(self.settings, self.store))
        return self._live

    async def start(self, request: JobRequest) -> Job:
        """A new job; nothing has been searched yet. UsageError if it names a database that is not here."""
        own = open_corpus(self.settings).count()
        place, unreachable = "corpus" if own else "sample", {}
        if not request.offline:
            live = await self.live()
            _check_databases(request.databases, {*own, *live.names(request.databases)})
            reasons = await live.unreachable()
            if own or any(client.service.name not in reasons for client in live.wanted(request.databases).values()):
                place = "live"
            else:
                unreachable = reasons
        models = self._priced(request)
        if request.mode == "broad" and not models:
            raise UsageError(
                "the mode broad needs a language model", hint="name one: --model openai/…, or in config/models.yaml"
            )
        if not models and (request.program or request.limits != JobLimits()):
            raise UsageError(
                "--program and --max-… are for a language model, and none is chosen",
                hint="add --model NAME, or leave them out",
            )
        mode = "broad" if models else "extractive"
        if request.program:
            _check_program(request.program)
        kept = request.model_copy(update={"place": place, "unreachable": unreachable, "mode": mode})
        await self._searchable(kept, _nowhere)
        return await self.store.jobs.create(kept, new_job_id(request.drug, self._clock()))

    async def work(self, job_id: str, observer: Callable[[Event], None] | None = None, *, model: str = "") -> Dossier:
        """The job's dossier: from where it stands, or the finished one. JobHeld if another process works on it.

        With a `model` the job goes on with that one in every role; UsageError if it asks none any more, or never did.
        """
        job = await self.store.jobs.get(job_id)
        request = self._with_model(job, model) if model else job.request
        if job.state is JobState.FINISHED:
            return await self.dossier(job_id)
        try:
            return await self._finish(job, observer, request)
        except (StoreUnavailable, StoreRefused, ModelError) as exc:
            another = " (with another model: --model NAME)" if isinstance(exc, ModelError) else ""
            exc.hint = "; ".join(part for part in (exc.hint, f"then go on: storm resume {job_id}{another}") if part)
            raise

    def _with_model(self, job: Job, model: str) -> JobRequest:
        if job.state is JobState.FINISHED:
            raise UsageError(
                f"{job.job_id} is finished: no model is asked any more",
                hint="leave --model out to write its files again",
            )
        if job.request.mode == "extractive":
            raise UsageError(
                f"{job.job_id} was started without a language model, and goes on without one",
                hint="leave --model out, or start another job: storm run DRUG --model NAME",
            )
        request = job.request.model_copy(update={"model": model})
        self._priced(request)
        return request

    async def _finish(self, job: Job, observer: Callable[[Event], None] | None, request: JobRequest) -> Dossier:
        from storm.workflow import run_stages

        async with await self.store.jobs.hold(job.job_id) as lease:
            if request != job.request:
                job = await self.store.jobs.change(lease, request, f"goes on with {request.model} in every role")
            try:
                try:
                    dossier = await run_stages(job, await self._crew(await self._bench(job, lease, observer)))
                except NothingSearched as exc:
                    job = await self._moved_to_sample(job, lease, exc)
                    dossier = await run_stages(job, await self._crew(await self._bench(job, lease, observer)))
            except StoreError:
                raise
            except StormError as exc:
                await self.store.jobs.fail(lease, exc.message)
                raise
            if dossier.goes_on:
                await self.store.jobs.fail(lease, "its language model failed")
            else:
                await self.store.jobs.finish(lease, dossier.exit_code)
        return dossier

    @asynccontextmanager
    async def workbench(self, job_id: str) -> AsyncIterator[Workbench]:
        """What an agent of one's own needs to work on a job, for as long as this process holds it; JobHeld if another
        does."""
        job = await self.store.jobs.get(job_id)
        async with await self.store.jobs.hold(job_id) as lease:
            yield await self._bench(job, lease)

    async def _bench(self, job: Job, lease: Lease, observer: Callable[[Event], None] | None = None) -> Workbench:
        from storm.tools import JobSearch

        told = _progress(job.request.syllabus, observer) if observer and job.request.mode == "broad" else None
        collection = SourceCollector(self.store, job.job_id, lease, told)
        journal = JobJournal(self.store, job.job_id, lease, observer=observer)

        async def was_found(url: str) -> str | None:
            hit = await collection.find_hit(lookup_keys("web", url, url))
            return hit.url if hit else None

        where = await self._searchable(job.request, was_found)
        searcher = JobSearch(where.databases, journal, self._clock, await journal.searches())
        return Workbench(job, where, searcher, collection, journal)

    async def _moved_to_sample(self, job: Job, lease: Lease, failed: NothingSearched) -> Job:
        """The job where the bundled sample is searched in place of the databases, of which none could be."""
        wanted = (await self.live()).wanted(job.request.databases)
        reasons = {
            client.service.name: failed.reasons.get(client.database.name, failed.other) for client in wanted.values()
        }
        request = job.request.model_copy(update={"place": "sample", "unreachable": reasons})
        return await self.store.jobs.change(lease, request, UNSEARCHED_NOTE)

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

    async def _crew(self, bench: Workbench) -> Crew:
        from storm.extractive import ExtractivePlanner, ExtractiveResearcher, ExtractiveSynthesizer
        from storm.tools import SourceCheck
        from storm.workflow import Crew

        _, where, searcher, collection, journal = bench
        models = self._models(bench.job.request)
        if bench.job.request.mode == "broad" and not models:
            raise UsageError(
                f"{bench.job.job_id} was started with a language model, and none is chosen now",
                hint=f"set STORM_MODELS as it was, or give one: storm resume {bench.job.job_id} --model NAME",
            )
        crew = Crew(
            engine=ENGINE,
            planner=ExtractivePlanner(searcher, collection),
            researcher=ExtractiveResearcher(searcher, bench.toolbox, collection, journal),
            checker=SourceCheck(where.registers, where.pages, collection, journal, searcher),
            synthesizer=ExtractiveSynthesizer(),
            collection=collection,
            journal=journal,
            notes=where.notes,
        )
        if models:
            return await self._with_models(crew, models, bench)
        return crew._replace(notes=(*crew.notes, AGENT_NOTE)) if await journal.steps() else crew

    def _models(self, request: JobRequest) -> Mapping[str, ModelChoice]:
        """The model of each role, with its key; empty where none is to be asked. ModelError for a missing key."""
        return {} if request.mode == "extractive" else chosen_models(self.settings, request.model)

    def _priced(self, request: JobRequest) -> Mapping[str, ModelChoice]:
        """The same; UsageError, too, if nobody knows the provider of one, or if dollars are all that limits one whose
        price is not known."""
        models = self._models(request)
        if models:
            _model_crew().check(models, request.limits)
        return models

    async def _with_models(self, crew: Crew, models: Mapping[str, ModelChoice], bench: Workbench) -> Crew:
        """The same crew, with models in the roles of researcher and synthesizer, within the job's limits.

        Today is the day of the job to them, also when it is resumed later: other prompts would be paid for again.
        """
        job = bench.job
        made = await self._hired(models, job.request, bench.journal)
        return crew._replace(
            engine=made.engine,
            researcher=made.researcher(
                bench.tools, bench.collection, bench.searcher, bench.journal, lambda: job.created
            ),
            synthesizer=made.synthesizer(job.request.unsupported, job.created.date),
            spent=made.spent,
            remarks=made.told,
        )

    async def _hired(
        self, models: Mapping[str, ModelChoice], request: JobRequest, journal: Journal | None = None
    ) -> ModelCrew:
        """The models of a job, made ready."""
        return await _model_crew().hired(models, request.limits, request.program, journal)

    async def _searchable(self, request: JobRequest, may_read: MayRead) -> Searchable:
        """The public databases and the user's corpus, or, where neither can be searched, the bundled sample.

        On a resume the same as before. The sample never mixes with the others, since its texts are our own. UsageError
        if the request names a database that is none of these.
        """
        local, held, note = self._local(request)
        if request.offline:
            _check_databases(request.databases, held)
            return Searchable(local, note)
        live = await self.live()
        wanted = live.wanted(request.databases)
        unreachable = request.unreachable if request.place == "sample" else await live.unreachable()
        public = live.databases(wanted, unreachable)
        if request.place == "sample":
            of_use = not request.databases or any(name in held for name in request.databases)
            return Searchable((*public, *local) if of_use else public, (UNSEARCHED_NOTE, *(note if of_use else ())))
        pages = live.pages(may_read)
        return Searchable((*public, *local), live.notes(request.databases), live.registers, pages)

    def _local(self, request: JobRequest) -> tuple[Sequence[Database], Collection[str], tuple[str, ...]]:
        """What is searched on this machine, of which databases it holds records, and what to say of it."""
        from storm.databases.corpus import CorpusDatabase, sample_index

        is_sample = request.place == "sample"
        index = sample_index(self.settings.data_dir) if is_sample else open_corpus(self.settings)
        counts = index.count()
        if not counts:
            return (), (), ()
        held = ", ".join(f"{database_label(key)} {count}" for key, count in sorted(counts.items()))
        scope = f"{SAMPLE if is_sample else 'your corpus'}: {sum(counts.values())} records ({held})"
        name = "sample" if is_sample else "corpus"
        return (CorpusDatabase(index, name, scope),), counts, (SAMPLE_NOTE,) if is_sample else ()


@asynccontextmanager
async def open_live(settings: Settings, store: Store) -> AsyncIterator[LiveDatabases]:
    """The public databases that the settings list, behind one rate limit, cache and way to the network."""
    from storm.databases.catalogue import read_services
    from storm.databases.clients import clients, registers
    from storm.databases.http import Http, user_agent
    from storm.databases.live import LiveDatabases
    from storm.databases.local_limiter import LocalLimiter
    from storm.databases.recording import traffic
    from storm.databases.replay_clock import ReplayClock

    services = read_services(settings.databases, settings.environment)
    replayed = settings.http.startswith("replay:")
    replay = ReplayClock()
    monotonic, sleep = (replay.monotonic, replay.sleep) if replayed else (time.monotonic, asyncio.sleep)
    limiter = LocalLimiter(monotonic, sleep) if replayed else StoreLimiter(store)
    async with Http(
        limiter,
        cache_dir=None if settings.http else settings.data_dir / "http",
        user_agent=user_agent(settings.contact),
        transport=traffic(settings.http, sleep) if settings.http else None,
        monotonic=monotonic,
        sleep=sleep,
    ) as http:
        if settings.http:  # what a library asks on its own is neither recorded nor replayed
            services = {name: service for name, service in services.items() if name != "duckduckgo"}
        found = clients(http, services, limiter)
        pages = None if settings.http else _page_reader(settings, limiter)
        yield LiveDatabases(services, found, registers(http, services), pages, replayed=replayed)


def _page_reader(settings: Settings, limiter: Limiter) -> Callable[[MayRead], Pages]:
    from storm.databases.http import user_agent
    from storm.databases.page import PageReader

    agent = user_agent(settings.contact)
    return lambda may_read: PageReader(
        limiter, may_read=may_read, user_agent=agent, honour_robots=settings.honour_robots
    )


def _model_crew() -> type[ModelCrew]:
    """What makes language models ready; UsageError where DSPy is not installed."""
    try:
        from storm.agents.crew import ModelCrew
    except ImportError as exc:
        raise UsageError("language models need the package dspy", hint="pip install 'storm-research[agents]'") from exc
    return ModelCrew


def _progress(syllabus: Syllabus, observer: Callable[[Event], None]) -> Callable[[Mapping[str, int]], None]:
    """Tells who watches how things stand, which an agent does not report."""

    def tell(counts: Mapping[str, int]) -> None:
        standing = {q.key: f"{counts[q.key]}/{q.min_sources}" for q in syllabus.questions}
        observer(Event(at=utc_now(), kind="progress", message="sources per question", data=standing))

    return tell


def _check_program(program: SavedProgram) -> None:
    """ConfigError if it was saved for other predictors than ours."""
    try:
        from storm.agents.program import crew_program
    except ImportError:
        return  # what is missing is told where the models are made ready
    crew_program(program)


async def _nowhere(url: str) -> None:
    """No page may be read: nothing is read where it is only asked what there is."""


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """An App on the store that the settings name; the embedded server is left or stopped as the store decides."""
    store = await open_store(
        data_dir=settings.data_dir, redis_url=settings.redis_url, job_ttl=settings.job_ttl, clock=utc_now
    )
    async with store, AsyncExitStack() as opened:
        yield App(settings, store, opened)


def chosen_models(settings: Settings, model: str) -> Mapping[str, ModelChoice]:
    """The model of each role, with its key: this one, or those of the configuration. ModelError for a missing key."""
    from storm.agents.model_choice import ROLES, choose_model, read_models

    if model:
        models = dict.fromkeys(ROLES, choose_model(model, settings.environment))
    else:
        models = read_models(settings.models, settings.environment) if settings.models else {}
    for choice in models.values():
        choice.check_key()
    return models


def open_corpus(settings: Settings) -> CorpusIndex:
    """The user's own corpus."""
    from storm.databases.corpus import corpus_index

    return corpus_index(settings.data_dir)


def _check_databases(wanted: Sequence[str], known: Collection[str]) -> None:
    unknown = [name for name in wanted if name not in known]
    if unknown:
        held = ", ".join(sorted(known)) or "nothing"
        raise UsageError(f"there is no database {', '.join(unknown)} to search", hint=f"there are: {held}")
