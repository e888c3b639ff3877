"""The rate limit of one process, for programs without a shared store."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable


class LocalLimiter:
    """Implements `ports.Limiter` inside this process: each call reserves the next slot and sleeps until it."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._free: dict[str, float] = {}
        self._held: dict[str, float] = {}

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        """Wait for the next call's turn; False at once if it would not come within so many seconds."""
        while True:
            now = self._monotonic()
            slot = max(now, self._free.get(service, now))
            wait = slot - now
            if wait > within:
                return False
            self._free[service] = slot + 1 / per_second
            if not wait:
                return True
            await self._sleep(wait)
            if self._held.get(service, slot) <= slot:
                return True
            within -= wait

    async def hold(self, service: str, seconds: float) -> None:
        """Block calls of this service for so many seconds."""
        until = self._monotonic() + seconds
        self._held[service] = max(until, self._held.get(service, until))
        self._free[service] = max(until, self._free.get(service, until))
