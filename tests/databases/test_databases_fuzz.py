"""Whatever a service or a site answers, its client gives an outcome or an error of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bodies
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import (
    ByteChanges,
    Changes,
    byte_changes,
    changed_bytes,
    changed_json,
    changed_lines,
    changed_xml,
    check_hit,
    check_texts,
    json_changes,
    xml_changes,
)

from storm.databases.catalogue import read_services
from storm.databases.http.client import Answer, Expect, Read
from storm.databases.http.service import Service
from storm.databases.pages.reading import read_page
from storm.databases.pages.robots import Robots
from storm.databases.services.chembl import Chembl
from storm.databases.services.clinicaltrials_gov import ClinicalTrials
from storm.databases.services.crossref import Crossref
from storm.databases.services.dailymed import DailyMed
from storm.databases.services.epo_ops import EpoOps
from storm.databases.services.europepmc import EuropePmc
from storm.databases.services.openfda import OpenFda
from storm.databases.services.patents import Patents
from storm.databases.services.pmc import Pmc
from storm.databases.services.pubmed import PubMed
from storm.databases.services.query_text import (
    bare_words,
    first_day,
    in_span,
    last_day,
    name_phrases,
    plain_term,
    quote_phrases,
)
from storm.databases.services.unpaywall import read_open_copy
from storm.databases.services.uspto_odp import UsptoOdp
from storm.databases.services.web_engines.base import score_by_rank, web_text
from storm.databases.services.web_engines.brave import read_brave
from storm.databases.services.web_engines.searxng import read_searxng, read_unresponsive
from storm.databases.services.web_engines.tavily import read_tavily
from storm.databases.services.web_search import page_hit
from storm.errors import BadAnswer, ConfigError, QueryRejected
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus

QUERY = SearchQuery(names=("trial", "imatinib", "brand"), words=("safety",))
SERVICE = Service(name="x", label="X", base_url="https://example.org", scope="", rate=1, key="a:b", contact="a@b.org")


class Mouth:
    """Stands for `Http`: every answer is this JSON, or this document where XML is asked for."""

    def __init__(self, answer: bytes, document: bytes) -> None:
        self._answer = answer
        self._document = document

    async def fetch_answer(self, *asked: Any, expect: Expect = Expect.JSON, read: Read = bytes, **more: Any) -> Answer:
        body = self._document if expect is Expect.XML else self._answer
        return Answer(200, "https://example.org/", "", body, datetime.now(UTC), read(body))


OF_PMC = {"esearchresult": {**bodies.ESEARCH["esearchresult"], "count": "1", "idlist": ["202"]}}
PATENT = {"hitCount": 1, "resultList": {"result": [{"id": "EP1", "source": "PAT", "title": "A", "pubYear": "2001"}]}}
TABLES = {f"{name}s": [bodies.MOLECULE] for name in ("molecule", "mechanism", "drug_indication", "drug_warning")}
#: How each client is opened, and the JSON and XML that it is answered.
CLIENTS: Mapping[str, tuple[Callable[[Any], Any], Any, bytes]] = {
    "pubmed": (lambda http: PubMed(http, SERVICE), bodies.ESEARCH, bodies.PUBMED),
    "pmc": (lambda http: Pmc(http, SERVICE, SERVICE), OF_PMC, bodies.JATS),
    "europepmc": (lambda http: EuropePmc(http, SERVICE), bodies.EUROPE_PMC, b""),
    "patents": (lambda http: Patents(http, SERVICE), PATENT, b""),
    "crossref": (lambda http: Crossref(http, SERVICE), bodies.CROSSREF, b""),
    "clinicaltrials": (lambda http: ClinicalTrials(http, SERVICE), bodies.STUDIES, b""),
    "openfda": (lambda http: OpenFda(http, SERVICE), bodies.OPENFDA, b""),
    "openfda-counts": (lambda http: OpenFda(http, SERVICE), bodies.COUNTS, b""),
    "dailymed": (lambda http: DailyMed(http, SERVICE), bodies.DAILYMED_LIST, bodies.SPL),
    "uspto_odp": (lambda http: UsptoOdp(http, SERVICE), bodies.USPTO_ODP, b""),
    "epo_ops": (lambda http: EpoOps(http, SERVICE), {"access_token": "t"}, bodies.EPO_OPS),
    "chembl": (lambda http: Chembl(http, SERVICE), TABLES, b""),
}


def searched(name: str, answer: bytes, document: bytes) -> SearchOutcome:
    outcome = asyncio.run(CLIENTS[name][0](Mouth(answer, document)).search(QUERY, 5))
    assert isinstance(outcome, SearchOutcome)
    assert SearchOutcome.model_validate_json(outcome.model_dump_json()) == outcome
    check_texts(outcome.reason)
    for hit in outcome.hits:
        check_hit(hit)
    return outcome


@pytest.mark.parametrize("name", CLIENTS)
def test_an_answer_that_is_not_harmed_has_hits(name: str) -> None:
    _, value, document = CLIENTS[name]
    outcome = searched(name, bodies.as_json(value), document)
    assert outcome.status is SearchStatus.FOUND


@pytest.mark.parametrize("name", CLIENTS)
@given(
    changes=json_changes(),
    in_xml=st.one_of(st.just([]), xml_changes()),
    damage=st.one_of(st.just([]), byte_changes()),
)
def test_every_answer_ends_in_an_outcome(name: str, changes: Changes, in_xml: Changes, damage: ByteChanges) -> None:
    _, value, document = CLIENTS[name]
    harmed = changed_bytes(changed_xml(document, in_xml), damage) if document else b""
    outcome = searched(name, bodies.as_json(changed_json(value, changes)), harmed)
    assert outcome.reason or outcome.status in (SearchStatus.FOUND, SearchStatus.NONE)


ENGINES: Mapping[str, tuple[Callable[[Any, str], Any], Any]] = {
    "tavily": (read_tavily, bodies.TAVILY),
    "brave": (read_brave, bodies.BRAVE),
    "searxng": (read_searxng, bodies.SEARXNG),
}


@pytest.mark.parametrize("name", ENGINES)
@given(changes=json_changes())
def test_every_answer_of_an_engine_is_results_or_a_bad_answer(name: str, changes: Changes) -> None:
    read, value = ENGINES[name]
    answer = changed_json(value, changes)
    read_unresponsive(answer)
    read_open_copy(answer)
    try:
        results = read(answer, "X")
    except BadAnswer:
        return
    assert all(result.score == result.score for result in results)
    for result in score_by_rank(results):
        if isinstance(hit := page_hit(result, "X"), Hit):
            check_hit(hit)


KINDS = ["text/html", "application/pdf", "text/plain; charset=utf-16", "", "text/html; charset=\ud800"]


@settings(max_examples=30)
@pytest.mark.parametrize("body", [bodies.PAGE, bodies.PDF], ids=["html", "pdf"])
@given(changes=byte_changes(), kind=st.sampled_from(KINDS))
def test_every_page_has_text_or_is_a_bad_answer(body: bytes, changes: ByteChanges, kind: str) -> None:
    try:
        page = read_page(changed_bytes(body, changes), kind)
    except BadAnswer:
        return
    assert page.text.strip()
    check_texts(page._asdict())


def test_a_page_that_is_not_harmed_is_read() -> None:
    assert read_page(bodies.PAGE, "text/html").title == read_page(bodies.PDF, "application/pdf").title == "A trial"


@given(changes=byte_changes(), path=st.text(max_size=10))
def test_every_robots_txt_permits_or_forbids(changes: ByteChanges, path: str) -> None:
    body = changed_lines(bodies.ROBOTS, changes)

    async def fetch(url: str) -> bytes | None:
        return body

    assert asyncio.run(Robots("storm", fetch).permits_page(f"https://example.org/{path}")) in (True, False)


@pytest.mark.slow
@given(changes=byte_changes())
def test_every_list_of_services_is_read_or_a_config_error(changes: ByteChanges) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "services.yaml"
        path.write_bytes(changed_bytes(bodies.SERVICES, changes))
        try:
            read_services(path, {})
        except ConfigError as exc:
            check_texts(str(exc))


TERMS = st.lists(st.text(max_size=20), max_size=4)


@given(terms=TERMS)
def test_whatever_the_terms_are_phrases_hold_no_quotation_mark(terms: list[str]) -> None:
    written = quote_phrases(terms, "*?")
    assert all(phrase[0] == phrase[-1] == '"' and not set(phrase[1:-1]) & set('"*?\\') for phrase in written)
    check_texts([*written, *map(plain_term, terms), *map(bare_words, terms)])


@pytest.mark.parametrize("ask", [name_phrases, web_text])
@given(terms=TERMS)
def test_names_are_written_for_a_service_or_rejected(ask: Callable[[SearchQuery, str], Any], terms: list[str]) -> None:
    try:
        check_texts(ask(SearchQuery(names=tuple(terms) or ("?",), words=tuple(terms)), "X"))
    except QueryRejected:
        assert not any(character.isalnum() for character in "".join(terms))


@given(date=st.text(alphabet="0123456789-\u0661 ", max_size=10))
def test_a_date_of_a_query_is_a_whole_one_or_rejected(date: str) -> None:
    query = SearchQuery(names=("x",), since=date, until=date)
    try:
        first, last = first_day(query), last_day(query)
    except QueryRejected:
        return
    assert first is not None and last is not None and first <= last
    assert in_span(first, query) and in_span(last[:7], query) and not in_span(None, query)
