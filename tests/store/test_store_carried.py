"""Records and sources that are carried over from another job yield to what the job itself finds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from stores import JOB

from storm.models import DraftCitation, Hit, SearchRecord, SearchStatus
from storm.store import JobJournal, Lease, SourceCollector, Store

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def paper(text: str, database: str = "pubmed") -> Hit:
    return Hit.of(database, "1", "https://example.org/1", "Trastuzumab", text=text, pmid="1")


OLD = paper("A long text that an earlier job found, longer than what is there now.")
NEW = paper("A short new text.")


def search(database: str = "pubmed", **fields: bool) -> SearchRecord:
    return SearchRecord(
        database=database, scope="", question="clinical.efficacy", query="q", at=NOW, status=SearchStatus.FOUND,
        hits=("pmid:1",), total=1, **fields,
    )  # fmt: skip


async def text_of(collection: SourceCollector) -> str:
    hit = await collection.find_hit(["pmid:1"])
    assert hit is not None
    return hit.text


@pytest.mark.parametrize("order", [("carry", "find"), ("find", "carry")])
async def test_a_carried_record_yields_to_one_that_is_found_whichever_comes_first(
    store: Store, lease: Lease, order: tuple[str, ...]
) -> None:
    collection = SourceCollector(store, JOB, lease)
    for step in order:
        if step == "carry":
            await collection.record_hits([OLD], carried=True)
        else:
            await JobJournal(store, JOB, lease).log_search(search(), [NEW])
    assert await text_of(collection) == NEW.text


async def test_a_search_that_failed_in_part_takes_nothing_from_a_carried_record(store: Store, lease: Lease) -> None:
    collection, journal = SourceCollector(store, JOB, lease), JobJournal(store, JOB, lease)
    await collection.record_hits([OLD], carried=True)
    await journal.log_search(search(incomplete=True), [NEW])
    assert await text_of(collection) == OLD.text
    await journal.log_search(search(), [NEW])
    assert await text_of(collection) == NEW.text


async def test_an_excerpt_from_a_search_of_the_web_takes_nothing_from_a_page_that_was_carried_over(
    store: Store, lease: Lease
) -> None:
    collection = SourceCollector(store, JOB, lease)
    old, new = paper(OLD.text, "web"), paper(NEW.text, "web")
    await collection.record_hits([old], carried=True)
    await JobJournal(store, JOB, lease).log_search(search("web"), [new])
    assert await text_of(collection) == old.text
    await collection.record_hits([new])
    assert await text_of(collection) == new.text


async def test_the_records_of_a_work_come_back_as_each_database_gave_them(store: Store, lease: Lease) -> None:
    collection = SourceCollector(store, JOB, lease)
    both = [OLD, paper("As Europe PMC has it.", "europepmc")]
    await collection.record_hits(both)
    (found, none) = await collection.find_records(["pmid:1", "pmid:2"])
    assert sorted(found, key=lambda hit: hit.database) == sorted(both, key=lambda hit: hit.database)
    assert list(none) == []


async def test_a_source_says_that_it_was_carried_over(store: Store, lease: Lease) -> None:
    collection = SourceCollector(store, JOB, lease)
    other = Hit.of("pubmed", "2", "https://example.org/2", "Trastuzumab again", pmid="2")
    await collection.record_hits([OLD, other])
    for hit, carried in ((OLD, True), (other, False)):
        await collection.save(hit, ["clinical.efficacy"], DraftCitation(hit.title, hit.title, True), carried=carried)
    await collection.save(OLD, ["clinical.safety"], DraftCitation(OLD.title, OLD.title, True))
    assert [source.carried for source in await collection.load_sources()] == [True, False]


async def test_a_list_of_jobs_says_which_job_another_one_updates(store: Store, lease: Lease) -> None:
    job = await store.jobs.get(JOB)
    await store.jobs.create(job.request.model_copy(update={"update_of": JOB}), "again-1")
    assert {job.job_id: job.update_of for job in (await store.jobs.all()).jobs} == {JOB: "", "again-1": JOB}
    assert (await store.jobs.get("again-1")).request.update_of == JOB
