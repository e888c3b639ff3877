"""When a call is made again, and after how long."""

from __future__ import annotations

import email.utils
from collections.abc import Callable
from datetime import UTC, datetime

#: So often is a call made in all where the service fails; where it asks us to wait, until the deadline.
TRIES = 3

#: The first wait lasts up to so many seconds, each further one up to twice as long, at most _LONGEST.
_FIRST = 1.0
_LONGEST = 30.0

#: A service that asks to be left alone is for so many seconds at least.
SHORTEST_HOLD = 1.0

#: A call waits for its first turn for so many times as long as it may take from then on.
QUEUES = 3


def backoff(failures: int, random: Callable[[], float]) -> float:
    """Seconds to wait after so many failures: exponential with full jitter, `random` being uniform in [0, 1)."""
    return random() * min(_LONGEST, _FIRST * 2.0 ** min(failures - 1, 10))


def limit_backoff(failures: int, random: Callable[[], float]) -> float:
    """Seconds to wait after so many refusals for too many calls: the same, and one second at least."""
    return _FIRST + backoff(failures, random)


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or as an HTTP date; None if it is neither."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        at = email.utils.parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
