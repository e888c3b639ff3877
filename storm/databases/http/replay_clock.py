"""Simulated time for a replay: it passes as in the recording, without waiting.

With real time a replay would last as long as the recording. A clock that added up simultaneous waits would let
deadlines pass that had not passed, and the dossier would differ.
"""

from __future__ import annotations

import asyncio
import itertools
from bisect import insort


class ReplayClock:
    """A clock that only `sleep` advances; the sleeper due first wakes first."""

    def __init__(self) -> None:
        self._now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []
        self._number = itertools.count()

    def monotonic(self) -> float:
        """The simulated seconds since the start."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once all sleepers due earlier have woken; other tasks run meanwhile."""
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
