"""What registers know of a job's sources becomes part of their records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from storm.models import DraftCitation, Hit, Retraction, SearchOutcome, SearchStatus
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch, SourceCheck

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PAPER = Hit.of("europepmc", "PPR:PPR1", "https://example.org/1", "A preprint", doi="10.1000/1", text="It works.")


class Notices:
    """A register that says of every work that it was retracted, or fails."""

    scope = "notices"

    def __init__(self, status: SearchStatus = SearchStatus.FOUND) -> None:
        self.asked: list[str] = []
        self._status = status

    async def about(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        self.asked += [hit.key for hit in hits]
        if not hits:
            return None
        found = [
            Hit.of("crossref", "10.1000/1", hit.url, "Its title", doi="10.1000/1", retraction=Retraction.RETRACTED)
            for hit in hits
            if self._status is SearchStatus.FOUND
        ]
        return SearchOutcome(
            database="crossref", query="1 DOI", status=self._status, hits=tuple(found), total=len(found), reason="down"
        )


async def checked(store: Store, lease: Lease, register: Notices, *hits: Hit) -> SourceCollector:
    """A job that has saved these hits, after the check."""
    collection = SourceCollector(store, lease.job_id, lease)
    journal = JobJournal(store, lease.job_id, lease)
    await collection.record_hits(hits)
    for hit in hits:
        await collection.save(hit, ["clinical.efficacy"], DraftCitation(hit.title, hit.title, True))
    await SourceCheck([register], collection, JobSearch([], collection, journal, lambda: NOW)).check()
    return collection


async def test_a_retraction_that_a_register_knows_is_the_source_s_and_changes_nothing_else(
    store: Store, lease: Lease
) -> None:
    (source,) = await (await checked(store, lease, Notices(), PAPER)).sources()
    assert source.hit.retraction is Retraction.RETRACTED
    assert (source.hit.database, source.hit.title, source.hit.text) == ("europepmc", "A preprint", "It works.")


async def test_a_register_that_fails_leaves_the_source_unchecked_and_is_in_the_log(store: Store, lease: Lease) -> None:
    (source,) = await (await checked(store, lease, Notices(SearchStatus.FAILED), PAPER)).sources()
    assert source.hit.retraction is Retraction.NOT_CHECKED
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.database, record.status, record.reason) == ("crossref", SearchStatus.FAILED, "down")


async def test_what_a_register_was_not_asked_is_not_in_the_log(store: Store, lease: Lease) -> None:
    await checked(store, lease, Notices())
    assert await JobJournal(store, lease.job_id, None).searches() == []
