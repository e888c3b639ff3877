"""Web search through each engine, played by a loopback server, and which engine is taken."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from ddgs.ddgs import DDGS
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException
from fault_server import FaultServer, Reply, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.clients import is_usable
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.replay_clock import ReplayClock
from storm.databases.http.service import Service
from storm.databases.services.web_engines.base import MAX_CHARACTERS, MAX_WORDS, web_text
from storm.databases.services.web_engines.brave import Brave, read_brave, request_params
from storm.databases.services.web_engines.duckduckgo import DuckDuckGo, ask_ddgs
from storm.databases.services.web_engines.searxng import SearXng
from storm.databases.services.web_engines.tavily import Tavily, read_tavily, request_body
from storm.databases.services.web_search import WebSearch
from storm.errors import QueryRejected, RateLimited, ServiceDown
from storm.models import SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "websearch"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("sales", "market"))
ENGINES = {"tavily": Tavily, "brave": Brave, "searxng": SearXng}


class NoLimit:
    async def wait(self, service: str, per_second: float, within: float = 0.0) -> bool:
        return True

    async def hold(self, service: str, seconds: float) -> None:
        raise AssertionError("no engine asks to be left alone here")


async def search(
    engine: str, server: FaultServer, query: SearchQuery = QUERY, limit: int = 10, key: str | None = "s3cret"
) -> SearchOutcome:
    async with server, open_http() as http:
        service = service_at(server.url, name=engine, label=engine.title(), key=key, key_variable="A_KEY")
        return await WebSearch(http, service, ENGINES[engine](http, service)).search(query, limit)


def tavily(*results: Any) -> Reply:
    return Reply(json.dumps({"query": "q", "answer": None, "images": [], "results": results, "response_time": 0.9}))


def brave(*results: Any, more: bool = False) -> Reply:
    web = {"web": {"type": "search", "results": results}} if results else {}
    return Reply(json.dumps({"type": "search", "query": {"more_results_available": more}, **web}))


def searxng(*results: Any, silent: Sequence[Any] = ()) -> Reply:
    return Reply(json.dumps({"query": "q", "results": results, "unresponsive_engines": silent}))


def found(number: int, **fields: Any) -> dict[str, Any]:
    return {"url": f"https://example.org/{number}", "title": f"Page {number}", **fields}


async def test_tavily_gives_pages_by_its_score() -> None:
    one, two = found(1, content="One", score=0.2), found(2, content="Two &amp; <b>more</b>", score=0.9)
    server = FaultServer(tavily(one, two))
    outcome = await search("tavily", server)
    assert outcome.status is SearchStatus.FOUND
    assert [(hit.title, hit.text, hit.container) for hit in outcome.hits] == [
        ("Page 2", "Two & more", "example.org"),
        ("Page 1", "One", "example.org"),
    ]
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/search")
    assert request.json == {"query": '"trastuzumab" sales market', "max_results": 10}
    assert request.headers["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply('{"detail": {"error": "Query is too long."}}', status=400), "Query is too long"),
        (Reply('{"detail": {"error": "Unauthorized: s3cret"}}', status=401), "HTTP 401"),
        (Reply('{"detail": {"error": "Your plan ..."}}', status=432), "limit of searches is used up"),
        (Reply('{"detail": {"error": "Pay as you go ..."}}', status=433), "limit of searches is used up"),
        (Reply('{"detail": {"error": "blocked"}}', status=403), "HTTP 403"),
        (Reply('{"detail": {}}'), "lists no results"),
    ],
)
async def test_tavilys_refusals_are_failures_without_the_key(reply: Reply, expected: str) -> None:
    server = FaultServer(reply)
    outcome = await search("tavily", server)
    assert outcome.status is SearchStatus.FAILED
    assert expected in outcome.reason
    assert "s3cret" not in outcome.model_dump_json()
    assert len(server.requests) == 1


@pytest.mark.parametrize("engine", ["tavily", "brave"])
async def test_without_its_key_an_engine_is_not_asked(engine: str) -> None:
    server = FaultServer(Reply("{}"))
    outcome = await search(engine, server, key=None)
    assert outcome.status is SearchStatus.FAILED
    assert "needs a key" in outcome.reason
    assert server.requests == []


async def test_brave_gives_pages_in_its_order_without_markup() -> None:
    one = found(1, description="A &quot;drug&quot; <strong>for</strong> HER2", page_age="2024-12-27T15:49:55")
    server = FaultServer(brave(one, found(2)))
    outcome = await search("brave", server)
    assert [(hit.title, hit.text, hit.date) for hit in outcome.hits] == [
        ("Page 1", 'A "drug" for HER2', "2024-12-27"),
        ("Page 2", "", None),
    ]
    (request,) = server.requests
    assert request.path == "/web/search"
    assert request.params == {
        "q": '"trastuzumab" sales market', "result_filter": "web", "count": "10", "offset": "0",
    }  # fmt: skip
    assert request.headers["x-subscription-token"] == "s3cret"


async def test_brave_without_web_is_none() -> None:
    outcome = await search("brave", FaultServer(brave()))
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


async def test_brave_is_asked_page_by_page_to_the_limit() -> None:
    pages = [brave(*map(found, range(start, start + 20)), more=True) for start in (0, 20, 40)]
    server = FaultServer(*pages)
    outcome = await search("brave", server, limit=45)
    assert len(outcome.hits) == 45
    assert [request.params["offset"] for request in server.requests] == ["0", "1", "2"]


async def test_results_come_by_score_and_no_more_than_were_asked_for() -> None:
    scored = tavily(*(found(number, score=number / 10) for number in range(5)))
    outcome = await search("tavily", FaultServer(scored), limit=3)
    assert [hit.title for hit in outcome.hits] == ["Page 4", "Page 3", "Page 2"]


async def test_brave_repeating_a_page_is_left() -> None:
    server = FaultServer(brave(*map(found, range(20)), more=True))
    outcome = await search("brave", server, limit=100)
    assert (len(outcome.hits), len(server.requests)) == (20, 2)


async def test_what_brave_gave_stays_when_a_later_page_fails() -> None:
    server = FaultServer(brave(*map(found, range(20)), more=True), Reply("{}", status=422))
    outcome = await search("brave", server, limit=100)
    assert (outcome.status, len(outcome.hits), outcome.incomplete) == (SearchStatus.FOUND, 20, True)
    assert outcome.reason.startswith("stopped after 20 results: it answered HTTP 422")


async def test_what_searxng_gave_stays_when_a_later_page_fails() -> None:
    server = FaultServer(searxng(*map(found, range(20))), Reply("{}", status=422))
    outcome = await search("searxng", server, limit=100)
    assert (outcome.status, len(outcome.hits), outcome.incomplete) == (SearchStatus.FOUND, 20, True)
    assert outcome.reason.startswith("stopped after 20 results: it answered HTTP 422")


async def test_searxng_tells_a_later_page_that_fails_where_nothing_lies_in_the_span() -> None:
    server = FaultServer(searxng(found(1, publishedDate="2019-01-01")), Reply("{}", status=422))
    outcome = await search("searxng", server, SearchQuery(names=("a",), since="2020"))
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())


async def test_searxng_gives_pages_by_score_and_names_the_silent_engines() -> None:
    one = found(1, content="One", score=0.5)
    two = found(2, content="Two", score=7.0, publishedDate="2024-05-01T00:00:00")
    server = FaultServer(searxng(one, two, silent=[["google", "timeout"], ["bing"]]), searxng())
    outcome = await search("searxng", server)
    assert [hit.title for hit in outcome.hits] == ["Page 2", "Page 1"]
    assert outcome.hits[0].date == "2024-05-01"
    assert (outcome.reason, outcome.incomplete) == ("without bing, google (timeout)", True)
    assert [request.params["pageno"] for request in server.requests] == ["1", "2"]


async def test_searxng_with_no_result_and_silent_engines_is_a_failure() -> None:
    outcome = await search("searxng", FaultServer(searxng(silent=[["google", "CAPTCHA"]])))
    assert (outcome.status, outcome.reason) == (
        SearchStatus.FAILED,
        "no engine answered: google (CAPTCHA) after 3 tries",
    )


async def test_searxng_with_no_result_and_no_silent_engine_is_none() -> None:
    assert (await search("searxng", FaultServer(searxng()))).status is SearchStatus.NONE


async def test_searxng_that_speaks_no_json_is_reported_so() -> None:
    forbidden = Reply("<html>Forbidden</html>", status=403, content_type="text/html")
    outcome = await search("searxng", FaultServer(forbidden))
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "this SearXNG does not answer in JSON")


async def test_searxng_results_outside_the_span_are_left_out() -> None:
    dated = [found(1, publishedDate="2019-01-01"), found(2, publishedDate="2021-05-01"), found(3)]
    outcome = await search("searxng", FaultServer(searxng(*dated), searxng()), SearchQuery(names=("a",), since="2020"))
    assert [hit.title for hit in outcome.hits] == ["Page 2"]


def test_dates_are_written_as_each_engine_takes_them() -> None:
    query = SearchQuery(names=("a",), since="2019", until="2020-02")
    assert request_body(query, 5, "")["start_date"] == "2019-01-01"
    assert request_body(query, 5, "")["end_date"] == "2020-02-29"
    assert request_params(query, "")["freshness"] == "2019-01-01to2020-02-29"


async def test_a_result_without_a_web_address_or_title_is_counted() -> None:
    results = (found(1, score=1), {"url": "javascript:alert(1)", "title": "x"}, {"url": "https://example.org"}, 7)
    outcome = await search("tavily", FaultServer(tavily(*results)))
    assert len(outcome.hits) == 1
    assert outcome.reason == "3 records of the answer could not be read (a result without a web address or a title)"


async def test_one_page_found_twice_is_one_hit() -> None:
    again = {"url": "http://www.example.org/1/?utm_source=x", "title": "Page 1 again", "score": 0.1}
    outcome = await search("tavily", FaultServer(tavily(found(1, score=0.9), again)))
    assert [hit.title for hit in outcome.hits] == ["Page 1"]


async def test_scores_lie_between_none_and_one() -> None:
    answer = {"results": [found(n, score=score) for n, score in enumerate((7, -3, "x", None, True, 0.5, float("nan")))]}
    assert [result.score for result in read_tavily(answer, "")] == [1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0]
    async with FaultServer(searxng(*(found(n, score=n) for n in range(4))), searxng()) as server, open_http() as http:
        ranked = await SearXng(http, service_at(server.url)).find_results(QUERY, 10)
    assert [result.score for result in ranked.results] == [1.0, 0.75, 0.5, 0.25]


def duckduckgo(search_text: Any) -> WebSearch:
    service = service_at("https://duckduckgo.com", name="duckduckgo", label="DuckDuckGo", total=0.2)
    return WebSearch(open_http(), service, DuckDuckGo(NoLimit(), service, search_text))


async def test_duckduckgo_is_asked_in_a_thread() -> None:
    asked: list[Any] = []

    def answer(text: str, limit: int, span: str | None, seconds: float) -> Sequence[Mapping[str, Any]]:
        asked.append((text, limit, span, seconds, threading.current_thread() is threading.main_thread()))
        return [{"href": "https://example.org/1", "title": "One", "body": "Text"}]

    outcome = await duckduckgo(answer).search(SearchQuery(names=("a-1",), since="2019"), 7)
    assert [(hit.title, hit.text) for hit in outcome.hits] == [("One", "Text")]
    assert asked == [('"a-1"', 7, "2019-01-01..2099-12-31", 5.0, False)]


async def test_duckduckgo_is_not_waited_for_beyond_the_deadline() -> None:
    done = threading.Event()

    def hang(*_: Any) -> Sequence[Mapping[str, Any]]:
        done.wait(5)
        return []

    outcome = await duckduckgo(hang).search(QUERY, 7)
    done.set()
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "DuckDuckGo did not answer in time")


def test_not_even_the_end_of_the_program_waits_for_duckduckgo() -> None:
    done, hanging = threading.Event(), threading.Event()

    def hang(*_: Any) -> Sequence[Mapping[str, Any]]:
        hanging.set()
        done.wait(5)
        return []

    outcome = asyncio.run(duckduckgo(hang).search(QUERY, 7))
    (still,) = (thread for thread in threading.enumerate() if thread.name == "duckduckgo")
    assert (outcome.reason, hanging.is_set()) == ("DuckDuckGo did not answer in time", True)
    done.set()
    still.join(5)
    assert not still.is_alive()


async def test_duckduckgo_is_not_asked_where_its_turn_comes_too_late() -> None:
    clock = ReplayClock()
    limiter = LocalLimiter(clock.monotonic, clock.sleep)
    service = service_at("https://duckduckgo.com", name="duckduckgo", label="DuckDuckGo", total=10)
    await limiter.hold("duckduckgo", 11)
    engine = DuckDuckGo(limiter, service, lambda *_: pytest.fail("it was asked"))
    with pytest.raises(RateLimited, match="no turn within 10 s under the rate limit"):
        await engine.find_results(QUERY, 5)


@pytest.mark.parametrize(
    ("error", "ours", "expected"),
    [
        (RatelimitException("202"), RateLimited, "rate-limiting"),
        (TimeoutException("timed out"), ServiceDown, "in time"),
        (DDGSException("No results found."), ServiceDown, "no results, or refused"),
        (DDGSException("DNSError: no records found for 10.1.2.3"), ServiceDown, r"could not be reached\Z"),
        (DDGSException("https://html.duckduckgo.com/html 202 Ratelimit"), RateLimited, "rate-limiting"),
        (TimeoutError("10.1.2.3"), ServiceDown, "in time"),
        (ValueError("bad 10.1.2.3"), ServiceDown, r"ddgs failed with ValueError\Z"),
        (RuntimeError("client error (Connect) 10.1.2.3"), ServiceDown, r"ddgs failed with RuntimeError\Z"),
        (KeyError("duckduckgo"), ServiceDown, r"ddgs failed with KeyError\Z"),
    ],
)
def test_nothing_through_ddgs_is_a_failure_since_it_may_be_a_refusal(
    monkeypatch: pytest.MonkeyPatch, error: Exception, ours: type[Exception], expected: str
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(DDGS, "text", fail)
    with pytest.raises(ours, match=expected):
        ask_ddgs("q", 5, None, 5.0)


async def test_the_first_engine_that_is_on_and_has_its_key_is_taken() -> None:
    def services(**changes: Mapping[str, Any]) -> dict[str, Service]:
        required = {"tavily": True, "brave": True, "searxng": False, "duckduckgo": False}
        return {
            name: service_at("https://example.org", name=name, key_required=needed, **changes.get(name, {}))
            for name, needed in required.items()
        }

    async with open_http() as http:

        def chosen(**changes: Mapping[str, Any]) -> str | None:
            usable = {name: service for name, service in services(**changes).items() if is_usable(service)}
            web = WebSearch.open_client(http, usable, NoLimit())
            return web.service.name if web else None

        off = {"enabled": False}
        assert chosen() == "searxng"
        assert chosen(brave={"key": "k"}) == "brave"
        assert chosen(brave={"key": "k"}, tavily={"key": "k"}) == "tavily"
        assert chosen(brave={"key": "k", **off}, searxng=off) == "duckduckgo"
        assert chosen(searxng=off, duckduckgo=off) is None


@given(st.lists(st.text(), min_size=1), st.lists(st.text()))
def test_a_web_query_is_one_phrase_and_plain_words_within_the_bounds(names: list[str], words: list[str]) -> None:
    try:
        text = web_text(SearchQuery(names=tuple(names), words=tuple(words)), "")
    except QueryRejected:
        return
    start, phrase, rest = text.split('"')
    assert (start, phrase.strip()) == ("", phrase)
    assert phrase
    assert all(word[0].isalnum() and word not in ("AND", "OR", "NOT") for word in rest.split())
    assert not set(rest) & set(":+()[]\\~*|!<>=")
    assert len(text) <= MAX_CHARACTERS
    assert len(text.split()) <= MAX_WORDS


@needs_recorded_answers
@pytest.mark.parametrize("name", ["basic_search", "factory_with_bound_params", "search_with_include_domains"])
async def test_recorded_answers_of_tavily_are_read(name: str) -> None:
    body = (PAYLOADS / f"tavily_test_{name}.json").read_bytes()
    outcome = await search("tavily", FaultServer(Reply(body)), limit=20)
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, "")
    assert len(outcome.hits) == len(json.loads(body)["results"])


@needs_recorded_answers
async def test_a_recorded_answer_of_brave_is_read() -> None:
    results = read_brave(json.loads((PAYLOADS / "brave_web_mockdata.json").read_bytes()), "Brave")
    assert len(results) == 20
    assert results[0].url == "https://en.wikipedia.org/wiki/%22Hello,_World!%22_program"
    assert results[0].text.startswith('A "Hello, World!" program is usually a simple computer program')
    assert results[0].date == "2024-12-27"
    assert not any("<strong>" in result.text or "&quot;" in result.text for result in results)
