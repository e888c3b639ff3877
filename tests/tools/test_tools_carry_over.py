"""From which day on each database must be searched again, and what of a job's sources an update may call gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from stores import JOB, open_quick_store

from storm.models import (
    Dossier,
    DraftCitation,
    Exclusion,
    Hit,
    JobRequest,
    Plan,
    Question,
    Retraction,
    SearchRecord,
    SearchStatus,
    Source,
    Syllabus,
)
from storm.models.changes import CarriedSources
from storm.store import JobJournal, SourceCollector
from storm.tools import JobSearch
from storm.tools.carry_over import PreviousJob, SourceCarrier, find_covered_days

NOW = datetime(2026, 5, 21, 9, 30, tzinfo=UTC)
CACHED = datetime(2026, 5, 19, tzinfo=UTC)
SYLLABUS = Syllabus(name="own", questions=(Question(key="harm", label="Harm", description="Harm?", min_sources=1),))
FOUND = Hit.of(
    "pubmed", "1", "https://example.org/1", "Trastuzumab", text="It harms the heart.", pmid="1", doi="10.1000/1",
    retraction=Retraction.NOT_RETRACTED,
)  # fmt: skip
KEPT_OUT = Hit.of("pubmed", "2", "https://example.org/2", "Trastuzumab again", text="It is given.", pmid="2")


def search(database: str, *hits: str, query: str = "q", question: str = "harm", **fields: Any) -> SearchRecord:
    return SearchRecord(
        database=database, scope=database, question=question, query=query, at=NOW, hits=hits,
        **{"status": SearchStatus.FOUND, "total": len(hits)} | fields,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("searches", "before", "days"),
    [
        ([search("pubmed")], {}, {"pubmed": "2026-05-14"}),
        ([search("pubmed"), search("pubmed", query="r", answered=CACHED)], {}, {"pubmed": "2026-05-12"}),
        ([search("pubmed"), search("pubmed", query="r", status=SearchStatus.FAILED)], {}, {}),
        ([search("pubmed", status=SearchStatus.FAILED)], {"pubmed": "2025-11-01"}, {"pubmed": "2025-11-01"}),
        ([search("pubmed", incomplete=True)], {"pubmed": "2025-11-01"}, {"pubmed": "2025-11-01"}),
        ([search("pubmed")], {"pubmed": "2025-11-01"}, {"pubmed": "2026-05-14"}),
        ([search("chembl", question="names"), search("retractions", question="sources")], {}, {}),
    ],
)
def test_a_database_is_searched_since_a_week_before_its_oldest_answer_or_from_where_it_failed(
    searches: Sequence[SearchRecord], before: dict[str, str], days: dict[str, str]
) -> None:
    assert find_covered_days(searches, before) == days


async def carry(
    before: SearchRecord, *now: SearchRecord, hits: Sequence[Hit] = (), rechecked: bool = True
) -> tuple[CarriedSources, Sequence[Source], Mapping[str, Exclusion]]:
    """Carry a job with one source and one record that was not kept over to another, which made these searches."""
    async with open_quick_store() as store:
        request = JobRequest(text="trastuzumab", syllabus=SYLLABUS)
        for name in (JOB, "later-1"):
            await store.jobs.create(request, name)
        async with await store.jobs.hold(JOB) as lease:
            collection = SourceCollector(store, JOB, lease)
            await collection.set_questions(SYLLABUS.keys)
            await JobJournal(store, JOB, lease).log_search(before, [FOUND, KEPT_OUT])
            await collection.save(FOUND, ["harm"], DraftCitation("It harms.", "It harms the heart.", True))
            await collection.record_exclusions({"pmid:2": Exclusion.MINIMUM_MET})
        job, plan = await store.jobs.get(JOB), Plan(names=("trastuzumab",), syllabus=SYLLABUS)
        previous = PreviousJob(job, plan, cast(Dossier, None), (), [before], SourceCollector(store, JOB, None), {})
        async with await store.jobs.hold("later-1") as lease:
            collection, journal = SourceCollector(store, "later-1", lease), JobJournal(store, "later-1", lease)
            await collection.set_questions(SYLLABUS.keys)
            for record in now:
                await journal.log_search(record, [hit for hit in hits if hit.key in record.hits])
            searcher = JobSearch((), journal, lambda: NOW)
            carrier = SourceCarrier(previous, searcher, collection, journal, rechecked=rechecked)
            first = await carrier.carry_sources()
            assert await carrier.carry_sources() == first  # as a resume does
            sources, reasons = await collection.load_sources(), await collection.exclusions()
            assert [source.hit.key for source in sources] == ([] if first.gone else ["pmid:1"])
            assert all(source.carried and source.questions == ("harm",) for source in sources)
            assert [c.quote for c in await collection.citations()] == ["It harms the heart."] * len(sources)
            return first, sources, reasons


BEFORE = search("pubmed", "pmid:1", "pmid:2")


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        (BEFORE, [search("pubmed", "pmid:2")], True),
        (BEFORE, [search("pubmed", "pmid:1", "pmid:2")], False),
        (BEFORE, [search("pubmed", "pmid:2", total=9)], False),
        (BEFORE, [search("pubmed", "pmid:2", incomplete=True)], False),
        (BEFORE, [search("pubmed", "pmid:2", reason="only the first 20 of 90 were examined for the name")], False),
        (BEFORE, [search("pubmed", status=SearchStatus.FAILED)], False),
        (BEFORE, [search("pubmed", "pmid:2", query="q, entered or changed since 2026-05-14")], False),
        (BEFORE, [search("europepmc", "pmid:2")], False),
        (BEFORE, [search("pubmed", "pmid:2"), search("europepmc", "pmid:1")], False),
        (BEFORE, [], False),
        (search("web", "pmid:1"), [search("web", "pmid:2")], False),
        (search("pubmed", "pmid:1", question="names"), [search("pubmed", "pmid:2")], False),
    ],
)
async def test_a_source_is_gone_only_where_its_search_was_answered_in_full_without_it(
    before: SearchRecord, now: Sequence[SearchRecord], gone: bool
) -> None:
    carried, _, _ = await carry(before, *now, hits=[FOUND, KEPT_OUT])
    assert (carried.gone, carried.ids) == ((("src_001",), {}) if gone else ((), {"src_001": "src_001"}))


async def test_a_record_that_was_not_kept_is_judged_again_only_if_it_changed() -> None:
    again = search("pubmed", "pmid:1", "pmid:2")
    _, _, reasons = await carry(BEFORE, again, hits=[FOUND, KEPT_OUT])
    assert reasons == {"pmid:2": Exclusion.MINIMUM_MET}
    _, _, reasons = await carry(BEFORE, again, hits=[FOUND, KEPT_OUT.model_copy(update={"title": "It harms"})])
    assert reasons == {}


@pytest.mark.parametrize(
    ("rechecked", "retraction"), [(True, Retraction.NOT_CHECKED), (False, Retraction.NOT_RETRACTED)]
)
async def test_whether_a_work_was_retracted_is_asked_again_where_somebody_can_be_asked(
    rechecked: bool, retraction: Retraction
) -> None:
    _, (source,), _ = await carry(BEFORE, rechecked=rechecked)
    assert source.hit.retraction is retraction


async def test_a_record_that_is_found_again_has_its_new_description() -> None:
    changed = FOUND.model_copy(update={"title": "Trastuzumab and the heart"})
    _, (source,), _ = await carry(BEFORE, search("pubmed", "pmid:1"), hits=[changed])
    assert source.hit.title == "Trastuzumab and the heart"
