"""One rate limit for all processes that share the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from storm.store.client import StoreClient


class StoreLimiter:
    """Implements `roles.Limiter`: reserves a slot by the server's clock in one round trip, then sleeps until it.

    Slots are spaced evenly, without bursts. A call that is given up after its reservation leaves its slot empty.
    """

    def __init__(self, store: StoreClient, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._store = store
        self._sleep = sleep

    async def wait(self, service: str, per_second: float) -> None:
        """Return when the next call of this service may be made; StoreError if the store is gone."""
        apart = round(1_000_000 / per_second)
        until = await self._store.script("limit", (f"rate_limit:{{{service}}}",), (apart,))
        if until:
            await self._sleep(until / 1_000_000)
