"""The stores that tests run on, and the job in them."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis._parsers.response_callbacks import parse_xread_unified
from redis.backoff import ExponentialWithJitterBackoff

from storm.store import Store, open_store

JOB = "trastuzumab-20261121-7f3a9c"

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def store_in_memory(server: FakeServer) -> Store:
    """A store on a server in memory: what is written is gone with it."""

    def connect(**options: Any) -> FakeAsyncRedis:
        redis = FakeAsyncRedis(server=server, **{**options, "protocol": 2})
        redis.set_response_callback("XREAD", parse_xread_unified)  # it does not know legacy_responses=False
        return redis

    return Store(connect, address="memory", job_ttl=timedelta(days=30), clock=lambda: NOW)


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
