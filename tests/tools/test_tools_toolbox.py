"""The tools of a job: what they accept, answer and refuse."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from storm.errors import Blocked
from storm.models import Hit, JobRequest, Plan, Question, QuoteCheck, Section, Syllabus
from storm.store import SourceCollector, Store
from storm.tools import JobTools, finalize_sources

SYLLABUS = Syllabus(
    name="drug",
    questions=tuple(
        Question(key=key, label=key, description=key, min_sources=minimum)
        for key, minimum in [("mechanism.moa", 5), ("clinical.efficacy", 5), ("ip.patents", 3)]
    ),
)
PLAN = Plan(names=("trastuzumab",), syllabus=SYLLABUS)
HERA = Hit.of(
    "pubmed", "16236737", "https://pubmed.ncbi.nlm.nih.gov/16236737/",
    "Trastuzumab after adjuvant chemotherapy in HER2-positive breast cancer",
    sections=(Section(label="RESULTS", text="The hazard ratio with trastuzumab was 0.54 (95% CI 0.44–0.67)."),),
    pmid="16236737", doi="10.1056/NEJMoa052306", year=2005,
)  # fmt: skip


class Bench(NamedTuple):
    tools: JobTools
    collection: SourceCollector

    async def save(self, hit: Hit = HERA, questions: list[str] | None = None, **given: str) -> dict:
        return await self.tools.save_source(
            given.pop("source_type", hit.database), given.pop("external_id", hit.external_id),
            given.pop("url", hit.url), given.pop("title", hit.title), questions or ["clinical.efficacy"], **given,
        )  # fmt: skip


async def _bench(store: Store, syllabus: Syllabus, job_id: str) -> AsyncIterator[Bench]:
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), job_id)
    async with await store.jobs.hold(job_id) as lease:
        collection = SourceCollector(store, job_id, lease)
        await collection.set_questions(syllabus.keys)
        await collection.record_hits([HERA])
        yield Bench(JobTools(collection, Plan(names=("trastuzumab",), syllabus=syllabus)), collection)


@pytest.fixture
async def bench(store: Store) -> AsyncIterator[Bench]:
    async for made in _bench(store, SYLLABUS, "trastuzumab-20261121-aaaaaa"):
        yield made


async def test_saving_a_seen_source_answers_what_was_done_and_what_is_needed(bench: Bench) -> None:
    answer = await bench.save(questions=["clinical.efficacy", "mechanism.moa"])
    assert answer["source_id"] == "src_001"
    assert answer["citation_status"] == "auto_registered"
    assert answer["assigned_to"] == ["clinical.efficacy", "mechanism.moa"]
    assert answer["status"] == {"clinical.efficacy": "need 4 more", "mechanism.moa": "need 4 more"}
    assert answer["message"] == "✓ Saved source #1 (PubMed) → 2 questions"


async def test_the_same_work_saved_again_keeps_its_ids_and_gains_the_new_question(bench: Bench) -> None:
    first = await bench.save()
    again = await bench.save(questions=["ip.patents"], external_id="doi:10.1056/nejmoa052306")
    assert again["source_id"] == first["source_id"]
    assert (again["citation_id"], again["citation_status"]) == (first["citation_id"], "existing")
    (source,) = await bench.collection.load_sources()
    assert source.questions == ("clinical.efficacy", "ip.patents")


@pytest.mark.parametrize(
    "written",
    ["PMID:16236737.", "(PMID: 16236737)", "PubMed ID: 16236737", "doi 10.1056/NEJMoa052306",
     "doi:https://doi.org/10.1056/NEJMoa052306", "<https://europepmc.org/article/MED/16236737>"],
)  # fmt: skip
async def test_an_id_is_found_in_whatever_form_the_model_writes_it(bench: Bench, written: str) -> None:
    answer = await bench.save(external_id=written)
    assert (answer["source_id"], "corrected" in answer["message"]) == ("src_001", False)
    cited = await bench.tools.register_citation("A claim.", "pubmed", written, "The hazard ratio with trastuzumab was")
    assert cited["quote"] == "verified"


async def test_another_form_of_the_record_s_own_address_and_title_is_no_correction(bench: Bench) -> None:
    answer = await bench.save(url="http://www.ncbi.nlm.nih.gov/pubmed/?term=16236737", title=f"“{HERA.title}.”")
    assert answer["message"] == "✓ Saved source #1 (PubMed) → 1 question"


async def test_an_address_of_another_work_than_the_id_saves_nothing(bench: Bench) -> None:
    for url in ("https://pubmed.ncbi.nlm.nih.gov/16236738/", "https://doi.org/10.1056/NEJMoa052307"):
        answer = await bench.save(url=url)
        assert answer["error"] == f"{url!r} is another work than pmid:16236737; nothing was saved: save one of the two"
    assert not await bench.collection.load_sources()


async def test_a_claim_that_refers_to_another_work_is_not_registered(bench: Bench) -> None:
    quote = "The hazard ratio with trastuzumab was 0.54"
    answer = await bench.tools.register_citation("It was .54 (PMID 16236738).", "pubmed", "16236737", quote)
    assert answer == {"error": "the claim refers to PMID 16236738, which is not pmid:16236737: leave it out"}
    own = await bench.tools.register_citation("It was .54 (PMID 16236737).", "pubmed", "16236737", quote)
    assert own["quote"] == "verified"


async def test_another_excerpt_gives_another_citation(bench: Bench) -> None:
    first = await bench.save()
    other = await bench.save(key_excerpts="The hazard ratio with trastuzumab was 0.54")
    assert other["citation_id"] != first["citation_id"]
    citation = await bench.tools.get_citation(other["citation_id"])
    assert citation["quote"] == "verified"


async def test_a_source_that_no_search_returned_is_refused_with_the_nearest_that_was_seen(bench: Bench) -> None:
    answer = await bench.save(external_id="16236738")
    assert "pmid:16236737" in answer["error"]
    assert "not returned by any search" in answer["error"]
    assert await bench.collection.load_sources() == ()


async def test_an_external_id_that_looks_like_ours_is_the_record_s_own(bench: Bench) -> None:
    await bench.save()
    odd = Hit.of("web", "src_001", "https://example.org/odd", "Another page about trastuzumab")
    await bench.collection.record_hits([odd])
    assert (await bench.save(odd))["source_id"] == "src_002"
    assert [source.hit.title for source in await bench.collection.load_sources()] == [HERA.title, odd.title]


async def test_a_citation_may_name_a_saved_source_by_our_id(bench: Bench) -> None:
    await bench.save()
    made = await bench.tools.register_citation(
        "HR 0.54", "pubmed", "src_001", "The hazard ratio with trastuzumab was 0.54"
    )
    assert made["quote"] == "verified"


async def test_what_models_write_for_a_list_a_number_or_nothing_is_understood(bench: Bench) -> None:
    answer = await bench.tools.save_source("PubMed", 16236737, None, None, "clinical.efficacy")  # type: ignore[arg-type]
    assert answer["assigned_to"] == ["clinical.efficacy"]


@pytest.mark.parametrize("wrong", [{"relevant_questions": 7}, {"external_id": None}, {"key_excerpts": ["a", "b"]}])
async def test_arguments_that_cannot_be_understood_are_refused_by_name(bench: Bench, wrong: dict) -> None:
    given = {
        "source_type": "pubmed", "external_id": "16236737", "url": "", "title": "",
        "relevant_questions": ["clinical.efficacy"],
    } | wrong  # fmt: skip
    assert next(iter(wrong)) in (await bench.tools.save_source(**given))["error"]


async def test_the_record_describes_the_source_whatever_the_caller_wrote(bench: Bench) -> None:
    answer = await bench.save(title="Herceptin cures everything", url="https://example.org/made-up")
    assert "url and title corrected from the record" in answer["message"]
    (source,) = await bench.collection.load_sources()
    assert (source.hit.title, source.hit.url) == (HERA.title, HERA.url)


async def test_what_the_caller_left_out_is_filled_in_from_the_record(bench: Bench) -> None:
    answer = await bench.save(title="", url="")
    assert "url and title filled in from the record" in answer["message"]


async def test_an_excerpt_that_is_not_verbatim_is_a_note_and_its_quote_unchecked(bench: Bench) -> None:
    answer = await bench.save(key_excerpts="The hazard ratio was 0.45")
    assert "not verbatim" in answer["message"]
    assert (await bench.tools.get_citation(answer["citation_id"]))["quote"] == "unchecked"
    (source,) = await bench.collection.load_sources()
    assert source.note == "The hazard ratio was 0.45"


async def test_unknown_questions_are_named_and_the_known_ones_served(bench: Bench) -> None:
    answer = await bench.save(questions=["clinical.efficacy", "clinical.magic"])
    assert answer["assigned_to"] == ["clinical.efficacy"]
    assert "clinical.magic" in answer["message"]
    assert "ip.patents" in answer["message"]


@pytest.mark.parametrize("questions", [[], ["clinical.magic"]])
async def test_without_a_valid_question_nothing_is_saved(bench: Bench, questions: list[str]) -> None:
    answer = await bench.tools.save_source("pubmed", "16236737", "", "", questions)
    assert "clinical.efficacy" in answer["error"]
    assert await bench.collection.load_sources() == ()


async def test_a_citation_is_registered_before_its_source_is_saved_and_then_used(bench: Bench) -> None:
    quote = "The hazard ratio with trastuzumab was 0.54"
    made = await bench.tools.register_citation("HR 0.54", "pubmed", "16236737", quote)
    assert (made["status"], made["quote"]) == ("registered", "verified")
    assert (await bench.tools.register_citation("HR 0.54", "pubmed", "16236737", quote))["status"] == "existing"
    saved = await bench.save(citation_id=made["citation_id"])
    assert (saved["citation_id"], saved["citation_status"]) == (made["citation_id"], "existing")


async def test_an_unknown_citation_is_an_error_that_says_so(bench: Bench) -> None:
    answer = await bench.save(citation_id="cit_000000000000")
    assert "cit_000000000000" in answer["error"]
    assert "error" in await bench.tools.get_citation("cit_000000000000")


async def test_a_quote_that_is_not_in_the_source_is_registered_as_not_found(bench: Bench) -> None:
    made = await bench.tools.register_citation("A claim", "pubmed", "16236737", "words that nobody wrote")
    assert made["quote"] == "not found"


async def test_progress_names_each_question_and_the_next_focus(bench: Bench) -> None:
    await bench.save()
    progress = await bench.tools.get_progress()
    assert progress["total"] == 1
    assert progress["questions"]["clinical.efficacy"] == "⚠ 1 sources (need 4 more)"
    assert progress["summary"] == "0/3 questions complete, 12 more sources needed"
    assert progress["next_focus"][0] == "mechanism.moa"


async def test_completion_needs_every_minimum_and_enough_databases(bench: Bench) -> None:
    hits = [
        Hit.of("pubmed", str(n), f"https://pubmed.ncbi.nlm.nih.gov/{n}/", f"Trastuzumab {n}", pmid=str(n))
        for n in range(1, 6)
    ]
    await bench.collection.record_hits(hits)
    for hit in hits:
        await bench.save(hit, questions=list(SYLLABUS.keys))
    answer = await bench.tools.check_completion()
    assert answer["ready"] is False
    assert answer["progress"] == "3/3 questions complete (100%)"
    assert answer["missing"] == {"databases": "Need 1 more (currently 1/2)"}
    patent = Hit.of("patents", "US6407213", "https://patents.example/US6407213", "Trastuzumab")
    await bench.collection.record_hits([patent])
    await bench.save(patent, questions=["ip.patents"])
    assert (await bench.tools.check_completion())["ready"] is True


async def test_finalised_sources_are_described_by_their_records(bench: Bench) -> None:
    await bench.save()
    collected = await finalize_sources(bench.collection, SYLLABUS.question("clinical.efficacy"))
    assert collected.question.key == "clinical.efficacy"
    (source,) = collected.sources
    assert (source.hit.database, source.hit.text) == ("pubmed", HERA.text)
    assert [citation.citation_id for citation in collected.citations] == list(source.citation_ids)
    assert (await finalize_sources(bench.collection, SYLLABUS.question("ip.patents"))).sources == ()


@pytest.mark.long
@pytest.mark.slow
async def test_every_answer_stays_under_500_characters_at_1000_sources_and_10_long_questions(store: Store) -> None:
    keys = [f"question_{n:02}_with_a_key_of_forty_characters"[:40] for n in range(10)]
    assert {len(key) for key in keys} == {40}
    syllabus = Syllabus(
        name="long",
        questions=tuple(Question(key=k, label=k, description=k, min_sources=3 + 90 * n) for n, k in enumerate(keys)),
    )
    answers = []
    async for bench in _bench(store, syllabus, "long-20261121-aaaaaa"):
        hits = [
            Hit.of("pubmed", str(n), f"https://pubmed.ncbi.nlm.nih.gov/{n}/", f"Trastuzumab {n} " + "long " * 60)
            for n in range(1, 1001)
        ]
        await bench.collection.record_hits(hits)
        for n, hit in enumerate(hits):
            wanted = [*keys[: 1 + n % 10], "unknown.question.that.nobody.asked"] if n % 50 == 0 else keys[: 1 + n % 10]
            answers.append(await bench.save(hit, questions=wanted, title="another " * 40, key_excerpts="x " * 400))
            if n % 100 == 0:
                answers += [await bench.tools.get_progress(), await bench.tools.check_completion()]
        made = await bench.tools.register_citation("claim " * 200, "pubmed", "1", "quote " * 200)
        answers += [
            await bench.tools.get_citation(made["citation_id"]),
            await bench.save(hits[0], external_id="9" * 600),
        ]
    assert max(len(json.dumps(answer, ensure_ascii=False)) for answer in answers) <= 500
    assert all("error" not in answer for answer in answers[:-1])


class Pages:
    """Reads one page, and refuses every other."""

    def __init__(self, page: Hit) -> None:
        self._page = page

    async def fetch(self, url: str) -> Hit:
        if url != self._page.url:
            raise Blocked("the address was neither found by a search of this job nor given by the user", hint="search")
        return self._page


PAGE = Hit.of(
    "web", "https://example.org/label", "https://example.org/label", "A label " * 40,
    text="Menu. Skip to content. Trastuzumab was approved in 1998. " + "More was said. " * 400,
)  # fmt: skip


async def test_a_page_is_read_once_found_and_can_then_be_saved_and_quoted(bench: Bench) -> None:
    tools = JobTools(bench.collection, PLAN, Pages(PAGE))
    read = await tools.scrape_url(PAGE.url)
    assert len(json.dumps(read, ensure_ascii=False)) < 500
    assert (read["source_type"], read["characters"]) == ("web", len(PAGE.text))
    assert read["excerpt"].startswith("Trastuzumab was approved in 1998.")
    quote = "Trastuzumab was approved in 1998."
    saved = await tools.save_source("web", PAGE.url, PAGE.url, "", ["mechanism.moa"], key_excerpts=quote)
    assert saved["citation_status"] == "auto_registered"
    assert "not verbatim" not in saved["message"]


async def test_a_page_that_must_not_be_read_is_refused_with_the_reason(bench: Bench) -> None:
    refused = await JobTools(bench.collection, PLAN, Pages(PAGE)).scrape_url("https://example.org/other")
    assert set(refused) == {"error"}
    assert "neither found by a search of this job" in refused["error"]
    assert await bench.collection.find_hit(("web:https://example.org/other",)) is None


async def test_a_job_without_a_network_reads_no_page(bench: Bench) -> None:
    assert "cannot be read in this job" in (await JobTools(bench.collection, PLAN).scrape_url(PAGE.url))["error"]


MENTION = Hit.of(
    "pmc", "PMC9", "https://pmc.ncbi.nlm.nih.gov/articles/PMC9/", "Exercise after surgery for breast cancer",
    sections=(
        Section(label="Methods", text="Women were assigned to exercise or to usual care."),
        Section(label="Discussion", text="Trastuzumab has changed the outlook of these women."),
    ),
)  # fmt: skip


async def test_what_only_mentions_the_drug_is_kept_as_context_and_counts_for_no_question(bench: Bench) -> None:
    await bench.collection.record_hits([MENTION])
    answer = await bench.save(MENTION)
    assert answer["status"] == {"clinical.efficacy": "need 5 more"}
    assert "PMC9 only mentions the drug: kept as context, it counts for no question" in answer["message"]


async def test_what_only_mentions_the_drug_answers_no_question_of_its_own_effects(store: Store) -> None:
    own = Question(key="clinical.efficacy", label="Efficacy", description="Efficacy", min_sources=1, itself_only=True)
    async for bench in _bench(store, Syllabus(name="drug", questions=(own,)), "trastuzumab-20261121-bbbbbb"):
        await bench.collection.record_hits([MENTION])
        answer = await bench.save(MENTION)
        assert "only mentions the drug, so it answers none of these" in answer["error"]
        assert await bench.collection.load_sources() == ()


async def test_a_citation_says_in_which_part_its_quote_stands(bench: Bench) -> None:
    quote = "The hazard ratio with trastuzumab was 0.54"
    made = await bench.tools.register_citation("It helps.", HERA.database, HERA.external_id, quote)
    citation = await bench.collection.citation(made["citation_id"])
    assert citation is not None
    assert (citation.section, citation.quote_check) == ("RESULTS", QuoteCheck.VERIFIED)


async def test_an_excerpt_says_in_which_part_it_stands_and_what_is_not_verbatim_does_not(bench: Bench) -> None:
    for excerpt, section in (("trastuzumab was 0.54", "RESULTS"), ("trastuzumab after", "Title"), ("it was half", "")):
        saved = await bench.save(key_excerpts=excerpt)
        citation = await bench.collection.citation(saved["citation_id"])
        assert citation is not None
        assert citation.section == section
