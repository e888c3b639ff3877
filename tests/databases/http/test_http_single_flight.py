from __future__ import annotations

import asyncio

import pytest

from storm.databases.http.single_flight import SingleFlight


class Work:
    """Counts how often it was begun and given up; ends when it is let go."""

    def __init__(self) -> None:
        self.begun = 0
        self.given_up = 0
        self.go = asyncio.Event()
        self.fault: Exception | None = None

    async def __call__(self) -> int:
        self.begun += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if self.fault:
            raise self.fault
        return self.begun


async def begin(flights: SingleFlight[int], key: str, work: Work) -> asyncio.Task[int]:
    """A caller who waits."""
    task = asyncio.create_task(flights.run_once(key, work))
    await asyncio.sleep(0)
    return task


async def test_equal_calls_share_one_result_and_later_ones_do_not() -> None:
    flights, work = SingleFlight[int](), Work()
    callers = [await begin(flights, "a", work) for _ in range(3)]
    work.go.set()
    assert await asyncio.gather(*callers) == [1, 1, 1]
    assert await flights.run_once("a", work) == 2


async def test_different_calls_do_not_share() -> None:
    flights, work = SingleFlight[int](), Work()
    work.go.set()
    await asyncio.gather(flights.run_once("a", work), flights.run_once("b", work))
    assert work.begun == 2


async def test_a_failure_reaches_every_caller() -> None:
    flights, work = SingleFlight[int](), Work()
    work.fault = ValueError("no")
    callers = [await begin(flights, "a", work) for _ in range(2)]
    work.go.set()
    for caller in callers:
        with pytest.raises(ValueError, match="no"):
            await caller


async def test_a_caller_who_leaves_does_not_take_the_call_along() -> None:
    flights, work = SingleFlight[int](), Work()
    first, second = await begin(flights, "a", work), await begin(flights, "a", work)
    first.cancel()
    await asyncio.sleep(0)
    work.go.set()
    assert (await second, work.given_up) == (1, 0)


async def test_the_call_is_given_up_when_nobody_waits() -> None:
    flights, work = SingleFlight[int](), Work()
    callers = [await begin(flights, "a", work) for _ in range(2)]
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    await asyncio.sleep(0)
    work.go.set()
    assert (work.given_up, await flights.run_once("a", work)) == (1, 2)
