from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import JOB, open_quick_store

from storm.errors import CollectionDamaged, LeaseLost, StoreSchemaError, ToolError
from storm.models import (
    DraftCitation,
    Exclusion,
    Hit,
    JobRequest,
    Question,
    QuoteCheck,
    Relation,
    RelationKind,
    Saved,
    Subject,
    Syllabus,
    citation_id,
)
from storm.store import Lease, SourceCollector, Store
from storm.store.hits import merge_work, pack_hits, unpack_records
from storm.store.keys import JobKeys

EFFICACY, SAFETY = "clinical.efficacy", "clinical.safety"
KEYS = JobKeys(JOB)


def paper(pmid: str = "11248153", *, doi: str | None = "10.1056/nejm200103153441101", text: str = "Median 7.4.") -> Hit:
    return Hit.of("pubmed", pmid, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/", f"Trial {pmid}", text=text, doi=doi)


def article(pmcid: str, *, pmid: str | None = None, doi: str | None = None, text: str = "Whole text.") -> Hit:
    url = f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return Hit.of("pmc", pmcid, url, f"Article {pmcid}", text=text, pmid=pmid, doi=doi)


def work(doi: str) -> Hit:
    return Hit.of("crossref", doi, f"https://doi.org/{doi}", f"Work {doi}", doi=doi)


def quote(words: str = "Median 7.4.", claim: str = "It prolongs the time to progression.") -> DraftCitation:
    return DraftCitation(claim, words, quote_verified=True)


@pytest.fixture
def collector(store: Store, lease: Lease) -> SourceCollector:
    return SourceCollector(store, JOB, lease)


async def save(collector: SourceCollector, hit: Hit, *questions: str) -> Saved:
    await collector.record_hits([hit])
    return await collector.save(hit, questions or (EFFICACY,), quote())


async def everything(store: Store) -> dict[str, object]:
    """All that the job's keys hold, but the times they live and the identifiers of its events."""
    dump = {name: await store.run_command(lambda redis, key=key: redis.hgetall(key)) for name, key in (
        ("sources", KEYS.sources), ("identifiers", KEYS.identifiers), ("citations", KEYS.citations),
        ("hits", KEYS.hits), ("metadata", KEYS.metadata),
    )}  # fmt: skip
    dump["sources"] = {key: json.loads(value) for key, value in dump["sources"].items()}
    dump["citations"] = {key: json.loads(value) for key, value in dump["citations"].items()}
    dump["hits"] = dict.fromkeys(dump["hits"])
    for question in (EFFICACY, SAFETY):
        dump[question] = await store.run_command(lambda redis, q=question: redis.zrange(KEYS.question(q), 0, -1))
    dump["events"] = await store.run_command(lambda redis: redis.xlen(KEYS.events))
    return dump


async def test_a_saved_source_is_described_by_its_hit_and_bound_to_its_citation(collector: SourceCollector) -> None:
    saved = await save(collector, paper(), SAFETY, EFFICACY)

    assert saved == Saved(
        source_id="src_001",
        number=1,
        created=True,
        assigned_to=(SAFETY, EFFICACY),
        citation_id=citation_id("pmid:11248153", quote().claim, quote().quote),
        citation_existed=False,
        counts={EFFICACY: 1, SAFETY: 1},
    )
    (source,) = await collector.load_sources()
    assert source.hit == paper()
    assert source.questions == (EFFICACY, SAFETY), "in the order of the syllabus"
    citation = await collector.citation(saved.citation_id)
    assert citation and citation.source_id == "src_001"
    assert citation.quote_check == QuoteCheck.VERIFIED
    assert list(await collector.citations()) == [citation]


async def test_the_same_work_saved_again_adds_its_new_question(collector: SourceCollector) -> None:
    first = await save(collector, paper(), EFFICACY)
    second = await save(collector, paper(), SAFETY)

    assert (second.source_id, second.created, second.citation_existed) == (first.source_id, False, True)
    assert second.counts == {EFFICACY: 1, SAFETY: 1}


@pytest.mark.parametrize(
    "other",
    [
        article("PMC2855860", pmid="11248153"),
        article("PMC2855860", doi="10.1056/NEJM200103153441101"),
        work("10.1056/nejm200103153441101"),
    ],
    ids=["by PMID", "by DOI in other case", "by the DOI alone"],
)
async def test_pmid_pmcid_and_doi_of_one_work_are_one_source(collector: SourceCollector, other: Hit) -> None:
    await save(collector, paper())
    saved = await save(collector, other, SAFETY)

    assert (saved.source_id, saved.created) == ("src_001", False)
    (source,) = await collector.load_sources()
    assert set(source.hit.identifiers) == {*paper().identifiers, *other.identifiers}


async def test_a_record_that_bridges_two_sources_joins_them_under_the_lower_number(
    collector: SourceCollector,
) -> None:
    first = await save(collector, paper(doi=None), EFFICACY)
    second, _ = await collector.register(article("PMC2855860"), quote("Whole text."))
    await collector.record_hits([article("PMC2855860")])
    await collector.save(article("PMC2855860"), [SAFETY], second.citation_id, note="read in full")
    bridge = article("PMC2855860", pmid="11248153")

    saved = await save(collector, bridge, EFFICACY)

    assert saved.source_id == "src_001"
    (source,) = await collector.load_sources()
    assert source.aliases == ("src_002",)
    assert source.questions == (EFFICACY, SAFETY)
    assert set(source.citation_ids) == {first.citation_id, second.citation_id, saved.citation_id}
    assert {citation.source_id for citation in await collector.citations()} == {"src_001"}
    assert source.note == "read in full"
    progress = await collector.progress()
    assert (progress.total, progress.counts) == (1, {EFFICACY: 1, SAFETY: 1})


async def test_a_bridging_record_joins_saved_sources_when_it_is_seen_not_only_when_it_is_saved(
    collector: SourceCollector,
) -> None:
    await save(collector, paper(doi=None))
    await save(collector, article("PMC2855860"))

    await collector.record_hits([article("PMC2855860", pmid="11248153")])

    (source,) = await collector.load_sources()
    assert (source.source_id, source.aliases) == ("src_001", ("src_002",))
    assert await collector.find_source("src_001") == await collector.find_source("src_002") == source
    assert await collector.find_source("src_003") is None
    assert set(source.hit.identifiers) == {"pmid:11248153", "pmcid:PMC2855860"}


async def test_a_record_saved_as_it_was_before_others_joined_it_is_still_the_same_source(
    collector: SourceCollector,
) -> None:
    doi = "10.1000/chain"
    bridges = [article("PMC7", doi=doi), article("PMC7", pmid="11248153")]
    await collector.record_hits([paper(doi=None), work(doi), *bridges])

    first = await collector.save(paper(doi=None), [EFFICACY], quote())
    second = await collector.save(work(doi), [SAFETY], quote())

    assert (first.source_id, second.source_id) == ("src_001", "src_001")


async def test_a_number_that_was_joined_away_is_not_given_out_again(collector: SourceCollector) -> None:
    await save(collector, paper(doi=None))
    await save(collector, article("PMC2855860"))
    await collector.record_hits([article("PMC2855860", pmid="11248153")])

    assert (await save(collector, paper("15911866", doi=None))).source_id == "src_003"


async def test_two_pmids_that_share_a_doi_stay_two_sources(collector: SourceCollector) -> None:
    first = await save(collector, paper("11248153", doi="10.1000/shared"))
    second = await save(collector, paper("15911866", doi="10.1000/shared"))
    again = await save(collector, paper("15911866", doi="10.1000/shared"), SAFETY)

    assert (first.source_id, second.source_id, again.source_id) == ("src_001", "src_002", "src_002")
    assert [source.hit.external_id for source in await collector.load_sources()] == ["11248153", "15911866"]


async def test_a_bridge_between_two_pmids_joins_neither_and_goes_to_the_lower_number(
    collector: SourceCollector,
) -> None:
    await save(collector, paper("11248153", doi="10.1000/one"))
    await save(collector, article("PMC1", pmid="15911866"))
    bridge = Hit.of("pmc", "PMC1", "https://pmc.ncbi.nlm.nih.gov/articles/PMC1/", "Article", doi="10.1000/one")

    saved = await save(collector, bridge)

    assert saved.source_id == "src_001"
    assert (await collector.progress()).total == 2


async def test_applying_a_save_twice_leaves_the_same_state_and_the_same_answer(
    store: Store, collector: SourceCollector
) -> None:
    await save(collector, paper(doi=None))
    await save(collector, article("PMC2855860"))
    bridge = article("PMC2855860", pmid="11248153")
    once = await save(collector, bridge, EFFICACY, SAFETY)
    state = await everything(store)

    twice = await collector.save(bridge, (EFFICACY, SAFETY), quote())

    assert twice == once._replace(created=False, citation_existed=True)
    assert await everything(store) == state


async def test_a_hit_that_no_search_returned_cannot_be_saved(collector: SourceCollector) -> None:
    with pytest.raises(ToolError, match="pmid:11248153 was not returned by a search"):
        await collector.save(paper(), [EFFICACY], quote())


async def test_a_record_that_shares_only_the_doi_of_a_seen_one_cannot_be_saved(collector: SourceCollector) -> None:
    await collector.record_hits([work("10.1056/nejm200103153441101")])
    with pytest.raises(ToolError, match="pmid:11248153 was not returned by a search"):
        await collector.save(paper(), [EFFICACY], quote())
    assert await collector.load_sources() == () and len(await collector.seen_identifiers()) == 1


@pytest.mark.parametrize(("questions", "message"), [(["ip.patents"], "ip.patents"), ([], "no question was named")])
async def test_questions_must_be_the_jobs_own(collector: SourceCollector, questions: list[str], message: str) -> None:
    await collector.record_hits([paper()])
    with pytest.raises(ToolError, match=f"{message}; valid are clinical.efficacy, clinical.safety"):
        await collector.save(paper(), questions, quote())


async def test_saving_without_an_excerpt_gives_the_first_citation(collector: SourceCollector) -> None:
    first = await save(collector, paper())
    title = paper().title

    again = await collector.save(paper(), [EFFICACY], DraftCitation(title, title, quote_verified=None))

    assert (again.citation_id, again.citation_existed) == (first.citation_id, True)


async def test_another_excerpt_gives_another_citation(collector: SourceCollector) -> None:
    first = await save(collector, paper())
    second = await collector.save(paper(), [EFFICACY], quote("Median 4.6."))

    assert second.citation_id != first.citation_id
    (source,) = await collector.load_sources()
    assert source.citation_ids == (first.citation_id, second.citation_id)


async def test_the_same_words_are_one_citation_even_when_the_record_got_a_stronger_identifier(
    collector: SourceCollector,
) -> None:
    first = await save(collector, article("PMC2855860"))
    second = await save(collector, article("PMC2855860", pmid="11248153"))

    assert (second.citation_id, second.citation_existed) == (first.citation_id, True)


async def test_a_citation_registered_first_is_bound_when_its_source_is_saved(collector: SourceCollector) -> None:
    await collector.record_hits([paper()])
    registered, existed = await collector.register(paper(), quote())
    assert (registered.source_id, existed) == ("", False)
    assert await collector.register(paper(), quote()) == (registered, True)

    saved = await collector.save(paper(), [EFFICACY], registered.citation_id)

    assert saved.citation_existed and saved.citation_id == registered.citation_id
    bound = await collector.citation(registered.citation_id)
    assert bound and bound.source_id == "src_001"


async def test_a_waiting_citation_is_bound_also_when_its_source_is_saved_with_another(
    collector: SourceCollector,
) -> None:
    await collector.record_hits([paper()])
    waiting, _ = await collector.register(paper(), quote("Median 4.6."))
    saved = await collector.save(paper(), [EFFICACY], quote())

    (source,) = await collector.load_sources()
    assert source.citation_ids == (waiting.citation_id, saved.citation_id)


async def test_a_citation_of_a_saved_source_is_bound_at_once(collector: SourceCollector) -> None:
    await save(collector, paper())
    registered, _ = await collector.register(paper(), quote("Median 4.6."))
    (source,) = await collector.load_sources()
    assert registered.source_id == "src_001"
    assert registered.citation_id in source.citation_ids


async def test_an_unknown_citation_is_refused_and_nothing_is_saved(collector: SourceCollector) -> None:
    await collector.record_hits([paper()])
    with pytest.raises(ToolError, match="no citation cit_000000000000 is registered"):
        await collector.save(paper(), [EFFICACY], "cit_000000000000")
    assert await collector.load_sources() == ()


@pytest.mark.parametrize("other_is_saved", [True, False])
async def test_a_citation_of_another_source_is_refused(collector: SourceCollector, other_is_saved: bool) -> None:
    other = paper("15911866", doi=None)
    await collector.record_hits([paper(), other])
    citation, _ = await collector.register(other, quote())
    if other_is_saved:
        await collector.save(other, [EFFICACY], citation.citation_id)
    place = "src_001" if other_is_saved else "pmid:15911866"
    with pytest.raises(ToolError, match=rf"belongs to another source \({place}\)"):
        await collector.save(paper(), [EFFICACY], citation.citation_id)


async def test_relation_and_note_are_kept_with_the_source(collector: SourceCollector) -> None:
    await collector.record_hits([paper()])
    for note in ("first", "second", "first"):
        subject = Subject(Relation.COMPARATOR, RelationKind.BACKGROUND)
        await collector.save(paper(), [EFFICACY], quote(), subject, note)
    (source,) = await collector.load_sources()
    assert (source.relation, source.note) == (Relation.COMPARATOR, "first\nsecond")
    assert source.relation_kind is RelationKind.BACKGROUND


async def test_a_source_that_is_no_evidence_of_the_drug_is_kept_and_not_counted(collector: SourceCollector) -> None:
    await collector.record_hits([paper(), article("PMC7")])
    mentioned = Subject(Relation.COMPARATOR, RelationKind.MENTIONED)
    await collector.save(paper(), [EFFICACY, SAFETY], quote(), mentioned)
    await collector.save(article("PMC7"), [EFFICACY], quote())
    progress = await collector.progress()
    assert (progress.counts, progress.total) == ({EFFICACY: 1, SAFETY: 0}, 2)
    assert [source.number async for source in collector.iter_sources(EFFICACY)] == [1, 2]


async def test_progress_counts_sources_per_question_and_names_their_databases(collector: SourceCollector) -> None:
    await save(collector, paper(), EFFICACY)
    await save(collector, article("PMC7"), EFFICACY, SAFETY)
    progress = await collector.progress()
    assert progress == ({EFFICACY: 2, SAFETY: 1}, 2, ("pmc", "pubmed"), 0)


async def test_progress_of_an_empty_collection_is_all_zero(collector: SourceCollector) -> None:
    assert await collector.progress() == ({EFFICACY: 0, SAFETY: 0}, 0, (), 0)


async def test_find_hit_takes_the_first_known_identifier(collector: SourceCollector) -> None:
    await collector.record_hits([paper(), paper("15911866", doi=None)])
    assert await collector.find_hit(["pmid:999", "pmid:15911866", "pmid:11248153"]) == paper("15911866", doi=None)
    assert await collector.find_hit(["pmid:999"]) is None
    assert await collector.find_hit([]) is None
    assert list(await collector.seen_identifiers()) == sorted({*paper().identifiers, "pmid:15911866"})


async def test_a_source_is_described_by_what_its_records_say_later(collector: SourceCollector) -> None:
    await save(collector, paper(text="Short."))
    await collector.record_hits([article("PMC2855860", pmid="11248153", text="The whole article, much longer.")])
    (source,) = await collector.load_sources()
    assert source.hit.text == "The whole article, much longer."
    assert source.hit.database == "pubmed"
    assert "pmcid:PMC2855860" in source.hit.identifiers


async def test_more_hits_than_go_into_one_call_are_all_recorded(collector: SourceCollector) -> None:
    await collector.record_hits([paper(str(number), doi=None) for number in range(1, 451)])
    assert len(await collector.seen_identifiers()) == 450


async def test_without_the_lease_nothing_is_written(store: Store, collector: SourceCollector) -> None:
    await save(collector, paper())
    before = await everything(store)
    await store.run_command(lambda redis: redis.set(KEYS.lease, "another process"))

    for write in (
        collector.save(paper(), [SAFETY], quote("Median 4.6.")),
        collector.record_hits([paper("15911866")]),
        collector.register(paper(), quote("Median 4.6.")),
    ):
        with pytest.raises(LeaseLost, match="nothing was written"):
            await write
    assert await everything(store) == before


async def test_a_reader_without_a_lease_reads_and_cannot_write(store: Store, collector: SourceCollector) -> None:
    await save(collector, paper())
    reader = SourceCollector(store, JOB, None)
    assert await reader.load_sources() == await collector.load_sources()
    assert await reader.progress() == await collector.progress()
    with pytest.raises(LeaseLost, match="for reading only"):
        await reader.save(paper(), [EFFICACY], quote())


@pytest.mark.parametrize("key", [KEYS.question(SAFETY), KEYS.citations, KEYS.events])
async def test_a_key_of_another_type_is_named_and_nothing_is_written(
    store: Store, collector: SourceCollector, key: str
) -> None:
    await collector.record_hits([paper()])
    await store.run_command(lambda redis: redis.delete(key))
    await store.run_command(lambda redis: redis.set(key, "a foreign value"))
    with pytest.raises(StoreSchemaError, match=r"holds a string where a .* belongs"):
        await collector.save(paper(), [EFFICACY], quote())
    assert await store.run_command(lambda redis: redis.exists(KEYS.sources, KEYS.identifiers)) == 0


async def test_reading_a_key_of_another_type_is_an_error_of_ours(store: Store, collector: SourceCollector) -> None:
    await store.run_command(lambda redis: redis.set(KEYS.citations, "a foreign value"))
    with pytest.raises(StoreSchemaError, match="holds another type"):
        await collector.citations()


async def test_every_key_of_the_job_lives_on_for_the_jobs_time(store: Store, collector: SourceCollector) -> None:
    await save(collector, paper())
    for key in (KEYS.sources, KEYS.hits, KEYS.identifiers, KEYS.citations, KEYS.metadata, KEYS.events,
                KEYS.question(EFFICACY)):  # fmt: skip
        milliseconds = await store.run_command(lambda redis, key=key: redis.pttl(key))
        assert milliseconds == pytest.approx(30 * 24 * 3600 * 1000, abs=120_000), key


@pytest.mark.slow
async def test_six_tasks_that_save_the_same_hundred_sources_make_exactly_a_hundred(store: Store, lease: Lease) -> None:
    hits = [paper(str(number), doi=f"10.1000/{number}") for number in range(1, 101)]

    async def work_through() -> list[str]:
        collector = SourceCollector(store, JOB, lease)
        await collector.record_hits(hits)
        return [(await collector.save(hit, [EFFICACY, SAFETY], quote())).source_id for hit in hits]

    answers = await asyncio.gather(*(work_through() for _ in range(6)))

    assert all(answer == answers[0] for answer in answers)
    collector = SourceCollector(store, JOB, None)
    assert (await collector.progress()) == ({EFFICACY: 100, SAFETY: 100}, 100, ("pubmed",), 0)
    assert len(await collector.citations()) == 100
    metadata = await store.run_command(lambda redis: redis.hgetall(KEYS.metadata))
    assert (metadata["last_number"], json.loads(metadata["databases"])) == ("100", {"pubmed": 100})


def a_hit() -> st.SearchStrategy[Hit]:
    few = st.sampled_from(["1", "2", "3"])
    doi = st.none() | st.sampled_from(["10.1000/a", "10.1000/b"])
    text = st.sampled_from(["", "ab", "ba", "A longer text."])
    return st.one_of(
        st.builds(paper, few, doi=doi, text=text),
        st.builds(article, few.map("PMC{}".format), pmid=st.none() | few, doi=doi, text=text),
        st.builds(work, st.sampled_from(["10.1000/a", "10.1000/b"])),
    )


@pytest.mark.slow
@given(hits=st.lists(a_hit(), min_size=1, max_size=8), data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_order_in_which_hits_arrive_changes_nothing(hits: list[Hit], data: st.DataObject) -> None:
    orders = (hits, data.draw(st.permutations(hits)))
    assert asyncio.run(_seen(orders[0])) == asyncio.run(_seen(orders[1]))


async def _seen(hits: list[Hit]) -> dict[str, Hit | None]:
    question = Question(key=EFFICACY, label="Efficacy", description="?", min_sources=1)
    request = JobRequest(text="trastuzumab", syllabus=Syllabus(name="drug", questions=(question,)))
    async with open_quick_store() as store:
        await store.jobs.create(request, JOB)
        async with await store.jobs.hold(JOB) as lease:
            collector = SourceCollector(store, JOB, lease)
            await collector.set_questions([EFFICACY])
            for hit in hits:
                await collector.record_hits([hit])
            return {key: await collector.find_hit([key]) for key in await collector.seen_identifiers()}


@given(hit=a_hit())
def test_a_packed_hit_is_unpacked_unchanged(hit: Hit) -> None:
    [parts] = pack_hits([hit])
    assert unpack_records("\t".join(parts)) == [hit]
    assert merge_work([hit], hit.key) == hit


async def test_sources_are_listed_as_all_of_their_records_describe_them(collector: SourceCollector) -> None:
    await save(collector, paper(), SAFETY, EFFICACY)
    await save(collector, article("PMC1", doi="10.1/x"), SAFETY)
    await collector.record_hits([article("PMC2855860", pmid="11248153"), paper("1", doi="10.1/x")])
    listed = [source for batch in [batch async for batch in collector.iter_source_summaries()] for source in batch]
    assert len(listed) == 2
    for found, source in zip(listed, await collector.load_sources(), strict=True):
        hit = source.hit
        assert found[:5] == (source.source_id, hit.database, hit.external_id, hit.url, hit.title)
        assert found[5:7] == (source.relation, source.relation_kind)
        assert found[7:] == (source.questions, source.citation_ids, source.note, hit.year)


async def test_the_sources_of_one_question_are_read_by_number_and_alone(collector: SourceCollector) -> None:
    for number in range(1, 6):
        await save(collector, paper(str(number), doi=None), SAFETY if number % 2 else EFFICACY)
    found = [source async for source in collector.iter_sources(SAFETY)]
    assert found == [source for source in await collector.load_sources() if SAFETY in source.questions]
    assert [source.number for source in found] == [1, 3, 5]


async def test_why_a_record_was_not_kept_is_recorded_once_and_the_later_reason_holds(
    store: Store, collector: SourceCollector
) -> None:
    assert await collector.exclusions() == {}
    for reason in (Exclusion.BELOW_CUT, Exclusion.DECLINED, Exclusion.DECLINED):
        await collector.record_exclusions({"pmid:1": reason})
    await collector.record_exclusions({})
    assert await SourceCollector(store, JOB, None).exclusions() == {"pmid:1": Exclusion.DECLINED}
    with pytest.raises(LeaseLost):
        await SourceCollector(store, JOB, None).record_exclusions({"pmid:1": Exclusion.NO_TEXT})


async def test_a_reason_does_not_keep_a_record_from_being_saved(collector: SourceCollector) -> None:
    await collector.record_exclusions({paper().key: Exclusion.DECLINED})
    await save(collector, paper())
    assert [source.hit.key for source in await collector.load_sources()] == [paper().key]
    assert await collector.exclusions() == {}


async def test_identifiers_of_one_work_have_one_key_and_two_pmids_are_two_works(collector: SourceCollector) -> None:
    await collector.record_hits(
        [work("10.1056/nejm1"), paper("7", doi="10.1056/nejm2"), paper("8", doi="10.1056/nejm2"), paper("9", doi=None)]
    )
    await collector.record_hits([article("PMC1", doi="10.1056/nejm1"), article("PMC2", pmid="9")])
    found = await collector.find_works(
        ["doi:10.1056/nejm1", "pmcid:PMC1", "pmid:7", "pmid:8", "pmcid:PMC2", "pmid:9", "doi:x"]
    )
    assert list(found.values()) == ["pmcid:PMC1", "pmcid:PMC1", "pmid:7", "pmid:8", "pmid:9", "pmid:9", "doi:x"]
    titles = await collector.find_titles(list(found))
    for key, name in found.items():
        hit = await collector.find_hit((key,))
        assert (hit.key if hit else key) == name
        assert titles.get(key) == (hit.title if hit else None)


async def test_a_name_that_is_no_text_is_damage(collector: SourceCollector, store: Store) -> None:
    for key in (KEYS.hits, KEYS.sources):
        await store.run_command(lambda redis, key=key: redis.hset(key, b"\xff", "{}"))
    for read in (collector.seen_identifiers, collector.load_sources):
        with pytest.raises(CollectionDamaged, match="it holds something that storm did not write"):
            await read()
