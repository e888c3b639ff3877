"""DailyMed, played by a loopback server: its list of labels, and the labels themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fault_server import FaultServer, Reply, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.dailymed import TEXTS, DailyMed
from storm.databases.services.query_text import plain_term
from storm.errors import BadAnswer, QueryRejected
from storm.models import SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "dailymed"
QUERY = SearchQuery(names=("haloperidol",), words=("safety",))


def set_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def row(number: int, date: str = "Jun 11, 2024") -> dict[str, Any]:
    return {"setid": set_id(number), "title": f"HALOPERIDOL tablet {number}", "published_date": date, "spl_version": 3}


def listed(*rows: Any, following: Any = "null", total: int | None = None) -> Reply:
    about = {"total_elements": str(len(rows) if total is None else total), "next_page": following, "current_page": "1"}
    return Reply(json.dumps({"metadata": about, "data": list(rows)}))


def label(number: int) -> Reply:
    section = '<section><code code="34084-4" codeSystem="2.16.840.1.113883.6.1"/><text>Sleepiness.</text></section>'
    body = f"""<document xmlns="urn:hl7-org:v3"><effectiveTime value="20240611"/><setId root="{set_id(number)}"/>
    <component><structuredBody><component>{section}</component></structuredBody></component></document>"""
    return Reply(body, content_type="text/xml")


def dailymed(*pages: Reply, labels: int = 0) -> FaultServer:
    server = FaultServer()
    server.on("/spls.json", *pages)
    for number in range(1, labels + 1):
        server.on(f"/spls/{set_id(number)}.xml", label(number))
    return server


async def search(server: FaultServer, query: SearchQuery = QUERY, limit: int = 100) -> SearchOutcome:
    async with server, open_http() as http:
        return await DailyMed(http, service_at(server.url)).search(query, limit)


def lists(server: FaultServer) -> list[dict[str, str]]:
    return [request.params for request in server.requests if request.path == "/spls.json"]


async def test_labels_are_found_with_their_text() -> None:
    server = dailymed(listed(row(1), row(2)), labels=2)
    outcome = await search(server)
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.FOUND, 2, "")
    assert [(hit.external_id, hit.text) for hit in outcome.hits] == [
        (set_id(1), "Sleepiness."),
        (set_id(2), "Sleepiness."),
    ]
    assert lists(server) == [{"drug_name": "haloperidol", "pagesize": "100", "page": "1"}]


async def test_no_label_is_none() -> None:
    outcome = await search(dailymed(listed()))
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


@pytest.mark.parametrize("end", ["null", None, "", "0x2"])
async def test_pages_are_walked_until_the_next_is_no_number(end: str | None) -> None:
    pages = [listed(row(1), following=2, total=3), listed(row(2), following="3"), listed(row(3), following=end)]
    server = dailymed(*pages)
    outcome = await search(server)
    assert [params["page"] for params in lists(server)] == ["1", "2", "3"]
    assert (len(outcome.hits), outcome.total) == (3, 3)


async def test_a_page_that_names_itself_as_the_next_ends_the_walk() -> None:
    server = dailymed(listed(row(1), following=1, total=9), labels=1)
    outcome = await search(server)
    assert len(lists(server)) == 1
    assert outcome.reason == "stopped after 1 records: the service repeats a page"


async def test_each_name_is_a_search_and_each_label_comes_once() -> None:
    server = dailymed(listed(row(1), row(2)), listed(row(2), row(3)), labels=3)
    outcome = await search(server, SearchQuery(names=("haloperidol", "Haldol", "haloperidol")))
    assert sorted(params["drug_name"] for params in lists(server)) == ["Haldol", "haloperidol"]
    assert sorted(hit.external_id for hit in outcome.hits) == [set_id(1), set_id(2), set_id(3)]


async def test_labels_that_are_cut_off_are_counted() -> None:
    server = dailymed(listed(*map(row, range(1, 16))), listed(*map(row, range(14, 27))), labels=26)
    outcome = await search(server, SearchQuery(names=("haloperidol", "Haldol")), limit=20)
    assert (len(outcome.hits), outcome.total) == (20, 26)


async def test_after_the_first_labels_only_titles_are_reported() -> None:
    server = dailymed(listed(*map(row, range(1, 26))), labels=25)
    outcome = await search(server)
    assert len(outcome.hits) == 25
    assert [bool(hit.text) for hit in outcome.hits] == [True] * TEXTS + [False] * 5
    last = outcome.hits[-1]
    assert (last.title, last.date, last.year) == ("HALOPERIDOL tablet 25", "2024-06-11", 2024)


async def test_a_label_that_cannot_be_read_is_reported_by_its_title() -> None:
    server = dailymed(listed(row(1), row(2)), labels=2)
    server.on(f"/spls/{set_id(1)}.xml", Reply("<document><cut", content_type="text/xml"))
    outcome = await search(server)
    assert [hit.text for hit in outcome.hits] == ["", "Sleepiness."]
    assert outcome.reason.startswith("labels without their text: 1 (it answered XML that is cut off")


async def test_labels_that_were_listed_are_kept_where_no_text_of_theirs_can_be_had() -> None:
    server = dailymed(listed(row(1), row(2)))
    for number in (1, 2):
        server.on(f"/spls/{set_id(number)}.xml", Reply("down", status=503))
    outcome = await search(server)
    assert (outcome.status, outcome.incomplete) == (SearchStatus.FOUND, True)
    assert [(hit.external_id, hit.text) for hit in outcome.hits] == [(set_id(1), ""), (set_id(2), "")]
    assert outcome.reason == "labels without their text: 2 (it answered HTTP 503 after 3 tries: down)"


async def test_rows_without_id_or_title_are_counted() -> None:
    outcome = await search(dailymed(listed({"setid": set_id(1)}, {"title": "x"}, 7, row(4)), labels=4))
    assert len(outcome.hits) == 1
    assert outcome.reason == "3 records of the answer could not be read (a label without set id or title)"


async def test_dates_bound_the_publication() -> None:
    rows = [row(1, "May 1, 2018"), row(2, "Jun 11, 2019"), row(3, "Jan 2, 2021")]
    server = dailymed(listed(*rows), labels=3)
    outcome = await search(server, SearchQuery(names=("haloperidol",), since="2019", until="2020"))
    assert [hit.external_id for hit in outcome.hits] == [set_id(2)]
    assert lists(server)[0]["published_date"] == "2019-01-01"
    assert lists(server)[0]["published_date_comparison"] == "gte"


async def test_a_page_whose_labels_are_all_out_of_the_span_is_no_repetition() -> None:
    server = dailymed(listed(row(1, "Jan 2, 2024"), following=2), listed(row(2, "Jan 2, 2019")), labels=2)
    outcome = await search(server, SearchQuery(names=("haloperidol",), since="2018", until="2020"))
    assert ([hit.external_id for hit in outcome.hits], outcome.reason) == ([set_id(2)], "")


@pytest.mark.parametrize("body", ['{"metadata": {}}', "[]", '{"data": null}'])
async def test_an_answer_without_labels_is_a_failure(body: str) -> None:
    assert (await search(dailymed(Reply(body)))).status is SearchStatus.FAILED


async def test_a_label_is_fetched_by_its_id_and_an_unknown_one_is_none() -> None:
    async with dailymed(listed(), labels=1) as server, open_http() as http:
        client = DailyMed(http, service_at(server.url))
        found = await client.fetch(set_id(1).upper())
        assert found is not None
        assert found.external_id == set_id(1)
        assert await client.fetch(set_id(2)) is None
        with pytest.raises(QueryRejected, match="is not a valid"):
            await client.fetch("../../etc")
    assert lists(server) == [{"setid": set_id(2)}]


async def test_another_label_than_the_one_asked_for_is_refused() -> None:
    server = dailymed(listed())
    server.on(f"/spls/{set_id(9)}.xml", label(1))
    async with server, open_http() as http:
        with pytest.raises(BadAnswer, match="was returned instead of"):
            await DailyMed(http, service_at(server.url)).fetch(set_id(9))


@given(st.text())
def test_a_name_is_sent_on_one_line_without_quotation_marks(name: str) -> None:
    assert not set(plain_term(name)) & set('"\\\n\r\t\0')


@needs_recorded_answers
async def test_a_recorded_label_is_fetched() -> None:
    recorded = "0027b8a3-73bf-4005-a7e3-b035f451a861"
    server = FaultServer(Reply((PAYLOADS / "spl_no-title.xml").read_bytes(), content_type="application/xml"))
    async with server, open_http() as http:
        hit = await DailyMed(http, service_at(server.url)).fetch(recorded)
    assert hit is not None
    assert hit.title == "Haloperidol label"


async def test_a_label_of_another_drug_is_left_out_and_if_all_are_the_search_has_failed() -> None:
    other = {**row(2), "title": "HERCEPTIN (TRASTUZUMAB) INJECTION [GENENTECH]"}
    outcome = await search(dailymed(listed(row(1), other), labels=2))
    assert [hit.external_id for hit in outcome.hits] == [set_id(1)] and "was not requested" in outcome.reason
    assert (await search(dailymed(listed(other), labels=2))).status is SearchStatus.FAILED
