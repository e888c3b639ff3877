from __future__ import annotations

import asyncio

import pytest
from fault_server import Time

from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.replay_clock import ReplayClock


async def test_calls_at_once_are_spaced_evenly() -> None:
    time = Time()
    limiter = LocalLimiter(lambda: 100.0, time.sleep)
    await asyncio.gather(*(limiter.wait("pubmed", 4) for _ in range(4)))
    assert time.slept == [0.25, 0.5, 0.75]


async def test_a_pause_gives_no_right_to_a_burst() -> None:
    time = Time()
    limiter = LocalLimiter(time.monotonic, time.sleep)
    await limiter.wait("pubmed", 2)
    time.passed += 60
    for _ in range(3):
        await limiter.wait("pubmed", 2)
    assert time.slept == [0.5, 0.5]


async def test_services_do_not_wait_for_each_other() -> None:
    time = Time()
    limiter = LocalLimiter(time.monotonic, time.sleep)
    for service in ("pubmed", "chembl", "openfda"):
        await limiter.wait(service, 0.1)
    assert time.slept == []


async def test_a_slower_rate_holds_for_the_next_call() -> None:
    time = Time()
    limiter = LocalLimiter(time.monotonic, time.sleep)
    for rate in (1.0, 0.1, 1.0):
        await limiter.wait("ncbi", rate)
    assert time.slept == pytest.approx([1, 10])


async def test_a_turn_that_comes_too_late_is_refused_at_once_and_not_taken() -> None:
    time = Time()
    limiter = LocalLimiter(lambda: 100.0, time.sleep)
    assert [await limiter.wait("ncbi", 0.5, within) for within in (0, 1.5, 2, 3)] == [True, False, True, False]
    assert time.slept == [2.0]


async def test_who_is_asked_to_hold_lets_nobody_call_until_then() -> None:
    clock = ReplayClock()
    limiter = LocalLimiter(clock.monotonic, clock.sleep)
    await limiter.hold("ncbi", 7)
    await limiter.hold("ncbi", 3)
    assert not await limiter.wait("ncbi", 10, 6.9)
    for _ in range(2):
        assert await limiter.wait("ncbi", 10)
    assert clock.monotonic() == pytest.approx(7.1)


async def test_who_waits_already_obeys_a_hold_too() -> None:
    clock = ReplayClock()
    limiter = LocalLimiter(clock.monotonic, clock.sleep)
    called: list[float] = []

    async def call() -> None:
        if await limiter.wait("ncbi", 1, within=12):
            called.append(clock.monotonic())

    async def hold() -> None:
        await clock.sleep(1.5)
        await limiter.hold("ncbi", 10)

    await asyncio.gather(*(call() for _ in range(5)), hold())
    assert called == [0.0, 1.0, 11.5]  # the others' turns would come after 12 s


async def test_a_hold_of_one_service_is_none_of_another() -> None:
    time = Time()
    limiter = LocalLimiter(time.monotonic, time.sleep)
    await limiter.hold("ncbi", 7)
    assert await limiter.wait("chembl", 1, within=0)
