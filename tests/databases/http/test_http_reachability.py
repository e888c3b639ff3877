"""Whether services can be reached: found out at once for all, and within the time."""

from __future__ import annotations

import asyncio
import base64
import socket

import pytest
from fault_server import FaultServer, Reply, closed_port, service_at

from storm.databases.http.reachability import find_unreachable
from storm.errors import ConfigError

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


async def test_a_service_that_listens_is_reached_and_asked_nothing() -> None:
    async with FaultServer(Reply(b"{}")) as server:
        assert find_unreachable([service_at(server.url)], 5) == {}
    assert server.requests == []


def test_each_service_is_reported_with_its_own_reason() -> None:
    with closed_port() as port:
        services = [
            service_at(f"http://127.0.0.1:{port}", name="closed"),
            service_at("https://no-such-host.invalid", name="unknown"),
        ]
        assert find_unreachable(services, 5) == {
            "closed": "no connection",
            "unknown": "its server was not found (no network?)",
        }


async def test_a_host_that_does_not_speak_tls_is_not_reached_by_https() -> None:
    async with FaultServer(Reply(b"{}")) as server:
        (reason,) = find_unreachable([service_at(server.url.replace("http:", "https:"))], 0.3).values()
    assert reason.startswith(("no secure connection", "no connection"))


def test_a_service_that_does_not_answer_is_given_up_in_time() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        found = find_unreachable([service_at(f"https://127.0.0.1:{silent.getsockname()[1]}")], 0.1)
    assert found == {"example": "no connection within 0.1 s"}


async def by_proxy(monkeypatch: pytest.MonkeyPatch, proxy: str, url: str = "https://no-such-host.invalid") -> str:
    """Why a service is not reached through this proxy; empty if it is."""
    for scheme in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(scheme, proxy)
    return (await asyncio.to_thread(find_unreachable, [service_at(url)], 5)).get("example", "")


async def test_a_proxy_is_asked_for_the_way_to_a_secure_service(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FaultServer(Reply()) as server:
        refusal = await by_proxy(monkeypatch, server.url.replace("//", "//me:p%40ss@"))
    (seen,) = server.requests
    assert (refusal, seen.method, seen.target) == ("", "CONNECT", "no-such-host.invalid:443")
    assert seen.headers["proxy-authorization"] == f"Basic {base64.b64encode(b'me:p@ss').decode()}"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply("no", 403), "the proxy refuses (403)"),
        (Reply("", 407), "the proxy refuses (407)"),
        (Reply("", reset=True, status=502), "the proxy refuses (502)"),
    ],
)
async def test_a_proxy_that_refuses_is_reported_with_its_status(
    monkeypatch: pytest.MonkeyPatch, reply: Reply, expected: str
) -> None:
    async with FaultServer(reply) as server:
        assert await by_proxy(monkeypatch, server.url) == expected


async def test_a_proxy_that_hangs_up_refuses_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        place = "{}:{}".format(*server.sockets[0].getsockname())
        assert await by_proxy(monkeypatch, place) == "the proxy refuses the connection"


async def test_of_a_proxy_only_the_port_is_tried_for_a_service_without_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FaultServer(Reply("", 403)) as server:
        assert await by_proxy(monkeypatch, server.url, "http://no-such-host.invalid") == ""
        await server.wait_for_connections(1)
        assert await by_proxy(monkeypatch, server.url.replace("http:", "socks5:")) == ""
        await server.wait_for_connections(2)
    assert server.requests == []


@pytest.mark.parametrize(
    ("proxy", "expected"),
    [
        ("127.0.0.1:{closed}", "no connection to the proxy"),
        ("http://no-such-proxy.invalid:1", "the name of the proxy could not be looked up"),
    ],
)
async def test_no_connection_to_the_proxy_is_reported_as_that(
    monkeypatch: pytest.MonkeyPatch, proxy: str, expected: str
) -> None:
    with closed_port() as closed:
        assert (await by_proxy(monkeypatch, proxy.format(closed=closed))) == expected


async def test_a_proxy_that_cannot_be_used_is_a_mistake_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="does not name a usable proxy"):
        await by_proxy(monkeypatch, "ftp://127.0.0.1:1")
