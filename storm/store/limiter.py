"""One rate limit for all processes that share the store."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

from storm.store.client import StoreClient

#: Longer than anybody waits, in seconds: numbers of microseconds must stay exact in Lua.
_EVER = 1e9
#: Seconds after which a turn is missed. At 0.9 of what is allowed, a span of 1.1 s has 11 ms to spare, at any rate.
_LATE = 0.01
#: On a machine so busy that a call missed so many turns it is made late rather than never.
_MISSED = 3


class StoreLimiter:
    """Implements `ports.Limiter`: reserves a slot by the server's clock in one round trip, then sleeps until it.

    Slots are spaced evenly, without bursts. A call that is given up after its reservation leaves its slot empty, and so
    does one that wakes too late for it: it takes another.
    """

    def __init__(self, store: StoreClient, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._store = store
        self._sleep = sleep

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        """Wait for the next call's turn; False at once if it is not within so many seconds.

        StoreError if the store is gone.
        """
        missed = 0
        while True:
            now, slot, _ = await self._reserve_slot(service, apart=1 / per_second, longest=within)
            wait = (slot - now) / 1e6
            if wait > within:
                return False
            if not wait:
                return True
            await self._sleep(wait)
            now, _, held = await self._reserve_slot(service)
            late = now - slot > _LATE * 1e6
            if held <= slot and (not late or missed == _MISSED):
                return True
            missed += late
            within -= wait

    async def hold(self, service: str, seconds: float) -> None:
        """Let nobody call this service for so many seconds; StoreError if the store is gone."""
        await self._reserve_slot(service, hold=seconds, longest=_EVER)

    async def _reserve_slot(
        self, service: str, apart: float = 0.0, hold: float = 0.0, longest: float = -1.0
    ) -> tuple[int, int, int]:
        """In microseconds: now, the slot (taken if it is near enough), and until when nobody may call."""
        seconds = (apart, min(hold, _EVER), min(longest, _EVER))
        arguments = tuple(round(each * 1e6) for each in seconds)
        now, slot, held = await self._store.run_script("limit", (f"rate_limit:{{{service}}}",), arguments, alone=True)
        return now, slot, held
