"""ClinicalTrials.gov, played by a loopback server with recorded answers and with each of its own ways to fail."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.clinicaltrials_gov import ClinicalTrials, search_params
from storm.errors import BadAnswer, QueryRejected
from storm.models import SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "clinicaltrials"
QUERY = SearchQuery(names=("pembrolizumab", "Keytruda"), words=("overall", "survival"))


def study(number: int, **modules: Any) -> dict[str, Any]:
    names = {"nctId": f"NCT{number:08}", "briefTitle": f"Pembrolizumab in disease {number}"}
    return {"protocolSection": {"identificationModule": names, **modules}}


def page(numbers: range, token: str | None = None, total: int | None = None) -> Reply:
    body: dict[str, Any] = {"studies": [study(number) for number in numbers]}
    body |= {"nextPageToken": token} if token else {}
    body |= {"totalCount": total} if total is not None else {}
    return Reply(json.dumps(body))


async def search(*script: Reply, query: SearchQuery = QUERY, limit: int = 100) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer(*script) as server, open_http() as http:
        outcome = await ClinicalTrials(http, service_at(server.url)).search(query, limit)
    return outcome, server.requests


async def test_studies_are_found_in_the_order_of_the_registry() -> None:
    outcome, requests = await search(page(range(3, 5), total=2))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.key for hit in outcome.hits] == ["registry:NCT00000003", "registry:NCT00000004"]
    assert (outcome.total, outcome.query, outcome.reason) == (2, str(QUERY), "")
    params = requests[0].params
    assert requests[0].path == "/studies"
    assert params["query.intr"] == '"pembrolizumab" OR "Keytruda"'
    assert params["query.term"] == '"pembrolizumab" OR "Keytruda" OR "overall" OR "survival"'
    assert (params["countTotal"], params["pageSize"]) == ("true", "50")


async def test_why_a_study_stopped_and_its_dates_are_asked_for() -> None:
    _, (request, *_) = await search(page(range(3, 4), total=1))
    fields = request.params["fields"].split(",")
    for name in ("whyStopped", "startDateStruct", "primaryCompletionDateStruct", "completionDateStruct"):
        assert f"protocolSection.statusModule.{name}" in fields


async def test_no_study_is_none() -> None:
    outcome, _ = await search(page(range(0), total=0))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.NONE, 0, "")


async def test_pages_are_walked_to_the_limit_and_no_further() -> None:
    script = [page(range(1, 51), "two", 180), page(range(51, 101), "three"), page(range(101, 151), "four")]
    outcome, requests = await search(*script, limit=70)
    assert len(outcome.hits) == 70
    assert outcome.total == 180
    assert [request.params.get("pageToken") for request in requests] == [None, "two"]


async def test_a_page_that_names_itself_as_the_next_ends_the_walk() -> None:
    outcome, requests = await search(page(range(1, 3), "again", 9), page(range(3, 5), "again"), limit=100)
    assert len(requests) == 2
    assert len(outcome.hits) == 4
    assert "repeats a page" in outcome.reason


async def test_the_same_studies_under_new_tokens_end_the_walk() -> None:
    outcome, requests = await search(page(range(1, 3), "a", 9), page(range(1, 3), "b"), page(range(1, 3), "c"))
    assert len(requests) == 2
    assert len(outcome.hits) == 2
    assert "repeats a page" in outcome.reason


async def test_what_was_found_stays_when_a_later_page_fails() -> None:
    broken = Reply("Invalid page token", status=400, content_type="text/plain")
    outcome, _ = await search(page(range(1, 51), "two", 180), broken)
    assert outcome.status is SearchStatus.FOUND
    assert len(outcome.hits) == 50
    assert outcome.reason.startswith("stopped after 50 records: it answered HTTP 400")


async def test_a_refused_query_is_a_failure_that_is_not_tried_again() -> None:
    refusal = Reply("Error: `query.intr` has a syntax problem", status=400, content_type="text/plain")
    outcome, requests = await search(refusal)
    assert outcome.status is SearchStatus.FAILED
    assert "syntax problem" in outcome.reason
    assert len(requests) == 1


async def test_an_answer_without_a_list_of_studies_is_a_failure() -> None:
    outcome, _ = await search(Reply('{"FullStudiesResponse": {}}'))
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "the answer lists no studies")


async def test_records_that_cannot_be_read_are_counted_beside_those_that_can() -> None:
    body = {"studies": [study(1), {"protocolSection": {}}, "no study"], "totalCount": 3}
    outcome, _ = await search(Reply(json.dumps(body)))
    assert [hit.external_id for hit in outcome.hits] == ["NCT00000001"]
    assert outcome.reason.startswith("2 records of the answer could not be read (not a study")


async def test_an_answer_of_which_nothing_can_be_read_is_a_failure() -> None:
    outcome, _ = await search(Reply(json.dumps({"studies": [{}], "totalCount": 1})))
    assert outcome.status is SearchStatus.FAILED


async def test_names_without_a_letter_are_a_failure_and_ask_nothing() -> None:
    outcome, requests = await search(page(range(1)), query=SearchQuery(names=('"', "\\ -")))
    assert outcome.status is SearchStatus.FAILED
    assert requests == []


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [
        ("2019", None, "[2019-01-01,MAX]"),
        (None, "2020-02", "[MIN,2020-02-29]"),
        ("2019-03", "2019-03-31", "[2019-03-01,2019-03-31]"),
    ],
)
def test_dates_bound_the_start_of_a_study(since: str | None, until: str | None, span: str) -> None:
    params = search_params(SearchQuery(names=("a",), since=since, until=until), 10)
    assert params["filter.advanced"] == f"AREA[StartDate]RANGE{span}"


@pytest.mark.parametrize("since", ["yesterday", "2019-13", "2019-02-30", "0000", "2019-1-1", ""])
async def test_what_is_no_date_is_a_failure(since: str) -> None:
    outcome, requests = await search(page(range(1)), query=SearchQuery(names=("a",), since=since))
    assert outcome.status is SearchStatus.FAILED
    assert requests == []


@given(st.lists(st.text(), min_size=1), st.lists(st.text()))
def test_no_name_or_word_escapes_its_quotes(names: list[str], words: list[str]) -> None:
    try:
        params = search_params(SearchQuery(names=tuple(names), words=tuple(words)), 10)
    except QueryRejected:
        assert not any(character.isalnum() for name in names for character in name)
        return
    for field in ("query.intr", "query.term"):
        assert re.fullmatch(r'"[^"\\]+"(?: OR "[^"\\]+")*', str(params.get(field, '"a"')))


async def test_a_study_is_fetched_by_its_number() -> None:
    async with FaultServer(Reply(json.dumps(study(7)))) as server, open_http() as http:
        hit = await ClinicalTrials(http, service_at(server.url)).fetch(" nct00000007 ")
    assert hit is not None
    assert hit.external_id == "NCT00000007"
    assert server.requests[0].path == "/studies/NCT00000007"


async def test_an_unknown_number_is_none() -> None:
    missing = Reply("NCT number NCT00000007 not found", status=404, content_type="text/plain")
    async with FaultServer(missing) as server, open_http() as http:
        client = ClinicalTrials(http, service_at(server.url))
        assert await client.fetch("NCT00000007") is None
        with pytest.raises(QueryRejected, match="is not a valid"):
            await client.fetch("../admin")
    assert len(server.requests) == 1


def renumbered(number: int, *former: str) -> dict[str, Any]:
    found = study(number)
    found["protocolSection"]["identificationModule"]["nctIdAliases"] = list(former)
    return found


async def test_a_number_that_was_given_up_leads_to_the_study_under_its_current_one() -> None:
    async with FaultServer() as server, open_http() as http:
        server.on("/studies/NCT00000007", Reply(status=301, headers={"Location": "/studies/NCT00000008"}))
        server.on("/studies/NCT00000008", Reply(json.dumps(renumbered(8, "NCT00000007", "NCT00000008", "junk"))))
        hit = await ClinicalTrials(http, service_at(server.url)).fetch("NCT00000007")
    assert hit is not None
    assert (hit.external_id, hit.key) == ("NCT00000008", "registry:NCT00000008")
    assert hit.identifiers == ("registry:NCT00000008", "registry:NCT00000007")
    assert hit.trials == ("NCT00000008", "NCT00000007")


async def test_a_redirect_to_a_study_that_does_not_own_the_number_is_refused() -> None:
    async with FaultServer() as server, open_http() as http:
        server.on("/studies/NCT00000007", Reply(status=301, headers={"Location": "/studies/NCT00000008"}))
        server.on("/studies/NCT00000008", Reply(json.dumps(renumbered(8, "NCT00000006"))))
        with pytest.raises(BadAnswer, match="NCT00000008 was returned instead of NCT00000007"):
            await ClinicalTrials(http, service_at(server.url)).fetch("NCT00000007")


async def test_a_study_that_is_found_carries_its_former_numbers() -> None:
    outcome, requests = await search(Reply(json.dumps({"studies": [renumbered(8, "NCT00000007")], "totalCount": 1})))
    assert outcome.hits[0].identifiers == ("registry:NCT00000008", "registry:NCT00000007")
    assert "protocolSection.identificationModule.nctIdAliases" in requests[0].params["fields"].split(",")


async def test_another_study_than_the_one_asked_for_is_refused() -> None:
    async with FaultServer(Reply(json.dumps(study(8)))) as server, open_http() as http:
        with pytest.raises(BadAnswer, match="NCT00000008 was returned instead of NCT00000007"):
            await ClinicalTrials(http, service_at(server.url)).fetch("NCT00000007")


@needs_recorded_answers
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("search_keytruda_limit3_20260811.json", 3),
        ("search_phelan_limit5_20260811.json", 5),
        ("search_phelan_next_20260811.json", 5),
        ("search_age_count_20260811.json", 1),
        ("biomcp_old_NCT04280705_remdesivir.json", 1),
    ],
)
async def test_recorded_answers_are_read(name: str, found: int) -> None:
    body = (PAYLOADS / name).read_bytes()
    outcome, _ = await search(Reply(body), page(range(0)), limit=found)
    assert len(outcome.hits) == found
    assert outcome.total == json.loads(body).get("totalCount", found)


@needs_recorded_answers
@pytest.mark.parametrize("name", ["aact_NCT00023673.json", "legacy_invalid_nct.html"])
async def test_recorded_answers_of_retired_interfaces_are_failures(name: str) -> None:
    outcome, _ = await search(Reply((PAYLOADS / name).read_bytes()))
    assert outcome.status is SearchStatus.FAILED


def test_studies_that_were_updated_since_a_day_are_searched_by_the_day_of_the_last_update() -> None:
    asked = SearchQuery(names=("trastuzumab",), changed_since="2026-05-14")
    updated = "AREA[LastUpdatePostDate]RANGE[2026-05-14,MAX]"
    assert search_params(asked, 10)["filter.advanced"] == updated
    both = search_params(asked.model_copy(update={"since": "2020"}), 10)
    assert both["filter.advanced"] == f"AREA[StartDate]RANGE[2020-01-01,MAX] AND {updated}"
