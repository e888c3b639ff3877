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
    made = Inquiry()
    token = _current.set(made)
    try:
        yield made
    finally:
        _current.reset(token)


def note_call(address: str) -> None:
    """An address is asked."""
    made = _current.get()
    if made is not None and not made.address:
        made.address = address


def note_answer(at: datetime) -> None:
    """An answer came that was given at that time."""
    made = _current.get()
    if made is not None:
        made.answered = min(at, made.answered or at)
