"""Europe PMC, played by a loopback server with recorded answers and with each of its own ways to fail."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, Time, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.europepmc import EuropePmc, search_text
from storm.errors import BadAnswer, QueryRejected
from storm.models import Hit, Retraction, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "europepmc"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("survival",))


def record(number: int, source: str = "MED", **fields: Any) -> dict[str, Any]:
    return {"id": str(number), "source": source, "title": f"Trastuzumab {number}", "pubYear": "2020", **fields}


def page(records: list[dict[str, Any]], total: int, cursor: str | None = None) -> Reply:
    body: dict[str, Any] = {"version": "6.9", "hitCount": total, "resultList": {"result": records}}
    return Reply(json.dumps(body | ({"nextCursorMark": cursor} if cursor else {})))


async def search(*script: Entry, query: SearchQuery = QUERY, limit: int = 300) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer(*script) as server, open_http() as http:
        outcome = await EuropePmc(http, service_at(server.url)).search(query, limit)
    return outcome, server.requests


async def fetch(reply: Reply, external_id: str) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer(reply) as server, open_http() as http:
        return await EuropePmc(http, service_at(server.url)).fetch(external_id), server.requests


async def test_records_are_found_in_the_order_of_the_service() -> None:
    outcome, requests = await search(page([record(3), record(1, "PPR"), record(2, "PMC")], 3))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.external_id for hit in outcome.hits] == ["MED:3", "PPR:1", "PMC:2"]
    assert (outcome.total, outcome.reason, outcome.query) == (3, "", str(QUERY))
    params = requests[0].params
    assert requests[0].path == "/search"
    named = 'TITLE_ABS:"trastuzumab" OR CHEM:"trastuzumab" OR TITLE_ABS:"Herceptin" OR CHEM:"Herceptin"'
    assert params["query"] == f'({named}) AND ({named} OR "survival") AND (SRC:MED OR SRC:PMC OR SRC:PPR)'
    assert (params["resultType"], params["format"], params["cursorMark"]) == ("core", "json", "*")
    assert (params["pageSize"], params["synonym"]) == ("100", "false")


async def test_an_outcome_says_what_was_asked_and_when_it_was_answered(tmp_path: Path) -> None:
    time = Time()
    async with FaultServer(page([record(1)], 1)) as server, open_http(time, cache_dir=tmp_path) as http:
        europepmc = EuropePmc(http, service_at(server.url, ttl=86_400))
        first = await europepmc.search(QUERY, 5)
        await time.sleep(3600)
        second = await europepmc.search(QUERY, 5)
    assert first.address == second.address == server.url + server.requests[0].target
    assert first.answered == second.answered == time.clock() - timedelta(hours=1)
    assert len(server.requests) == 1


async def test_nothing_found_is_none() -> None:
    outcome, _ = await search(page([], 0, "*"))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.NONE, 0, "")


async def test_pages_are_walked_to_the_limit_and_no_further() -> None:
    pages = [page([record(n) for n in range(start, start + 100)], 900, f"c{start}") for start in (1, 101, 201)]
    outcome, requests = await search(*pages, limit=150)
    assert (len(outcome.hits), outcome.total, outcome.reason) == (150, 900, "")
    assert [request.params["cursorMark"] for request in requests] == ["*", "c1"]


async def test_a_cursor_that_is_repeated_is_the_end() -> None:
    outcome, requests = await search(page([record(1)], 2, "c1"), page([record(2)], 2, "c1"))
    assert (len(outcome.hits), outcome.reason) == (2, "")
    assert len(requests) == 2


async def test_an_empty_page_is_the_end() -> None:
    outcome, requests = await search(page([record(1)], 1, "c1"), page([], 1, "c2"))
    assert (len(outcome.hits), outcome.reason) == (1, "")
    assert len(requests) == 2


async def test_cursors_that_go_round_end_the_walk_and_it_is_reported() -> None:
    outcome, requests = await search(page([record(1)], 9, "a"), page([record(2)], 9, "b"), page([record(3)], 9, "a"))
    assert len(outcome.hits) == 3
    assert "repeats a page" in outcome.reason
    assert len(requests) == 3


async def test_a_refusal_at_status_200_is_a_failure_with_its_reason() -> None:
    refusal = Reply('{"version":"6.9","errCode":404,"errMsg":"Invalid page size provided. 5000"}')
    outcome, requests = await search(refusal)
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason == "Europe PMC refused the search: Invalid page size provided. 5000"
    assert len(requests) == 1


@pytest.mark.parametrize(
    "body", ['{"version":"6.9"}', '{"hitCount":"7"}', '{"hitCount":3,"resultList":{}}', "[]",
             '{"hitCount":3,"resultList":{"result":[]}}'],
)  # fmt: skip
async def test_an_answer_that_lists_nothing_is_a_failure(body: str) -> None:
    outcome, _ = await search(Reply(body))
    assert outcome.status is SearchStatus.FAILED


async def test_a_record_of_another_source_than_asked_for_is_left_out_and_reported() -> None:
    outcome, _ = await search(page([record(1), record(2, "PAT")], 2))
    assert [hit.external_id for hit in outcome.hits] == ["MED:1"]
    assert outcome.reason == "1 record of the answer could not be read (PAT:2 was not requested and is left out)"


async def test_records_without_optional_fields_are_read() -> None:
    outcome, _ = await search(page([{"id": "9", "source": "PPR", "title": "Bare"}, {"id": "10"}], 2))
    bare = outcome.hits[0]
    assert (bare.year, bare.authors, bare.container, bare.text, bare.open_access) == (None, (), None, "", None)
    assert outcome.reason.startswith("1 record of the answer could not be read")


async def test_a_preprint_names_its_publication_and_stays_a_work_of_its_own() -> None:
    link = {"id": "38289242", "source": "MED", "reference": "Lancet. 2024.", "type": "Preprint of"}
    preprint = record(1, "PPR", doi="10.1101/2023.1", commentCorrectionList={"commentCorrection": [link]})
    outcome, _ = await search(page([preprint], 1))
    hit = outcome.hits[0]
    assert hit.notices == ("Preprint of: Lancet. 2024. (PMID 38289242)",)
    assert "pmid:38289242" not in hit.identifiers
    assert hit.retraction is Retraction.NOT_CHECKED


async def test_open_access_is_what_the_record_says() -> None:
    records = [record(1, isOpenAccess="Y"), record(2, isOpenAccess="N"), record(3)]
    outcome, _ = await search(page(records, 3))
    assert [hit.open_access for hit in outcome.hits] == [True, False, None]


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [
        ("2019", None, "[2019-01-01 TO 3000-12-31]"),
        (None, "2020-02", "[1800-01-01 TO 2020-02-29]"),
        ("2019-03-05", "2019-03-06", "[2019-03-05 TO 2019-03-06]"),
    ],
)
async def test_dates_bound_the_first_publication(since: str | None, until: str | None, span: str) -> None:
    _, requests = await search(page([], 0), query=QUERY.model_copy(update={"since": since, "until": until}))
    assert requests[0].params["query"].endswith(f" AND FIRST_PDATE:{span}")


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), max_size=3))
def test_no_text_of_a_user_leaves_its_quotation_marks(names: list[str], words: list[str]) -> None:
    try:
        text = search_text(SearchQuery(names=tuple(names), words=tuple(words)), ["MED"])
    except QueryRejected:
        return
    outside = re.sub(r'"[^"*?\\]*"', "P", text)
    field = "TITLE_ABS:P OR CHEM:P"
    assert re.fullmatch(rf"\({field}( OR {field})*\)( AND \({field}( OR {field})*( OR P)+\))? AND \(SRC:MED\)", outside)


async def test_a_record_is_fetched_by_source_and_id() -> None:
    hit, requests = await fetch(page([record(39709209)], 1), "MED:39709209")
    assert hit is not None
    assert hit.key == "pmid:39709209"
    assert requests[0].params["query"] == 'EXT_ID:"39709209" AND SRC:MED'


async def test_an_unknown_record_is_none() -> None:
    hit, _ = await fetch(page([], 0), "MED:1")
    assert hit is None


async def test_a_bare_number_is_a_pmid() -> None:
    _, requests = await fetch(page([record(39709209)], 1), "39709209")
    assert requests[0].params["query"] == 'EXT_ID:"39709209" AND SRC:MED'


@pytest.mark.parametrize("external_id", ["PAT:EP1", 'MED:1" OR SRC:PAT', ""])
async def test_what_is_no_id_of_a_paper_is_not_asked_for(external_id: str) -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(page([record(1)], 1), external_id)


async def test_another_record_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="MED:2 was returned instead of MED:1"):
        await fetch(page([record(2)], 1), "MED:1")


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
async def test_recorded_answers_become_hits(path: Path) -> None:
    listed = json.loads(path.read_bytes())
    papers = [item for item in listed["resultList"]["result"] if item["source"] in ("MED", "PMC", "PPR")]
    outcome, _ = await search(Reply(path.read_bytes()), limit=max(1, len(listed["resultList"]["result"])))
    assert len(outcome.hits) == len(papers)
    assert outcome.total == listed["hitCount"]
    assert outcome.status is (SearchStatus.FOUND if papers else SearchStatus.NONE)


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.xml")), ids=lambda path: path.stem)
async def test_recorded_xml_where_json_was_asked_for_is_a_failure(path: Path) -> None:
    outcome, _ = await search(Reply(path.read_bytes(), content_type="application/xml"))
    assert outcome.status is SearchStatus.FAILED


def test_records_that_were_indexed_or_updated_since_a_day_are_searched_by_those_days() -> None:
    asked = SearchQuery(names=("trastuzumab",), since="2020", changed_since="2026-05-14")
    days = "[2026-05-14 TO 3000-12-31]"
    assert search_text(asked, ["MED"]).endswith(
        f" AND FIRST_PDATE:[2020-01-01 TO 3000-12-31] AND (FIRST_IDATE:{days} OR UPDATE_DATE:{days})"
    )
