"""The way to the public services, on loopback: the shared rate limit, the cache, and equal calls at once.

Six processes ask a service that allows ten calls a second, each from several tasks, as fast as their limiter lets them.
storm stays at 0.9 of what is allowed; the other limiters are set to the same nine a second and, where they take one, to
a burst of one. What counts is when the calls arrive at the service.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import hishel.httpx
import httpx
from _report import Row, p50, p95, parser, report
from redis.asyncio import Redis

from storm.databases.http import Http
from storm.databases.local_limiter import LocalLimiter
from storm.databases.service import Service
from storm.store import Store, open_store
from storm.store.limiter import StoreLimiter
from storm.wiring import utc_now

ALLOWED = 10
PROCESSES = 6
TASKS = 3
EQUAL = 20
#: As large as a page of search results.
BODY = json.dumps({"results": ["x" * 1000] * 100}).encode()

#: Waits for the next call's turn.
Turn = Callable[[], Awaitable[object]]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("databases", "The rate limit of six processes, the cache, and equal calls at once; on loopback.")
    options.add_argument("--seconds", type=float, default=12, help="how long each limiter is measured")
    options.add_argument("--hits", type=int, default=500, help="answers read from the cache")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), given.seconds, given.hits))
    report(rows, as_json=given.json)
    return 0


async def measure(folder: Path, seconds: float, hits: int) -> list[Row]:
    """All rows."""
    rows = []
    for variant in LIMITERS:
        rows.append(await limited(variant, folder / "data", seconds))
    return [*rows, *await cached(folder / "cache", hits), *await equal_calls(folder)]


class Origin:
    """A service that remembers when each call arrived."""

    def __init__(self) -> None:
        self.arrivals: list[float] = []

    async def __aenter__(self) -> Origin:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.arrivals.append(time.monotonic())
                writer.write(head.encode() + BODY)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()


def service_at(url: str, ttl: float = 0) -> Service:
    """The origin as storm knows a service."""
    return Service(name="bench", label="bench", base_url=url, scope="", rate=ALLOWED, ttl=ttl)


# The rate limit


async def limited(variant: str, data_dir: Path, seconds: float) -> Row:
    """What arrives at the service from six processes that begin together."""
    async with await opened(data_dir) as store, Origin() as origin:
        before = await commands(store)
        await asyncio.to_thread(run_processes, variant, data_dir, store.address, origin.url, seconds)
        spent = await commands(store) - before
    times = sorted(origin.arrivals)
    used = (len(times) - 1) / (times[-1] - times[0])
    return {
        "variant": variant,
        "n": len(times),
        "processes": PROCESSES,
        "allowed_per_s": ALLOWED,
        "used_percent": round(100 * used / ALLOWED, 1),
        "most_in_1.1_s": most_within(times, 1.1),
        "most_in_0.1_s": most_within(times, 0.1),
        "commands_per_call": round(spent / len(times), 1),
    }


def run_processes(variant: str, data_dir: Path, address: str, url: str, seconds: float) -> None:
    """Six processes from a common start to their end."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(PROCESSES)
    arguments = (variant, data_dir, address, url, seconds, start)
    processes = [context.Process(target=process, args=arguments) for _ in range(PROCESSES)]
    for each in processes:
        each.start()
    for each in processes:
        each.join()
        if each.exitcode:
            raise SystemExit(f"a process of {variant} ended with {each.exitcode}")


def process(variant: str, data_dir: Path, address: str, url: str, seconds: float, start: Barrier) -> None:
    """One of the six."""
    asyncio.run(call_until(variant, data_dir, address, url, seconds, start))


async def call_until(variant: str, data_dir: Path, address: str, url: str, seconds: float, start: Barrier) -> None:
    """Calls from several tasks until the time is over."""
    async with AsyncExitStack() as opened_here:
        turn = await LIMITERS[variant](opened_here, data_dir, address)
        client = await opened_here.enter_async_context(httpx.AsyncClient(trust_env=False))
        start.wait()
        end = time.monotonic() + seconds

        async def work() -> None:
            while time.monotonic() < end:
                await turn()
                await client.get(url)

        await asyncio.gather(*(work() for _ in range(TASKS)))


async def by_storm(opened_here: AsyncExitStack, data_dir: Path, address: str) -> Turn:
    """The script of storm's store."""
    limiter = StoreLimiter(await opened_here.enter_async_context(await opened(data_dir)))
    service = service_at("http://127.0.0.1")
    return lambda: limiter.wait(service.limit_name, service.per_second)


async def by_pyrate_window(opened_here: AsyncExitStack, data_dir: Path, address: str) -> Turn:
    """pyrate-limiter's usual bucket, a log of the last second."""
    from pyrate_limiter import Duration, Limiter, Rate, RedisBucket

    bucket: Any = RedisBucket.init([Rate(9, Duration.SECOND)], await connected(opened_here, address), "pyrate-window")
    limiter = Limiter(await bucket)
    return lambda: limiter.try_acquire_async("bench")


async def by_pyrate_gcra(opened_here: AsyncExitStack, data_dir: Path, address: str) -> Turn:
    """pyrate-limiter's GCRA with a burst of one."""
    from pyrate_limiter import GCRA, Duration, Limiter, Rate, RedisStateStore, StateBucket

    redis = await connected(opened_here, address)
    bucket = StateBucket([Rate(9, Duration.SECOND, burst=1)], GCRA(), RedisStateStore(redis, "pyrate-gcra"))
    limiter = Limiter(bucket)
    return lambda: limiter.try_acquire_async("bench")


async def by_limits(opened_here: AsyncExitStack, data_dir: Path, address: str) -> Turn:
    """limits has no way to wait: it is asked again every ten milliseconds."""
    from limits import RateLimitItemPerSecond
    from limits.aio.storage import RedisStorage
    from limits.aio.strategies import MovingWindowRateLimiter

    limiter = MovingWindowRateLimiter(RedisStorage(f"async+redis+unix://{address}", implementation="redispy"))
    item = RateLimitItemPerSecond(9)

    async def turn() -> None:
        while not await limiter.hit(item, "bench"):
            await asyncio.sleep(0.01)

    return turn


LIMITERS: dict[str, Callable[[AsyncExitStack, Path, str], Awaitable[Turn]]] = {
    "storm": by_storm,
    "pyrate-limiter, window": by_pyrate_window,
    "pyrate-limiter, GCRA": by_pyrate_gcra,
    "limits, moving window": by_limits,
}


async def opened(data_dir: Path) -> Store:
    """The embedded store, as a job opens it."""
    return await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=1), clock=utc_now)


async def connected(opened_here: AsyncExitStack, address: str) -> Redis:
    """A plain client of the same server, for the others."""
    return await opened_here.enter_async_context(Redis(unix_socket_path=address))


async def commands(store: Store) -> int:
    """How many commands the server has answered."""
    return int((await store.run(lambda redis: redis.info("stats")))["total_commands_processed"])


def most_within(times: Sequence[float], seconds: float) -> int:
    """The most calls in any span of that length."""
    first, most = 0, 0
    for last, at in enumerate(times):
        while at - times[first] >= seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


# The cache, and equal calls


async def cached(folder: Path, hits: int) -> list[Row]:
    """A body of 100 kB from the origin and from the cache."""
    async with Origin() as origin, http_with(folder) as http:
        plain = await timed(hits, lambda n: http.ask(service_at(origin.url), f"page/{n}"))
        await http.ask(service_at(origin.url, ttl=3600), "kept")
        kept = await timed(hits, lambda n: http.ask(service_at(origin.url, ttl=3600), "kept"))
        if len(origin.arrivals) != hits + 1:
            raise SystemExit("an answer that should have come from the cache did not")
    return [
        {"variant": name, "n": hits, "p50_ms": p50(seconds), "p95_ms": p95(seconds)}
        for name, seconds in (("storm, from the service", plain), ("storm, from the cache", kept))
    ]


async def timed(calls: int, ask: Callable[[int], Awaitable[object]]) -> list[float]:
    """The seconds of each call, one after the other."""
    seconds = []
    for n in range(calls):
        began = time.perf_counter()
        await ask(n)
        seconds.append(time.perf_counter() - began)
    return seconds


async def equal_calls(folder: Path) -> list[Row]:
    """How many of twenty equal calls at once reach the service, by storm and by hishel's own transport."""
    async with Origin() as origin, http_with(folder / "storm") as http:
        await asyncio.gather(*(http.ask(service_at(origin.url, ttl=3600), "same") for _ in range(EQUAL)))
        by_us = len(origin.arrivals)
    transport = hishel.httpx.AsyncCacheTransport(
        httpx.AsyncHTTPTransport(), hishel.AsyncSqliteStorage(database_path=folder / "hishel.db")
    )
    async with Origin() as origin, httpx.AsyncClient(transport=transport) as client:
        await asyncio.gather(*(client.get(f"{origin.url}/same") for _ in range(EQUAL)))
        by_hishel = len(origin.arrivals)
    return [
        {"variant": name, "n": EQUAL, "at_the_service": reached}
        for name, reached in (("storm, equal calls at once", by_us), ("hishel alone, equal calls at once", by_hishel))
    ]


def http_with(folder: Path) -> Http:
    """storm's client without limit or proxy."""
    return Http(LocalLimiter(sleep=_at_once), cache_dir=folder, transport=httpx.AsyncHTTPTransport())


async def _at_once(seconds: float) -> None:
    """Instead of sleeping: what is measured here is not the limit."""


if __name__ == "__main__":
    raise SystemExit(main())
