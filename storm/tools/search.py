"""The searches of one job: each runs once, its hits are recorded and its outcome is logged."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from types import MappingProxyType

from storm.errors import StormError
from storm.models import Hit, SearchOutcome, SearchQuery, SearchRecord, SearchStatus
from storm.models.search import NAMES, NOT_QUERIED
from storm.ports import Database, Journal, SearchResult
from storm.tools.rendezvous import Rendezvous

#: After this many failures in a row a database is no longer queried in this job.
PATIENCE = 2
#: Seconds of answering after which a stage sends a database no further query, because the other databases wait for it.
LONGEST = 180.0
#: Seconds between two looks at whether calls wait for their turn.
_LOOK = 0.1
#: How many searches of each database `latest` returns.
LATEST = 2


class JobSearch:
    """The databases of one job; implements `ports.Searcher`. `changed_since` is, by database, the day (ISO) since which
    a record must have been entered or changed, for an update. `limits` are, by database, the most hits that
    a search for a question takes; without one, and for what the drug's name means, as many as the database sets."""

    def __init__(
        self,
        databases: Sequence[Database],
        journal: Journal,
        clock: Callable[[], datetime],
        completed: Sequence[SearchRecord] = (),
        monotonic: Callable[[], float] = time.monotonic,
        changed_since: Mapping[str, str] = MappingProxyType({}),
        limits: Mapping[str, int] = MappingProxyType({}),
        is_queued: Callable[[], bool] = lambda: False,
    ) -> None:
        self.databases = tuple(databases)
        self.rendezvous = Rendezvous()
        self._journal = journal
        self._clock = clock
        self._monotonic = monotonic
        self._changed_since = changed_since
        self._limits = limits
        self._is_queued = is_queued
        self._failures: Counter[str] = Counter()
        self._queued: defaultdict[str, float] = defaultdict(float)
        self._given_up: dict[str, SearchRecord] = {}
        self._unqueried: dict[tuple[str, str], SearchRecord] = {}
        self._asking: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._latest: dict[str, deque[SearchRecord]] = {}
        self._answered = asyncio.Event()
        for record in completed:
            self._remember_latest(record)
        self._records = {(record.database, record.query): record for record in completed if not record.has_failed}

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        """For each question, the hits' keys of each of its searches, best first, in the order of databases and queries.

        All databases are queried at once, each with one query after the other. A search is run once, whichever
        questions ask for it; what failed is run again by a resume. A database that is down, or takes more than three
        minutes, is queried no further, which is logged as a failure of each question that asks for it.
        """
        self._note_asking(wanted)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._search_database(database, wanted)) for database in self.databases]
        except* StormError as failed:
            raise failed.exceptions[0] from None
        answers = [task.result() for task in tasks]
        return {question: [keys for answer in answers for keys in answer[question]] for question in wanted}

    async def search_side_by_side(
        self, wanted: Mapping[str, Sequence[SearchQuery]]
    ) -> Mapping[str, Sequence[Sequence[str]]]:
        """As `search`, with all questions of a database at once. A search that several questions share, once each is
        narrowed to what the database can search, is run for the first of them."""
        self._note_asking(wanted)
        parts = [(database, part) for database in self.databases for part in self._divide_searches(database, wanted)]
        try:
            async with asyncio.TaskGroup() as group:
                for database, part in parts:
                    group.create_task(self._search_database(database, part))
        except* StormError as failed:
            raise failed.exceptions[0] from None
        return await self.search(wanted)  # from the log

    def _note_asking(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> None:
        """Note which questions ask for which search: its record names them all."""
        for database in self.databases:
            for question, queries in wanted.items():
                for query in filter(None, (self._narrow_query(database, query) for query in queries)):
                    self._asking[database.name, str(query)][question] = None

    def _divide_searches(
        self, database: Database, wanted: Mapping[str, Sequence[SearchQuery]]
    ) -> Iterator[Mapping[str, Sequence[SearchQuery]]]:
        """For each question the queries that no question before it has in this database."""
        taken: set[SearchQuery | None] = set()
        for question, queries in wanted.items():
            narrowed = {query: self._narrow_query(database, query) for query in queries}
            own = [query for query, asked in narrowed.items() if asked not in taken]
            taken.update(narrowed.values())
            yield {question: own}

    async def _search_database(
        self, database: Database, wanted: Mapping[str, Sequence[SearchQuery]]
    ) -> Mapping[str, list[Sequence[str]]]:
        found: dict[str, list[Sequence[str]]] = {}
        until = self._answering_time(database) + LONGEST
        for question, queries in wanted.items():
            found[question] = []
            for query in filter(None, dict.fromkeys(self._narrow_query(database, query) for query in queries)):
                if self._answering_time(database) > until and database.name not in self._given_up:
                    self._given_up[database.name] = await self._log_slow_database(database, question, query)
                found[question].append((await self._search_once(database, question, query)).record.hits)
        return found

    def _answering_time(self, database: Database) -> float:
        """The time without that for which calls of this database waited for their turn: others may have used it up."""
        return self._monotonic() - self._queued[database.name]

    def _narrow_query(self, database: Database, query: SearchQuery) -> SearchQuery | None:
        """The query as this database searches it; None if it asks only for records of others."""
        day = self._changed_since.get(database.name)
        return database.narrow_query(query.model_copy(update={"changed_since": day}) if day else query)

    async def _log_slow_database(self, database: Database, question: str, query: SearchQuery) -> SearchRecord:
        outcome = SearchOutcome(
            database=database.name,
            query=str(query),
            status=SearchStatus.FAILED,
            reason=f"{NOT_QUERIED} further: its answers took more than {LONGEST:g} s",
        )
        return await self.keep_outcome(outcome, database.scope, question)

    async def search_one(self, database: Database, query: SearchQuery, question: str = "") -> SearchResult:
        """One search of one database. A search that this job has completed, or of a database that is down, returns the
        logged record without being run. Searches that run at the same time return together."""
        narrowed = self._narrow_query(database, query) or query
        before = self._records.get((database.name, str(narrowed)))
        if before is not None and before.has_failed:
            del self._records[database.name, str(narrowed)]
        return await self._search_once(database, question, narrowed, own_words=True)

    def latest_searches(self) -> Sequence[SearchRecord]:
        """The latest searches of each database, oldest first."""
        return [record for records in self._latest.values() for record in records]

    async def wait_for_answer(self, seconds: float) -> None:
        """Wait until a database has answered a search of the job, whatever it found, or has had so many seconds to do
        so: time in which calls wait for their turn under a rate limit, or this process is busy, does not count."""
        left = seconds
        while left > 0 and not self._answered.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), min(left, _LOOK))
            left -= 0 if self._is_queued() else _LOOK

    async def _search_once(
        self, database: Database, question: str, query: SearchQuery, *, own_words: bool = False
    ) -> SearchResult:
        """With `own_words`, a failure may be the query's fault and does not count against the database."""
        if record := self._records.get((database.name, str(query))):
            return SearchResult(await self._share_record(record, question), None)
        if given_up := self._given_up.get(database.name):
            return SearchResult(await self._log_unqueried(database, question, query, given_up), None)
        async with self.rendezvous if own_words else nullcontext():
            limit = database.limit if question == NAMES else self._limits.get(database.name, database.limit)
            began = self._monotonic()
            outcome = await database.search(query, limit)
            took = self._monotonic() - began
        self._queued[database.name] += outcome.queued
        record = self._make_record(outcome, database.scope, question, query.changed_since)
        await self._log_search(record, outcome.hits, took)
        self._records[database.name, str(query)] = record
        failed = outcome.status is SearchStatus.FAILED and not own_words
        self._failures[database.name] = self._failures[database.name] + 1 if failed else 0
        if outcome.down or self._failures[database.name] >= PATIENCE:
            self._given_up[database.name] = record
        return SearchResult(record, outcome.hits)

    async def _share_record(self, record: SearchRecord, question: str) -> SearchRecord:
        """The record of a search for which another question asks, too: the log says so."""
        if not question or record.is_for(question):
            return record
        shared = record.model_copy(update={"shared_with": (*record.shared_with, question)})
        await self._journal.log_search(shared)
        self._records[record.database, record.query] = shared
        return shared

    async def _log_unqueried(
        self, database: Database, question: str, query: SearchQuery, given_up: SearchRecord
    ) -> SearchRecord:
        """Log, once for each question, that a database is queried no further: that is no search without hits."""
        if given_up.is_for(question):
            return given_up
        if (database.name, question) not in self._unqueried:
            why = given_up.reason if not given_up.was_sent() else f"{NOT_QUERIED} further: {given_up.reason}"
            outcome = SearchOutcome(database=database.name, query=str(query), status=SearchStatus.FAILED, reason=why)
            record = await self.keep_outcome(outcome, database.scope, question)
            self._unqueried[database.name, question] = record
        return self._unqueried[database.name, question]

    async def keep_outcome(self, outcome: SearchOutcome, scope: str, question: str) -> SearchRecord:
        """Record what a search returned, and log its outcome."""
        record = self._make_record(outcome, scope, question)
        await self._log_search(record, outcome.hits)
        return record

    async def _log_search(self, record: SearchRecord, hits: Sequence[Hit], seconds: float | None = None) -> None:
        await self._journal.log_search(record, hits, seconds)
        self._remember_latest(record)

    def _remember_latest(self, record: SearchRecord) -> None:
        self._latest.setdefault(record.database, deque(maxlen=LATEST)).append(record)
        if record.status is not SearchStatus.FAILED:
            self._answered.set()

    def _make_record(
        self, outcome: SearchOutcome, scope: str, question: str, changed_since: str | None = None
    ) -> SearchRecord:
        asking = self._asking[outcome.database, outcome.query]
        return SearchRecord(
            database=outcome.database,
            scope=scope,
            question=question,
            query=outcome.query,
            at=self._clock(),
            status=outcome.status,
            total=outcome.total,
            hits=tuple(hit.key for hit in outcome.hits),
            reason=outcome.reason,
            translated=outcome.translated,
            address=outcome.address,
            answered=outcome.answered,
            incomplete=outcome.incomplete,
            changed_since=changed_since,
            shared_with=tuple(one for one in asking if one != question),
        )
