"""Filing a source anew: in one step, on fakeredis and on the real server alike, and nothing that is cited is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from stores import JOB

from storm.errors import LeaseLost, ToolError
from storm.models import DraftCitation, Exclusion, Hit, Saved
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.store.keys import JobKeys

EFFICACY, SAFETY = "clinical.efficacy", "clinical.safety"
KEYS = JobKeys(JOB)
CITED = DraftCitation("It works.", "Median 7.4.", quote_verified=True)
ANSWERED = DraftCitation("It works well.", "Median 7.4.", quote_verified=True, answer_to=EFFICACY)


def paper(pmid: str = "11", doi: str | None = None) -> Hit:
    return Hit.of(
        "pubmed", pmid, f"https://example.org/{pmid}", f"Trial {pmid}", text="Median 7.4.", doi=doi, year=2001
    )


class Opened:
    """A job in a store, held."""

    def __init__(self, store: Store, collector: SourceCollector, journal: JobJournal) -> None:
        self.store, self.collector, self.journal = store, collector, journal

    async def save(self, hit: Hit, *questions: str) -> Saved:
        await self.collector.record_hits([hit])
        return await self.collector.save(hit, questions or (EFFICACY,), CITED)

    async def listed(self, question: str) -> list[str]:
        return [source.source_id async for source in self.collector.iter_sources(question)]


@pytest.fixture
async def job(store: Store, lease: Lease) -> AsyncIterator[Opened]:
    """The job, which must be consistent at the end."""
    yield Opened(store, SourceCollector(store, JOB, lease), JobJournal(store, JOB, lease))
    await store.jobs.check(JOB, check_records=True)


async def test_a_source_is_moved_to_another_question(job: Opened) -> None:
    saved = await job.save(paper(), EFFICACY)
    refiled = await job.collector.refile(saved.source_id, [SAFETY], "reports harm only")
    assert refiled.source_id == "src_001"
    assert (refiled.counts[EFFICACY], refiled.counts[SAFETY]) == (0, 1)
    assert (await job.listed(EFFICACY), await job.listed(SAFETY)) == ([], ["src_001"])
    (source,) = await job.collector.load_sources()
    assert (source.questions, len(source.citation_ids)) == ((SAFETY,), 1)
    event = (await job.journal.events(1))[0]
    assert (event.kind, event.message) == ("refiled", f"#1 → {SAFETY}: reports harm only")


async def test_a_dropped_source_leaves_its_reason_and_its_citations(job: Opened) -> None:
    saved = await job.save(paper(doi="10.1/a"), EFFICACY, SAFETY)
    answered = await job.collector.register(paper(doi="10.1/a"), ANSWERED)
    await job.collector.refile(saved.source_id, [], "another drug")
    assert await job.collector.load_sources() == () and await job.collector.find_source("src_001") is None
    progress = await job.collector.progress()
    assert (progress.total, progress.databases, progress.dropped) == (0, (), 1)
    assert await job.collector.exclusions() == {"pmid:11": Exclusion.DROPPED}
    kept = await job.collector.citations()
    assert {one.citation_id for one in kept} == {saved.citation_id, answered.citation.citation_id}
    assert {one.source_id for one in kept} == {""}
    event = (await job.journal.events(1))[0]
    assert (event.kind, event.message) == ("dropped", "#1 → no source any more: another drug")
    assert (event.data["source_id"], event.data["why"]) == ("src_001", "another drug")


async def test_a_dropped_source_that_is_saved_again_has_its_citations_again(job: Opened) -> None:
    first = await job.save(paper())
    await job.collector.register(paper(), ANSWERED)
    await job.collector.refile(first.source_id, [])
    again = await job.save(paper(), SAFETY)
    assert (again.source_id, again.citation_id, again.citation_existed) == ("src_002", first.citation_id, True)
    (source,) = await job.collector.load_sources()
    assert len(source.citation_ids) == 2 and await job.collector.exclusions() == {}


async def test_dropping_twice_is_dropping_once(job: Opened) -> None:
    await job.save(paper())
    await job.collector.refile("src_001", [])
    before = await job.store.run_command(lambda redis: redis.hgetall(KEYS.metadata))
    assert (await job.collector.refile("src_001", [])).source_id == "src_001"
    assert await job.store.run_command(lambda redis: redis.hgetall(KEYS.metadata)) == before
    with pytest.raises(ToolError, match="no source src_001 is saved in this job"):
        await job.collector.refile("src_001", [SAFETY])


async def test_saving_and_dropping_one_work_by_turns_counts_once(job: Opened) -> None:
    for _ in range(3):
        saved = await job.save(paper())
        await job.collector.refile(saved.source_id, [])
    assert (await job.collector.progress()).dropped == 1


async def test_filing_under_the_same_questions_changes_nothing(job: Opened) -> None:
    await job.save(paper(), EFFICACY)
    before = (await job.journal.events(1))[0]
    assert (await job.collector.refile("src_001", [EFFICACY])).counts[EFFICACY] == 1
    assert (await job.journal.events(1))[0] == before


async def test_a_source_is_refiled_by_an_id_from_before_a_merge(job: Opened) -> None:
    await job.save(paper("11"))
    await job.save(Hit.of("pmc", "PMC1", "https://example.org/PMC1", "Article", text="Median 7.4."))
    await job.collector.record_hits([Hit.of("pmc", "PMC1", "https://example.org/PMC1", "Article", pmid="11")])
    assert (await job.collector.refile("src_002", [SAFETY])).source_id == "src_001"
    await job.collector.refile("src_002", [])
    await job.collector.refile("src_002", [])
    assert await job.collector.load_sources() == ()


async def test_the_last_source_of_all_can_go_and_come_back(job: Opened) -> None:
    await job.save(paper("11"), EFFICACY)
    await job.collector.refile("src_001", [])
    await job.store.jobs.check(JOB)
    await job.save(paper("12"), SAFETY)
    await job.store.jobs.check(JOB)
    ttl = await job.store.run_command(lambda redis: redis.pttl(KEYS.question(SAFETY)))
    assert ttl > 0


@pytest.mark.parametrize("source_id", ["src_999", "", "11", "src_001; DEL", "\x00"])
async def test_an_unknown_source_is_refused(job: Opened, source_id: str) -> None:
    await job.save(paper())
    with pytest.raises(ToolError, match="no source"):
        await job.collector.refile(source_id, [])
    assert len(await job.collector.load_sources()) == 1


async def test_an_unknown_question_changes_nothing(job: Opened) -> None:
    await job.save(paper(), EFFICACY)
    with pytest.raises(ToolError, match=f"unknown questions: nonsense; valid are .*{EFFICACY}"):
        await job.collector.refile("src_001", [SAFETY, "nonsense"])
    assert await job.listed(EFFICACY) == ["src_001"] and await job.listed(SAFETY) == []


async def test_sources_refiled_at_once_end_as_they_were_asked(job: Opened) -> None:
    for number in range(11, 31):
        await job.save(paper(str(number)))
    names = await job.listed(EFFICACY)
    await asyncio.gather(*(job.collector.refile(name, [SAFETY] if n % 2 else []) for n, name in enumerate(names)))
    assert await job.listed(SAFETY) == names[1::2] and await job.listed(EFFICACY) == []
    assert (await job.collector.progress()).dropped == 10


async def test_a_reader_cannot_refile(job: Opened) -> None:
    await job.save(paper())
    with pytest.raises(LeaseLost):
        await SourceCollector(job.store, JOB, None).refile("src_001", [])


async def test_sources_are_listed_with_their_year(job: Opened) -> None:
    await job.save(paper())
    assert [one.year async for batch in job.collector.iter_source_summaries() for one in batch] == [2001]
