"""Commands that are asked for at the same time: one round trip, and each its own answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from storm.errors import StoreSchemaError
from storm.store import Store
from storm.store.pipelining import start_request

QUESTIONS = ("clinical.efficacy", "clinical.safety")


async def test_what_is_asked_at_once_goes_in_one_round_trip_in_order(store: Store, round_trips: list[int]) -> None:
    wanted = [store.run_command(lambda redis, n=n: redis.rpush("list", n)) for n in range(20)]
    assert await asyncio.gather(*wanted) == list(range(1, 21))
    assert await store.run_command(lambda redis: redis.lrange("list", 0, -1)) == [str(n) for n in range(20)]
    assert round_trips == [20, 1]


async def test_what_is_asked_alone_waits_for_nobody(store: Store, round_trips: list[int]) -> None:
    await asyncio.gather(
        store.run_command(lambda redis: redis.set("a", 1)),
        store.run_command(lambda redis: redis.set("b", 2), pipelined=False),
        store.run_command(lambda redis: redis.set("c", 3)),
    )
    assert sorted(round_trips) == [1, 2]


@pytest.mark.parametrize("pipelined", [True, False])
async def test_what_is_asked_ahead_has_been_sent_while_nobody_waits_for_it(
    store: Store, round_trips: list[int], pipelined: bool
) -> None:
    task = await start_request(store.run_command(lambda redis: redis.set("a", 1), pipelined=pipelined))
    assert round_trips == [1]
    assert await task


async def test_an_error_is_only_its_own_command_s(store: Store) -> None:
    await store.run_command(lambda redis: redis.set("text", "a"))
    good, bad, alike = await asyncio.gather(
        store.run_command(lambda redis: redis.get("text")),
        store.run_command(lambda redis: redis.hgetall("text")),
        store.run_command(lambda redis: redis.get("text")),
        return_exceptions=True,
    )
    assert (good, alike) == ("a", "a")
    assert isinstance(bad, StoreSchemaError)


async def test_a_text_that_cannot_be_sent_is_only_its_own_command_s_fault(store: Store) -> None:
    good, bad = await asyncio.gather(
        store.run_command(lambda redis: redis.set("good", "a")),
        store.run_command(lambda redis: redis.set("bad", "half of a pair: \ud83d")),
        return_exceptions=True,
    )
    assert good and isinstance(bad, UnicodeEncodeError)
    assert await store.run_command(lambda redis: redis.mget("good", "bad")) == ["a", None]


async def test_what_is_not_one_command_is_sent_separately_and_keeps_nobody_waiting(store: Store) -> None:
    async def set_two(redis: Any) -> int:
        return int(await redis.set("a", 1)) + int(await redis.set("b", 2))

    async with asyncio.timeout(5):
        answers = await asyncio.gather(
            store.run_command(lambda redis: redis.rpush("list", 1)),
            store.run_command(set_two),
            store.run_command(lambda redis: redis.rpush("list", 2)),
        )
    assert answers == [1, 2, 2]


async def test_an_error_while_commands_are_queued_reaches_its_caller(store: Store) -> None:
    async with asyncio.timeout(5):
        good, bad = await asyncio.gather(
            store.run_command(lambda redis: redis.set("a", 1)),
            store.run_command(lambda redis: redis.no_such_command()),
            return_exceptions=True,
        )
    assert good and isinstance(bad, AttributeError)


async def test_who_is_cancelled_takes_nobody_along(store: Store) -> None:
    first = asyncio.create_task(store.run_command(lambda redis: redis.set("first", "a")))
    other = asyncio.create_task(store.run_command(lambda redis: redis.set("other", "b")))
    await asyncio.sleep(0)
    first.cancel()
    assert await other
    assert first.cancelled()


async def test_closing_waits_for_nothing_that_nobody_waits_for(store: Store) -> None:
    waiting = asyncio.create_task(store.run_command(lambda redis: redis.blpop("never", timeout=60), pipelined=False))
    for _ in range(3):
        await asyncio.sleep(0)
    waiting.cancel()
    async with asyncio.timeout(5):
        await store._pipeline.cancel_pending()
    assert not store._pipeline._in_flight


async def test_closing_leaves_nobody_waiting(store: Store) -> None:
    waiting = asyncio.create_task(store.run_command(lambda redis: redis.ping()))
    await asyncio.sleep(0)
    await store._pipeline.cancel_pending()
    async with asyncio.timeout(5):
        await asyncio.wait([waiting])
    assert waiting.cancelled()


async def test_an_answer_that_is_no_text_is_only_its_own_command_s_fault(store: Store) -> None:
    await store.run_command(lambda redis: redis.mset({"good": "a", "bad": b"\xff"}))
    good, bad = await asyncio.gather(
        store.run_command(lambda redis: redis.get("good")),
        store.run_command(lambda redis: redis.get("bad")),
        return_exceptions=True,
    )
    assert good == "a" and isinstance(bad, UnicodeDecodeError)
