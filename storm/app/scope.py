"""What a job searches: the public databases, the user's corpus, or the bundled sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, NamedTuple

from storm import wording
from storm.data_dir import make_private
from storm.errors import Code, CorpusError, NothingSearched, UsageError, suggest_name
from storm.models import Job, JobRequest, Place, RequestKind, Scope, SearchRecord, database_label
from storm.models.names import split_words
from storm.models.search import WEB, drop_unsent
from storm.settings import Settings
from storm.store import Store

# What only a running job needs is imported where it is used: `inspect` must start without it.
if TYPE_CHECKING:
    from storm.databases.corpus.index import CorpusIndex
    from storm.databases.live import LiveDatabases
    from storm.databases.pages.reader import MayRead
    from storm.ports import Database, Pages, Register

SAMPLE_NAME = "sample"
#: Letters of the shortest word of a question that may be a mistyped drug's name, and words that are looked up.
_SHORTEST_NAME, _MOST_WORDS = 6, 12
SAMPLE = "the bundled sample (trastuzumab, metformin)"


class Searchable(NamedTuple):
    """What a job searches: databases, notes for the reader, registers that know more of its sources, web pages; and
    whether a call of a public service waits for its turn."""

    databases: Sequence[Database]
    notes: tuple[str, ...]
    registers: Sequence[Register] = ()
    pages: Pages | None = None
    is_queued: Callable[[], bool] = lambda: False


class SearchScope:
    """Decides where a job searches and opens it. The public databases are opened when they are first needed."""

    def __init__(self, settings: Settings, store: Store, opened: AsyncExitStack) -> None:
        self._settings = settings
        self._store = store
        self._opened = opened
        self._live: LiveDatabases | None = None

    async def open_live(self) -> LiveDatabases:
        """The public databases; ConfigError if their configuration is wrong."""
        from storm.app.live import open_live

        if self._live is None:
            self._live = await self._opened.enter_async_context(open_live(self._settings, self._store))
        return self._live

    async def check_request(self, request: JobRequest) -> None:
        """UsageError if the request names an unknown database; nothing is searched."""
        own = open_corpus(self._settings).count()
        if not request.offline:
            _check_databases(request.databases, {*own, *(await self.open_live()).names(request.databases)})
        elif request.databases:
            _check_databases(request.databases, self._open_local(_choose_local(own))[1])

    async def choose_scope(self, request: JobRequest, searches: Sequence[SearchRecord] = ()) -> Scope:
        """Choose where to search: live, corpus or sample; with the reasons why not live.

        A job that has searched the sample stays there, since the sample never mixes with the others.
        """
        here = _choose_local(open_corpus(self._settings).count())
        if request.offline:
            return here
        if any(search.database == SAMPLE_NAME for search in searches):
            return await self.move_to_sample(request, NothingSearched(_failure_reasons(searches), "no connection"))
        live = await self.open_live()
        reasons = await live.find_unreachable()
        wanted = live.select_clients(request.databases).values()
        if here.place is Place.CORPUS or any(client.service.name not in reasons for client in wanted):
            return Scope(place=Place.LIVE)
        return Scope(place=Place.SAMPLE, unreachable=reasons)

    async def move_to_sample(self, request: JobRequest, failed: NothingSearched) -> Scope:
        """The bundled sample instead of the databases, none of which could be searched."""
        wanted = (await self.open_live()).select_clients(request.databases)
        reasons = {
            client.service.name: failed.reasons.get(client.database.name, failed.other) for client in wanted.values()
        }
        return Scope(place=Place.SAMPLE, unreachable=reasons)

    async def open_searchable(self, request: JobRequest, scope: Scope, may_read: MayRead) -> Searchable:
        """The public databases and the user's corpus, or the bundled sample if neither can be searched.

        The sample never mixes with the others, since we wrote most of its texts. UsageError for an unknown database.
        """
        local, held, note = self._open_local(scope)
        note = (*note, *self._note_unsearched_corpus(request, scope), *self._note_mistyped(request, scope))
        if request.offline:
            if local:
                _check_databases(request.databases, held)
            return Searchable(local, note)
        live = await self.open_live()
        wanted = live.select_clients(request.databases)
        unreachable = scope.unreachable if scope.place is Place.SAMPLE else await live.find_unreachable()
        public = live.usable_databases(wanted, unreachable)
        if scope.place is Place.SAMPLE:
            of_use = not request.databases or any(name in held for name in request.databases)
            return Searchable(
                (*public, *local) if of_use else public, (wording.NO_PUBLIC_DATABASE, *(note if of_use else ()))
            )
        pages = live.open_pages(may_read)
        notes = live.search_notes(request.databases)
        return Searchable((*public, *local), notes, live.registers, pages, live.is_queued)

    def describe_local(self, scope: Scope) -> Mapping[str, str]:
        """What each database on this machine holds by now, by name, of those that a job of this scope searches."""
        return {database.name: database.scope for database in self._open_local(scope)[0]}

    async def has_web(self, request: JobRequest) -> bool:
        """Whether a job of this request could search the web."""
        return not request.offline and WEB in (await self.open_live()).select_clients(request.databases)

    def _open_local(self, scope: Scope) -> tuple[Sequence[Database], Collection[str], tuple[str, ...]]:
        """What is searched on this machine, its databases, and notes for the reader."""
        from storm.databases.corpus.database import CorpusDatabase

        is_sample, index = scope.place is Place.SAMPLE, self._open_index(scope)
        counts = index.count()
        if not counts:
            return (), (), ()
        held = ", ".join(f"{database_label(key)} {count}" for key, count in sorted(counts.items()))
        holding = f"{SAMPLE if is_sample else 'your corpus'}: {sum(counts.values())} records ({held})"
        name = SAMPLE_NAME if is_sample else "corpus"
        return (CorpusDatabase(index, name, holding),), counts, (wording.BUNDLED_SAMPLE,) if is_sample else ()

    def _open_index(self, scope: Scope) -> CorpusIndex:
        from storm.databases.corpus.database import sample_index

        return sample_index(self._settings.data_dir) if scope.place is Place.SAMPLE else open_corpus(self._settings)

    def _note_mistyped(self, request: JobRequest, scope: Scope) -> tuple[str, ...]:
        """The name on this machine that the drug's name, or a word of the question, is perhaps meant to be, where no
        public database knows more."""
        from storm.databases.corpus.near_names import find_near_name

        if scope.place is Place.LIVE:
            return ()
        is_drug, index = request.kind is RequestKind.DRUG, self._open_index(scope)
        words = [word for word in split_words(request.text) if len(word) >= _SHORTEST_NAME]
        for names in [(request.text, *request.also)] if is_drug else [(word,) for word in words[:_MOST_WORDS]]:
            if near := find_near_name(index, names, in_titles=is_drug):
                return (wording.PERHAPS_MISTYPED.format(name=near, asked=names[0]),)
        return ()

    def _note_unsearched_corpus(self, request: JobRequest, scope: Scope) -> tuple[str, ...]:
        """That an update of a job of the sample did not search the corpus that there is by now."""
        own = sum(open_corpus(self._settings).count().values()) if request.update_of else 0
        if scope.place is not Place.SAMPLE or not own:
            return ()
        return (wording.CORPUS_NOT_SEARCHED.format(records=wording.format_large_count(own, "record")),)


def add_missing(where: Searchable, job: Job, searches: Sequence[SearchRecord]) -> Searchable:
    """Add a failing database for each that the job searched before and that is gone; CorpusError if nothing is left."""
    from storm.databases.missing import MissingDatabase
    from storm.models.search import CHECK

    if not where.databases:
        raise CorpusError(
            f"{job.job_id} cannot go on: it searches your corpus, which holds no records any more",
            hint="add the files again and go on with the job, or start a new one",
            code=Code.CORPUS_EMPTIED,
            job=job.job_id,
        )
    there = {database.name for database in where.databases}
    # A database that never existed has no scope.
    gone = {search.database: search.scope for search in searches if search.question != CHECK and search.scope}
    missing = [MissingDatabase(name, scope) for name, scope in gone.items() if name not in there]
    return where._replace(databases=(*where.databases, *missing))


def open_corpus(settings: Settings) -> CorpusIndex:
    """The user's own corpus."""
    from storm.databases.corpus.database import corpus_index

    make_private(settings.data_dir)
    return corpus_index(settings.data_dir)


def _check_databases(wanted: Sequence[str], known: Collection[str]) -> None:
    unknown = [name for name in wanted if name not in known]
    if unknown:
        held = ", ".join(sorted(known)) or "nothing"
        hint = f"{suggest_name(unknown[0], known)}there are: {held}"
        raise UsageError(f"there is no database {', '.join(unknown)} to search", hint=hint, setting="databases")


def _choose_local(own: Collection[str]) -> Scope:
    """The scope on this machine: the user's corpus, or the sample if that is empty."""
    return Scope(place=Place.CORPUS if own else Place.SAMPLE)


def _failure_reasons(searches: Sequence[SearchRecord]) -> dict[str, str]:
    return {search.database: search.reason for search in drop_unsent(searches) if search.has_failed}
