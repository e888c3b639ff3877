"""Patents in Europe PMC, played by a loopback server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at

from storm.databases.services.patents import Patents
from storm.errors import BadAnswer, QueryRejected
from storm.models import Hit, PatentDetails, Retraction, SearchOutcome, SearchQuery, SearchStatus

QUERY = SearchQuery(names=("trastuzumab",), since="2010")
FULL = {
    "id": "EP2400812",
    "source": "PAT",
    "title": "Antibody &lt;i&gt;formulation&lt;/i&gt;",
    "authorString": "KAO Y, VRKLJAN M.",
    "abstractText": "A stable aqueous formulation of trastuzumab.",
    "pubYear": "2011",
    "firstPublicationDate": "2011-12-28",
    "pubTypeList": {"pubType": ["patent"]},
}


def page(records: list[dict[str, Any]], total: int, cursor: str | None = None) -> Reply:
    body: dict[str, Any] = {"hitCount": total, "resultList": {"result": records}}
    return Reply(json.dumps(body | ({"nextCursorMark": cursor} if cursor else {})))


def patent(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": f"US{number}", "source": "PAT", "title": f"Patent {number}", **fields}


async def search(*script: Entry, limit: int = 300) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer(*script) as server, open_http() as http:
        outcome = await Patents(http, service_at(server.url)).search(QUERY, limit)
    return outcome, server.requests


async def fetch(reply: Reply, number: str) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer(reply) as server, open_http() as http:
        return await Patents(http, service_at(server.url)).fetch(number), server.requests


async def test_a_patent_is_filed_under_its_own_number() -> None:
    outcome, requests = await search(page([FULL], 1))
    assert (outcome.database, outcome.status, outcome.total) == ("patents", SearchStatus.FOUND, 1)
    hit = outcome.hits[0]
    assert (hit.database, hit.external_id, hit.key) == ("patents", "EP2400812", "patent:EP2400812")
    assert hit.url == "https://europepmc.org/article/PAT/EP2400812"
    assert (hit.title, hit.authors, hit.date) == ("Antibody formulation", ("KAO Y", "VRKLJAN M"), "2011-12-28")
    assert (hit.text, hit.publication_types) == ("A stable aqueous formulation of trastuzumab.", ("Patent",))
    assert hit.retraction is Retraction.NOT_RETRACTED
    assert hit.publication.patent == PatentDetails(country="EP", number="2400812", publication_date="2011-12-28")
    named = 'TITLE_ABS:"trastuzumab" OR CHEM:"trastuzumab"'
    assert requests[0].params["query"] == f"({named}) AND (SRC:PAT) AND FIRST_PDATE:[2010-01-01 TO 3000-12-31]"


async def test_nothing_found_is_none() -> None:
    outcome, _ = await search(page([], 0))
    assert outcome.status is SearchStatus.NONE


async def test_a_paper_among_the_patents_is_left_out_and_reported() -> None:
    outcome, _ = await search(page([patent(1234567), {**FULL, "source": "MED"}], 2))
    assert [hit.external_id for hit in outcome.hits] == ["US1234567"]
    assert "MED:EP2400812 was not requested and is left out" in outcome.reason


async def test_pages_are_walked_to_the_limit() -> None:
    pages = [page([patent(n) for n in range(start, start + 100)], 500, f"c{start}") for start in (1000000, 1000100)]
    outcome, requests = await search(*pages, limit=130)
    assert (len(outcome.hits), outcome.total) == (130, 500)
    assert len(requests) == 2


async def test_a_refusal_at_status_200_is_a_failure() -> None:
    outcome, _ = await search(Reply('{"errCode":500,"errMsg":"Search failed"}'))
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "Europe PMC refused the search: Search failed")


async def test_a_patent_is_fetched_by_its_number() -> None:
    hit, requests = await fetch(page([FULL], 1), "EP2400812")
    assert hit is not None
    assert hit.key == "patent:EP2400812"
    assert requests[0].params["query"] == 'EXT_ID:"EP2400812" AND SRC:PAT'


async def test_an_unknown_patent_is_none() -> None:
    assert (await fetch(page([], 0), "EP1"))[0] is None


async def test_what_is_no_number_is_not_asked_for() -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(page([FULL], 1), 'EP1" OR SRC:MED')


async def test_another_patent_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="PAT:EP2400812 was returned instead of PAT:EP1"):
        await fetch(page([FULL], 1), "EP1")
