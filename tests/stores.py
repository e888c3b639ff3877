"""The stores that tests run on, and the job in them."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakeredis import FakeServer
from redis.backoff import ExponentialWithJitterBackoff

from storm.store import Store, open_store
from storm.store.memory import store_in_memory as _store_in_memory

JOB = "trastuzumab-20261121-7f3a9c"

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def store_in_memory(server: FakeServer, clock: Callable[[], datetime] = lambda: NOW) -> Store:
    """A store on a server in memory, on the day of the tests."""
    return _store_in_memory(server, clock)


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
