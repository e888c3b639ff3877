"""Tracks what one search requests from a service: the first URL, to repeat it, the age of the answers, and how long its
calls waited for their turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime


class Inquiry:
    """The first requested URL, without secrets, the time of the oldest answer, and the seconds for which calls waited
    for their turn under the rate limit."""

    def __init__(self) -> None:
        self.address = ""
        self.answered: datetime | None = None
        self.queued = 0.0


_current: ContextVar[Inquiry | None] = ContextVar("inquiry", default=None)


@contextmanager
def track_inquiry() -> Iterator[Inquiry]:
    """Track the requests made inside the context, in this task and those that it starts."""
    current = Inquiry()
    token = _current.set(current)
    try:
        yield current
    finally:
        _current.reset(token)


def note_call(address: str) -> None:
    """Note a requested URL."""
    current = _current.get()
    if current is not None and not current.address:
        current.address = address


def note_turn(seconds: float) -> None:
    """Note for how long a call waited for its turn."""
    current = _current.get()
    if current is not None:
        current.queued += seconds


def note_answer(at: datetime) -> None:
    """Note the time of an answer."""
    current = _current.get()
    if current is not None:
        current.answered = min(at, current.answered or at)
