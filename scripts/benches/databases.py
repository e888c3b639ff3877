"""The way to the public services, on loopback: a search of ten, the shared rate limit, the cache, and the readers.

Ten services answer after 300 ms with a page of Europe PMC each; a job searches them as it always does, with store, rate
limit and an empty cache.

Six processes ask a service that allows ten calls a second, each from several tasks, as fast as their limiter lets them.
storm stays at 0.9 of what is allowed; the other limiters are set to the same nine a second and, where they take one, to
a burst of one. What counts is when the calls arrive at the service. storm's processes have just started and call as a
job does, through its own HTTP layer. Those of the others have made a call before, which is not counted, since with its
first one httpx loads what it needs while the turn passes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import httpx
from _formats import PROSE, read_rows
from _report import Row, p50, p95, parser, report
from hishel import AsyncSqliteStorage
from hishel.httpx import AsyncCacheTransport
from redis.asyncio import Redis

from storm.app import utc_now
from storm.databases.http.client import Http
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.service import Service
from storm.databases.services.europepmc import EuropePmc
from storm.models import JobRequest, SearchQuery, new_job_id
from storm.ports import Limiter
from storm.settings import read_settings
from storm.store import JobJournal, Store, StoreLimiter, open_store
from storm.syllabus import bundled_syllabus
from storm.tools import JobSearch

SERVICES = 10
ANSWERS_AFTER = 0.3
#: In each answer: few, and as many as a job takes of one search on average over config/databases.yaml.
RECORDS = (10, 35)
SYLLABUS = bundled_syllabus(read_settings().config_dir)
ALLOWED = 10
PROCESSES = 6
TASKS = 3
EQUAL = 20
#: As large as a page of search results.
BODY = json.dumps({"results": ["x" * 1000] * 100}).encode()

#: Waits for the next call's turn, and makes the call.
Caller = Callable[[], Awaitable[object]]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("databases", "Searching ten services, the shared limit, the cache and the readers; on loopback.")
    options.add_argument(
        "--searches", type=int, default=5, help="searches of all ten services, for each size of their answers"
    )
    options.add_argument("--seconds", type=float, default=12, help="how long each limiter is measured")
    options.add_argument("--hits", type=int, default=500, help="answers read from the cache")
    options.add_argument("--records", type=int, default=5000, help="records of PubMed that are read; of others fewer")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), given.searches, given.seconds, given.hits))
        rows += read_rows(Path(folder), given.records)
    report(rows, as_json=given.json)
    return 0


async def measure(folder: Path, searches: int, seconds: float, hits: int) -> list[Row]:
    """All that is asked over HTTP."""
    rows = []
    for records in RECORDS:
        rows += await searched(folder, searches, records)
    for variant in CALLERS:
        rows.append(await limited(variant, folder / "data", seconds))
    return [*rows, *await cached(folder, hits), *await equal_calls(folder)]


class Origin:
    """A service that answers everything alike, after so many seconds, and remembers when each call arrived."""

    def __init__(self, body: bytes = BODY, after: float = 0) -> None:
        self.arrivals: list[float] = []
        self._head = (
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age=3600\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        self._body = body
        self._after = after

    async def __aenter__(self) -> Origin:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.arrivals.append(time.monotonic())
                await asyncio.sleep(self._after)
                writer.write(self._head + self._body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()


def service_at(url: str, ttl: float = 0, name: str = "bench") -> Service:
    """The origin as storm knows a service."""
    return Service(name=name, label=name, base_url=url, scope="", rate=ALLOWED, ttl=ttl)


# A search of ten services


async def searched(folder: Path, searches: int, records: int) -> list[Row]:
    """All services searched at once, and the same one after the other; each time with a new query."""
    at_once: list[float] = []
    in_turn: list[float] = []
    slowest: list[float] = []
    async with AsyncExitStack() as opened_here:
        store = await opened_here.enter_async_context(await opened(folder / "data"))
        http = await opened_here.enter_async_context(http_with(folder / f"searches-{records}", StoreLimiter(store)))
        databases = [await database(opened_here, http, number, records) for number in range(SERVICES)]
        for n in range(searches):
            alone = [await search_seconds(store, [each], f"alone {n}") for each in databases]
            at_once.append(await search_seconds(store, databases, f"at once {n}"))
            in_turn.append(sum(alone))
            slowest.append(max(alone))
    named = {"storm, all at once": at_once, "one after the other": in_turn, "the slowest one alone": slowest}
    return [search_row(variant, records, seconds, slowest) for variant, seconds in named.items()]


def search_row(variant: str, records: int, seconds: Sequence[float], slowest: Sequence[float]) -> Row:
    """One line; the ratio is to the slowest search of the same round."""
    ratios = [each / most for each, most in zip(seconds, slowest, strict=True)]
    return {
        "variant": variant, "n": len(seconds), "services": SERVICES, "records_each": records, "p50_ms": p50(seconds),
        "p95_ms": p95(seconds), "to_slowest": round(statistics.median(ratios), 2),
    }  # fmt: skip


async def database(opened_here: AsyncExitStack, http: Http, number: int, records: int) -> EuropePmc:
    """Europe PMC's client under a name of its own, and its service with records of its own."""

    class Numbered(EuropePmc):
        name = f"bench-{number}"

    origin = await opened_here.enter_async_context(Origin(page_of(number, records), ANSWERS_AFTER))
    return Numbered(http, service_at(origin.url, ttl=3600, name=Numbered.name))


def page_of(service: int, records: int) -> bytes:
    """A page of Europe PMC, with 10 kB a record as it gives them; each service has records of its own."""
    affiliations = [{"affiliation": f"Department {n} of Medical Oncology. {PROSE}"} for n in range(15)]
    listed = [
        {
            "id": str(pmid), "source": "MED", "pmid": str(pmid), "doi": f"10.1000/bench.{pmid}",
            "title": f"Trastuzumab after chemotherapy: randomised trial {pmid}", "abstractText": PROSE * 4,
            "authorString": "Surname GS, Surname SG.", "pubYear": "2024", "firstPublicationDate": "2024-05-17",
            "pubTypeList": {"pubType": ["Journal Article"]}, "isOpenAccess": "Y",
            "authorList": {"author": [{"authorAffiliationDetailsList": {"authorAffiliation": affiliations}}]},
        }
        for pmid in range(10_000_000 + service * 1000, 10_000_000 + service * 1000 + records)
    ]  # fmt: skip
    return json.dumps({"version": "6.9", "hitCount": records, "resultList": {"result": listed}}).encode()


async def search_seconds(store: Store, databases: Sequence[EuropePmc], word: str) -> float:
    """How long a new job searches them."""
    request = JobRequest(text="trastuzumab", syllabus=SYLLABUS)
    job = await store.jobs.create(request, new_job_id(request.text, utc_now()))
    async with await store.jobs.hold(job.job_id) as lease:
        search = JobSearch(databases, JobJournal(store, job.job_id, lease), utc_now)
        began = time.perf_counter()
        question = SYLLABUS.keys[0]
        found = (await search.search({question: [SearchQuery(names=("trastuzumab",), words=(word,))]}))[question]
        seconds = time.perf_counter() - began
    if len(found) != len(databases) or not all(found):
        raise SystemExit("a search failed")
    return seconds


# The rate limit


async def limited(variant: str, data_dir: Path, seconds: float) -> Row:
    """What arrives at the service from six processes that begin together."""
    async with await opened(data_dir) as store, Origin() as origin:
        before = await commands(store)
        await asyncio.to_thread(run_processes, variant, data_dir, store.address, origin.url, seconds)
        spent = await commands(store) - before
    times = sorted(origin.arrivals)[0 if variant == STORM else PROCESSES :]
    used = sum(1 for at in times if at < times[0] + seconds) / seconds
    return {
        "variant": variant,
        "n": len(times),
        "processes": f"{PROCESSES} {'just started' if variant == STORM else 'warm'}",
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


def process(*given: Any) -> None:
    """One of the six."""
    asyncio.run(call_until(*given))


async def call_until(variant: str, data_dir: Path, address: str, url: str, seconds: float, start: Barrier) -> None:
    """Calls from several tasks until the time is over."""
    async with AsyncExitStack() as opened_here:
        call = await CALLERS[variant](opened_here, data_dir, address, url)
        start.wait()
        end = time.monotonic() + seconds

        async def work() -> None:
            while time.monotonic() < end:
                await call()

        await asyncio.gather(*(work() for _ in range(TASKS)))


async def by_storm(opened_here: AsyncExitStack, data_dir: Path, address: str, url: str) -> Caller:
    """storm's HTTP layer, with the limit of its store and a cache that keeps nothing of this."""
    store = await opened_here.enter_async_context(await opened(data_dir))
    http = await opened_here.enter_async_context(http_with(data_dir / "http", StoreLimiter(store)))
    service, calls = service_at(url), itertools.count()
    return lambda: http.fetch_answer(service, f"{os.getpid()}-{next(calls)}")


async def warm_caller(opened_here: AsyncExitStack, url: str, turn: Caller) -> Caller:
    """A turn, then a call by a client that has made one before."""
    client = await opened_here.enter_async_context(httpx.AsyncClient(trust_env=False))
    await client.get(url)

    async def call() -> None:
        await turn()
        await client.get(url)

    return call


async def by_pyrate_window(opened_here: AsyncExitStack, data_dir: Path, address: str, url: str) -> Caller:
    """pyrate-limiter's usual bucket, a log of the last second."""
    from pyrate_limiter import Duration, Limiter, Rate, RedisBucket

    bucket: Any = RedisBucket.init([Rate(9, Duration.SECOND)], await connected(opened_here, address), "pyrate-window")
    limiter = Limiter(await bucket)
    return await warm_caller(opened_here, url, lambda: limiter.try_acquire_async("bench"))


async def by_pyrate_gcra(opened_here: AsyncExitStack, data_dir: Path, address: str, url: str) -> Caller:
    """pyrate-limiter's GCRA with a burst of one."""
    from pyrate_limiter import GCRA, Duration, Limiter, Rate, RedisStateStore, StateBucket

    redis = await connected(opened_here, address)
    bucket = StateBucket([Rate(9, Duration.SECOND, burst=1)], GCRA(), RedisStateStore(redis, "pyrate-gcra"))
    limiter = Limiter(bucket)
    return await warm_caller(opened_here, url, lambda: limiter.try_acquire_async("bench"))


async def by_limits(opened_here: AsyncExitStack, data_dir: Path, address: str, url: str) -> Caller:
    """limits has no way to wait: who is refused sleeps until the oldest call leaves the window, which it tells."""
    from limits import RateLimitItemPerSecond
    from limits.aio.storage import RedisStorage
    from limits.aio.strategies import MovingWindowRateLimiter

    limiter = MovingWindowRateLimiter(RedisStorage(f"async+redis+unix://{address}", implementation="redispy"))
    item = RateLimitItemPerSecond(9)

    async def turn() -> None:
        while not await limiter.hit(item, "bench"):
            window = await limiter.get_window_stats(item, "bench")
            await asyncio.sleep(max(0.0, window.reset_time - time.time()))

    return await warm_caller(opened_here, url, turn)


STORM = "storm"
CALLERS: dict[str, Callable[[AsyncExitStack, Path, str, str], Awaitable[Caller]]] = {
    STORM: by_storm,
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
    return int((await store.run_command(lambda redis: redis.info("stats")))["total_commands_processed"])


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
    """A body of 100 kB from the service, from storm's cache, and from hishel's transport."""
    async with Origin() as origin, http_with(folder / "cached") as http, hishel_client(folder / "cached.db") as hishel:
        kept = service_at(origin.url, ttl=3600)
        await http.fetch_answer(kept, "kept")
        await hishel.get(f"{origin.url}/kept")
        measured = {
            "storm, from the service": await timed(
                hits, lambda n: http.fetch_answer(service_at(origin.url), f"page/{n}")
            ),
            "storm, from the cache": await timed(hits, lambda n: http.fetch_answer(kept, "kept")),
            "hishel alone, from the cache": await timed(hits, lambda n: hishel.get(f"{origin.url}/kept")),
        }
        if len(origin.arrivals) != hits + 2:
            raise SystemExit("an answer that should have come from a cache did not")
    return [
        {"variant": name, "n": hits, "p50_ms": p50(seconds), "p95_ms": p95(seconds)}
        for name, seconds in measured.items()
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
    async with Origin() as origin, http_with(folder / "equal") as http:
        await asyncio.gather(*(http.fetch_answer(service_at(origin.url, ttl=3600), "same") for _ in range(EQUAL)))
        by_us = len(origin.arrivals)
    async with Origin() as origin, hishel_client(folder / "equal.db") as client:
        await asyncio.gather(*(client.get(f"{origin.url}/same") for _ in range(EQUAL)))
        by_hishel = len(origin.arrivals)
    return [
        {"variant": name, "n": EQUAL, "at_the_service": reached}
        for name, reached in (("storm, equal calls at once", by_us), ("hishel alone, equal calls at once", by_hishel))
    ]


def http_with(folder: Path, limiter: Limiter | None = None) -> Http:
    """storm's client without proxy, and without waiting where there is no limiter."""
    return Http(limiter or LocalLimiter(sleep=_at_once), cache_dir=folder, transport=httpx.AsyncHTTPTransport())


def hishel_client(file: Path) -> httpx.AsyncClient:
    """httpx with hishel's own transport and storage."""
    storage = AsyncSqliteStorage(database_path=file)
    return httpx.AsyncClient(transport=AsyncCacheTransport(httpx.AsyncHTTPTransport(), storage))


async def _at_once(seconds: float) -> None:
    """Instead of sleeping: what is measured here is not the limit."""


if __name__ == "__main__":
    raise SystemExit(main())
