"""Synchronises the web requests of one agent step, so that their results are stored together.

Without it each search of a step would store its hits separately, and a step would need more than five round trips to
the store (docs/benchmarks.md).
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Rendezvous:
    """A context that its users leave together: each waits at the end until nobody is inside, so that what they store
    next goes in one round trip. Not reentrant."""

    def __init__(self) -> None:
        self._inside = 0
        self._empty = asyncio.Event()

    async def __aenter__(self) -> None:
        if not self._inside:
            self._empty = asyncio.Event()
        self._inside += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        empty = self._empty
        self._inside -= 1
        if not self._inside:
            empty.set()
        if error is None:
            await empty.wait()
