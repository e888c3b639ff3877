"""Whatever a service or a site answers, its client gives an outcome or an error of ours."""

from __future__ import annotations

import asyncio
import io
import string
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bodies
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import byte_changes, changed_bytes, changed_json, changed_lines, changed_xml, check_hit, check_texts, json_changes, xml_changes

from storm.databases.catalogue import read_services
from storm.databases.chembl import Chembl
from storm.databases.clinicaltrials_gov import ClinicalTrials
from storm.databases.crossref import Crossref
from storm.databases.dailymed import DailyMed
from storm.databases.epo_ops import EpoOps
from storm.databases.europepmc import EuropePmc
from storm.databases.http import Answer, Expect
from storm.databases.openfda import OpenFda
from storm.databases.page_text import read_page
from storm.databases.patents import Patents
from storm.databases.pmc import Pmc
from storm.databases.pubmed import PubMed
from storm.databases.query_text import bare_words, first_day, in_span, last_day, name_phrases, phrases, plain
from storm.databases.robots import Robots
from storm.databases.service import Service
from storm.databases.unpaywall import open_copy
from storm.databases.uspto_odp import UsptoOdp
from storm.databases.web_engines.base import by_rank, web_text
from storm.databases.web_engines.brave import read_brave
from storm.databases.web_engines.searxng import read_searxng, unresponsive
from storm.databases.web_engines.tavily import read_tavily
from storm.databases.web_search import page_hit
from storm.errors import BadAnswer, ConfigError, QueryRejected, StormError
from storm.models import Hit, SearchOutcome, SearchQuery

QUERY = SearchQuery(names=("trial", "imatinib"), words=("safety",), since="1990")
SERVICE = Service(name="x", label="X", base_url="https://example.org", scope="", rate=1, key="a:b", contact="a@b.org")


class Mouth:
    """Stands for `Http`: every answer is this JSON, or this document where XML is asked for, and passed its checks."""

    def __init__(self, answer: bytes, document: bytes) -> None:
        self._answer = answer
        self._document = document

    async def ask(self, *asked: Any, expect: Expect = Expect.JSON, **more: Any) -> Answer:
        body = self._document if expect is Expect.XML else self._answer
        return Answer(200, "https://example.org/", "", body, cached=False, at=datetime.now(UTC))


CLIENTS: Mapping[str, tuple[Callable[[Any], Any], Any, bytes]] = {
    "pubmed": (lambda http: PubMed(http, SERVICE), bodies.ESEARCH, bodies.PUBMED),
    "pmc": (lambda http: Pmc(http, SERVICE, SERVICE), bodies.ESEARCH, bodies.JATS),
    "europepmc": (lambda http: EuropePmc(http, SERVICE), bodies.EUROPE_PMC, b""),
    "patents": (lambda http: Patents(http, SERVICE), bodies.EUROPE_PMC, b""),
    "crossref": (lambda http: Crossref(http, SERVICE), bodies.CROSSREF, b""),
    "clinicaltrials": (lambda http: ClinicalTrials(http, SERVICE), bodies.STUDIES, b""),
    "openfda": (lambda http: OpenFda(http, SERVICE), bodies.OPENFDA, b""),
    "dailymed": (lambda http: DailyMed(http, SERVICE), bodies.DAILYMED_LIST, bodies.SPL),
    "uspto_odp": (lambda http: UsptoOdp(http, SERVICE), bodies.USPTO_ODP, b""),
    "epo_ops": (lambda http: EpoOps(http, SERVICE), {"access_token": "t"}, bodies.EPO_OPS),
    "chembl": (lambda http: Chembl(http, SERVICE), {f"{n}s": [bodies.MOLECULE] for n in ("molecule", "mechanism", "drug_indication", "drug_warning")}, b""),
}


@pytest.mark.parametrize("name", CLIENTS)
@given(changes=json_changes(), further=st.one_of(st.just([]), xml_changes()), as_bytes=st.one_of(st.just([]), st.just([]), byte_changes()))
def test_every_answer_ends_in_an_outcome(name: str, changes: list[Any], further: list[Any], as_bytes: list[Any]) -> None:
    open_client, value, document = CLIENTS[name]
    answer = bodies.as_json(changed_json(value, changes))
    harmed = changed_bytes(changed_xml(document, further), as_bytes) if document else b""
    outcome = asyncio.run(open_client(Mouth(answer, harmed)).search(QUERY, 5))
    assert isinstance(outcome, SearchOutcome)
    assert outcome.reason or outcome.status in ("found", "none")
    outcome.reason.encode()
    for hit in outcome.hits:
        check_hit(hit)
    assert SearchOutcome.model_validate_json(outcome.model_dump_json()) == outcome


ENGINES: Mapping[str, tuple[Callable[[Any, str], Any], Any]] = {
    "tavily": (read_tavily, bodies.TAVILY),
    "brave": (read_brave, bodies.BRAVE),
    "searxng": (read_searxng, bodies.SEARXNG),
}


@pytest.mark.parametrize("name", ENGINES)
@given(changes=json_changes())
def test_every_answer_of_an_engine_is_results_or_a_bad_answer(name: str, changes: list[Any]) -> None:
    read, value = ENGINES[name]
    answer = changed_json(value, changes)
    unresponsive(answer)
    open_copy(answer)
    try:
        results = read(answer, "X")
    except BadAnswer:
        return
    assert all(result.score == result.score for result in results)
    for result in by_rank(results):
        if isinstance(hit := page_hit(result, "X"), Hit):
            check_hit(hit)


@settings(max_examples=30)
@pytest.mark.parametrize("body", [bodies.PAGE, bodies.PDF], ids=["html", "pdf"])
@given(changes=byte_changes(), kind=st.sampled_from(["text/html", "application/pdf", "text/plain; charset=utf-16", "", "text/html; charset=\ud800"]))
def test_every_page_has_text_or_is_a_bad_answer(body: bytes, changes: list[Any], kind: str) -> None:
    try:
        page = read_page(changed_bytes(body, changes), kind)
    except BadAnswer:
        return
    assert page.text.strip()
    check_texts(page._asdict())


@given(changes=byte_changes(), path=st.text(max_size=10))
def test_every_robots_txt_permits_or_forbids(changes: list[Any], path: str) -> None:
    body = changed_lines(bodies.ROBOTS, changes)

    async def fetch(url: str) -> bytes | None:
        return body

    robots = Robots("storm", fetch)
    assert asyncio.run(robots.permit(f"https://example.org/{path}")) in (True, False)


@given(changes=byte_changes())
def test_every_list_of_services_is_read_or_a_config_error(changes: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "services.yaml"
        path.write_bytes(changed_bytes(bodies.SERVICES, changes))
        try:
            read_services(path, {})
        except ConfigError as exc:
            str(exc).encode()


@given(terms=st.lists(st.text(max_size=20), max_size=4), date=st.one_of(st.none(), st.text(alphabet=string.digits + "-\u0661", max_size=10)))
def test_whatever_the_terms_are_phrases_hold_no_quotation_mark(terms: list[str], date: str | None) -> None:
    for phrase in phrases(terms, "*?"):
        assert '"' not in phrase[1:-1]
        phrase.encode()
    for term in terms:
        assert plain(plain(term)) == plain(term)
        bare_words(term).encode()
    query = SearchQuery(names=tuple(terms) or ("x",), since=date, until=date)
    for ask in (lambda: name_phrases(query, "X"), lambda: first_day(query), lambda: last_day(query), lambda: in_span("2001-02", query), lambda: web_text(query, "X")):
        try:
            ask()
        except QueryRejected:
            continue
