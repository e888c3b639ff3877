"""The USPTO's Open Data Portal, played by a loopback server with recorded answers and with its own ways to fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.uspto_odp import UsptoOdp, search_text
from storm.errors import BadAnswer, QueryRejected
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "patents"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("formulation",))
NOTHING = Reply(
    '{"code":"404","error":"Not Found","errorDetails":"No matching records found, refine your search criteria"}',
    status=404,
)


def application(number: int, **data: Any) -> dict[str, Any]:
    metadata = {"inventionTitle": f"TRASTUZUMAB {number}", "patentNumber": str(number), **data}
    return {"applicationNumberText": f"{number + 10_000_000}", "applicationMetaData": metadata}


def page(numbers: range, total: int) -> Reply:
    return Reply(json.dumps({"count": total, "patentFileWrapperDataBag": [application(n) for n in numbers]}))


async def search(
    *script: Entry, key: str | None = "K3Y", limit: int = 120, query: SearchQuery = QUERY
) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer(*script) as server, open_http() as http:
        service = service_at(server.url, key=key, key_variable="USPTO_ODP_API_KEY")
        return await UsptoOdp(http, service).search(query, limit), server.requests


async def fetch(reply: Reply, number: str) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer(reply) as server, open_http() as http:
        return await UsptoOdp(http, service_at(server.url, key="K3Y")).fetch(number), server.requests


async def test_applications_are_found_by_their_titles() -> None:
    outcome, requests = await search(page(range(7000001, 7000003), 2))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.key for hit in outcome.hits] == ["patent:US7000001", "patent:US7000002"]
    assert (outcome.database, outcome.total, outcome.reason) == ("uspto_odp", 2, "")
    seen = requests[0]
    assert (seen.path, seen.headers["x-api-key"]) == ("/patent/applications/search", "K3Y")
    title = "applicationMetaData.inventionTitle"
    assert seen.params == {"q": f'{title}:"trastuzumab" OR {title}:"Herceptin"', "offset": "0", "limit": "50"}


async def test_nothing_found_is_none_though_its_status_is_404() -> None:
    outcome, requests = await search(NOTHING)
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")
    assert len(requests) == 1


async def test_another_404_is_a_failure() -> None:
    outcome, _ = await search(Reply('{"message":"no route"}', status=404))
    assert outcome.status is SearchStatus.FAILED


async def test_pages_are_walked_to_the_limit() -> None:
    outcome, requests = await search(*(page(range(start, start + 50), 900) for start in (1000, 1050, 1100)))
    assert (len(outcome.hits), outcome.total) == (120, 900)
    assert [request.params["offset"] for request in requests] == ["0", "50", "100"]


async def test_the_same_page_again_ends_the_walk() -> None:
    outcome, requests = await search(page(range(1000, 1050), 900))
    assert "repeats a page" in outcome.reason
    assert len(requests) == 2


@pytest.mark.parametrize("body", ["{}", '{"count":"many"}', '{"count":3}', "[]"])
async def test_an_answer_that_lists_nothing_is_a_failure(body: str) -> None:
    outcome, _ = await search(Reply(body))
    assert outcome.status is SearchStatus.FAILED


async def test_a_key_that_is_refused_is_reported_without_it() -> None:
    outcome, _ = await search(Reply('{"message":"Forbidden: K3Y"}', status=403))
    assert outcome.status is SearchStatus.FAILED
    assert "403" in outcome.reason
    assert "K3Y" not in outcome.reason


async def test_without_a_key_nothing_is_asked() -> None:
    outcome, requests = await search(page(range(1, 2), 1), key=None)
    assert (outcome.status, outcome.reason, requests) == (SearchStatus.FAILED, "it needs a key", [])


async def test_records_without_optional_fields_are_read_and_others_are_counted() -> None:
    bare = {"applicationNumberText": "18000001", "applicationMetaData": {"inventionTitle": "TRASTUZUMAB"}}
    body = {"count": 3, "patentFileWrapperDataBag": [bare, {"applicationNumberText": "18000002"}, "x"]}
    outcome, _ = await search(Reply(json.dumps(body)))
    assert [hit.key for hit in outcome.hits] == ["patents:18000001"]
    assert outcome.hits[0].text == "US patent application: 18000001."
    assert outcome.reason.startswith("2 records of the answer could not be read (application 18000002 has no title")


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [("2019", None, "[2019-01-01 TO 2999-12-31]"), (None, "2020-02", "[1790-01-01 TO 2020-02-29]")],
)
async def test_dates_bound_the_filing(since: str | None, until: str | None, span: str) -> None:
    _, requests = await search(NOTHING, query=QUERY.model_copy(update={"since": since, "until": until}))
    assert requests[0].params["q"].endswith(f") AND applicationMetaData.filingDate:{span}")


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_no_text_of_a_user_leaves_its_quotation_marks(names: list[str]) -> None:
    try:
        text = search_text(SearchQuery(names=tuple(names)))
    except QueryRejected:
        return
    field = r"applicationMetaData\.inventionTitle:P"
    assert re.fullmatch(rf"{field}( OR {field})*", re.sub(r'"[^"*?\\]*"', "P", text))


@pytest.mark.parametrize(
    ("number", "query"),
    [
        ("US 7,000,001 B2", 'applicationMetaData.patentNumber:"7000001"'),
        ("US20210210819A1", 'applicationMetaData.earliestPublicationNumber:"US20210210819A1"'),
        ("17000001", 'applicationNumberText:"17000001"'),
    ],
)
async def test_an_application_is_fetched_by_each_of_its_numbers(number: str, query: str) -> None:
    found = application(7000001, earliestPublicationNumber="US 2021-0210819 A1")
    hit, requests = await fetch(Reply(json.dumps({"count": 1, "patentFileWrapperDataBag": [found]})), number)
    assert hit is not None
    assert hit.key == "patent:US7000001"
    assert requests[0].params["q"] == query


async def test_an_unknown_number_is_none() -> None:
    assert (await fetch(NOTHING, "US7000001"))[0] is None


async def test_what_is_no_number_of_the_office_is_not_asked_for() -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(NOTHING, 'US7" OR x:"')
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(NOTHING, "EP2400812A1")


async def test_another_application_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="US7000009 came instead"):
        await fetch(page(range(7000009, 7000010), 1), "US7000001")


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted([*PAYLOADS.glob("*odp_*.json")]), ids=lambda path: path.stem)
async def test_each_recorded_answer_is_hits_or_a_failure(path: Path) -> None:
    words = SearchQuery(names=("tongue", "lithium", "generalization"))
    outcome, _ = await search(Reply(path.read_bytes()), limit=1, query=words)
    keys = {
        "uspto_odp_search_patents": "patent:US20240362478A1",
        "uspto_odp_get_patent": "patent:US11646472",
        "odp_pc_get_application_basic_data": "patent:US20170071586A1",
    }
    if path.stem in keys:
        assert [hit.key for hit in outcome.hits] == [keys[path.stem]]
        assert outcome.reason == ""
    else:
        assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())


async def test_an_application_whose_title_has_none_of_the_names_is_left_out() -> None:
    other = application(7000002, inventionTitle="PERTUZUMAB FORMULATION")
    body = {"count": 2, "patentFileWrapperDataBag": [application(7000001), other]}
    outcome, _ = await search(Reply(json.dumps(body)))
    assert [hit.key for hit in outcome.hits] == ["patent:US7000001"] and "was not requested" in outcome.reason
