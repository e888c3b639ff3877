"""PubMed Central, played by a loopback server as NCBI and as Europe PMC."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.pmc import Pmc
from storm.errors import BadAnswer, QueryRejected, ServiceDown
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "pmc"
QUERY = SearchQuery(names=("trastuzumab",), words=("survival",))
NOT_FOUND = Reply("", status=404, content_type="text/plain")
NO_SUCH = '<pmc-articleset><Reply Id="9" error="The following PMCID is not available: 9"/></pmc-articleset>'


def article(number: int, body: str = "<body><sec><title>Results</title><p>It works.</p></sec></body>") -> str:
    return (
        f'<article><front><article-meta><article-id pub-id-type="pmcid">PMC{number}</article-id>'
        f"<title-group><article-title>Trastuzumab {number}</article-title></title-group>"
        f"<abstract><p>An abstract.</p></abstract></article-meta></front>{body}</article>"
    )


def at_ncbi(*articles: str) -> Reply:
    return Reply(f"<pmc-articleset>{''.join(articles)}</pmc-articleset>", content_type="text/xml")


def at_europepmc(text: str) -> Reply:
    return Reply(f"<?xml version='1.0'?>{text}", content_type="application/xml")


def ids(numbers: list[int], total: int | None = None) -> Reply:
    listed = {"count": str(total if total is not None else len(numbers)), "idlist": [str(n) for n in numbers]}
    return Reply(json.dumps({"esearchresult": {**listed, "querytranslation": "as translated"}}))


async def fetch(
    europepmc: Reply = NOT_FOUND, ncbi: Reply = NOT_FOUND, pmcid: str = "PMC7"
) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer() as server, open_http() as http:
        server.on("/fullTextXML", europepmc)
        server.on("/efetch.fcgi", ncbi)
        pmc = Pmc(http, service_at(server.url, label="PMC"), service_at(f"{server.url}/europepmc", label="Europe PMC"))
        return await pmc.fetch(pmcid), server.requests


async def search(found: Entry, records: Entry, limit: int = 20) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer() as server, open_http() as http:
        server.on("/esearch.fcgi", found)
        server.on("/efetch.fcgi", records)
        outcome = await Pmc(http, service_at(server.url), service_at(server.url)).search(QUERY, limit)
    return outcome, server.requests


async def test_the_full_text_comes_from_europe_pmc_first() -> None:
    hit, requests = await fetch(at_europepmc(article(7)), at_ncbi(article(7)))
    assert hit is not None
    assert (hit.key, hit.text) == ("pmcid:PMC7", "An abstract.\n\nIt works.")
    assert [request.path for request in requests] == ["/europepmc/PMC7/fullTextXML"]


async def test_where_europe_pmc_has_none_ncbi_is_asked() -> None:
    hit, requests = await fetch(NOT_FOUND, at_ncbi(article(7)), "pmc7")
    assert hit is not None
    assert "It works." in hit.text
    assert requests[1].params["id"] == "7"
    assert requests[1].params["db"] == "pmc"


async def test_where_europe_pmc_fails_ncbi_is_asked() -> None:
    hit, _ = await fetch(Reply("", status=503), at_ncbi(article(7)))
    assert hit is not None


async def test_a_web_page_in_place_of_europe_pmcs_full_text_is_a_failure() -> None:
    moved = Reply("<!DOCTYPE html><html>This API has moved.</html>", status=404, content_type="text/html")
    with pytest.raises(QueryRejected, match="a web page: has its address changed"):
        await fetch(moved, Reply(NO_SUCH, content_type="text/xml"))
    hit, _ = await fetch(moved, at_ncbi(article(7)))
    assert hit is not None


async def test_front_matter_alone_is_no_full_text() -> None:
    front = article(7, "<!--The publisher of this article does not allow downloading of the full text in XML form.-->")
    hit, requests = await fetch(at_europepmc(front), at_ncbi(front))
    assert hit is None
    assert len(requests) == 2


async def test_an_unknown_article_is_none() -> None:
    hit, _ = await fetch(NOT_FOUND, Reply(NO_SUCH, content_type="text/xml"))
    assert hit is None


async def test_a_place_that_fails_is_reported_where_the_other_has_none() -> None:
    with pytest.raises(ServiceDown, match="HTTP 503"):
        await fetch(Reply("", status=503), Reply(NO_SUCH, content_type="text/xml"))


async def test_another_article_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="PMC8 was returned instead of PMC7"):
        await fetch(at_europepmc(article(8)), at_ncbi(article(8)))


async def test_a_proof_of_work_page_is_no_article() -> None:
    page = Reply("<!DOCTYPE html><html><title>Preparing to download ...</title></html>", content_type="text/html")
    with pytest.raises(BadAnswer, match="a web page where XML was asked for"):
        await fetch(page, page)


async def test_what_is_no_pmcid_is_not_asked_for() -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(pmcid="10.1000/x")


async def test_articles_of_a_search_without_its_filter_are_not_called_open_access() -> None:
    result = {"count": "1", "idlist": ["1"], "errorlist": {"fieldsnotfound": ["filter"]}}
    outcome, _ = await search(Reply(json.dumps({"esearchresult": result})), at_ncbi(article(1)))
    assert [hit.open_access for hit in outcome.hits] == [None]
    assert outcome.reason == "NCBI does not know the field filter, and searched all fields instead"


async def test_a_search_brings_full_texts_in_its_order() -> None:
    outcome, requests = await search(ids([3, 1]), at_ncbi(article(1), article(3)))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.external_id for hit in outcome.hits] == ["PMC3", "PMC1"]
    assert all("It works." in hit.text and hit.open_access for hit in outcome.hits)
    assert outcome.translated == "as translated"
    named = '"trastuzumab"[Title] OR "trastuzumab"[Abstract] OR "trastuzumab"[Keyword]'
    assert requests[0].params["term"].startswith(f"({named}) AND ({named} OR ")
    assert requests[0].params["term"].endswith(" AND open access[filter]")


async def test_a_search_walks_its_pages_to_the_limit() -> None:
    def found(seen: Seen) -> Reply:
        start, size = int(seen.params["retstart"]), int(seen.params["retmax"])
        return ids(list(range(start + 1, start + size + 1)), 500)

    def records(seen: Seen) -> Reply:
        return at_ncbi(*(article(int(number)) for number in seen.params["id"].split(",")))

    outcome, requests = await search(found, records, limit=30)
    assert (len(outcome.hits), outcome.total) == (30, 500)
    assert len(requests) == 4


async def test_nothing_found_is_none() -> None:
    outcome, _ = await search(ids([]), NOT_FOUND)
    assert outcome.status is SearchStatus.NONE


async def test_an_article_that_comes_unasked_is_left_out_and_reported() -> None:
    outcome, _ = await search(ids([1, 2]), at_ncbi(article(1), article(5)))
    assert [hit.external_id for hit in outcome.hits] == ["PMC1"]
    assert "PMC5 was not requested and is left out" in outcome.reason
    assert "PMC2 was listed but not sent" in outcome.reason
    assert outcome.incomplete


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.*xml")), ids=lambda path: path.name)
async def test_recorded_articles_are_full_texts_or_none_or_typed_failures(path: Path) -> None:
    body = path.read_bytes()
    found = re.search(rb'pub-id-type="(?:pmcid|pmc)"[^>]*>(?:PMC)?(\d+)<', body)
    reply = Reply(body, content_type="application/xml")
    if found is None:
        with pytest.raises(BadAnswer):
            await fetch(reply, reply)
        return
    hit, _ = await fetch(reply, reply, f"PMC{found[1].decode()}")
    if "no_body" in path.name:
        assert hit is None
    else:
        assert hit is not None
        assert len(hit.text) > 5_000


def paper(number: int, text: str = "An abstract.", **fields: str) -> Hit:
    return Hit.of("pubmed", str(number), "https://example.org", f"Paper {number}", text=text, **fields)


async def about(
    *hits: Hit, limit: int = 20, europepmc: bool = True, whole: bool = False
) -> tuple[SearchOutcome | None, list[Seen]]:
    async with FaultServer() as server, open_http() as http:
        server.on("/PMC7/fullTextXML", at_europepmc(article(7)))
        server.on("/PMC8/fullTextXML", NOT_FOUND)
        server.on("/efetch.fcgi", at_ncbi(article(8)))
        first = service_at(f"{server.url}/europepmc") if europepmc else None
        pmc = Pmc(http, service_at(server.url, limit=limit), first)
        return await (pmc.look_up_texts if whole else pmc.look_up_hits)(hits), server.requests


async def test_the_full_texts_of_sources_are_asked_of_europe_pmc_first_and_then_of_ncbi() -> None:
    outcome, requests = await about(paper(1, pmcid="PMC7"), paper(2, pmcid="PMC8"))
    assert outcome is not None
    assert sorted(hit.key for hit in outcome.hits) == ["pmcid:PMC7", "pmcid:PMC8"]
    assert all("It works." in hit.text for hit in outcome.hits)
    assert len([seen for seen in requests if seen.path.endswith("/efetch.fcgi")]) == 1


async def test_what_is_whole_or_not_in_pmc_is_not_asked_for() -> None:
    outcome, requests = await about(paper(1, text="x" * 9_000, pmcid="PMC7"), paper(2))
    assert (outcome, requests) == (None, [])


async def test_no_more_full_texts_are_asked_for_than_the_limit_and_that_is_reported() -> None:
    outcome, requests = await about(paper(1, pmcid="PMC7"), paper(2, pmcid="PMC8"), limit=1)
    assert outcome is not None
    assert (outcome.query, len(requests)) == ("full texts of 1 of 2 articles", 1)


async def test_the_texts_that_a_job_chose_are_all_asked_for() -> None:
    outcome, _ = await about(paper(1, pmcid="PMC7"), paper(2, pmcid="PMC8"), limit=1, whole=True)
    assert outcome is not None
    assert (outcome.query, len(outcome.hits)) == ("full texts of 2 of 2 articles", 2)


async def test_where_europe_pmc_is_off_ncbi_alone_is_asked() -> None:
    outcome, requests = await about(paper(2, pmcid="PMC8"), europepmc=False)
    assert outcome is not None
    assert [hit.key for hit in outcome.hits] == ["pmcid:PMC8"]
    assert {seen.path for seen in requests} == {"/efetch.fcgi"}
