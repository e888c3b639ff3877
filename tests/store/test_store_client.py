"""Scripts, and what the holder of a job knows by them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from stores import JOB

from storm.errors import ToolError
from storm.models import CollectionProgress, DraftCitation, Hit
from storm.store import Lease, SourceCollector, Store
from storm.store.client import StoreClient
from storm.store.keys import JobKeys

QUESTIONS = ("clinical.efficacy", "clinical.safety")


async def test_a_script_is_sent_again_to_a_server_that_forgot_it(store: Store, lease: Lease) -> None:
    collector = SourceCollector(store, JOB, None)
    before = await collector.progress()
    await store.run_command(lambda redis: redis.script_flush())
    assert await collector.progress() == before


TITLE = DraftCitation("Trial 1", "Trial 1", quote_verified=True)


def numbered(number: int, **more: Any) -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", f"Trial {number}", **more)


async def known_and_true(store: Store, holder: SourceCollector) -> tuple[CollectionProgress, CollectionProgress]:
    return await holder.progress(), await SourceCollector(store, JOB, None).progress()


async def test_who_holds_the_job_knows_its_progress_without_asking(
    store: Store, lease: Lease, round_trips: list[int]
) -> None:
    holder = SourceCollector(store, JOB, lease)
    hits = [numbered(n) for n in range(1, 9)]
    await holder.record_hits(hits)
    quote = DraftCitation("Trial", "Trial", quote_verified=True)
    await asyncio.gather(*(holder.save(hit, QUESTIONS[n % 2 :], quote) for n, hit in enumerate(hits)))
    round_trips.clear()
    known = await holder.progress()
    assert round_trips == []
    assert known == (await known_and_true(store, holder))[1]
    assert (known.total, dict(known.counts)) == (8, {QUESTIONS[0]: 4, QUESTIONS[1]: 8})


async def test_its_knowledge_follows_when_two_sources_become_one(store: Store, lease: Lease) -> None:
    holder = SourceCollector(store, JOB, lease)
    paper = numbered(1)
    preprint = Hit.of("crossref", "10.1000/1", "https://doi.org/10.1000/1", "Trial 1", doi="10.1000/1")
    await holder.record_hits([paper, preprint])
    for hit in (paper, preprint):
        await holder.save(hit, QUESTIONS[:1], TITLE)
    known, true = await known_and_true(store, holder)
    assert known == true and known.total == 2
    await holder.record_hits([numbered(1, doi="10.1000/1")])
    known, true = await known_and_true(store, holder)
    assert known == true and known.total == 1


async def test_an_answer_that_comes_late_does_not_take_the_place_of_a_newer_one(store: Store, lease: Lease) -> None:
    holder = SourceCollector(store, JOB, lease)
    await holder.record_hits([numbered(1)])
    late = await holder._scripts.run_read("progress")
    await holder.save(numbered(1), QUESTIONS[:1], TITLE)
    await holder._scripts.cache_progress(late)
    assert (await holder.progress()).total == 1


async def test_after_a_write_that_nobody_saw_the_end_of_the_store_is_asked(store: Store, lease: Lease) -> None:
    holder = SourceCollector(store, JOB, lease)
    await holder.record_hits([numbered(1)])
    await holder.progress()
    save = asyncio.create_task(holder.save(numbered(1), QUESTIONS[:1], TITLE))
    for _ in range(4):
        await asyncio.sleep(0)
    save.cancel()
    await asyncio.wait([save])
    reader = SourceCollector(store, JOB, None)
    async with asyncio.timeout(5):
        while (await reader.progress()).total < 1:
            pass
    assert (await holder.progress()).total == 1


async def test_after_a_failure_to_reach_the_server_it_is_asked_what_it_still_has(store: Store, lease: Lease) -> None:
    holder = SourceCollector(store, JOB, lease)
    await holder.record_hits([numbered(1)])
    await holder.save(numbered(1), QUESTIONS[:1], TITLE)
    keys = JobKeys(JOB)
    await store.run_command(lambda redis: redis.delete(keys.sources, keys.identifiers, keys.question(QUESTIONS[0])))
    await store.run_command(lambda redis: redis.hdel(keys.metadata, "changes"))
    assert (await holder.progress()).total == 1
    store.resend_count += 1  # as a lost connection counts
    assert (await holder.progress()).total == 0
    assert (await holder.progress()).total == 0


async def test_a_server_that_a_first_start_left_away_is_started_again(tmp_path: Path) -> None:
    socket, starts = tmp_path / "s.sock", list[int]()
    servers = list[asyncio.Server]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"+PONG\r\n")
        await writer.drain()
        writer.close()

    def revive() -> None:
        starts.append(1)
        if len(starts) == 2:  # the first looked at a server that was about to end
            servers.append(asyncio.run_coroutine_threadsafe(asyncio.start_unix_server(answer, socket), loop).result())

    loop = asyncio.get_running_loop()
    redis = Redis(unix_socket_path=str(socket), protocol=2, driver_info=None, retry=Retry(NoBackoff(), 0))
    client = StoreClient(
        redis, address=str(socket), job_ttl=timedelta(days=1), clock=lambda: datetime.now(UTC), revive=revive
    )
    try:
        assert await client.run_command(lambda asked: asked.ping()) is True
    finally:
        await redis.aclose()
        for server in servers:
            server.close()
    assert len(starts) == 2


async def test_the_refusal_of_a_tool_is_no_failure_to_reach_the_server(
    store: Store, lease: Lease, round_trips: list[int]
) -> None:
    holder = SourceCollector(store, JOB, lease)
    await holder.progress()
    with pytest.raises(ToolError, match="src_999"):
        await holder.refile("src_999", QUESTIONS)
    assert store.resend_count == 0
    round_trips.clear()
    assert (await holder.progress()).total == 0
    assert round_trips == []
