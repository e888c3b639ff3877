"""Whether the public services can be reached: tested once for all jobs of a program, and again while some cannot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from storm.databases.live import LiveDatabases

DOWN = {"pubmed": "no connection within 2 s"}


class Network:
    """What each test of the services finds, the last one again and again."""

    def __init__(self, *found: dict[str, str]) -> None:
        self.found = list(found)
        self.tests = 0
        self.now = 1_000.0

    def find_unreachable(self, services: object, seconds: float) -> dict[str, str]:
        self.tests += 1
        return self.found.pop(0) if len(self.found) > 1 else self.found[0]


@pytest.fixture
def open_live(monkeypatch: pytest.MonkeyPatch) -> Callable[[Network], LiveDatabases]:
    def make(network: Network) -> LiveDatabases:
        monkeypatch.setattr("storm.databases.live.find_unreachable", network.find_unreachable)
        return LiveDatabases({}, {}, [], None, replayed=False, monotonic=lambda: network.now)

    return make


async def test_jobs_that_begin_together_test_the_services_once(open_live: Callable[[Network], LiveDatabases]) -> None:
    network = Network({})
    live = open_live(network)
    assert await asyncio.gather(*(live.find_unreachable() for _ in range(5))) == [{}] * 5
    network.now += 86_400
    assert (await live.find_unreachable(), network.tests) == ({}, 1)


async def test_services_that_could_not_be_reached_are_tested_again_after_a_minute(
    open_live: Callable[[Network], LiveDatabases],
) -> None:
    network = Network(DOWN, {})
    live = open_live(network)
    assert await live.find_unreachable() == DOWN
    network.now += 59
    assert (await live.find_unreachable(), network.tests) == (DOWN, 1)
    network.now += 2
    assert (await live.find_unreachable(), network.tests) == ({}, 2)
