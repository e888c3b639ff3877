"""Batches in the store: held by one process, started in order, cancelled as a whole, kept for as long as jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeServer
from stores import NOW, open_embedded, store_in_memory

from storm.errors import Code, JobHeld, StoreUnavailable, UnknownJob, UsageError
from storm.store import BatchRow, Store
from storm.store.client import StoreClient
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
    async with store.batches.hold("b") as token:
        assert not await store.batches.begin_job("b", "of another process", "metformin-1")
        assert await store.batches.begin_job("b", token, "metformin-1")
        await store.batches.cancel("b")
        assert not await store.batches.begin_job("b", token, "aspirin-1")
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


@pytest.mark.parametrize("written", [("digest",), ("digest", "created"), ("digest", "rows", "order")])
async def test_a_batch_that_a_killed_process_left_unfinished_is_replaced(store: Store, written: Sequence[str]) -> None:
    keys = BatchKeys("new")
    await store.run_command(lambda redis: redis.hset(keys.metadata, mapping=dict.fromkeys(set(written), "of another")))
    await store.run_command(lambda redis: redis.hset(keys.rows, "zorvimab-1", "{}"))
    await store.run_command(lambda redis: redis.zadd(keys.order, {"zorvimab-1": 0}))
    await store.batches.create("new", "digest", ROWS, "{}")
    batch = await store.batches.get("new")
    assert (batch.total, batch.state, batch.limits, batch.created) == (3, "open", "{}", NOW.isoformat())
    assert await store.batches.job_ids("new") == ["trastuzumab-1", "metformin-1", "aspirin-1"]
    assert set(await store.batches.all_options("new")) == {row.job_id for row in ROWS}


async def test_the_first_write_of_a_batch_sets_when_it_expires(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(Exception):
        pass

    run, sent = StoreClient.run_script, list[str]()

    async def run_once(client: StoreClient, name: str, *args: Any, **options: Any) -> Any:
        if sent:
            raise Killed
        sent.append(name)
        return await run(client, name, *args, **options)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(StoreClient, "run_script", run_once)
        await store.batches.create("new", "digest", ROWS, "{}")
    keys = BatchKeys("new")
    assert 0 < await store.run_command(lambda redis: redis.pttl(keys.metadata)) <= store.ttl_ms
    with pytest.raises(UnknownJob):
        await store.batches.get("new")
    await store.batches.create("new", "another", ROWS[:1], "{}")
    assert (await store.batches.get("new")).total == 1


async def test_of_two_that_create_a_batch_of_one_name_at_once_one_has_it_whole(store: Store) -> None:
    others = [BatchRow(f"drug-{number}", "{}") for number in range(2500)]
    attempts = (("digest", ROWS), ("another", others))
    creations = (store.batches.create("new", digest, rows, "{}") for digest, rows in attempts)
    refused = await asyncio.gather(*creations, return_exceptions=True)
    (mine,) = [rows for (_, rows), error in zip(attempts, refused, strict=True) if error is None]
    (why,) = filter(None, refused)
    assert isinstance(why, UsageError) and why.code is Code.BATCH_EXISTS
    assert (await store.batches.get("new")).total == len(mine)
    assert set(await store.batches.job_ids("new")) == {row.job_id for row in mine}


async def test_a_batch_of_more_rows_than_one_command_writes_has_them_all(store: Store) -> None:
    rows = [BatchRow(f"drug-{number:04}", f'{{"n": {number}}}') for number in range(2001)]
    await store.batches.create("large", "digest", rows, "{}")
    assert await store.batches.job_ids("large") == [row.job_id for row in rows]
    assert (await store.batches.all_options("large"))["drug-2000"] == '{"n": 2000}'


async def test_the_end_of_a_job_is_none_of_a_batch_that_was_deleted_or_does_not_have_it(store: Store) -> None:
    await store.batches.delete("b")
    await store.batches.end_job("b", "metformin-1", '{"state": "finished"}')
    keys = BatchKeys("b").all_keys()
    assert await store.run_command(lambda redis: redis.exists(*keys)) == 0
    await store.batches.create("b", "digest", ROWS[1:2], "{}")
    await store.batches.end_job("b", "metformin-1", '{"state": "finished"}')
    batch = await store.batches.get("b")
    assert (batch.ended, batch.has_ended) == (0, False)
