from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_server import Entry, FaultServer, Reply, Seen, Time, open_http, service_at

from storm.databases.http.client import Answer, Expect, Http
from storm.databases.http.recording import RecordingTransport, ReplayTransport, open_transport
from storm.databases.http.replay_clock import ReplayClock
from storm.databases.http.service import Service
from storm.databases.services.epo_ops import EpoOps
from storm.errors import ServiceDown, ServiceError, UsageError
from storm.models import SearchQuery, SearchStatus

Job = Callable[[Http, Service], Awaitable[Any]]


@asynccontextmanager
async def recording(folder: Path, url: str, **changes: Any) -> AsyncIterator[tuple[Http, Service]]:
    transport = RecordingTransport(folder, httpx.AsyncClient(trust_env=False))
    async with open_http(transport=transport) as http:
        yield http, service_at(url, **changes)


async def outcome(work: Awaitable[Answer]) -> object:
    """What a caller sees, the time left out."""
    try:
        return (await work)._replace(at=Time().start)
    except ServiceError as exc:
        return type(exc), exc.message, exc.status


async def twice(folder: Path, job: Job, *script: Entry, **changes: Any) -> tuple[object, object]:
    """What a job sees live, and then without a server."""
    async with FaultServer(*script) as server, recording(folder, server.url, **changes) as (http, service):
        live = await job(http, service)
    async with open_http(transport=ReplayTransport(folder, Time().sleep)) as http:
        return live, await job(http, service)


async def test_a_job_is_replayed_byte_for_byte(tmp_path: Path) -> None:
    async def job(http: Http, service: Service) -> list[object]:
        return [
            await outcome(http.fetch_answer(service, "a", {"q": "ä b"}, secret_params={"key": "S3CRET"})),
            await outcome(http.fetch_answer(service, "a", {"q": "other"})),
            await outcome(http.fetch_answer(service, "a", method="POST", data={"id": "1"})),
            await outcome(http.fetch_answer(service, "a", method="POST", data={"id": "2"})),
            await outcome(http.fetch_answer(service, "a", method="POST", data={"id": "2"})),
        ]

    def count(n: int) -> Reply:
        return Reply(gzip.compress(f'["{n}\\r\\n é"]'.encode()), headers={"Content-Encoding": "gzip"})

    live, replayed = await twice(tmp_path, job, *map(count, range(9)))
    assert replayed == live
    assert isinstance(live, list)
    assert [answer.body[2:3] for answer in live] == [b"0", b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param([Reply("", 503), Reply("{}")], id="a retry"),
        pytest.param([Reply("", 429, headers={"Retry-After": "5"}), Reply("{}")], id="a wait"),
        pytest.param([Reply("", 302, headers={"Location": "/b?key=S3CRET"}), Reply("{}")], id="a redirect"),
        pytest.param([Reply("bad", 400)], id="400"),
        pytest.param([Reply("<html></html>")], id="a page"),
        pytest.param([Reply("x" * 2000)], id="too long"),
        pytest.param([Reply("x", headers={"Content-Encoding": "gzip"})], id="damaged"),
        pytest.param([Reply("{", reset=True, announced=9)], id="reset"),
        pytest.param([Reply("{", announced=9)], id="cut"),
        pytest.param([Reply(silent=True)], id="silent"),
        pytest.param([Reply("x" * 100, piece=1, pause=0.02)], id="drip"),
    ],
)
async def test_faults_are_replayed_too(tmp_path: Path, script: list[Entry]) -> None:
    async def job(http: Http, service: Service) -> object:
        return await outcome(http.fetch_answer(service, "a", secret_params={"key": "S3CRET"}))

    live, replayed = await twice(tmp_path, job, *script, max_bytes=1000, read=0.1, total=0.5 if script[0].pause else 60)
    assert replayed == live


@pytest.mark.parametrize("url", ["http://no-such-host.invalid", "https-to-plain"])
async def test_no_connection_is_replayed_too(tmp_path: Path, url: str) -> None:
    async def job(http: Http, service: Service) -> object:
        secure = service.base_url.replace("http:", "https:")
        place = secure if url == "https-to-plain" else url
        return await outcome(http.fetch_answer(service.model_copy(update={"base_url": place}), "a"))

    live, replayed = await twice(tmp_path, job, Reply("{}"))
    assert isinstance(live, tuple)
    assert isinstance(replayed, tuple)
    assert (live[0], replayed[0]) == (ServiceDown, ServiceDown)
    assert replayed[1] == live[1].split(": ")[0]


async def test_time_passes_in_a_replay_as_it_did(tmp_path: Path) -> None:
    time, clock = Time(), ReplayClock()
    taken = iter([0.0, 19.5, 20.0, 20.25])

    def busy(request: httpx.Request) -> httpx.Response:
        return httpx.Response(503, stream=httpx.ByteStream(b""))

    network = httpx.AsyncClient(transport=httpx.MockTransport(busy))
    transport = RecordingTransport(tmp_path, network, lambda: next(taken))
    async with open_http(time, transport=transport) as http:
        for path in "ab":
            with pytest.raises(ServiceDown):
                await http.fetch_answer(service_at("https://example.org", total=0.1), path)
    async with open_http(time, transport=ReplayTransport(tmp_path, clock.sleep)) as http:
        for path in "ab":
            with pytest.raises(ServiceDown):
                await http.fetch_answer(service_at("https://example.org", total=0.1), path)
    assert clock.monotonic() == pytest.approx(19.75)


async def test_a_deadline_that_passed_is_reported_in_the_same_words(tmp_path: Path) -> None:
    async def job(http: Http, service: Service) -> object:
        return await outcome(http.fetch_answer(service, "a"))

    live, replayed = await twice(tmp_path, job, Reply("", 503), Reply(silent=True), total=0.6)
    assert live == replayed == (ServiceDown, "no whole answer within 0.6 s after 2 tries", None)


async def test_what_the_user_breaks_off_is_not_recorded(tmp_path: Path) -> None:
    asked = asyncio.Event()

    def unanswered(seen: Seen) -> Reply:
        asked.set()
        return Reply(silent=True)

    async with FaultServer(unanswered, Reply("{}")) as server, recording(tmp_path, server.url) as (http, service):
        first = asyncio.create_task(http.fetch_answer(service, "a"))
        await asked.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert list(tmp_path.iterdir()) == []
        await http.fetch_answer(service, "a")
    async with open_http(transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        assert (await http.fetch_answer(service, "a")).body == b"{}"


async def test_an_answer_that_is_a_secret_is_recorded_as_something_else(tmp_path: Path) -> None:
    token = Reply('{"access_token":"T0KEN"}')
    async with FaultServer(token) as server, recording(tmp_path, server.url) as (http, service):
        live = await http.fetch_answer(service, "a", method="POST", data={}, recorded_as=b'{"access_token": "none"}')
    assert live.body == token.content
    assert not any(b"T0KEN" in path.read_bytes() for path in tmp_path.iterdir())
    async with open_http(transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        assert (await http.fetch_answer(service, "a", method="POST", data={})).body == b'{"access_token": "none"}'


async def test_patents_are_replayed_without_the_token_and_the_halves_of_the_key(tmp_path: Path) -> None:
    body = '<fault xmlns="http://ops.epo.org"><code>SERVER.EntityNotFound</code><b>C0NSUMER</b><c>S3CRET</c></fault>'

    async def job(http: Http, service: Service) -> object:
        return (await EpoOps(http, service).search(SearchQuery(names=("imatinib",)), 5)).status

    async with FaultServer() as server, recording(tmp_path, server.url, key="C0NSUMER:S3CRET") as (http, service):
        server.on("/accesstoken", Reply('{"access_token":"T0KEN","client_id":"C0NSUMER"}'))
        server.on("/biblio,abstract", Reply(body, status=404, content_type="application/xml"))
        assert await job(http, service) is SearchStatus.NONE
    for path in tmp_path.iterdir():
        for secret in (b"T0KEN", b"C0NSUMER", b"S3CRET"):
            assert secret not in path.read_bytes()
    async with open_http(transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        assert await job(http, service) is SearchStatus.NONE


async def test_the_last_answer_is_given_again(tmp_path: Path) -> None:
    async with FaultServer(Reply("[1]"), Reply("[2]")) as server, recording(tmp_path, server.url) as (http, service):
        for _ in range(2):
            await http.fetch_answer(service, "a")
    async with open_http(transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        bodies = [(await http.fetch_answer(service, "a")).body for _ in range(4)]
    assert bodies == [b"[1]", b"[2]", b"[2]", b"[2]"]


async def test_what_was_not_recorded_is_reported(tmp_path: Path) -> None:
    time = Time()
    async with open_http(time, transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        with pytest.raises(ServiceDown, match=r"no recorded answer in .* for GET http://.*/a\?q=1$") as caught:
            await http.fetch_answer(service_at("http://127.0.0.1"), "a", {"q": 1}, secret_params={"key": "S3CRET"})
    assert (caught.value.service, time.slept) == ("Example", [])


async def test_no_secret_is_written(tmp_path: Path) -> None:
    limit = '{"error":"API rate limit exceeded","api-key":"203.0.113.7","count":"4","limit":"3"}'
    echo = Reply('{"you": "S3CRET", "mail": "me@example.org"}', headers={"Set-Cookie": "S3CRET", "X-Key": "S3CRET"})
    elsewhere = Reply("", 302, headers={"Location": "/b?key=S3CRET"})
    async with (
        FaultServer(Reply(limit, 429), elsewhere, echo) as server,
        recording(tmp_path, server.url, contact="me@example.org") as (http, service),
    ):
        data = {"mail": "me@example.org"}
        headers = {"Authorization": "Bearer T0KEN"}
        await http.fetch_answer(
            service, "a", {"k": "S3CRET"}, secret_params={"key": "S3CRET"}, method="POST", data=data
        )
        await http.fetch_answer(service, "a", secret_headers=headers, secret_params={"key": "S3CRET"})
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert written.count(b"[redacted]") > 5
    for secret in (b"S3CRET", b"T0KEN", b"me@example.org", b"me%40", b"203.0.113.7"):
        assert secret not in written


async def test_a_replay_needs_no_key(tmp_path: Path) -> None:
    async with FaultServer(Reply("<a/>")) as server, recording(tmp_path, server.url, key="S3CRET") as (http, service):
        await http.fetch_answer(service, "a", secret_params={"key": "S3CRET"}, expect=Expect.XML)
    async with open_http(transport=ReplayTransport(tmp_path, Time().sleep)) as http:
        bare = service.model_copy(update={"key": None})
        assert (await http.fetch_answer(bare, "a", expect=Expect.XML)).body == b"<a/>"


async def test_the_setting_names_the_way_and_the_folder(tmp_path: Path) -> None:
    for setting, kind in (("record", RecordingTransport), ("replay", ReplayTransport)):
        transport = open_transport(f"{setting}:{tmp_path / 'new'}", Time().sleep)
        assert isinstance(transport, kind)
        await transport.aclose()


@pytest.mark.parametrize("setting", ["", "record", "record:", "replay:", "play:x", "replay:no/such/folder"])
def test_another_setting_is_an_error(setting: str) -> None:
    with pytest.raises(UsageError):
        open_transport(setting, Time().sleep)


async def test_only_an_empty_folder_is_recorded_into(tmp_path: Path) -> None:
    await open_transport(f"record:{tmp_path}", Time().sleep).aclose()
    (tmp_path / "note.txt").write_text("of another job", encoding="utf-8")
    for used in (tmp_path, tmp_path / "note.txt"):
        with pytest.raises(UsageError, match="is not an empty folder to record into"):
            open_transport(f"record:{used}", Time().sleep)
