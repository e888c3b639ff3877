"""Moments and events for the tests of traces."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

from pydantic import JsonValue

from storm.models import Event

START = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


def ticking() -> Callable[[], datetime]:
    """A clock that is a second further each time that it is looked at."""
    seconds = count()
    return lambda: START + timedelta(seconds=next(seconds))


def job_event(number: int, kind: str, message: str = "", progress: float = 0.0, **data: JsonValue) -> Event:
    """The event of that number in a job's stream, a second after the one before."""
    at = START + timedelta(seconds=number)
    fields = {"kind": kind, "message": message, "stage": "gather", "progress": progress, "data": data}
    return Event.model_validate({"id": f"{number}-0", "job_id": "job-1", "at": at, **fields})
