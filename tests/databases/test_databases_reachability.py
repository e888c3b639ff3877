"""Whether services can be reached: found out at once for all, and within the time."""

from __future__ import annotations

import socket

import pytest
from fault_server import FaultServer, Reply, service_at

from storm.databases.reachability import unreachable

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def test_a_service_that_listens_is_reached_and_asked_nothing() -> None:
    async with FaultServer(Reply(b"{}")) as server:
        assert unreachable([service_at(server.url)], 5) == {}
    assert server.requests == []


def test_each_service_is_told_with_its_own_reason() -> None:
    services = [
        service_at(f"http://127.0.0.1:{closed_port()}", name="closed"),
        service_at("https://no-such-host.invalid", name="unknown"),
    ]
    assert unreachable(services, 5) == {"closed": "no connection", "unknown": "its name could not be looked up"}


async def test_a_host_that_does_not_speak_tls_is_not_reached_by_https() -> None:
    async with FaultServer(Reply(b"{}")) as server:
        (reason,) = unreachable([service_at(server.url.replace("http:", "https:"))], 0.3).values()
    assert reason.startswith(("no secure connection", "no connection"))


def test_a_service_that_does_not_answer_is_given_up_in_time() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        found = unreachable([service_at(f"https://127.0.0.1:{silent.getsockname()[1]}")], 0.1)
    assert found == {"example": "no connection within 0.1 s"}


async def test_behind_a_proxy_the_proxy_is_what_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FaultServer(Reply(b"{}")) as server:
        monkeypatch.setenv("HTTPS_PROXY", server.url)
        assert unreachable([service_at("https://no-such-host.invalid")], 5) == {}
    monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{closed_port()}")
    assert unreachable([service_at("https://no-such-host.invalid")], 5) == {
        "example": "the proxy refuses the connection"
    }
