"""Batches in the store: held by one process, started in order, cancelled as a whole, kept for as long as jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fakeredis import FakeServer
from stores import open_embedded, store_in_memory

from storm.errors import Code, JobHeld, StoreUnavailable, UnknownJob, UsageError
from storm.store import BatchRow, Store
from storm.store.keys import BatchKeys

ROWS = (BatchRow("metformin-1", "{}"), BatchRow("trastuzumab-1", "{}", 5), BatchRow("aspirin-1", "{}"))


@pytest.fixture(params=["memory", "embedded"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = store_in_memory(FakeServer()) if request.param == "memory" else await open_embedded(tmp_path)
    async with opened:
        await opened.batches.create("b", "digest", ROWS, "{}")
        yield opened


async def test_jobs_of_a_high_priority_start_first_and_others_in_the_order_of_their_rows(store: Store) -> None:
    assert await store.batches.job_ids("b") == ["trastuzumab-1", "metformin-1", "aspirin-1"]


async def test_the_same_batch_is_found_again_and_other_rows_under_its_name_are_refused(store: Store) -> None:
    await store.batches.create("b", "digest", ROWS, "{}")
    assert await store.batches.names() == ["b"]
    with pytest.raises(UsageError) as caught:
        await store.batches.create("b", "another", ROWS[:1], "{}")
    assert caught.value.code is Code.BATCH_EXISTS
    assert (await store.batches.get("b")).total == 3


async def test_a_batch_is_held_once_and_free_afterwards(store: Store) -> None:
    async with store.batches.hold("b"):
        assert (await store.batches.get("b")).is_held
        with pytest.raises(JobHeld, match="another process works on the batch b"):
            async with store.batches.hold("b"):
                raise AssertionError("held twice")
    assert not (await store.batches.get("b")).is_held


async def test_an_error_of_the_work_is_raised_though_the_store_cannot_be_reached_any_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> str:
        raise StoreUnavailable("the store is gone")

    monkeypatch.setattr("storm.store.batches._RENEWED_S", 0)
    with pytest.raises(ValueError, match="of the work"):
        async with store.batches.hold("b"):
            with monkeypatch.context() as patch:
                patch.setattr(type(store.batches), "_run", refuse)
                for _ in range(3):
                    await asyncio.sleep(0)
                raise ValueError("of the work")


async def test_no_job_begins_in_a_batch_that_was_cancelled_or_is_held_by_another(store: Store) -> None:
    async with store.batches.hold("b") as value:
        assert not await store.batches.begin_job("b", "of another process", "metformin-1")
        assert await store.batches.begin_job("b", value, "metformin-1")
        await store.batches.cancel("b")
        assert not await store.batches.begin_job("b", value, "aspirin-1")
    assert await store.batches.running("b") == {"metformin-1"}


async def test_the_end_of_a_job_is_noted_and_is_a_change_for_those_who_watch(store: Store) -> None:
    before = await store.batches.last_change("b")
    await store.batches.end_job("b", "metformin-1", '{"state": "finished"}')
    assert await store.batches.ended("b") == {"metformin-1": '{"state": "finished"}'}
    assert await store.batches.last_change("b") != before == ""


async def test_a_batch_expires_and_is_then_unknown(store: Store) -> None:
    keys = BatchKeys("b")
    lives = [await store.run_command(lambda redis, key=key: redis.pttl(key)) for key in (keys.rows, keys.order)]  # type: ignore[misc]
    assert all(0 < left <= store.ttl_ms for left in lives)
    await store.run_command(lambda redis: redis.delete(keys.metadata))
    assert await store.batches.names() == []
    with pytest.raises(UnknownJob, match="no batch b"):
        await store.batches.get("b")


@pytest.mark.parametrize("name", ["", "-x", "A b", "x" * 81, "a:b", "{a}"])
def test_a_name_that_could_be_no_key_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not a valid name of a batch"):
        BatchKeys(name)
