"""The search tools of an agent: one a database, with short cards; and what a failure, or nothing, is reported as."""

from __future__ import annotations

import pytest
from agents.library import NOW, PLAN, Library

from storm.errors import ToolError
from storm.models import Hit, Retraction
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch, database_tools
from storm.tools.cards import write_card
from storm.tools.database_tools import SHOWN, SearchTool


@pytest.fixture
async def tools(store: Store, lease: Lease) -> dict[str, SearchTool]:
    """The tools of a job with two databases, by name."""
    collection, journal = SourceCollector(store, lease.job_id, lease), JobJournal(store, lease.job_id, lease)
    searcher = JobSearch([Library("pubmed", 30), Library("chembl", 3)], journal, lambda: NOW)
    return {tool.__name__: tool for tool in database_tools(searcher, collection, PLAN)}


async def test_each_database_has_a_tool_that_says_what_it_holds(tools: dict[str, SearchTool]) -> None:
    assert list(tools) == ["search_pubmed", "search_chembl"]
    assert [str(tool.__doc__).splitlines()[0] for tool in tools.values()] == [
        "Search what pubmed has.", "Search what chembl has.",
    ]  # fmt: skip


async def test_records_are_reported_as_cards_some_at_a_time(tools: dict[str, SearchTool]) -> None:
    search = tools["search_pubmed"]
    head, *cards = (await search("survival")).splitlines()
    assert head == "20 found, 1 to 8 of the best 20; first=9 shows the next"
    assert len(cards) == 2 * SHOWN
    assert cards[0] == "pubmed 10000001 · 2001 Trastuzumab in cohort 1"
    head, *cards = (await search("survival", first=17)).splitlines()
    assert (head, len(cards)) == ("searched before; 20 found, 17 to 20 of the best 20", 8)
    assert cards[-2] == "pubmed 10000020 · 2020 Trastuzumab in cohort 20"
    with pytest.raises(ToolError, match="there is no record 21: this search returned 20"):
        await search("survival", first=21)


async def test_an_answer_is_a_few_thousand_characters_at_most(tools: dict[str, SearchTool]) -> None:
    assert len(await tools["search_pubmed"]("survival")) < 3_000


async def test_nothing_is_reported_as_nothing_and_a_failure_as_a_failure(tools: dict[str, SearchTool]) -> None:
    assert await tools["search_pubmed"]("nothing") == "none: PubMed has no record of this; try fewer or other words"
    assert await tools["search_chembl"]("broken") == (
        "failed: no answer in time. This does not mean that there is nothing; try another database."
    )


async def test_a_search_is_logged_with_its_question_and_its_hits_can_be_saved(
    tools: dict[str, SearchTool], store: Store, lease: Lease
) -> None:
    await tools["search_pubmed"]("cohort 7", question="clinical.safety", since="2001")
    await tools["search_pubmed"]("cohort 8", names=["pertuzumab", " "], question="of my own")
    records = await JobJournal(store, lease.job_id, None).searches()
    assert [(record.query, record.question) for record in records] == [
        ('("trastuzumab" OR "Herceptin") AND cohort AND 7 2001–…', "clinical.safety"),
        ('"pertuzumab" AND cohort AND 8', ""),
    ]  # fmt: skip
    assert await SourceCollector(store, lease.job_id, None).find_hit(("pmid:10000007",)) is not None


def test_a_card_quotes_the_sentence_that_has_most_of_the_words_and_tells_a_retraction() -> None:
    hit = Hit.of(
        "pubmed", "1", "https://example.org", "T" * 300, year=1998, retraction=Retraction.RETRACTED,
        text=f"Patients were enrolled. Cardiac dysfunction occurred in 27 % {'x' * 300}. Nobody died.",
    )  # fmt: skip
    head, said = write_card(hit, "cardiac dysfunction", ["trastuzumab"]).splitlines()
    assert head == f"pubmed 1 · 1998 RETRACTED {'T' * 119}…"
    assert said.startswith("  Cardiac dysfunction occurred in 27 %") and len(said) <= 202


def test_a_record_without_text_is_a_card_of_one_line() -> None:
    assert write_card(Hit.of("chembl", "CHEMBL25", "https://example.org", "ASPIRIN"), "pain", ["aspirin"]) == (
        "chembl CHEMBL25 · ASPIRIN"
    )
