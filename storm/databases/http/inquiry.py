"""What one search asks of a service: how a reader can ask the same again, and how old its answers are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime


class Inquiry:
    """The first address that was asked, without secrets, and when the oldest of the answers was given."""

    def __init__(self) -> None:
        self.address = ""
        self.answered: datetime | None = None


_current: ContextVar[Inquiry | None] = ContextVar("inquiry", default=None)


@contextmanager
def track_inquiry() -> Iterator[Inquiry]:
    """What is asked inside, in this task and those that it starts, is noted."""
    current = Inquiry()
    token = _current.set(current)
    try:
        yield current
    finally:
        _current.reset(token)


def note_call(address: str) -> None:
    """An address is asked."""
    current = _current.get()
    if current is not None and not current.address:
        current.address = address


def note_answer(at: datetime) -> None:
    """An answer came that was given at that time."""
    current = _current.get()
    if current is not None:
        current.answered = min(at, current.answered or at)
