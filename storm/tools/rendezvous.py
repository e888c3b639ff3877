"""Where those who ask the web in one step of an agent wait for one another.

Without it each search of a step writes down its hits by itself, and a step could not be held to five round trips to the
store (docs/benchmarks.md).
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Rendezvous:
    """`async with` it, not one inside the other, and go on when nobody is inside any more: what was found is then
    written in one round trip."""

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
