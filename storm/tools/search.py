"""Every search of one job goes through here: run once, its hits remembered, its outcome logged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from storm.errors import StormError
from storm.models import SearchOutcome, SearchQuery, SearchRecord, SearchStatus, database_label
from storm.roles import Collection, Database, Journal


class JobSearch:
    """The databases of one job; implements `roles.Searcher`."""

    def __init__(
        self,
        databases: Sequence[Database],
        collection: Collection,
        journal: Journal,
        clock: Callable[[], datetime],
        completed: Sequence[SearchRecord] = (),
    ) -> None:
        self._databases = databases
        self._collection = collection
        self._journal = journal
        self._clock = clock
        self._down: set[str] = set()
        self._completed = {
            (record.database, record.query): record for record in completed if record.status is not SearchStatus.FAILED
        }

    async def search(self, question: str, queries: Sequence[SearchQuery]) -> Sequence[Sequence[str]]:
        """The keys of the hits of each search, best first, by database and query in their order.

        All databases are asked at once, each its queries one after the other. A search that this job has completed is
        not run again, a failed one is; a database that is down is not asked further.
        """
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._asked(database, question, queries)) for database in self._databases]
        except* StormError as failed:
            raise failed.exceptions[0] from None
        return [keys for task in tasks for keys in task.result()]

    async def _asked(self, database: Database, question: str, queries: Sequence[SearchQuery]) -> list[Sequence[str]]:
        narrowed = dict.fromkeys(database.narrowed(query) for query in queries)
        return [await self._once(database, question, query) for query in narrowed if query is not None]

    async def _once(self, database: Database, question: str, query: SearchQuery) -> Sequence[str]:
        record = self._completed.get((database.name, str(query)))
        if record is None and database.name not in self._down:
            outcome = await database.search(query, database.limit)
            record = await self.keep(outcome, database.scope, question)
            self._completed[database.name, str(query)] = record
            if outcome.down:
                self._down.add(database.name)
        return record.hits if record else ()

    async def keep(self, outcome: SearchOutcome, scope: str, question: str) -> SearchRecord:
        """Remember what a search returned, and write down how it ended."""
        await self._collection.record_hits(outcome.hits)
        record = self._record(outcome, scope, question)
        await self._journal.log_search(record)
        await self._journal.report("search", _told(record), database=record.database, question=question)
        return record

    def _record(self, outcome: SearchOutcome, scope: str, question: str) -> SearchRecord:
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
        )


def _told(record: SearchRecord) -> str:
    name = database_label(record.database)
    if record.status is SearchStatus.FOUND:
        return f"{name}: {record.total} for {record.query}"
    reason = f" ({record.reason})" if record.reason else ""
    return f"{name}: {record.status}{reason} for {record.query}"
