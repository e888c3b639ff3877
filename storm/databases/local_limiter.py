"""The rate limit of one process, where no store is shared."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable


class LocalLimiter:
    """Implements `roles.Limiter` inside this process: each call reserves the next slot and sleeps until it."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._free: dict[str, float] = {}

    async def wait(self, service: str, per_second: float) -> None:
        """Return when the next call of this service may be made."""
        now = self._monotonic()
        slot = max(now, self._free.get(service, now))
        self._free[service] = slot + 1 / per_second
        if slot > now:
            await self._sleep(slot - now)
