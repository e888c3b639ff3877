"""Several processes ask one service, under a limit that they share, or that each keeps by itself."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import resource
import time
from collections.abc import Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path

from _report import Row
from databases import Origin, http_with, most_within, opened

from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.service import Service
from storm.store import StoreLimiter

SHARED, ALONE = "one limit in the store", "each process its own limit"
#: Callers in each process.
_TASKS = 3


async def limit_rows(folder: Path, processes: int, rate: float, seconds: float) -> list[Row]:
    """What arrives at a service that allows `rate` calls a second, by each way."""
    return [await _measure(way, folder / str(number), processes, rate, seconds) for number, way in enumerate(WAYS)]


async def _measure(way: str, data_dir: Path, processes: int, rate: float, seconds: float) -> Row:
    before = _processor_seconds()
    async with await opened(data_dir), Origin() as origin:
        await asyncio.to_thread(_run_processes, way, data_dir, origin.url, processes, rate, seconds)
    times = sorted(origin.arrivals)
    used = sum(1 for at in times if at < times[0] + seconds) / seconds
    return {
        "variant": way,
        "n": len(times),
        "processes": processes,
        "allowed_per_s": rate,
        "used_percent": round(100 * used / rate, 1),
        "most_in_1_s": most_within(times, 1.0),
        "processor_percent": round(100 * (_processor_seconds() - before) / seconds, 1),
    }


def _run_processes(way: str, data_dir: Path, url: str, processes: int, rate: float, seconds: float) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(processes)
    arguments = (way, data_dir, url, rate, seconds, start)
    started = [context.Process(target=_process, args=arguments) for _ in range(processes)]
    for each in started:
        each.start()
    for each in started:
        each.join()
        if each.exitcode:
            raise SystemExit(f"a process ended with {each.exitcode}")


def _process(way: str, data_dir: Path, url: str, rate: float, seconds: float, start: Barrier) -> None:
    asyncio.run(_call_until(way, data_dir, url, rate, seconds, start))


async def _call_until(way: str, data_dir: Path, url: str, rate: float, seconds: float, start: Barrier) -> None:
    async with await opened(data_dir) as store:
        limiter = StoreLimiter(store) if way == SHARED else LocalLimiter()
        async with http_with(data_dir / "http", limiter) as http:
            service = Service(name="bench", label="bench", base_url=url, scope="", rate=rate, ttl=0)
            calls = itertools.count()
            start.wait()
            end = time.monotonic() + seconds

            async def call() -> None:
                while time.monotonic() < end:
                    await http.fetch_answer(service, f"{os.getpid()}-{next(calls)}")

            await asyncio.gather(*(call() for _ in range(_TASKS)))


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


WAYS: Sequence[str] = (SHARED, ALONE)
