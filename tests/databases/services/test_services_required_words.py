"""What each client sends for words that must match, and what it does where the service cannot search for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen, open_http, service_at
from sound_services import SERVICES

from storm.databases.search_words import required_terms
from storm.models import SearchOutcome, SearchQuery, SearchStatus

NAMES = ("pembrolizumab", "Keytruda")
REQUIRED = required_terms('patent expiry OR expires "United States"')


def asked(name: str) -> Callable[[Seen], Any]:
    """Where a service's query stands in a request."""
    fields: Mapping[str, Callable[[Seen], Any]] = {
        "pubmed": lambda seen: seen.params.get("term"),
        "pmc": lambda seen: seen.params.get("term"),
        "europepmc": lambda seen: seen.params.get("query"),
        "patents": lambda seen: seen.params.get("query"),
        "clinicaltrials": lambda seen: (seen.params.get("query.intr"), seen.params.get("query.term")),
        "openfda": lambda seen: seen.params.get("search"),
        "epo_ops": lambda seen: seen.params.get("q"),
        "uspto_odp": lambda seen: seen.params.get("q"),
        "crossref": lambda seen: seen.params.get("query.bibliographic"),
        "tavily": lambda seen: seen.json["query"],
        "brave": lambda seen: seen.params.get("q"),
        "searxng": lambda seen: seen.params.get("q"),
    }
    return fields[name]


async def search(name: str, query: SearchQuery) -> tuple[SearchOutcome, list[Seen]]:
    sound = SERVICES[name]
    async with FaultServer() as server, open_http() as http:
        sound.play(server)
        outcome = await sound.client(http, server.url).search(query, sound.limit)
    others = ("accesstoken", "drugsfda.json", "event.json")
    return outcome, [request for request in server.requests if not request.path.endswith(others)]


WORDS = '"patent"', '"expiry" OR "expires"', '"United States"'
SENT = {
    "pubmed": '("pembrolizumab"[Text Word] OR "Keytruda"[Text Word]) AND ("patent"[Text Word])'
    ' AND ("expiry"[Text Word] OR "expires"[Text Word]) AND ("United States"[Text Word])',
    "europepmc": '(TITLE_ABS:"pembrolizumab" OR CHEM:"pembrolizumab" OR TITLE_ABS:"Keytruda" OR CHEM:"Keytruda")'
    ' AND ("patent") AND ("expiry" OR "expires") AND ("United States") AND (SRC:MED OR SRC:PMC OR SRC:PPR)',
    "patents": '(TITLE_ABS:"pembrolizumab" OR CHEM:"pembrolizumab" OR TITLE_ABS:"Keytruda" OR CHEM:"Keytruda")'
    ' AND ("patent") AND ("expiry" OR "expires") AND ("United States") AND (SRC:PAT)',
    "clinicaltrials": (
        '"pembrolizumab" OR "Keytruda"', '("patent") AND ("expiry" OR "expires") AND ("United States")',
    ),
    "openfda": '(openfda.brand_name:("pembrolizumab" OR "Keytruda") OR openfda.generic_name:("pembrolizumab" OR'
    ' "Keytruda") OR openfda.substance_name:("pembrolizumab" OR "Keytruda"))'
    ' AND ("patent") AND ("expiry" OR "expires") AND ("United States")',
    "epo_ops": '(ta="pembrolizumab" or ta="Keytruda") and (ta="patent") and (ta="expiry" or ta="expires")'
    ' and (ta="United States")',
    "uspto_odp": '(applicationMetaData.inventionTitle:"pembrolizumab" OR applicationMetaData.inventionTitle:"Keytruda")'
    ' AND ("patent") AND ("expiry" OR "expires") AND ("United States")',
    "crossref": "pembrolizumab Keytruda patent expiry expires United States",
    **dict.fromkeys(
        ("tavily", "brave", "searxng"), '"pembrolizumab" "patent" "expiry" OR "expires" "United States"'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SENT)
async def test_each_service_is_asked_for_all_words_in_its_own_syntax(name: str) -> None:
    _, requests = await search(name, SearchQuery(names=NAMES, required=REQUIRED))
    assert asked(name)(requests[0]) == SENT[name]


async def test_pmc_is_asked_for_them_in_title_abstract_and_keywords() -> None:
    _, requests = await search("pmc", SearchQuery(names=("pembrolizumab",), required=(("patent",),)))
    assert ' AND ("patent"[Title] OR "patent"[Abstract] OR "patent"[Keyword]) AND ' in asked("pmc")(requests[0])


@pytest.mark.parametrize("name", ["chembl", "dailymed", "crossref", "openfda"])
async def test_what_came_without_the_words_is_no_hit(name: str) -> None:
    """openFDA's counts of reports, and all records of the others, are looked through here."""
    known, _ = await search(name, SearchQuery(names=("pembrolizumab",)))
    outcome, _ = await search(name, SearchQuery(names=("pembrolizumab",), required=required_terms("zzzz qqqq")))
    assert known.status is SearchStatus.FOUND
    counts = [hit for hit in outcome.hits if hit.external_id.startswith("faers:")]
    assert not counts and (name == "openfda" or outcome.status is SearchStatus.NONE)


async def test_a_word_that_stands_in_a_molecules_record_finds_it() -> None:
    found, _ = await search("chembl", SearchQuery(names=("pembrolizumab",), required=(("pembrolizumab",),)))
    assert found.status is SearchStatus.FOUND


@pytest.mark.parametrize("name", ["chembl", "dailymed"])
async def test_a_search_without_a_name_does_not_apply_where_only_names_are_searched(name: str) -> None:
    outcome, requests = await search(name, SearchQuery(words=("mortality",)))
    assert outcome.status is SearchStatus.NOT_APPLICABLE and not requests


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("pubmed", '("metformin"[Text Word] OR "mortality"[Text Word])'),
        ("europepmc", '("metformin" OR "mortality") AND (SRC:MED OR SRC:PMC OR SRC:PPR)'),
        ("clinicaltrials", (None, '"metformin" OR "mortality"')),
        ("openfda", '"metformin" OR "mortality"'),
        ("epo_ops", 'ta="metformin" or ta="mortality"'),
        ("uspto_odp", '"metformin" OR "mortality"'),
        ("crossref", "metformin mortality"),
        ("brave", "metformin mortality"),
    ],
)
async def test_words_alone_are_alternatives(name: str, sent: Any) -> None:
    _, requests = await search(name, SearchQuery(words=("metformin", "mortality")))
    assert asked(name)(requests[0]) == sent


@pytest.mark.parametrize(
    ("dropped", "status"),
    [(["zzzz[Text Word]"], SearchStatus.NONE), (["expires[Text Word]"], SearchStatus.FOUND)],
)
async def test_a_search_from_which_ncbi_dropped_what_must_match_found_nothing(
    dropped: list[str], status: SearchStatus
) -> None:
    """One of two alternatives may be unknown; a word without one may not."""
    listed = {"count": "2", "idlist": ["1", "2"], "errorlist": {"phrasesnotfound": dropped}}
    answers = dict(SERVICES["pubmed"].answers)
    query = SearchQuery(names=("pembrolizumab",), required=(("zzzz",), ("expiry", "expires")))
    async with FaultServer() as server, open_http() as http:
        for path, reply in answers.items():
            server.on(path, Reply(json.dumps({"esearchresult": listed})) if path.endswith("esearch.fcgi") else reply)
        outcome = await SERVICES["pubmed"].make(http, service_at(server.url)).search(query, 10)
    assert outcome.status is status
    assert "NCBI ignored, as unknown" in outcome.reason


async def test_words_that_do_not_fit_into_a_web_search_are_not_left_out() -> None:
    required = tuple((f"word{number}",) for number in range(60))
    outcome, requests = await search("brave", SearchQuery(names=("pembrolizumab",), required=required))
    assert outcome.status is SearchStatus.FAILED and not requests
    assert "at most 400 characters and 50 words" in outcome.reason
