from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from storm.databases.http.replay_clock import ReplayClock

SECONDS = st.integers(0, 1000).map(float)


@given(st.lists(st.lists(SECONDS, max_size=4), max_size=6))
def test_time_passes_as_if_all_had_slept_at_once(sleepers: list[list[float]]) -> None:
    clock = ReplayClock()
    woken: list[float] = []

    async def sleep(naps: list[float]) -> None:
        due = 0.0
        for nap in naps:
            due += nap
            await clock.sleep(nap)
            assert clock.monotonic() == due
            woken.append(due)

    async def all_of() -> None:
        await asyncio.gather(*map(sleep, sleepers))

    asyncio.run(all_of())
    assert woken == sorted(woken)
    assert clock.monotonic() == max(map(sum, sleepers), default=0.0)


async def test_a_sleeper_that_is_given_up_holds_nobody_back() -> None:
    clock = ReplayClock()
    first = asyncio.create_task(clock.sleep(1))
    second = asyncio.create_task(clock.sleep(2))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert (first.cancelled(), clock.monotonic()) == (True, 2.0)


async def test_others_run_while_somebody_sleeps() -> None:
    clock = ReplayClock()
    steps: list[str] = []

    async def other() -> None:
        steps.append("other")

    task = asyncio.create_task(other())
    await clock.sleep(60)
    steps.append("sleeper")
    await task
    assert steps == ["other", "sleeper"]
