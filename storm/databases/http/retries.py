"""How often and after how many seconds a call is retried."""

from __future__ import annotations

import email.utils
from collections.abc import Callable
from datetime import UTC, datetime

#: The total number of tries where a service fails; a rate-limited call is retried until its deadline.
TRIES = 3

#: The first wait takes up to _FIRST seconds, each further one up to twice as long, at most _LONGEST.
_FIRST = 1.0
_LONGEST = 30.0

#: A rate-limited service is not called for at least this many seconds.
SHORTEST_HOLD = 1.0

#: A call may wait for its first turn this many times as long as its total deadline.
QUEUES = 3


def backoff_seconds(failures: int, random: Callable[[], float]) -> float:
    """Seconds to wait after so many failures: exponential with full jitter, `random` being uniform in [0, 1)."""
    return random() * min(_LONGEST, _FIRST * 2.0 ** min(failures - 1, 10))


def rate_limit_backoff_seconds(failures: int, random: Callable[[], float]) -> float:
    """Seconds to wait after so many rate limit refusals: as `backoff`, plus one second."""
    return _FIRST + backoff_seconds(failures, random)


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds of a Retry-After header, given as a number or an HTTP date; None if it is neither."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        at = email.utils.parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
