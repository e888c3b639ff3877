"""Every search of a job: run once, remembered, logged; a failed one is run again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HERA = Hit.of("pubmed", "16236737", "https://pubmed.ncbi.nlm.nih.gov/16236737/", "Trastuzumab after chemotherapy")
QUERY = SearchQuery(names=("trastuzumab",), words=("survival",))


class Shelf:
    """A database that answers from a list, or fails while it is told to."""

    name = "corpus"
    scope = "one record"

    def __init__(self, hits: Sequence[Hit], failing: bool = False) -> None:
        self.hits = tuple(hits)
        self.failing = failing
        self.asked: list[str] = []

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        self.asked.append(str(query))
        if self.failing:
            return SearchOutcome(
                database=self.name, query=str(query), status=SearchStatus.FAILED, reason="the disk is away"
            )
        return SearchOutcome(
            database=self.name,
            query=str(query),
            status=SearchStatus.FOUND,
            hits=self.hits[:limit],
            total=len(self.hits),
        )


async def searcher(store: Store, lease: Lease, shelf: Shelf) -> JobSearch:
    """As a job that starts, or starts again, makes it."""
    journal = JobJournal(store, lease.job_id, lease)
    collection = SourceCollector(store, lease.job_id, lease)
    return JobSearch([shelf], collection, journal, lambda: NOW, await journal.searches())


async def log(store: Store, lease: Lease) -> list[tuple[str, SearchStatus]]:
    return [(record.query, record.status) for record in await JobJournal(store, lease.job_id, None).searches()]


async def test_what_a_search_returned_can_be_saved_from_then_on(store: Store, lease: Lease) -> None:
    search = await searcher(store, lease, Shelf([HERA]))
    assert await search.search("corpus", "clinical.efficacy", QUERY, 10) == (HERA.key,)
    assert await SourceCollector(store, lease.job_id, None).find_hit((HERA.key,)) == HERA


async def test_a_completed_search_is_not_run_again_whoever_asks_and_has_one_line(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA])
    first = await searcher(store, lease, shelf)
    await first.search("corpus", "clinical.efficacy", QUERY, 10)
    await first.search("corpus", "clinical.safety", QUERY, 10)
    resumed = await searcher(store, lease, shelf)
    assert await resumed.search("corpus", "clinical.efficacy", QUERY, 10) == (HERA.key,)
    assert shelf.asked == [str(QUERY)]
    assert await log(store, lease) == [(str(QUERY), SearchStatus.FOUND)]


async def test_a_failed_search_is_told_as_failed_and_run_again_by_a_resume(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA], failing=True)
    assert await (await searcher(store, lease, shelf)).search("corpus", "clinical.efficacy", QUERY, 10) == ()
    assert await log(store, lease) == [(str(QUERY), SearchStatus.FAILED)]
    shelf.failing = False
    resumed = await searcher(store, lease, shelf)
    assert await resumed.search("corpus", "clinical.efficacy", QUERY, 10) == (HERA.key,)
    assert await log(store, lease) == [(str(QUERY), SearchStatus.FOUND)]
