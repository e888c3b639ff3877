from __future__ import annotations

import asyncio

import pytest

from storm.errors import StoreError
from storm.store import Store
from storm.store.limiter import StoreLimiter


class Sleeper:
    """Remembers what would have been slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


async def test_the_first_call_waits_for_nothing(store: Store) -> None:
    sleeper = Sleeper()
    await StoreLimiter(store, sleeper).wait("pubmed", 3)
    assert sleeper.slept == []


async def test_calls_at_once_get_slots_of_equal_distance(store: Store) -> None:
    sleeper = Sleeper()
    limiter = StoreLimiter(store, sleeper)
    await asyncio.gather(*(limiter.wait("pubmed", 0.001) for _ in range(5)))
    assert [round(seconds, -3) for seconds in sorted(sleeper.slept)] == [1000, 2000, 3000, 4000]


async def test_two_limiters_on_one_store_share_the_rate(store: Store) -> None:
    first, second = Sleeper(), Sleeper()
    await StoreLimiter(store, first).wait("pubmed", 0.1)
    await StoreLimiter(store, second).wait("pubmed", 0.1)
    assert (first.slept, len(second.slept)) == ([], 1)


async def test_services_do_not_wait_for_each_other(store: Store) -> None:
    sleeper = Sleeper()
    limiter = StoreLimiter(store, sleeper)
    await limiter.wait("pubmed", 0.1)
    await limiter.wait("chembl", 0.1)
    assert sleeper.slept == []


async def test_an_unused_limit_leaves_nothing_in_the_store_for_long(store: Store) -> None:
    await StoreLimiter(store, Sleeper()).wait("pubmed", 0.001)
    left = await store.run_command(lambda redis: redis.pttl("rate_limit:{pubmed}"))
    assert 500_000 < left <= 1_001_000


async def test_a_key_of_another_kind_is_reported(store: Store) -> None:
    await store.run_command(lambda redis: redis.rpush("rate_limit:{pubmed}", "x"))
    with pytest.raises(StoreError):
        await StoreLimiter(store, Sleeper()).wait("pubmed", 2)


async def test_a_turn_that_comes_too_late_is_refused_at_once_and_not_taken(store: Store) -> None:
    sleeper = Sleeper()
    limiter = StoreLimiter(store, sleeper)
    assert [await limiter.wait("pubmed", 0.01, within) for within in (0, 90, 1000, 150)] == [True, False, True, False]
    assert sleeper.slept == [pytest.approx(100, abs=5)]


async def test_a_hold_is_obeyed_by_all_who_share_the_store(store: Store) -> None:
    first, second = Sleeper(), Sleeper()
    limiter = StoreLimiter(store, first)
    await limiter.hold("pubmed", 60)
    await limiter.hold("pubmed", 20)
    assert not await StoreLimiter(store, second).wait("pubmed", 100, within=30)
    assert await StoreLimiter(store, second).wait("pubmed", 100)
    assert (first.slept, second.slept) == ([], [pytest.approx(60, abs=5)])


async def test_who_waits_already_obeys_a_hold_too(store: Store) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 1:
            await StoreLimiter(store).hold("pubmed", 600)

    limiter = StoreLimiter(store, sleep)
    for _ in range(2):
        assert await limiter.wait("pubmed", 0.1)
    assert slept == [pytest.approx(10, abs=5), pytest.approx(600, abs=5)]


async def test_who_waits_already_gives_up_if_a_hold_lasts_too_long(store: Store) -> None:
    async def sleep(seconds: float) -> None:
        await StoreLimiter(store).hold("pubmed", 600)

    limiter = StoreLimiter(store, sleep)
    assert await limiter.wait("pubmed", 0.1)
    assert not await limiter.wait("pubmed", 0.1, within=100)


async def test_a_hold_leaves_nothing_in_the_store_for_long(store: Store) -> None:
    await StoreLimiter(store).hold("pubmed", 1000)
    left = await store.run_command(lambda redis: redis.pttl("rate_limit:{pubmed}"))
    assert 500_000 < left <= 1_001_000


async def test_how_long_calls_wait_can_be_read_and_takes_no_slot(store: Store) -> None:
    limiter = StoreLimiter(store, Sleeper())
    assert await limiter.read_wait("pubmed") == (0, 0)
    await limiter.wait("pubmed", 0.01)
    waits = [await limiter.read_wait("pubmed") for _ in range(2)]
    assert [wait.next_slot for wait in waits] == [pytest.approx(100, abs=5)] * 2
    await limiter.wait("pubmed", 0.01)
    assert (await limiter.read_wait("pubmed")).next_slot == pytest.approx(200, abs=5)


async def test_calls_have_waited_since_the_last_one_that_need_not(store: Store) -> None:
    limiter = StoreLimiter(store, Sleeper())
    for _ in range(3):
        await limiter.wait("pubmed", 0.01)
    began = await store.run_command(lambda redis: redis.hget("rate_limit:{pubmed}", "since"))
    await store.run_command(lambda redis: redis.hset("rate_limit:{pubmed}", "since", int(began) - 45_000_000))
    await limiter.wait("pubmed", 0.01)
    assert (await limiter.read_wait("pubmed")).waited_for == pytest.approx(45, abs=5)


class Late(StoreLimiter):
    """One that wakes 20 ms too late for so many of its turns."""

    def __init__(self, store: Store, sleep: Sleeper, times: int) -> None:
        super().__init__(store, sleep)
        self._times = times
        self._turn = 0

    async def _run_limit_script(
        self, service: str, spacing: float = 0.0, hold: float = 0.0, longest: float = -1.0
    ) -> tuple[int, int, int]:
        now, slot, held = await super()._run_limit_script(service, spacing, hold, longest)
        if spacing:
            self._turn = slot
        elif self._times:
            self._times -= 1
            now = self._turn + 20_000
        return now, slot, held


@pytest.mark.parametrize(("late", "turns"), [(0, 1), (1, 2), (3, 4), (9, 4)])
async def test_a_turn_that_was_slept_through_is_left_for_another_but_not_for_ever(
    store: Store, late: int, turns: int
) -> None:
    sleeper = Sleeper()
    await StoreLimiter(store).wait("pubmed", 0.1)
    assert await Late(store, sleeper, late).wait("pubmed", 0.1)
    assert len(sleeper.slept) == turns


async def test_who_slept_through_a_turn_waits_no_longer_than_allowed(store: Store) -> None:
    await StoreLimiter(store).wait("pubmed", 0.1)
    assert not await Late(store, Sleeper(), 9).wait("pubmed", 0.1, within=15)
