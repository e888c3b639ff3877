"""Synchronous wrappers of coroutines, for programs without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from storm.errors import StormError, UsageError

P = ParamSpec("P")
T = TypeVar("T")


def make_synchronous(coroutine: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make the function `NAME` of the coroutine `aNAME`; it raises UsageError inside an event loop."""
    name = coroutine.__name__.removeprefix("a")

    @wraps(coroutine)
    def call_blocking(*args: P.args, **kwargs: P.kwargs) -> T:
        with show_hint():
            check_no_loop(f"storm.{name}", f"storm.a{name}")
        made: list[T] = []

        async def keep() -> None:
            made.append(await coroutine(*args, **kwargs))

        asyncio.run(keep())  # a task that returned a whole report would be written out in full where its loop ends
        return made[0]

    call_blocking.__name__ = call_blocking.__qualname__ = name
    text = (coroutine.__doc__ or "").replace(f"await storm.{coroutine.__name__}(", f"storm.{name}(")
    call_blocking.__doc__ = (
        f"{text.rstrip()}\n\n    Synchronous wrapper: in a notebook, `await storm.{coroutine.__name__}(...)`.\n    "
    )
    return call_blocking


@contextmanager
def show_hint() -> Iterator[None]:
    """Add the hint of an error to its traceback."""
    try:
        yield
    except StormError as error:
        if error.hint:
            error.add_note(error.hint)
        raise


def check_no_loop(name: str, coroutine: str) -> None:
    """UsageError, with the coroutine to await instead, inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return  # the coroutine runs outside of this block, or its errors would show this one as their cause
    hint = f"use the coroutine: await {coroutine}(...)"
    raise UsageError(f"{name}() cannot be called inside an event loop", hint=hint)
