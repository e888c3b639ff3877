"""A store in this process's memory, for tests: fakeredis instead of a server."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from storm.store.connection import Store

if TYPE_CHECKING:
    from fakeredis import FakeServer


def store_in_memory(
    server: FakeServer | None = None, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Store:
    """A store whose data lives as long as `server`, by default a new one. ImportError without fakeredis."""
    from fakeredis import FakeAsyncRedis, FakeServer
    from redis._parsers.response_callbacks import parse_xread_unified  # type: ignore[attr-defined]

    held = server or FakeServer()

    def make_client(**options: Any) -> FakeAsyncRedis:
        redis = FakeAsyncRedis(server=held, **{**options, "protocol": 2})
        redis.set_response_callback("XREAD", parse_xread_unified)  # fakeredis ignores legacy_responses=False
        return redis

    return Store(make_client, address="memory", job_ttl=timedelta(days=30), clock=clock)
