"""One rate limit for all processes that share the store."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

from storm.store.client import StoreClient

#: Longer than anybody waits, in seconds: numbers of microseconds must stay exact in Lua.
_EVER = 1e9


class StoreLimiter:
    """Implements `roles.Limiter`: reserves a slot by the server's clock in one round trip, then sleeps until it.

    Slots are spaced evenly, without bursts. A call that is given up after its reservation leaves its slot empty.
    """

    def __init__(self, store: StoreClient, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._store = store
        self._sleep = sleep

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        """Wait for the next call's turn; False at once if it is not within so many seconds.

        StoreError if the store is gone.
        """
        while True:
            now, slot, _ = await self._limit(service, apart=1 / per_second, longest=within)
            wait = (slot - now) / 1e6
            if wait > within:
                return False
            if not wait:
                return True
            await self._sleep(wait)
            _, _, held = await self._limit(service)
            if held <= slot:
                return True
            within -= wait

    async def hold(self, service: str, seconds: float) -> None:
        """Let nobody call this service for so many seconds; StoreError if the store is gone."""
        await self._limit(service, hold=seconds, longest=_EVER)

    async def _limit(
        self, service: str, apart: float = 0.0, hold: float = 0.0, longest: float = -1.0
    ) -> tuple[int, int, int]:
        """In microseconds: now, the slot (taken if it is near enough), and until when nobody may call."""
        seconds = (apart, min(hold, _EVER), min(longest, _EVER))
        arguments = tuple(round(each * 1e6) for each in seconds)
        now, slot, held = await self._store.script("limit", (f"rate_limit:{{{service}}}",), arguments)
        return now, slot, held
