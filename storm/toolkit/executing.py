"""Runs executors of each kind as one async generator. A plain generator runs in a thread, one step at a time."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, suppress
from typing import Any, NamedTuple

from storm.toolkit.tool import Params, ToolConfig, ToolContext


class _Step(NamedTuple):
    value: Any
    is_last: bool


async def iterate_steps(tool: ToolConfig, params: Params, context: ToolContext) -> AsyncGenerator[Any, None]:
    """What the executor yields or returns, whatever that is. Closing this closes the executor."""
    made: Any = tool.executor(params, context)
    if isinstance(made, AsyncGenerator):
        async with aclosing(made):
            async for step in made:
                yield step
    elif isinstance(made, Generator):
        async with aclosing(_iterate_in_thread(made)) as steps:
            async for step in steps:
                yield step
    else:
        yield await made if inspect.isawaitable(made) else made


async def _iterate_in_thread(generator: Generator[Any, None, Any]) -> AsyncGenerator[Any, None]:
    try:
        step = _Step(None, False)
        while not step.is_last:
            step = await _run_in_thread(generator)
            yield step.value
    finally:
        await asyncio.to_thread(generator.close)


async def _run_in_thread(generator: Generator[Any, None, Any]) -> _Step:
    """The next step. A cancellation waits for it, since a generator that runs cannot be closed."""
    task = asyncio.ensure_future(asyncio.to_thread(_take_step, generator))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # nobody waits for it any more
        raise


def _take_step(generator: Generator[Any, None, Any]) -> _Step:
    try:
        return _Step(next(generator), False)
    except StopIteration as ended:
        return _Step(ended.value, True)
