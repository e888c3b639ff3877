"""openFDA, played by a loopback server: three endpoints, an empty answer or a failed one, its syntax as it is sent."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from fault_server import FaultServer, Reply, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.openfda import APPLICATIONS, EVENTS, LABELS, OpenFda, search_text
from storm.errors import BadAnswer, QueryRejected
from storm.models import NameKind, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "openfda"
QUERY = SearchQuery(names=("pembrolizumab", "Keytruda"), words=("safety",))
NOTHING = Reply('{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}', status=404)
MALFORMED = Reply(
    '{"error": {"code": "SERVER_ERROR", "message": "Check your request and try again",'
    ' "details": "[token_mgr_error] Lexical error at line 1, column 39."}}',
    status=500,
)


def label(number: int, **fields: Any) -> dict[str, Any]:
    known = {"brand_name": ["KEYTRUDA"], "generic_name": ["PEMBROLIZUMAB"], "unii": ["DPT0O3T46P"]}
    return {"set_id": f"00000000-0000-4000-8000-{number:012}", "openfda": known, **fields}


def application(number: int) -> dict[str, Any]:
    products = [{"brand_name": "KEYTRUDA", "active_ingredients": [{"name": "PEMBROLIZUMAB"}]}]
    return {"application_number": f"BLA{number:06}", "sponsor_name": "MERCK", "products": products}


def results(*records: Any, total: int | None = None, skip: int = 0) -> Reply:
    meta = {"results": {"skip": skip, "limit": 25, "total": len(records) if total is None else total}}
    return Reply(json.dumps({"meta": meta, "results": list(records)}))


def counts(*pairs: tuple[str, int]) -> Reply:
    meta = {"disclaimer": "All results are unvalidated.", "last_updated": "2026-07-30"}
    return Reply(json.dumps({"meta": meta, "results": [{"term": term, "count": count} for term, count in pairs]}))


def openfda(labels: Reply = NOTHING, applications: Reply = NOTHING, events: Reply = NOTHING) -> FaultServer:
    server = FaultServer()
    server.on(f"/{LABELS}", labels)
    server.on(f"/{APPLICATIONS}", applications)
    server.on(f"/{EVENTS}", events)
    return server


async def search(
    server: FaultServer, query: SearchQuery = QUERY, limit: int = 100, key: str | None = None
) -> SearchOutcome:
    async with server, open_http() as http:
        return await OpenFda(http, service_at(server.url, key=key, key_variable="OPENFDA_API_KEY")).search(query, limit)


def asked(server: FaultServer, endpoint: str) -> list[dict[str, str]]:
    return [request.params for request in server.requests if request.path == f"/{endpoint}"]


async def test_labels_applications_and_report_counts_are_found() -> None:
    events = counts(("MALIGNANT NEOPLASM PROGRESSION", 12016), ("NAUSEA", 1))
    outcome = await search(openfda(results(label(1), label(2)), results(application(125514)), events))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.FOUND, 4, "")
    assert [hit.external_id for hit in outcome.hits] == [
        "00000000-0000-4000-8000-000000000001",
        "BLA125514",
        "faers:pembrolizumab",
        "00000000-0000-4000-8000-000000000002",
    ]
    assert outcome.hits[0].facts.uniis == ("DPT0O3T46P",)
    assert [(name.kind, name.text) for name in outcome.hits[0].facts.names] == [(NameKind.BRAND, "KEYTRUDA")]


async def test_counts_of_reports_say_that_they_are_no_rates() -> None:
    outcome = await search(openfda(events=counts(("MALIGNANT NEOPLASM PROGRESSION", 12016), ("NAUSEA", 1))))
    (hit,) = outcome.hits
    reactions, caution = hit.sections
    assert reactions.text.split("\n") == [
        "Malignant neoplasm progression: 12,016 reports that name pembrolizumab (reports, not incidence).",
        "Nausea: 1 report that names pembrolizumab (reports, not incidence).",
    ]
    assert "no rates" in caution.text
    assert caution.text.endswith("All results are unvalidated.")
    assert (hit.date, hit.drugs) == ("2026-07-30", ())


async def test_not_found_is_none() -> None:
    outcome = await search(openfda())
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.NONE, 0, "")


async def test_another_404_is_a_failure() -> None:
    outcome = await search(FaultServer(Reply('{"error": {"code": "MOVED", "message": "Gone away"}}', status=404)))
    assert outcome.status is SearchStatus.FAILED
    assert "Gone away" in outcome.reason


async def test_one_endpoint_that_fails_is_reported_beside_what_the_others_found() -> None:
    outcome = await search(openfda(results(label(1)), Reply(status=503)))
    assert outcome.status is SearchStatus.FOUND
    assert outcome.reason == "it answered HTTP 503 after 3 tries"


async def test_nothing_found_where_one_endpoint_failed_is_a_failure() -> None:
    assert (await search(openfda(applications=Reply(status=503)))).status is SearchStatus.FAILED


async def test_a_malformed_query_is_a_failure_that_is_not_tried_again() -> None:
    server = openfda(MALFORMED, MALFORMED, MALFORMED)
    outcome = await search(server)
    assert outcome.status is SearchStatus.FAILED
    assert len(server.requests) == 3


async def test_the_operators_arrive_as_blanks_around_words_and_a_plus_of_a_name_as_a_plus() -> None:
    server = openfda()
    await search(server, SearchQuery(names=("a+b c",), since="2020"))
    (request,) = [request for request in server.requests if request.path == f"/{LABELS}"]
    assert '("a+b c")) AND effective_time:[20200101 TO 29991231]' in request.params["search"]
    assert re.search(r"(?:\+|%20)AND(?:\+|%20)", request.target)
    assert request.target.count("%2B") == 3


async def test_the_key_comes_first_and_is_in_no_outcome() -> None:
    server = openfda(labels=Reply('{"error": {"code": "API_KEY_INVALID", "message": "s3cret?"}}', status=403))
    outcome = await search(server, key="s3cret")
    assert all(request.query[0] == ("api_key", "s3cret") for request in server.requests)
    assert outcome.status is SearchStatus.FAILED
    assert "s3cret" not in outcome.model_dump_json()


async def test_the_address_of_the_counts_holds_no_key() -> None:
    outcome = await search(openfda(events=counts(("NAUSEA", 3))), key="s3cret")
    assert "s3cret" not in outcome.model_dump_json()
    assert "/drug/event.json?search=" in outcome.hits[0].url


async def test_pages_are_walked_to_the_limit() -> None:
    server = openfda()
    pages = [results(*(label(n) for n in range(start, start + 25)), total=90, skip=start) for start in (0, 25, 50, 75)]
    server.on(f"/{LABELS}", *pages)
    outcome = await search(server, limit=60)
    assert len(outcome.hits) == 60
    assert outcome.total == 90
    assert [params["skip"] for params in asked(server, LABELS)] == ["0", "25", "50"]


async def test_a_page_that_is_said_to_be_past_the_end_ends_the_walk_and_is_reported() -> None:
    server = openfda()
    server.on(f"/{LABELS}", results(*(label(n) for n in range(25)), total=30), NOTHING)
    outcome = await search(server)
    assert (outcome.status, len(outcome.hits), outcome.incomplete) == (SearchStatus.FOUND, 25, True)
    assert outcome.reason == "the service stopped after 25 of 30 records"


async def test_a_service_that_repeats_its_page_is_left() -> None:
    server = openfda(results(*(label(n) for n in range(25)), total=1000))
    outcome = await search(server)
    assert len(asked(server, LABELS)) == 2
    assert "repeats a page" in outcome.reason


async def test_records_of_another_kind_are_reported_and_the_rest_is_kept() -> None:
    outcome = await search(openfda(results(label(1), {"k_number": "K1"}, "x", {"set_id": "a", "openfda": {}})))
    assert len(outcome.hits) == 2
    assert outcome.reason == "2 records of the answer could not be read (not a label or drugsfda answer; not a record)"


def test_dates_bound_what_each_endpoint_dates() -> None:
    query = SearchQuery(names=("a",), since="2019-06", until="2020")
    endpoints = (LABELS, APPLICATIONS, EVENTS)
    spans = {endpoint: search_text(endpoint, query).rpartition(" AND ")[2] for endpoint in endpoints}
    assert spans == {
        LABELS: "effective_time:[20190601 TO 20201231]",
        APPLICATIONS: "submissions.submission_status_date:[20190601 TO 20201231]",
        EVENTS: "receivedate:[20190601 TO 20201231]",
    }


@given(st.lists(st.text(), min_size=1), st.sampled_from([LABELS, APPLICATIONS, EVENTS]))
def test_no_name_escapes_its_quotes(names: list[str], endpoint: str) -> None:
    try:
        text = search_text(endpoint, SearchQuery(names=tuple(names)))
    except QueryRejected:
        assert not any(character.isalnum() for name in names for character in name)
        return
    phrase = r'"[^"\\]+"'
    field = rf"[a-z_.]+:\({phrase}(?: OR {phrase})*\)"
    assert re.fullmatch(rf"{field}(?: OR {field}){{2}}", text)


@pytest.mark.parametrize(
    ("wanted", "endpoint", "search_for", "record"),
    [
        ("BLA125514", APPLICATIONS, 'application_number:"BLA125514"', application(125514)),
        (label(7)["set_id"], LABELS, f'set_id:"{label(7)["set_id"]}"', label(7)),
    ],
)
async def test_a_record_is_fetched_by_its_number(
    wanted: str, endpoint: str, search_for: str, record: dict[str, Any]
) -> None:
    server = openfda()
    server.on(f"/{endpoint}", results(record))
    async with server, open_http() as http:
        hit = await OpenFda(http, service_at(server.url)).fetch(wanted)
    assert hit is not None
    assert hit.external_id == wanted
    assert asked(server, endpoint) == [{"search": search_for, "limit": "1"}]


async def test_counts_are_fetched_by_the_id_that_a_search_gave_them() -> None:
    async with openfda(events=counts(("NAUSEA", 3))) as server, open_http() as http:
        hit = await OpenFda(http, service_at(server.url)).fetch("faers:pembrolizumab")
    assert hit is not None
    assert hit.external_id == "faers:pembrolizumab"


async def test_reports_are_counted_by_one_name_and_a_span_makes_other_counts() -> None:
    query = SearchQuery(names=("Keytruda", "pembrolizumab"), since="2019", until="2020-06")
    server = openfda(events=counts(("NAUSEA", 3)))
    (hit,) = (await search(server, query)).hits
    assert hit.external_id == "faers:Keytruda:2019-01-01..2020-06-30"
    (asked_for,) = asked(server, EVENTS)
    assert '"Keytruda"' in asked_for["search"]
    assert "pembrolizumab" not in asked_for["search"]
    again = openfda(events=counts(("NAUSEA", 3)))
    async with again, open_http() as http:
        await OpenFda(http, service_at(again.url)).fetch(hit.external_id)
    assert asked(again, EVENTS) == [asked_for]


async def test_an_unknown_record_is_none_and_another_one_is_refused() -> None:
    async with openfda(labels=results(label(1))) as server, open_http() as http:
        client = OpenFda(http, service_at(server.url))
        assert await client.fetch("NDA000001") is None
        with pytest.raises(QueryRejected, match="is not a valid"):
            await client.fetch('"')
        with pytest.raises(BadAnswer, match="was returned instead of"):
            await client.fetch(label(2)["set_id"])


@needs_recorded_answers
async def test_recorded_answers_are_read() -> None:
    def body(name: str, status: int = 200) -> Reply:
        return Reply((PAYLOADS / name).read_bytes(), status=status)

    outcome = await search(
        openfda(
            body("label_keytruda_20260811.json"),
            body("drugsfda_imatinib_20260811.json"),
            body("faers_count_pembrolizumab_reaction_20260811.json"),
        ),
        limit=4,
        query=SearchQuery(names=("pembrolizumab", "Keytruda", "imatinib")),
    )
    assert [hit.title for hit in outcome.hits] == [
        "KEYTRUDA QLEX (PEMBROLIZUMAB AND BERAHYALURONIDASE ALFA-PMPH) label",
        "GLEEVEC (IMATINIB MESYLATE): FDA application NDA021588",
        "Adverse event reports that name pembrolizumab: the most reported reactions",
        "KEYTRUDA (PEMBROLIZUMAB) label",
    ]
    assert outcome.total == 2 + 17 + 1
    nothing = await search(FaultServer(body("device_510k_brca1_20260811.json", 404)))
    assert nothing.status is SearchStatus.NONE


@needs_recorded_answers
@pytest.mark.parametrize(
    "name",
    [
        "doc_example_event.json",
        "doc_example_label.json",
        "doc_example_drugsfda.json",
        "faers_event_postannotation.json",
    ],
)
async def test_recorded_bodies_that_are_no_answers_are_failures(name: str) -> None:
    outcome = await search(FaultServer(Reply((PAYLOADS / name).read_bytes())))
    assert outcome.status is SearchStatus.FAILED
