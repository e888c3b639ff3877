"""Saving a source: one script of storm, beside several round trips and a list that is scanned, on one embedded server.

Each timed save is of a new source; the ways and the sizes take turns. Every way keeps the same description of a source.
The text of its record is kept by storm when a search returns it, which is not timed; of the lists, one is without texts
and one, which then holds as much as storm does, is with them. The full collection of storm is filled as a job fills it,
only several saves at a time; those of the other ways are written in bulk.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from _program import command, environment
from _report import Row, p50, p95, parser, report
from redis.asyncio import Redis

from storm.app import utc_now
from storm.models import DraftCitation, Hit, JobRequest
from storm.settings import read_settings
from storm.store import SourceCollector, Store, open_store
from storm.store.client import CachedProgress, LeaseState
from storm.store.events import EventSinks
from storm.syllabus import bundled_syllabus

SMALL = 10
PROCESSES = 6
SHARED_SOURCES = 100
#: Jobs that are listed.
LISTED = 2_000
#: Saves under way at once while a collection is filled.
AT_ONCE = 16
CHUNK = 2_000

SYLLABUS = bundled_syllabus(read_settings().config_dir)
REQUEST = JobRequest(text="benchmark", syllabus=SYLLABUS)
QUESTIONS = SYLLABUS.keys


class Item(NamedTuple):
    """What is saved; made before the clock starts. The ways without storm keep its JSON, short or with the text."""

    number: int
    hit: Hit
    questions: Sequence[str]
    citation: DraftCitation
    short: str
    whole: str


#: Of these the abstracts are made.
BEGINNINGS = ("tra", "stu", "met", "for", "cel", "ren", "vas", "onc", "dia", "neu")
ENDINGS = ("ra", "zumab", "min", "ing", "lular", "al", "cular", "ology", "betic", "rons", "ed", "ity")
WORDS = [first + second for first in BEGINNINGS for second in ENDINGS]

#: Runs a command from a process that is small itself: Linux counts what the starter held as the command's memory.
WATCHER = """
import json, resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
seconds, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = round(used.ru_utime + used.ru_stime, 2)
print(json.dumps({"seconds": round(seconds, 2), "cpu_seconds": cpu, "peak_mb": round(used.ru_maxrss / 1024)}))
"""

#: Reads all sources with their texts through iter_sources, one after the other.
STREAM = """
import asyncio, storm
async def read():
    async with storm.open_app() as app:
        return sum([1 async for _ in app.collection("full").iter_sources()])
print(asyncio.run(read()))
"""

Save = Callable[[Item], Awaitable[object]]


class Sample(NamedTuple):
    """Seconds of saves in the small and in the full collection, pair by pair."""

    small: list[float]
    full: list[float]


@dataclass
class LentLease:
    """The lease of another process, so that six can write at once: what storm itself never does."""

    token: str
    is_held: bool = True
    questions: tuple[str, ...] | None = None
    cached_progress: CachedProgress | None = None
    has_unconfirmed_write: bool = False
    sinks: EventSinks | None = None


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("store", "Saving a source in a small and in a full collection, and from six processes at once.")
    options.add_argument("--sources", type=int, default=100_000, help="size of the full collection")
    options.add_argument("--pairs", type=int, default=1000, help="saves timed in each collection")
    options.add_argument("--scans", type=int, default=10, help="saves timed in the list that is scanned")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), given.sources, given.pairs, given.scans))
    report(rows, as_json=given.json)
    return 0


async def measure(data_dir: Path, size: int, pairs: int, scans: int) -> list[Row]:
    """All rows: latencies, the speed of filling, and the race."""
    async with await opened(data_dir) as store, connect(store.address) as redis:
        rows = await latencies(store, redis, size, pairs, scans)
        rows += await asyncio.to_thread(readings, data_dir, size)
        return [*rows, *await races(data_dir, store, redis), *await listings(store, redis)]


async def opened(data_dir: Path) -> Store:
    """The embedded store, as a job opens it."""
    return await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=1), clock=utc_now)


def connect(address: str) -> Redis:
    """A plain client of the same server, for the other ways."""
    return Redis(unix_socket_path=address, decode_responses=True, protocol=3, legacy_responses=False)


# What is saved


def made_hit(number: int) -> Hit:
    """A record of PubMed with three identifiers and an abstract of about 1,500 characters."""
    words = random.Random(number).choices(WORDS, k=230)
    return Hit.of(
        "pubmed",
        str(10_000_000 + number),
        f"https://pubmed.ncbi.nlm.nih.gov/{10_000_000 + number}/",
        f"Outcomes of treatment in cohort {number}: a randomised comparison",
        text=f"Of {number} patients {number % 90} % responded. {' '.join(words)}.",
        pmcid=f"PMC{1_000_000 + number}",
        doi=f"10.1000/bench.{number}",
        year=2000 + number % 25,
    )


@lru_cache(maxsize=2 * CHUNK)
def made(number: int) -> Item:
    """A source for one or two questions, with a verified quote; the others keep of it as much as storm does."""
    hit = made_hit(number)
    questions = tuple(dict.fromkeys((QUESTIONS[number % len(QUESTIONS)], QUESTIONS[number // 2 % len(QUESTIONS)])))
    citation = DraftCitation(hit.title, hit.text[:90], True, hit.url)
    kept = hit.model_dump(mode="json", include={"database", "external_id", "title", "url", "identifiers"})
    short = {**kept, "questions": questions, "citation": citation, "relation": "itself", "note": ""}
    return Item(number, hit, questions, citation, json.dumps(short), json.dumps({**short, "text": hit.text}))


# The three ways


def by_storm(collector: SourceCollector) -> Save:
    """One script."""

    async def save(item: Item) -> object:
        return await collector.save(item.hit, item.questions, item.citation)

    return save


def by_round_trips(redis: Redis, key: str) -> Save:
    """Look, then write, one command after the other: HGET, then INCR, HSETNX, HSET, HINCRBY and ZADD."""

    async def save(item: Item) -> object:
        known = [await redis.hget(f"{key}:identifiers", identifier) for identifier in item.hit.identifiers]
        source_id = str(next(filter(None, known), ""))
        if not source_id:
            source_id = f"src_{await redis.incr(f'{key}:last_number')}"
            for identifier in item.hit.identifiers:
                await redis.hsetnx(f"{key}:identifiers", identifier, source_id)
            await redis.hset(f"{key}:sources", source_id, item.short)
            await redis.hincrby(f"{key}:counters", "sources", 1)
        for question in item.questions:
            if await redis.zscore(f"{key}:question:{question}", source_id) is None:
                await redis.zadd(f"{key}:question:{question}", {source_id: item.number})
                await redis.hincrby(f"{key}:counters", "assignments", 1)
        return source_id

    return save


def by_scan(redis: Redis, key: str, *, whole: bool) -> Save:
    """A list of JSON: read and compared to the last one, then appended to."""

    async def save(item: Item) -> object:
        for text in await redis.lrange(key, 0, -1):
            if not set(item.hit.identifiers).isdisjoint(json.loads(text)["identifiers"]):
                return None
        return await redis.rpush(key, item.whole if whole else item.short)

    return save


# Filling


async def fill_storm(collector: SourceCollector, numbers: range) -> None:
    """Record the hits and save them: what a job does, several saves at a time."""
    save = by_storm(collector)
    for start in range(numbers.start, numbers.stop, CHUNK):
        chunk = range(start, min(numbers.stop, start + CHUNK))
        await collector.record_hits([made(number).hit for number in chunk])
        await asyncio.gather(*(save_all(save, chunk[n::AT_ONCE]) for n in range(AT_ONCE)))


async def save_all(save: Save, numbers: Sequence[int]) -> None:
    """One after the other."""
    for number in numbers:
        await save(made(number))


async def fill_round_trips(redis: Redis, key: str, size: int) -> None:
    """The state that the saves would leave, written in bulk."""
    for start in range(0, size, CHUNK):
        pipe = redis.pipeline(transaction=False)
        for number in range(start, min(size, start + CHUNK)):
            item, source_id = made(number), f"src_{number + 1}"
            pipe.hset(f"{key}:identifiers", mapping=dict.fromkeys(item.hit.identifiers, source_id))
            pipe.hset(f"{key}:sources", source_id, item.short)
            for question in item.questions:
                pipe.zadd(f"{key}:question:{question}", {source_id: number})
        pipe.set(f"{key}:last_number", size)
        await pipe.execute()


async def fill_list(redis: Redis, key: str, size: int, *, whole: bool) -> None:
    """The list that the saves would leave."""
    for start in range(0, size, CHUNK):
        items = map(made, range(start, min(size, start + CHUNK)))
        await redis.rpush(key, *(item.whole if whole else item.short for item in items))


# Latency


async def latencies(store: Store, redis: Redis, size: int, pairs: int, scans: int) -> list[Row]:
    """A row for each way and size, and the row of filling."""
    ours, plain, short, whole = (Sample([], []) for _ in range(4))
    async with AsyncExitStack() as held:
        full, filling = await filled_job(store, held, size)
        await full.record_hits([made(number).hit for number in range(size, size + pairs)])
        await fill_round_trips(redis, "full", size)
        await fill_list(redis, "full:short", size, whole=False)
        await fill_list(redis, "full:whole", size, whole=True)
        await settled(redis)
        for n in range(pairs):
            await storm_pair(ours, store, full, n, size + n)
            await round_trips_pair(plain, redis, n, size + n)
            if n % max(1, pairs // scans) == 0:
                await scan_pair(short, redis, n, size + n, whole=False)
                await scan_pair(whole, redis, n, size + n, whole=True)
    ways = {"storm": ours, "several round trips": plain, "list, scanned": short, "list with texts, scanned": whole}
    base = statistics.median(ours.full)
    return [*(row for way, sample in ways.items() for row in size_rows(way, sample, size, base)), filling]


async def filled_job(store: Store, held: AsyncExitStack, size: int) -> tuple[SourceCollector, Row]:
    """A job with that many sources, and how fast they were saved; checked by what storm itself reads of it."""
    await store.jobs.create(REQUEST, "full")
    lease = await held.enter_async_context(await store.jobs.hold("full"))
    collector = SourceCollector(store, "full", lease)
    await collector.set_questions(QUESTIONS)
    began = time.perf_counter()
    await fill_storm(collector, range(size))
    seconds = time.perf_counter() - began
    total = (await SourceCollector(store, "full", None).progress()).total
    if total != size:
        raise SystemExit(f"{size} sources were saved, storm reads {total}")
    memory = (await store.info()).memory_bytes
    row = {"variant": f"storm, {AT_ONCE} saves at a time", "n": size, "saves_per_second": round(size / seconds),
           "bytes_per_source": round(memory / size)}  # fmt: skip
    return collector, row


async def settled(redis: Redis) -> None:
    """Wait until the server has rewritten its append-only file, which is not what is measured."""
    for _ in range(300):
        said = await redis.info("persistence")
        if not said["aof_rewrite_in_progress"] and not said["aof_rewrite_scheduled"]:
            return
        await asyncio.sleep(0.2)


async def storm_pair(sample: Sample, store: Store, full: SourceCollector, n: int, new: int) -> None:
    """A save into a new job of ten sources, and one into the full job."""
    name = f"small-{n}"
    await store.jobs.create(REQUEST, name)
    async with await store.jobs.hold(name) as lease:
        small = SourceCollector(store, name, lease)
        await small.set_questions(QUESTIONS)
        await small.record_hits([made(number).hit for number in range(SMALL + 1)])
        await save_all(by_storm(small), range(SMALL))
        await full.progress()
        await time_pair(sample, by_storm(small), by_storm(full), new)


async def round_trips_pair(sample: Sample, redis: Redis, n: int, new: int) -> None:
    """The same by several round trips."""
    key = f"small-{n}"
    await fill_round_trips(redis, key, SMALL)
    await time_pair(sample, by_round_trips(redis, key), by_round_trips(redis, "full"), new)


async def scan_pair(sample: Sample, redis: Redis, n: int, new: int, *, whole: bool) -> None:
    """The same by a list."""
    kind = "whole" if whole else "short"
    key = f"small-{n}:{kind}"
    await fill_list(redis, key, SMALL, whole=whole)
    await time_pair(sample, by_scan(redis, key, whole=whole), by_scan(redis, f"full:{kind}", whole=whole), new)


async def time_pair(sample: Sample, save_small: Save, save_full: Save, new: int) -> None:
    """The eleventh source of the small collection and a new one of the full; who goes first alternates."""
    sides = [(sample.small, save_small, made(SMALL)), (sample.full, save_full, made(new))]
    for seconds, save, item in sides if new % 2 else reversed(sides):
        began = time.perf_counter()
        await save(item)
        seconds.append(time.perf_counter() - began)


def size_rows(variant: str, sample: Sample, size: int, base: float) -> list[Row]:
    """The two rows of a way: `to_small` is the median of the ratios of the pairs, `to_storm` that to storm's p50."""
    ratio = statistics.median(full / small for small, full in zip(*sample, strict=True))
    return [
        latency_row(variant, SMALL, sample.small, 1.0, base),
        latency_row(variant, size, sample.full, ratio, base),
    ]


def latency_row(variant: str, size: int, seconds: Sequence[float], ratio: float, base: float) -> Row:
    """One line."""
    return {
        "variant": variant, "sources": size, "n": len(seconds), "p50_ms": p50(seconds), "p95_ms": p95(seconds),
        "to_small": round(ratio, 3), "to_storm_full": round(statistics.median(seconds) / base, 2),
    }  # fmt: skip


# Reading


def readings(data_dir: Path, size: int) -> list[Row]:
    """What the commands that read the full collection take, each a process of its own, beside a bare Python."""
    bare = [sys.executable, "-c", "pass"]
    commands = {
        "python -c pass": bare,
        "storm inspect JOB": command("inspect", "full"),
        "storm inspect JOB --sources": command("inspect", "full", "--sources"),
        "iter_sources, all one after the other": [sys.executable, "-c", STREAM],
        "storm export JOB --format sources": command("export", "full", "--format", "sources", "--out", "exported"),
    }
    return [reading_row(variant, data_dir, size, args) for variant, args in commands.items()]


def reading_row(variant: str, data_dir: Path, size: int, args: Sequence[str]) -> Row:
    """Seconds and memory of one command, what it prints thrown away."""
    watched = subprocess.run(
        [sys.executable, "-c", WATCHER, *args], env=environment(data_dir), cwd=data_dir, check=True, text=True,
        capture_output=True,
    )  # fmt: skip
    return {"variant": variant, "sources": size, **json.loads(watched.stdout)}


# The race


async def listings(store: Store, redis: Redis) -> list[Row]:
    """What it takes to list many jobs: seconds, and the commands that the server is sent."""
    for start in range(0, LISTED, CHUNK // 20):
        names = [f"listed-{number}" for number in range(start, min(LISTED, start + CHUNK // 20))]
        await asyncio.gather(*(store.jobs.create(REQUEST, name) for name in names))
    before = await sent(redis)
    began = time.process_time()
    listed = len((await store.jobs.all()).jobs)
    seconds = time.process_time() - began
    return [{"variant": "jobs listed", "n": listed, "cpu ms": seconds * 1000, "commands": await sent(redis) - before}]


async def sent(redis: Redis) -> int:
    """How many calls of scripts and of ZREVRANGE the server has answered."""
    counted = await redis.info("commandstats")
    return sum(counted.get(f"cmdstat_{name}", {}).get("calls", 0) for name in ("eval", "evalsha", "zrevrange"))


async def races(data_dir: Path, store: Store, redis: Redis) -> list[Row]:
    """Six processes save the same sources: what the counters say, beside what they should say."""
    assignments = sum(len(made(number).questions) for number in range(SHARED_SOURCES))
    await store.jobs.create(REQUEST, "race")
    async with await store.jobs.hold("race") as lease:
        collector = SourceCollector(store, "race", lease)
        await collector.set_questions(QUESTIONS)
        await collector.record_hits([made(number).hit for number in range(SHARED_SOURCES)])
        await asyncio.to_thread(race, race_by_storm, str(data_dir), lease.token)
        ours = await SourceCollector(store, "race", None).progress()
        stored, counted = len(await collector.load_sources()), await counted_by_database(redis)
    await asyncio.to_thread(race, race_by_round_trips, store.address, "race")
    counters = await redis.hgetall("race:counters")
    found = [
        ("storm", "sources stored", stored, SHARED_SOURCES),
        ("storm", "sources counted", counted, SHARED_SOURCES),
        ("storm", "assignments counted", sum(ours.counts.values()), assignments),
        ("several round trips", "sources stored", await redis.hlen("race:sources"), SHARED_SOURCES),
        ("several round trips", "sources counted", int(counters["sources"]), SHARED_SOURCES),
        ("several round trips", "assignments counted", int(counters["assignments"]), assignments),
    ]
    saves = PROCESSES * SHARED_SOURCES
    return [{"variant": v, "n": saves, "counter": c, "saved": s, "expected": e} for v, c, s, e in found]


async def counted_by_database(redis: Redis) -> int:
    """Storm's own counter: how many sources it counts by database."""
    return sum(json.loads(await redis.hget("source_collection:{race}:metadata", "databases") or "{}").values())


def race(work: Callable[[Barrier, str, str], None], *given: str) -> None:
    """Six processes that start at the same moment."""
    spawned = multiprocessing.get_context("spawn")
    barrier = spawned.Barrier(PROCESSES)
    processes = [spawned.Process(target=work, args=(barrier, *given)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise SystemExit("a process of the race failed")


def race_by_storm(barrier: Barrier, data_dir: str, token: str) -> None:
    """One of the six, under the lease that they share."""
    lease: LeaseState = LentLease(token)

    async def run() -> None:
        async with await opened(Path(data_dir)) as store:
            save = by_storm(SourceCollector(store, "race", lease))
            barrier.wait()
            await save_all(save, range(SHARED_SOURCES))

    asyncio.run(run())


def race_by_round_trips(barrier: Barrier, address: str, key: str) -> None:
    """One of the six."""

    async def run() -> None:
        async with connect(address) as redis:
            save = by_round_trips(redis, key)
            await redis.ping()
            barrier.wait()
            await save_all(save, range(SHARED_SOURCES))

    asyncio.run(run())


if __name__ == "__main__":
    sys.exit(main())
