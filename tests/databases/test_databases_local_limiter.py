from __future__ import annotations

import asyncio

import pytest
from fault_server import Time

from storm.databases.local_limiter import LocalLimiter


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
