"""Time in a replay: it passes as in the traffic that was recorded, and nobody waits for it.

On the real clock a replay would last as long as the recording did, and on one that adds up what is waited for at the
same time deadlines would pass that had not passed: the dossier would be another.
"""

from __future__ import annotations

import asyncio
import itertools
from bisect import insort


class ReplayClock:
    """A clock that only sleeping moves; of several sleepers the one that is due first wakes first."""

    def __init__(self) -> None:
        self._now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []
        self._number = itertools.count()

    def monotonic(self) -> float:
        """The seconds that have been slept."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return when all have woken whose time comes earlier; meanwhile others run."""
        is_next = asyncio.Event()
        sleeper = (self._now + seconds, next(self._number), is_next)
        insort(self._sleepers, sleeper)
        try:
            await asyncio.sleep(0)
            while self._sleepers[0] is not sleeper:
                is_next.clear()
                await is_next.wait()
            self._now = max(self._now, sleeper[0])
        finally:
            self._sleepers.remove(sleeper)
            if self._sleepers:
                self._sleepers[0][2].set()
