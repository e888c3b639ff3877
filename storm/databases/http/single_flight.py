"""Merges equal calls at the same time into one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Callers of work that is already running wait for its result; it is cancelled when nobody waits any more."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, tuple[asyncio.Task[T], list[None]]] = {}

    async def run_once(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """The result, or the exception, of the one piece of work with this key."""
        if key not in self._under_way:
            task = asyncio.ensure_future(self._run_and_remove(key, work))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # retrieved even if nobody waits
            self._under_way[key] = (task, [])
        task, waiting = self._under_way[key]
        waiting.append(None)
        try:
            return await asyncio.shield(task)
        finally:
            waiting.pop()
            if not waiting and not task.done():
                self._under_way.pop(key, None)
                task.cancel()

    async def _run_and_remove(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await work()
        finally:
            if (entry := self._under_way.get(key)) and entry[0] is asyncio.current_task():
                del self._under_way[key]
