"""The events of a job while it runs, and last what it returns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, TypeVar

from storm.models import Event

T = TypeVar("T")


async def stream_job(
    work: Callable[[Callable[[Event], None]], Coroutine[Any, Any, T]],
) -> AsyncGenerator[Event | T, None]:
    """Begin the work with an observer of its events; yield them, and last what it returns. Closing this, or cancelling
    who reads it, stops the work first."""
    events = asyncio.Queue[Event | None]()
    task = asyncio.create_task(work(events.put_nowait))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while event := await events.get():
            yield event
        yield await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)  # a job that is released can be resumed at once
