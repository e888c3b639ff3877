"""The flow of records adds up, whatever was found, merged, saved and excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from reports.flows import read_flow, reference
from stores import JOB, open_quick_store

from storm.models import (
    DraftCitation,
    Exclusion,
    FlowCounts,
    Hit,
    JobRequest,
    Question,
    RecordFlow,
    Reference,
    Relation,
    RelationKind,
    SearchRecord,
    SearchStatus,
    Source,
    Subject,
    Syllabus,
)
from storm.reports.flow import count_flow
from storm.store import JobJournal, Lease, SourceCollector

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SYLLABUS = Syllabus(name="own", questions=(Question(key="harm", label="Harm", description="Harm?", min_sources=1),))


def search(database: str, *hits: str, question: str = "harm", query: str = "q", **fields: Any) -> SearchRecord:
    status = SearchStatus.FOUND if hits else SearchStatus.NONE
    return SearchRecord(
        database=database, scope=database, question=question, query=query, at=NOW, hits=hits, total=len(hits),
        **{"status": status} | fields,
    )  # fmt: skip


def source(key: str, text: str = "It harms.", database: str = "pubmed", **fields: Any) -> Source:
    hit = Hit.of(database, key.partition(":")[2], f"https://example.org/{key}", key, text=text)
    hit = hit.model_copy(update={"identifiers": (key,)})
    return Source(
        source_id=f"src_{key}",
        number=1,
        hit=hit,
        questions=("harm",),
        **fields,
    )


def flow(
    searches: Sequence[SearchRecord],
    sources: Sequence[Source] = (),
    cited: Sequence[Reference] | None = None,
    exclusions: Mapping[str, Exclusion] | None = None,
    works: Mapping[str, str] | None = None,
    **more: Any,
) -> RecordFlow:
    references = [reference(one) for one in sources] if cited is None else cited
    return count_flow(searches, sources, references, exclusions or {}, works or {}, **more)


def test_each_box_of_a_database_is_counted() -> None:
    kept = [source("pmid:1"), source("pmid:2"), source("pmid:3", text=""), source("pmid:4", relation_kind="mentioned")]
    reasons = {"pmid:5": Exclusion.NO_QUESTION, "pmid:6": Exclusion.NOT_NAMED, "pmid:7": Exclusion.BELOW_CUT}
    hits = [f"pmid:{number}" for number in range(1, 9)]
    found = flow([search("pubmed", *hits), search("pubmed", "pmid:1", query="r")], kept, [reference(kept[0])], reasons)
    assert found.search_counts == found.databases["pubmed"] == FlowCounts(
        identified=9, duplicates=1, automatic=2, screened=6, excluded=2, sought=4, not_retrieved=1, assessed=3,
        not_included=2, included=1,
        reasons={
            Exclusion.NOT_NAMED: 1, Exclusion.NO_QUESTION: 1, Exclusion.BELOW_CUT: 1,
            Exclusion.NOT_CITED: 2, Exclusion.UNRECORDED: 1,
        },
    )  # fmt: skip


def test_a_work_that_several_databases_returned_counts_under_the_first_of_them() -> None:
    found = flow(
        [search("europepmc", "pmcid:PMC1"), search("pubmed", "pmid:1"), search("web", "doi:10.1/x")],
        [source("pmid:1")],
        works={"pmcid:PMC1": "pmid:1", "doi:10.1/x": "pmid:1"},
    )
    counts = {name: (one.identified, one.duplicates, one.included) for name, one in found.databases.items()}
    assert counts == {"pubmed": (1, 0, 1), "europepmc": (1, 1, 0)}
    assert found.others["web"] == FlowCounts(identified=1, duplicates=1)


def test_the_registry_of_trials_stands_apart_from_the_other_databases() -> None:
    found = flow([search("clinicaltrials", "registry:NCT1"), search("pubmed"), search("chembl", status="failed")])
    assert (list(found.registers), list(found.bibliographic)) == (["clinicaltrials"], ["pubmed"])


def test_look_ups_are_no_searches_and_sources_that_came_of_them_were_found_otherwise() -> None:
    looked_up = source("chembl:CHEMBL1", database="chembl")
    asked = [search("chembl", "chembl:CHEMBL1", "chembl:CHEMBL2", question="names")]
    asked += [search("retractions", "doi:10.1/x", question="sources"), search("unpaywall", "doi:10.1/x")]
    found = flow(asked, [looked_up])
    assert (found.databases, list(found.others)) == ({}, ["chembl"])
    assert found.total == FlowCounts(identified=1, screened=1, sought=1, assessed=1, included=1)


def test_papers_of_one_trial_are_one_study() -> None:
    kept = [source("pmid:1"), source("pmid:2"), source("registry:NCT00000001"), source("pmid:4")]
    papers = [reference(kept[0], trials=("NCT00000001",)), *map(reference, kept[1:])]
    found = flow([search("pubmed", *(one.hit.key for one in kept))], kept, papers)
    assert (found.studies, found.total.included) == (3, 4)


def test_labels_patents_and_pages_are_reports_and_no_studies() -> None:
    kept = [source("pmid:1"), source("label:2", database="dailymed"), source("patent:US3", database="patents")]
    found = flow([search("sample", *(one.hit.key for one in kept))], kept)
    assert (found.studies, found.total.included) == (1, 3)


def test_a_reason_under_another_identifier_of_the_work_is_its_reason() -> None:
    found = flow([search("pubmed", "pmid:1")], (), (), {"doi:10.1/x": Exclusion.DECLINED}, {"doi:10.1/x": "pmid:1"})
    assert found.total.reasons == {Exclusion.DECLINED: 1}


def test_a_report_whose_sentence_the_check_removed_and_one_that_nobody_cited_have_reasons_of_their_own() -> None:
    kept = [source("pmid:1"), source("pmid:2"), source("pmid:3")]
    found = flow([search("pubmed", "pmid:1", "pmid:2", "pmid:3")], kept, [reference(kept[0])],
                 refused={kept[0].source_id, kept[1].source_id})  # fmt: skip
    assert found.not_kept == {"pmid:2": Exclusion.REFUSED, "pmid:3": Exclusion.NOT_CITED}
    assert (found.total.not_included, found.total.reasons) == (2, {Exclusion.NOT_CITED: 1, Exclusion.REFUSED: 1})


def test_what_is_not_kept_has_its_title_and_what_was_found_again_its_work() -> None:
    found = flow(
        [search("europepmc", "pmcid:PMC1"), search("pubmed", "pmid:1", "pmid:2")],
        [source("pmid:1")],
        works={"pmcid:PMC1": "pmid:1"},
        titles={"pmid:2": "On another matter"},
    )
    assert found.duplicates == {"pmcid:PMC1": "pmid:1"}
    assert found.not_kept_titles == {"pmid:2": "On another matter", "pmcid:PMC1": "pmid:1"}


def test_a_record_that_was_found_under_one_identifier_alone_is_no_duplicate_of_itself() -> None:
    found = flow(
        [search("web", "url:a"), search("pubmed", "doi:10.1/x")], works={"url:a": "pmid:1", "doi:10.1/x": "pmid:2"}
    )
    assert found.duplicates == {}


@pytest.mark.parametrize(
    "wrong", [{"identified": 2}, {"included": 2}, {"reasons": {Exclusion.DECLINED: 1}}, {"sought": 0}]
)
def test_numbers_that_do_not_add_up_are_refused(wrong: dict[str, Any]) -> None:
    right = {"identified": 1, "screened": 1, "sought": 1, "assessed": 1, "included": 1}
    FlowCounts.model_validate(right)
    with pytest.raises(ValidationError, match="do not add up"):
        FlowCounts.model_validate(right | wrong)


@pytest.mark.parametrize("studies", [-1, 2])
def test_there_are_no_more_studies_than_reports(studies: int) -> None:
    counts = FlowCounts(identified=1, screened=1, sought=1, assessed=1, included=1)
    with pytest.raises(ValidationError, match="more studies than reports"):
        RecordFlow(databases={"pubmed": counts}, studies=studies)


#: Records that share identifiers in all ways: by PMID, by DOI, by both, and one that joins two.
RECORDS = [
    Hit.of(database, str(number), f"https://example.org/{database}/{number}", f"Trial {number}", text=text, **ids)
    for number, text in ((1, "It works."), (2, ""), (3, "It harms."), (4, "It is given."))
    for database, ids in (
        ("pubmed", {"doi": f"10.1000/{number % 3}"}),
        ("pmc", {"pmid": str(number)}),
        ("crossref", {"doi": f"10.1000/{number}"}),
        ("web", {}),
        ("clinicaltrials", {}),
    )
]
#: The reasons that are recorded; the others follow from what the store has.
RECORDED = [reason for reason in Exclusion if reason not in (Exclusion.NOT_CITED, Exclusion.UNRECORDED)]
EVENTS = st.lists(
    st.one_of(
        st.tuples(
            st.just("search"), st.sampled_from(("pubmed", "pmc", "clinicaltrials", "web")),
            st.sampled_from(("harm", "names", "sources")), st.lists(st.sampled_from(RECORDS), max_size=8),
            st.booleans(),
        ),
        st.tuples(st.just("save"), st.sampled_from(RECORDS), st.sampled_from(RelationKind)),
        st.tuples(st.just("exclude"), st.sampled_from(RECORDS), st.sampled_from(RECORDED)),
        st.tuples(st.just("page"), st.sampled_from(RECORDS)),
        st.tuples(st.just("kill")),
    ),
    max_size=25,
)  # fmt: skip


async def play(events: Sequence[Any], carried: Sequence[Hit] = ()) -> RecordFlow:
    """Write the events into a job, under a new lease after each kill, and count what the store has."""
    async with open_quick_store() as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=SYLLABUS), JOB)
        runs: list[list[Any]] = [[]]
        for event in events:
            runs.append([]) if event[0] == "kill" else runs[-1].append(event)
        for run in runs:
            async with await store.jobs.hold(JOB) as lease:
                await SourceCollector(store, JOB, lease).set_questions(SYLLABUS.keys)
                await carry(carried, SourceCollector(store, JOB, lease))
                for number, event in enumerate(run):
                    await write(event, f"query {number}", lease, SourceCollector(store, JOB, lease))
        return await read_flow(SourceCollector(store, JOB, None), JobJournal(store, JOB, None))


async def carry(hits: Sequence[Hit], collection: SourceCollector) -> None:
    await collection.record_hits(hits, carried=True)
    for hit in hits:
        await collection.save(hit, ["harm"], DraftCitation(hit.title, hit.title, True), carried=True)


async def write(event: Any, query: str, lease: Lease, collection: SourceCollector) -> None:
    match event:
        case ("search", database, question, hits, failed):
            status = {"status": SearchStatus.FAILED} if failed else {}
            found = () if failed else tuple(hit.key for hit in hits)
            record = search(database, *found, question=question, query=query, **status)
            await JobJournal(collection._store, JOB, lease).log_search(record, () if failed else hits)
        case ("save", hit, kind):
            if found := await collection.find_hit(hit.identifiers):  # what a job saves is what it has seen
                citation = DraftCitation(found.title, found.title, True)
                await collection.save(found, ["harm"], citation, Subject(Relation.ITSELF, kind))
        case ("exclude", hit, reason):
            await collection.record_exclusions({hit.key: reason})
        case ("page", hit):
            await collection.record_hits([hit])


@pytest.mark.slow
@given(EVENTS)
async def test_the_flow_of_any_job_adds_up_also_after_kills(events: Sequence[Any]) -> None:
    """The model of the counts refuses numbers that do not add up."""
    found = await play(events)
    counted = [*found.databases.values(), *found.others.values()]
    why = FlowCounts.add_up(counted)
    assert len(found.not_kept) <= why.automatic + why.excluded + why.not_included + why.not_retrieved
    searched = found.search_counts
    assert len(found.not_kept) >= searched.automatic + searched.excluded + searched.not_included


@pytest.mark.slow
@given(EVENTS, st.lists(st.sampled_from(RECORDS), min_size=1, max_size=6))
async def test_the_flow_of_any_update_adds_up_to_its_references(events: Sequence[Any], carried: Sequence[Hit]) -> None:
    found = await play(events, carried)
    assert found.previous is not None and found.previous.still + found.total.included == found.total_reports


@pytest.mark.parametrize("wrong", [{"no_longer": 3}, {"studies": -1}, {"total_studies": 5}])
def test_a_previous_version_lost_no_more_reports_than_it_had(wrong: dict[str, Any]) -> None:
    right = {"job_id": "one", "studies": 2, "reports": 2, "total_studies": 2}
    RecordFlow.model_validate({"previous": right})
    with pytest.raises(ValidationError, match="more"):
        RecordFlow.model_validate({"previous": right | wrong})
