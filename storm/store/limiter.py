"""A rate limit shared by all processes that use the store."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from storm.store.client import StoreClient

#: The longest duration, in seconds: microseconds must stay exact in Lua.
_LONGEST = 1e9
#: Seconds after which a slot is missed. Calls are spaced at 0.9 of the allowed rate: at 10 a second each gap has 11 ms
#: to spare, so a call up to 10 ms late still keeps within it.
_LATE = 0.01
#: A call that has missed this many slots, on a busy machine, is made late rather than never.
_MISSED = 3


class ServiceWait(NamedTuple):
    """How long the calls of a service wait for their turn: the seconds until the next slot, and for how many seconds
    no slot has been free. Both are 0 if a call need not wait."""

    next_slot: float
    waited_for: float


class StoreLimiter:
    """Implements `ports.Limiter`: reserves a slot by the server's clock in one round trip, and sleeps until then.

    Slots are spaced evenly, without bursts. A cancelled call leaves its slot empty; one that wakes too late reserves
    another.
    """

    def __init__(self, store: StoreClient, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._store = store
        self._sleep = sleep

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        """Wait for the next slot; False at once if it is not `within` so many seconds.

        StoreError if the store does not answer.
        """
        missed = 0
        while True:
            now, slot, _ = await self._run_limit_script(service, spacing=1 / per_second, longest=within)
            wait = (slot - now) / 1e6
            if wait > within:
                return False
            if not wait:
                return True
            await self._sleep(wait)
            now, _, blocked_until = await self._run_limit_script(service)
            late = now - slot > _LATE * 1e6
            if blocked_until <= slot and (not late or missed == _MISSED):
                return True
            missed += late
            within -= wait

    async def hold(self, service: str, seconds: float) -> None:
        """Let no process call this service for so many seconds; StoreError if the store does not answer."""
        await self._run_limit_script(service, hold=seconds, longest=_LONGEST)

    async def read_wait(self, service: str) -> ServiceWait:
        """How long calls of this service, from any process, wait now; no slot is reserved."""
        key, only_read = f"rate_limit:{{{service}}}", (0, 0, -1)
        now, slot, _, since = await self._store.run_script("limit", (key,), only_read, pipelined=False)
        return ServiceWait((slot - now) / 1e6, (now - since) / 1e6)

    async def _run_limit_script(
        self, service: str, spacing: float = 0.0, hold: float = 0.0, longest: float = -1.0
    ) -> tuple[int, int, int]:
        """In microseconds: now, the slot (reserved if it is near enough), and the end of a block of all calls."""
        seconds = (spacing, min(hold, _LONGEST), min(longest, _LONGEST))
        arguments = tuple(round(each * 1e6) for each in seconds)
        key = f"rate_limit:{{{service}}}"
        now, slot, blocked_until, _ = await self._store.run_script("limit", (key,), arguments, pipelined=False)
        return now, slot, blocked_until
