"""The stores that tests run on, and the job in them with its first source."""

from __future__ import annotations

import atexit
import math
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import pytest
from fakeredis import FakeServer
from redis import Redis
from redis.backoff import ExponentialWithJitterBackoff

from storm.models import DraftCitation, Hit
from storm.store import Store, open_store
from storm.store.embedded import EmbeddedServer
from storm.store.memory import store_in_memory as _store_in_memory
from storm.store.server_program import find_server_program

JOB = "trastuzumab-20261121-7f3a9c"
HIT = Hit.of("pubmed", "7", "https://pubmed.ncbi.nlm.nih.gov/7/", "A trial", text="Median 7.4.")
DRAFT = DraftCitation("It works.", "Median 7.4.", True)

#: Databases of the shared server that nobody uses; the first is for the fixture `store`.
_free_databases = list(range(1, 16))

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def store_in_memory(server: FakeServer, clock: Callable[[], datetime] = lambda: NOW) -> Store:
    """A store on a server in memory, on the day of the tests."""
    return _store_in_memory(server, clock)


@lru_cache(maxsize=1)
def shared_server() -> EmbeddedServer:
    """One real server for all tests of this process that do not start or stop it themselves."""
    folder = tempfile.TemporaryDirectory(prefix="storm-tests-")
    server = EmbeddedServer(Path(folder.name), find_server_program())
    server.ensure_running()
    atexit.register(folder.cleanup)
    atexit.register(server.stop_server, force=True)
    return server


@asynccontextmanager
async def open_quick_store(clock: Callable[[], datetime] = lambda: NOW) -> AsyncIterator[Store]:
    """An empty store in a database of its own on the shared server, which runs a script ten times as fast as one in
    memory."""
    number = _free_databases.pop()
    url = f"unix://{shared_server().socket}?db={number}"
    with Redis.from_url(url) as redis:
        redis.flushdb()
    try:
        async with await open_store(
            data_dir=Path("unused"), redis_url=url, job_ttl=timedelta(days=30), clock=clock
        ) as store:
            yield store
    finally:
        _free_databases.append(number)


def use_quick_test_apps(patch: pytest.MonkeyPatch) -> None:
    """Have `open_test_app` keep its jobs on the shared server; tests/test_testing.py tries it in memory."""
    patch.setattr("storm.testing.store_in_memory", lambda: open_quick_store(lambda: datetime.now(UTC)))


async def open_embedded(data_dir: Path, clock: Callable[[], datetime] = lambda: NOW) -> Store:
    """The real thing, as a user without a Redis of his own gets it."""
    return await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=30), clock=clock)


def set_pauses(patch: pytest.MonkeyPatch, *seconds: float) -> list[float]:
    """The pauses between tries to reach a server are these, and then for ever; listed as they are asked for."""
    asked: list[float] = []
    planned = iter(seconds)

    def compute(_: ExponentialWithJitterBackoff, failures: int) -> float:
        asked.append(next(planned, math.inf))
        return asked[-1]

    patch.setattr(ExponentialWithJitterBackoff, "compute", compute)
    return asked
