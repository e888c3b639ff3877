"""What every service may do wrong, done to each client: it ends as a failed search, never as one without a match."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_server import FaultServer, Reply, open_http, service_at

from storm.databases.chembl import Chembl
from storm.databases.clinicaltrials_gov import ClinicalTrials
from storm.databases.dailymed import DailyMed
from storm.databases.http import Http
from storm.databases.openfda import OpenFda
from storm.databases.service import Service
from storm.databases.web_engines.brave import Brave
from storm.databases.web_engines.searxng import SearXng
from storm.databases.web_engines.tavily import Tavily
from storm.databases.web_search import WebSearch
from storm.models import SearchQuery, SearchStatus
from storm.roles import Database

PAYLOADS = Path(__file__).parents[3] / ".." / "shared" / "payloads"
QUERY = SearchQuery(names=("pembrolizumab",), words=("safety",))

CLIENTS: dict[str, Callable[[Http, Service], Database]] = {
    "clinicaltrials": ClinicalTrials,
    "chembl": Chembl,
    "openfda": OpenFda,
    "dailymed": DailyMed,
    "tavily": lambda http, service: WebSearch(Tavily(http, service), ""),
    "brave": lambda http, service: WebSearch(Brave(http, service), ""),
    "searxng": lambda http, service: WebSearch(SearXng(http, service), ""),
}
FAULTS = {
    "nothing in the body": Reply(b""),
    "an empty object": Reply(b"{}"),
    "a list": Reply(b"[]"),
    "null": Reply(b"null"),
    "a 200 with an error inside": Reply(b'{"error": "internal error", "errCode": 404, "errMsg": "no"}'),
    "JSON that is cut": Reply(b'{"studies": [{"protocolSection": {'),
    "a shorter body than announced": Reply(b'{"studies": []}', announced=100),
    "a web page": Reply("<!DOCTYPE html><html><body>Please wait</body></html>", content_type="text/html"),
    "a web page called JSON": Reply("<html><body>Please wait</body></html>"),
    "XML": Reply('<?xml version="1.0"?><response/>', content_type="application/xml"),
    "bytes that are no text": Reply(bytes(range(128, 256))),
    "400": Reply("bad request", status=400, content_type="text/plain"),
    "401": Reply('{"error": "no"}', status=401),
    "403": Reply('{"error": "no"}', status=403),
    "404 of a web server": Reply("<html>Not Found</html>", status=404, content_type="text/html"),
    "429": Reply("slow down", status=429, content_type="text/plain"),
    "429 for an hour": Reply("", status=429, headers={"Retry-After": "3600"}),
    "NCBI's rate body": Reply('{"error":"API rate limit exceeded","api-key":"10.0.0.1","count":"4","limit":"3"}'),
    "500": Reply("", status=500),
    "503": Reply("<html>Unavailable</html>", status=503, content_type="text/html"),
    "a redirect in circles": Reply("", status=302, headers={"Location": "/again"}),
    "a redirect to this machine": Reply("", status=302, headers={"Location": "http://169.254.169.254/"}),
    "a reset connection": Reply(b'{"studies": [', reset=True),
    "a body that is too long": Reply(b'{"a": "' + b"a" * 1000, times=300),
    "a bomb": Reply(gzip.compress(b" " * 10_000_000), headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("client", CLIENTS)
async def test_a_fault_of_the_service_is_a_failed_search(client: str, fault: str) -> None:
    async with FaultServer(FAULTS[fault]) as server, open_http() as http:
        service = service_at(server.url, key="s3cret", key_variable="A_KEY", max_bytes=200_000, total=30.0)
        outcome = await CLIENTS[client](http, service).search(QUERY, 10)
    assert outcome.status is SearchStatus.FAILED, outcome
    assert outcome.reason
    assert "s3cret" not in outcome.reason
    assert "10.0.0.1" not in outcome.reason


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_service_that_is_not_there_is_a_failed_search(client: str) -> None:
    async with FaultServer(Reply("{}")) as server:
        closed = server.url
    async with open_http() as http:
        outcome = await CLIENTS[client](http, service_at(closed, key="k")).search(QUERY, 10)
    assert outcome.status is SearchStatus.FAILED


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_right_answer_of_the_wrong_content_type_is_taken(client: str) -> None:
    answer = {
        "studies": [], "totalCount": 0, "molecules": [], "page_meta": {}, "data": [], "metadata": {},
        "results": [], "meta": {}, "type": "search",
    }  # fmt: skip
    async with FaultServer(Reply(json.dumps(answer), content_type="text/html")) as server, open_http() as http:
        outcome = await CLIENTS[client](http, service_at(server.url, key="k")).search(QUERY, 10)
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="the recorded answers are not here")
@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("folder", ["chembl", "clinicaltrials", "dailymed", "openfda", "websearch", "other"])
async def test_any_recorded_body_is_read_or_a_failure(client: str, folder: str) -> None:
    for path in sorted((PAYLOADS / folder).iterdir()):
        async with FaultServer(Reply(path.read_bytes())) as server, open_http() as http:
            outcome = await CLIENTS[client](http, service_at(server.url, key="k")).search(QUERY, 10)
        says_nothing_matches = client == "openfda" and path.name.startswith("device_510k")
        assert (outcome.status is SearchStatus.NONE) == says_nothing_matches, (path.name, outcome)
