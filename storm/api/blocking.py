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
    """The coroutine `aNAME` as the function `NAME`; UsageError where an event loop runs."""
    name = coroutine.__name__.removeprefix("a")

    @wraps(coroutine)
    def call_blocking(*args: P.args, **kwargs: P.kwargs) -> T:
        with show_hint():
            _check_no_loop(name)
        return asyncio.run(coroutine(*args, **kwargs))

    call_blocking.__name__ = call_blocking.__qualname__ = name
    told = (coroutine.__doc__ or "").replace(f"await storm.{coroutine.__name__}(", f"storm.{name}(")
    call_blocking.__doc__ = (
        f"{told.rstrip()}\n\n    Synchronous wrapper: in a notebook, `await storm.{coroutine.__name__}(...)`.\n    "
    )
    return call_blocking


@contextmanager
def show_hint() -> Iterator[None]:
    """A traceback shows the hint of an error below its message."""
    try:
        yield
    except StormError as error:
        if error.hint:
            error.add_note(error.hint)
        raise


def _check_no_loop(name: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return  # before the coroutine runs: an error that is raised in here would be shown with this one before it
    raise UsageError(f"storm.{name}() cannot be called inside an event loop", hint=f"there: await storm.a{name}(...)")
