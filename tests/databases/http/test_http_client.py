from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_server import FaultServer, Reply, Time, closed_port, open_http, service_at

from storm.databases.http.client import Answer, Expect, Http, user_agent
from storm.databases.http.inquiry import track_inquiry
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.replay_clock import ReplayClock
from storm.errors import (
    BadAnswer,
    Blocked,
    NotConfigured,
    QueryRejected,
    RateLimited,
    ServiceDown,
    ServiceError,
)

OK = Reply('{"ok": 1}')
XML = Reply('<?xml version="1.0"?>\n<set><a/></set>\n', content_type="text/xml")
PAGE = Reply("<!DOCTYPE html>\n<html><body>Sorry</body></html>", content_type="text/html")
NCBI_LIMIT = '{"error":"API rate limit exceeded","api-key":"203.0.113.7","count":"4","limit":"3"}'


async def ask(server: FaultServer, time: Time | None = None, /, **options: Any) -> Answer:
    """One call of a service at the server."""
    changes = {"read": 0.3, **options.pop("service", {})}
    async with open_http(time) as http:
        return await http.fetch_answer(service_at(server.url, **changes), options.pop("path", "search"), **options)


async def failure(server: FaultServer, time: Time | None = None, /, **options: Any) -> ServiceError:
    """The error of a call that fails."""
    with pytest.raises(ServiceError) as caught:
        await ask(server, time, **options)
    assert caught.value.service == "Example"
    return caught.value


# What is sent


async def test_an_answer_is_returned_whole() -> None:
    async with FaultServer(OK) as server:
        answer = await ask(server, path="works/10.1000%2Fx y", params={"q": "a b+c&d=é", "n": 5})
    assert (answer.status, answer.body, answer.content_type) == (200, OK.content, OK.content_type)
    assert answer.url == f"{server.url}/works/10.1000%2Fx%20y?q=a%20b%2Bc%26d%3D%C3%A9&n=5"
    assert answer.at == Time().start
    seen = server.requests[0]
    assert (seen.method, seen.path, seen.params) == ("GET", "/works/10.1000/x y", {"q": "a b+c&d=é", "n": "5"})
    assert seen.headers["accept"] == "application/json"


async def test_one_user_agent_names_the_program_and_the_contact() -> None:
    async with FaultServer(OK) as server, open_http(user_agent=user_agent("someone@example.org")) as http:
        await http.fetch_answer(service_at(server.url), "a")
    assert server.requests[0].headers["user-agent"] == "storm-research/0.1.0 (someone@example.org)"


async def test_parameters_may_be_repeated_and_secret_ones_come_first() -> None:
    async with FaultServer(OK) as server:
        await ask(server, params=[("a", "1"), ("a", "2")], secret_params={"api_key": "S3CRET"})
    assert server.requests[0].query == [("api_key", "S3CRET"), ("a", "1"), ("a", "2")]


async def test_forms_and_json_are_posted() -> None:
    async with FaultServer(OK) as server:
        await ask(server, method="POST", data={"id": "1,2", "q": "a&b"})
        await ask(server, method="POST", json={"query": "é"}, secret_headers={"Authorization": "Bearer S3CRET"})
    form, body = server.requests
    assert (form.method, form.form) == ("POST", [("id", "1,2"), ("q", "a&b")])
    assert (body.json, body.headers["authorization"]) == ({"query": "é"}, "Bearer S3CRET")
    assert body.headers["content-type"] == "application/json"


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "ß" * 3000])
async def test_any_text_can_be_a_parameter(text: str) -> None:
    async with FaultServer(OK) as server:
        assert (await ask(server, params={"q": text})).status == 200


@pytest.mark.parametrize("path", ["../admin", "a/../../b", "./x"])
async def test_a_path_never_leaves_the_base_url(path: str) -> None:
    async with FaultServer(OK) as server:
        assert isinstance(await failure(server, path=path), QueryRejected)
    assert server.requests == []


async def test_cookies_are_not_sent_back() -> None:
    async with FaultServer(Reply("{}", headers={"Set-Cookie": "id=1; Path=/"})) as server, open_http() as http:
        for _ in range(2):
            await http.fetch_answer(service_at(server.url), "a")
    assert "cookie" not in server.requests[1].headers


# What comes back instead of an answer


@pytest.mark.parametrize(
    ("reply", "kind", "calls"),
    [
        pytest.param(Reply('{"error": "bad term"}', 400), QueryRejected, 1, id="400"),
        pytest.param(Reply("Unauthorized", 401), ServiceDown, 1, id="401"),
        pytest.param(Reply("Forbidden", 403), ServiceDown, 1, id="403"),
        pytest.param(Reply("Resource not found.", 404, "text/plain"), QueryRejected, 1, id="404"),
        pytest.param(Reply('{"detail": "plan"}', 432), QueryRejected, 1, id="432"),
        pytest.param(Reply("oops", 500), ServiceDown, 3, id="500"),
        pytest.param(Reply("oops", 503), ServiceDown, 3, id="503"),
        pytest.param(Reply('{"error":{"details":"[token_mgr_error]"}}', 500), QueryRejected, 1, id="500 query bug"),
        pytest.param(Reply("", 204), BadAnswer, 1, id="204"),
        pytest.param(Reply(""), BadAnswer, 3, id="empty"),
        pytest.param(Reply(" \n"), BadAnswer, 3, id="blank"),
        pytest.param(Reply('{"hits": [1, 2'), BadAnswer, 3, id="cut JSON"),
        pytest.param(Reply("[" * 100_000), BadAnswer, 3, id="deep JSON"),
        pytest.param(Reply('{"ok": 1}', announced=5000), BadAnswer, 3, id="cut by the connection"),
        pytest.param(PAGE, BadAnswer, 3, id="HTML"),
        pytest.param(Reply(PAGE.body, content_type="application/json"), BadAnswer, 3, id="HTML said to be JSON"),
        pytest.param(Reply("<set/>", content_type="application/json"), BadAnswer, 3, id="XML"),
        pytest.param(Reply(b"\x89PNG\r\n", content_type="image/png"), BadAnswer, 3, id="picture"),
        pytest.param(Reply("x", headers={"Content-Encoding": "br"}), BadAnswer, 3, id="packed as not asked"),
        pytest.param(Reply("x", headers={"Content-Encoding": "gzip"}), BadAnswer, 3, id="damaged gzip"),
        pytest.param(Reply('{"a":', reset=True, announced=99), ServiceDown, 3, id="reset"),
        pytest.param(Reply(silent=True), ServiceDown, 3, id="silent"),
    ],
)
async def test_each_fault_is_an_error_of_ours(reply: Reply, kind: type[ServiceError], calls: int) -> None:
    async with FaultServer(reply) as server:
        error = await failure(server, service={"read": 0.1})
    if reply.announced and not reply.reset:
        kind = ServiceDown
    assert type(error) is kind
    assert len(server.requests) == calls
    assert ("after 3 tries" in error.message) == (calls == 3)


@pytest.mark.parametrize(
    "body",
    ["<set><a>", '<?xml version="1.0"?><set><a/>', "<set", '{"a": 1}', "plain", "<!-- x -->", "<a></b>"],
)
async def test_xml_that_is_cut_or_something_else_is_a_bad_answer(body: str) -> None:
    async with FaultServer(Reply(body, content_type="text/xml")) as server:
        assert isinstance(await failure(server, expect=Expect.XML), BadAnswer)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("body", "expect"),
    [
        ("\ufeff<set/>\n", Expect.XML),
        ("<!DOCTYPE s SYSTEM 'http://x/y.dtd'><s><html/></s><!-- end -->", Expect.XML),
        ("<?xml-stylesheet type='text/xsl' href='a.xsl'?>\n<n:set xmlns:n='u'></n:set >", Expect.XML),
        ('\ufeff{"a": 1}', Expect.JSON),
        ("[]", Expect.JSON),
    ],
)
async def test_the_content_type_does_not_matter_where_the_body_is_right(body: str, expect: Expect) -> None:
    async with FaultServer(Reply(body, content_type="application/octet-stream")) as server:
        assert (await ask(server, expect=expect)).body == body.encode()


async def test_after_a_passing_fault_the_answer_comes() -> None:
    time = Time()
    async with FaultServer(Reply("", 503), Reply('{"a'), OK) as server:
        assert (await ask(server, time)).body == OK.content
    assert time.slept == [0.5, 1.0]


async def test_an_accepted_status_is_the_clients_to_read() -> None:
    async with FaultServer(Reply('{"error": {"code": "NOT_FOUND"}}', 404)) as server:
        answer = await ask(server, accept_status=frozenset({200, 404}))
    assert (answer.status, len(server.requests)) == (404, 1)


async def test_a_rejection_tells_status_and_reason() -> None:
    async with FaultServer(Reply("\tInvalid\n <b>page</b> size\x07 ", 400, "text/plain")) as server:
        error = await failure(server)
    assert (error.status, error.message) == (400, "it answered HTTP 400: Invalid <b>page</b> size")


@pytest.mark.parametrize("key", [None, "S3CRET"])
async def test_a_refused_key_is_reported_by_the_name_of_its_variable(key: str | None) -> None:
    async with FaultServer(Reply("no", 403)) as server:
        error = await failure(server, service={"key_variable": "EXAMPLE_KEY", "key": key})
    assert type(error) is NotConfigured
    unset = "set EXAMPLE_KEY if you have a key; it may also block this address"
    assert error.hint == ("check EXAMPLE_KEY" if key else unset)


# Being asked to wait


@pytest.mark.parametrize("status", [200, 400, 429, 500])
async def test_the_rate_body_of_ncbi_is_waited_out_at_any_status(status: int) -> None:
    time = Time()
    async with FaultServer(Reply(NCBI_LIMIT, status), Reply(NCBI_LIMIT, status), XML) as server:
        answer = await ask(server, time, expect=Expect.XML)
    assert answer.body == XML.content
    assert time.slept[:2] == [1.5, 2.0]


@pytest.mark.parametrize("header", ["7", "Sat, 21 Nov 2026 09:30:07 GMT"])
async def test_retry_after_is_honoured(header: str) -> None:
    time = Time(datetime(2026, 11, 21, 9, 30, tzinfo=UTC))
    async with FaultServer(Reply("", 429, headers={"Retry-After": header}), OK) as server:
        await ask(server, time)
    assert time.slept == [7.0]


async def test_retry_after_is_honoured_with_a_503() -> None:
    time = Time()
    async with FaultServer(Reply("", 503, headers={"Retry-After": "4"}), OK) as server:
        await ask(server, time)
    assert time.slept == [4.0]


@pytest.mark.parametrize("header", ["soon", "-3", "", "Sat, 99 Nov 2026 09:30:07 GMT", "٣"])
async def test_a_retry_after_without_sense_is_passed_over(header: str) -> None:
    time = Time()
    async with FaultServer(Reply("", 429, headers={"Retry-After": header.encode().decode("latin-1")}), OK) as server:
        await ask(server, time)
    assert time.slept == [1.5]


@pytest.mark.parametrize("header", ["3600", "99999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
async def test_a_wait_beyond_the_deadline_is_not_begun(header: str) -> None:
    time = Time()
    async with FaultServer(Reply("slow down", 429, headers={"Retry-After": header})) as server:
        error = await failure(server, time)
    assert (type(error), error.message, error.status) == (RateLimited, "too many calls: slow down", 429)
    assert (len(server.requests), time.slept) == (1, [])


async def test_waiting_ends_at_the_deadline() -> None:
    time = Time()
    async with FaultServer(Reply("", 429)) as server:
        error = await failure(server, time, service={"total": 20})
    assert isinstance(error, RateLimited)
    assert 10 < time.passed < 20


async def test_who_waits_for_a_turn_leaves_the_service_alone_too() -> None:
    clock = ReplayClock()
    sent: list[tuple[str, float]] = []

    def play(request: httpx.Request) -> httpx.Response:
        sent.append((request.url.path, round(clock.monotonic(), 1)))
        if len(sent) == 1:
            return httpx.Response(429, headers={"Retry-After": "9"}, stream=httpx.ByteStream(b""))
        return httpx.Response(200, stream=httpx.ByteStream(b"{}"))

    limiter = LocalLimiter(clock.monotonic, clock.sleep)
    transport = httpx.MockTransport(play)
    async with Http(limiter, monotonic=clock.monotonic, sleep=clock.sleep, transport=transport) as http:
        service = service_at("https://example.org", rate=0.5)
        await asyncio.gather(http.fetch_answer(service, "first"), http.fetch_answer(service, "waiting"))
    assert sent == [("/first", 0.0), ("/first", 9.0), ("/waiting", 11.2)]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_call_that_is_given_up_leaves_word_for_how_long_the_service_wants_to_be_left_alone(status: int) -> None:
    time = Time()
    async with FaultServer(Reply("", status, headers={"Retry-After": "20"}), OK) as server, open_http(time) as http:
        with pytest.raises(ServiceError, match=r"too many calls|HTTP 503"):
            await http.fetch_answer(service_at(server.url, total=20), "first")
        assert time.passed == 0
        await http.fetch_answer(service_at(server.url), "second")
    assert time.passed == pytest.approx(20)


async def test_nobody_is_kept_from_a_service_for_ever_by_its_word() -> None:
    time = Time()
    async with FaultServer(Reply("", 429, headers={"Retry-After": "999999999"}), OK) as server, open_http(time) as http:
        with pytest.raises(RateLimited):
            await http.fetch_answer(service_at(server.url), "first")
        await http.fetch_answer(service_at(server.url), "second")
    assert time.passed == pytest.approx(60)


async def test_a_service_that_asks_for_no_wait_is_not_pestered() -> None:
    time = Time()
    async with FaultServer(Reply("", 429, headers={"Retry-After": "0"})) as server:
        error = await failure(server, time, service={"total": 10})
    assert (error.message, len(server.requests)) == ("too many calls after 10 tries", 10)


# Size and time


async def test_a_gzip_bomb_is_given_up_early() -> None:
    bomb = gzip.compress(bytes(60_000_000))
    async with FaultServer(Reply(bomb, headers={"Content-Encoding": "gzip"})) as server:
        error = await failure(server, service={"max_bytes": 1_000_000})
    assert (type(error), error.message) == (BadAnswer, "the answer is longer than 1 MB")
    assert len(server.requests) == 1


async def test_gzip_is_asked_for_and_unpacked() -> None:
    async with FaultServer(Reply(gzip.compress(b'{"a": 1}'), headers={"Content-Encoding": "gzip"})) as server:
        answer = await ask(server)
    assert (answer.body, server.requests[0].headers["accept-encoding"]) == (b'{"a": 1}', "gzip")


async def test_a_hundred_megabytes_are_not_read() -> None:
    async with FaultServer(Reply(b" " * 1_000_000, times=100)) as server:
        error = await failure(server, service={"max_bytes": 3_000_000})
    assert (type(error), len(server.requests)) == (BadAnswer, 1)


async def test_a_slow_drip_ends_at_the_deadline() -> None:
    async with FaultServer(Reply(b" " * 1000, piece=1, pause=0.02)) as server:
        error = await failure(server, service={"total": 0.2})
    assert (type(error), error.message) == (ServiceDown, "no whole answer within 0.2 s")
    assert len(server.requests) == 1


async def test_a_silent_service_is_reported_as_timed_out() -> None:
    async with FaultServer(Reply(silent=True)) as server:
        assert (await failure(server, service={"read": 0.05})).message == "timed out after 3 tries"


# No connection


async def test_a_closed_port_is_no_connection() -> None:
    async with open_http() as http:
        with closed_port() as port, pytest.raises(ServiceDown, match="no connection after 3 tries"):
            await http.fetch_answer(service_at(f"http://127.0.0.1:{port}"), "a")


async def test_a_server_without_tls_is_no_secure_connection() -> None:
    async with FaultServer(OK) as server, open_http() as http:
        with pytest.raises(ServiceDown, match="no secure connection"):
            await http.fetch_answer(service_at(server.url.replace("http:", "https:")), "a")
    assert server.requests == []


async def test_an_unknown_name_is_reported_at_once() -> None:
    time = Time()
    async with open_http(time) as http:
        with pytest.raises(ServiceDown, match=r"its server was not found \(no network\?\)$") as caught:
            await http.fetch_answer(service_at("http://no-such-host.invalid"), "a")
    assert (caught.value.hint, time.slept) == ("is this machine online?", [])


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (httpx.ConnectTimeout("10.0.0.1"), "no connection within 5 s"),
        (httpx.ProxyError("407 http://me:S3CRET@proxy"), "the proxy refuses (407)"),
        (httpx.ProxyError("S3CRET"), "the proxy refuses the connection"),
        (httpx.LocalProtocolError("S3CRET"), "the request could not be sent"),
    ],
)
async def test_what_would_fail_again_is_not_tried_again(fault: httpx.HTTPError, message: str) -> None:
    calls = []

    def fail(request: httpx.Request) -> httpx.Response:
        calls.append(request)
        raise fault

    async with open_http(transport=httpx.MockTransport(fail)) as http:
        with pytest.raises(ServiceDown) as caught:
            await http.fetch_answer(service_at("http://example.org"), "a")
    assert (caught.value.message, len(calls)) == (message, 1)


# Redirects


async def test_a_redirect_within_the_service_is_followed() -> None:
    async with FaultServer(OK) as server:
        server.on("/search", Reply("", 302, headers={"Location": "/new?q=1"}))
        answer = await ask(server, secret_headers={"X-Key": "S3CRET"})
    assert (answer.body, answer.url) == (OK.content, f"{server.url}/new?q=1")
    assert server.requests[1].headers["x-key"] == "S3CRET"


@pytest.mark.parametrize(
    "place", ["http://169.254.169.254/latest", "https://elsewhere.org/", "file:///etc/passwd", "http://127.0.0.1:1/"]
)
async def test_a_redirect_to_another_place_is_blocked(place: str) -> None:
    async with FaultServer(Reply("", 302, headers={"Location": place})) as server:
        assert isinstance(await failure(server), Blocked)
    assert len(server.requests) == 1


async def test_a_redirect_to_a_host_of_the_service_goes_without_our_key() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if request.url.host == "api.example.org":
            return httpx.Response(307, headers={"Location": "https://data.example.org/x"})
        return httpx.Response(200, stream=httpx.ByteStream(b"{}"))

    service = service_at("https://api.example.org", redirect_hosts=("data.example.org",))
    async with open_http(transport=httpx.MockTransport(answer)) as http:
        await http.fetch_answer(service, "a", secret_headers={"X-Key": "S3CRET"})
    assert ["X-Key" in request.headers for request in seen] == [True, False]


async def test_a_redirect_to_plain_http_is_blocked() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"Location": "http://api.example.org/x"})

    async with open_http(transport=httpx.MockTransport(answer)) as http:
        with pytest.raises(Blocked):
            await http.fetch_answer(service_at("https://api.example.org"), "a")


async def test_a_redirect_loop_ends() -> None:
    async with FaultServer(Reply("", 302, headers={"Location": "/search"})) as server:
        error = await failure(server)
    assert (type(error), error.message, len(server.requests)) == (BadAnswer, "more than 5 redirects", 6)


# Secrets


SECRETS: Mapping[str, Any] = {"secret_params": {"api_key": "S3CRET/+ x"}, "secret_headers": {"X-Token": "Bearer T0KEN"}}


@pytest.mark.parametrize("status", [400, 403, 500])
async def test_no_secret_and_no_address_is_in_an_error(status: int) -> None:
    echo = "key S3CRET/+ x or S3CRET%2F%2B%20x of 203.0.113.7 or 2001:db8::7, token T0KEN, mail me@example.org, v1.2.3"
    async with FaultServer(Reply(echo, status)) as server:
        error = await failure(server, service={"contact": "me@example.org"}, **SECRETS)
    assert error.message.endswith(
        "key [redacted] or [redacted] of [redacted] or [redacted], token [redacted], mail [redacted], v1.2.3"
    )


async def test_ncbis_echo_of_the_key_is_not_in_the_error() -> None:
    async with FaultServer(Reply(NCBI_LIMIT.replace("203.0.113.7", "S3CRET/+ x"), 429)) as server:
        error = await failure(server, service={"total": 1}, **SECRETS)
    assert isinstance(error, RateLimited)
    assert "S3CRET" not in str(error)


async def test_no_secret_is_logged_cached_or_in_an_answer(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    redirect = Reply("", 302, headers={"Location": "/new?api_key=S3CRET%2F%2B%20x&q=1"})
    async with FaultServer(OK) as server, open_http(cache_dir=tmp_path) as http:
        server.on("/search", redirect)
        service = service_at(server.url, ttl=60, key="S3CRET/+ x", contact="me@example.org")
        answer = await http.fetch_answer(service, "search", {"mail": "me@example.org"}, **SECRETS)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert len(caplog.records) > 3
    for secret in ("S3CRET", "T0KEN", "me@example.org", "me%40example.org"):
        assert secret not in caplog.text
        assert secret not in repr(answer) + repr(service)
        assert secret.encode() not in stored
    assert server.requests[0].params == {"api_key": "S3CRET/+ x", "mail": "me@example.org"}


async def test_a_secret_that_a_success_repeats_is_neither_answered_nor_read_nor_kept(tmp_path: Path) -> None:
    echo = Reply('{"you": "S3CRET/+ x, T0KEN of me@example.org", "also": "ab"}', content_type="application/json; T0KEN")
    options: Mapping[str, Any] = {**SECRETS, "read": bytes.decode}
    async with FaultServer(echo) as server, open_http(cache_dir=tmp_path) as http:
        service = service_at(server.url, ttl=60, key="ab", contact="me@example.org")  # too short to be a secret
        answers = [await http.fetch_answer(service, "a", **options) for _ in range(2)]
    assert len(server.requests) == 1
    assert answers[0].value == '{"you": "[redacted], [redacted] of [redacted]", "also": "ab"}'
    assert answers[1] == answers[0]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    for secret in ("S3CRET", "T0KEN", "me@example.org"):
        assert secret not in repr(answers)
        assert secret.encode() not in stored


# The cache, and equal calls


async def test_what_was_asked_before_comes_from_the_cache(tmp_path: Path) -> None:
    time = Time()
    async with FaultServer(Reply('{"n": 1}'), Reply('{"n": 2}')) as server:
        service = service_at(server.url, ttl=60)
        async with open_http(time, cache_dir=tmp_path) as http:
            first = await http.fetch_answer(service, "a", secret_params={"key": "one"})
        time.passed += 59
        async with open_http(time, cache_dir=tmp_path) as http:
            again = await http.fetch_answer(service, "a", secret_params={"key": "two"})
            time.passed += 2
            later = await http.fetch_answer(service, "a")
    assert again == first
    assert (later.body, len(server.requests)) == (b'{"n": 2}', 2)


@pytest.mark.parametrize(
    "second",
    [{"params": {"q": "2"}}, {"expect": Expect.XML}, {"accept_status": frozenset({200, 404})}, {"path": "b"}],
    ids=str,
)
async def test_what_differs_is_asked_again(tmp_path: Path, second: Mapping[str, Any]) -> None:
    xml = second.get("expect") is Expect.XML
    async with FaultServer(OK, XML if xml else OK) as server, open_http(cache_dir=tmp_path) as http:
        service = service_at(server.url, ttl=60)
        for options in ({}, second):
            await http.fetch_answer(service, **{"path": "a", **options})
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("reply", "options", "ttl"),
    [
        (Reply("{}", 404), {"accept_status": frozenset({200, 404})}, 60),
        (OK, {"method": "POST", "data": {"a": "1"}}, 60),
        (OK, {}, 0),
    ],
    ids=["404", "POST", "ttl 0"],
)
async def test_what_is_not_kept(tmp_path: Path, reply: Reply, options: Mapping[str, Any], ttl: float) -> None:
    async with FaultServer(reply) as server, open_http(cache_dir=tmp_path) as http:
        for _ in range(2):
            await http.fetch_answer(service_at(server.url, ttl=ttl), "a", **options)
    assert len(server.requests) == 2


async def test_a_failure_with_status_200_is_not_kept(tmp_path: Path) -> None:
    async with FaultServer(PAGE, PAGE, PAGE, OK) as server, open_http(cache_dir=tmp_path) as http:
        service = service_at(server.url, ttl=60)
        with pytest.raises(BadAnswer):
            await http.fetch_answer(service, "a")
        assert (await http.fetch_answer(service, "a")).body == OK.content


def refuse_busy(body: bytes) -> None:
    """What a client reads in a body: its service's own word for a fault that passes, or for one that stays."""
    if error := json.loads(body).get("error"):
        raise (ServiceDown if error == "busy" else QueryRejected)(f"it says: {error}")


async def test_a_failure_that_the_client_finds_inside_is_raised_and_not_kept(tmp_path: Path) -> None:
    async with FaultServer(Reply('{"error": "no such field"}'), OK) as server, open_http(cache_dir=tmp_path) as http:
        service = service_at(server.url, ttl=60)
        with pytest.raises(QueryRejected, match="it says: no such field") as caught:
            await http.fetch_answer(service, "a", read=refuse_busy)
        assert caught.value.service == "Example"
        for _ in range(2):
            assert (await http.fetch_answer(service, "a", read=refuse_busy)).body == OK.content
    assert len(server.requests) == 2


async def test_a_fault_of_the_services_own_inside_of_a_success_is_tried_again() -> None:
    async with FaultServer(Reply('{"error": "busy"}'), OK) as server:
        assert (await ask(server, read=refuse_busy)).body == OK.content
    async with FaultServer(Reply('{"error": "busy"}')) as server:
        error = await failure(server, read=refuse_busy)
    assert (type(error), error.message, len(server.requests)) == (ServiceDown, "it says: busy after 3 tries", 3)


async def test_what_is_no_success_is_not_checked() -> None:
    async with FaultServer(Reply('{"error": "busy"}', 404)) as server:
        answer = await ask(server, accept_status=frozenset({200, 404}), read=refuse_busy)
    assert answer.status == 404


async def test_a_damaged_cache_costs_a_call_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "answers.db").write_bytes(b"no database" * 1000)
    async with FaultServer(OK) as server, open_http(cache_dir=tmp_path) as http:
        for _ in range(2):
            assert (await http.fetch_answer(service_at(server.url, ttl=60), "a")).body == OK.content
    assert len(server.requests) == 2


async def test_a_large_body_comes_back_from_the_cache_whole(tmp_path: Path) -> None:
    body = json.dumps(list(range(200_000))).encode()
    async with FaultServer(Reply(body)) as server, open_http(cache_dir=tmp_path) as http:
        for _ in range(2):
            assert (await http.fetch_answer(service_at(server.url, ttl=60), "a")).body == body
    assert len(server.requests) == 1


async def test_equal_calls_at_once_are_one(tmp_path: Path) -> None:
    async with FaultServer(Reply('{"n": 1}', wait=0.05), OK) as server, open_http() as http:
        answers = await asyncio.gather(*(http.fetch_answer(service_at(server.url), "a", {"q": 1}) for _ in range(20)))
    assert {answer.body for answer in answers} == {b'{"n": 1}'}
    assert len(server.requests) == 1


async def test_equal_calls_at_once_are_read_by_each_callers_own_reader() -> None:
    def reads(word: str) -> Callable[[bytes], str]:
        return lambda body: word

    async with FaultServer(Reply('{"n": 1}', wait=0.05)) as server, open_http() as http:
        service = service_at(server.url)
        answers = await asyncio.gather(
            http.fetch_answer(service, "a", read=reads("first")),
            http.fetch_answer(service, "a", read=reads("second")),
            http.fetch_answer(service, "a", read=len),
            http.fetch_answer(service, "a"),
        )
    assert [answer.value for answer in answers] == ["first", "second", 8, None]
    assert len(server.requests) == 3  # the first two are read by the same code


async def test_a_reader_who_refuses_what_another_took_asks_again() -> None:
    def reads(known: bytes) -> Callable[[bytes], bytes]:
        def read(body: bytes) -> bytes:
            if known not in body:
                raise ServiceDown(f"no {known.decode()}")
            return body

        return read

    async with FaultServer(Reply('{"n": 1}', wait=0.05), Reply('{"n": 2}')) as server, open_http() as http:
        calls = [http.fetch_answer(service_at(server.url), "a", read=reads(known)) for known in (b"1", b"2")]
        answers = await asyncio.gather(*calls)
    assert [answer.value for answer in answers] == [b'{"n": 1}', b'{"n": 2}']


async def test_a_refusal_by_equal_readers_is_found_out_once() -> None:
    async with FaultServer(Reply('{"error": "busy"}', wait=0.02)) as server, open_http() as http:
        calls = [http.fetch_answer(service_at(server.url), "a", read=refuse_busy) for _ in range(3)]
        ended = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(end) for end in ended] == [ServiceDown] * 3
    assert len(server.requests) == 3


async def test_equal_posts_at_once_are_not_one() -> None:
    async with FaultServer(OK) as server, open_http() as http:
        await asyncio.gather(
            *(http.fetch_answer(service_at(server.url), "a", method="POST", data={}) for _ in range(3))
        )
    assert len(server.requests) == 3


# Rates


async def test_calls_keep_to_nine_tenths_of_the_rate_and_tries_count(tmp_path: Path) -> None:
    time = Time()
    async with FaultServer(Reply("", 503), OK) as server, open_http(time, random=lambda: 0.0) as http:
        service = service_at(server.url, rate=0.5)
        for path in "ab":
            await http.fetch_answer(service, path)
    assert len(server.requests) == 3
    assert time.passed == pytest.approx(2 / 0.45)


async def test_a_turn_that_comes_too_late_is_not_waited_for() -> None:
    clock = ReplayClock()
    limiter = LocalLimiter(clock.monotonic, clock.sleep)
    sent = httpx.MockTransport(lambda request: httpx.Response(200, stream=httpx.ByteStream(b"{}")))
    async with Http(limiter, monotonic=clock.monotonic, sleep=clock.sleep, transport=sent) as http:
        service = service_at("https://example.org", rate=0.2, total=5)
        done = await asyncio.gather(*(http.fetch_answer(service, f"{n}") for n in range(5)), return_exceptions=True)
    assert [isinstance(result, Answer) for result in done] == [True, True, True, False, False]
    for late in done[3:]:
        assert (type(late), str(late)) == (RateLimited, "no turn within 15 s under the rate limit")
    assert clock.monotonic() < 15


async def test_where_nobody_waits_a_turn_may_come_later_and_the_search_says_how_long_it_waited() -> None:
    clock, queued = ReplayClock(), []

    async def sleep(seconds: float) -> None:
        queued.append(http.is_queued)
        await clock.sleep(seconds)

    limiter = LocalLimiter(clock.monotonic, sleep)
    sent = httpx.MockTransport(lambda request: httpx.Response(200, stream=httpx.ByteStream(b"{}")))
    async with Http(limiter, monotonic=clock.monotonic, sleep=clock.sleep, transport=sent, longest_queue=3_600) as http:
        service = service_at("https://example.org", rate=0.2, total=5)
        with track_inquiry() as inquiry:
            await asyncio.gather(*(http.fetch_answer(service, f"{n}") for n in range(5)))
        assert not http.is_queued
    assert inquiry.queued == pytest.approx(sum(n / 0.18 for n in range(5)))
    assert queued == [True] * 4


async def test_a_try_is_counted_only_when_it_is_sent() -> None:
    time = Time()
    async with FaultServer(Reply("", 503), OK) as server, open_http(time) as http:
        service = service_at(server.url, rate=0.25, total=3)
        with pytest.raises(ServiceDown) as caught:
            await http.fetch_answer(service, "a")
    assert (caught.value.message, len(server.requests)) == ("it answered HTTP 503", 1)


async def test_waiting_for_a_turn_does_not_count_towards_the_deadline() -> None:
    time = Time()
    async with FaultServer(OK) as server, open_http(time) as http:
        service = service_at(server.url, rate=0.1, total=5)
        for path in "abc":
            await http.fetch_answer(service, path)
    assert time.passed > 20
