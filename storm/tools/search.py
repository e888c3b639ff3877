"""Every search of one job goes through here: run once, its hits remembered, its outcome logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

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
        self._databases: Mapping[str, Database] = {database.name: database for database in databases}
        self._collection = collection
        self._journal = journal
        self._clock = clock
        self._completed = {
            (record.database, record.query): record for record in completed if record.status is not SearchStatus.FAILED
        }

    @property
    def databases(self) -> Sequence[str]:
        """The names of the databases, in the order of the configuration."""
        return tuple(self._databases)

    async def search(self, database: str, question: str, query: SearchQuery, limit: int) -> Sequence[str]:
        """The keys of the hits, best first; a search that this job has completed is not run again, a failed one is."""
        record = self._completed.get((database, str(query)))
        if record is None:
            outcome = await self._databases[database].search(query, limit)
            await self._collection.record_hits(outcome.hits)
            record = self._record(outcome, question)
            await self._journal.log_search(record)
            await self._journal.report("search", _told(record), database=database, question=question)
            self._completed[database, str(query)] = record
        return record.hits

    def _record(self, outcome: SearchOutcome, question: str) -> SearchRecord:
        return SearchRecord(
            database=outcome.database,
            scope=self._databases[outcome.database].scope,
            question=question,
            query=outcome.query,
            at=self._clock(),
            status=outcome.status,
            total=outcome.total,
            hits=tuple(hit.key for hit in outcome.hits),
            reason=outcome.reason,
        )


def _told(record: SearchRecord) -> str:
    name = database_label(record.database)
    if record.status is SearchStatus.FOUND:
        return f"{name}: {record.total} for {record.query}"
    reason = f" ({record.reason})" if record.reason else ""
    return f"{name}: {record.status}{reason} for {record.query}"
