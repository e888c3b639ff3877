from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

from hypothesis import given
from hypothesis import strategies as st

from storm.databases.http.retries import backoff_seconds, parse_retry_after, rate_limit_backoff_seconds

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def test_waits_double_up_to_half_a_minute() -> None:
    assert [backoff_seconds(n, lambda: 1.0) for n in (1, 2, 3, 4, 5, 6, 99)] == [1, 2, 4, 8, 16, 30, 30]


def test_the_jitter_is_full_and_a_refusal_waits_a_second_at_least() -> None:
    assert (backoff_seconds(3, lambda: 0.0), rate_limit_backoff_seconds(3, lambda: 0.0)) == (0.0, 1.0)


@given(st.integers(0, 10**6))
def test_a_date_asks_for_the_seconds_until_then(seconds: int) -> None:
    then = datetime.fromtimestamp(NOW.timestamp() + seconds, UTC)
    assert parse_retry_after(format_datetime(then, usegmt=True), NOW) == seconds


def test_a_date_that_has_passed_asks_for_nothing() -> None:
    assert parse_retry_after("Fri, 20 Nov 2026 09:30:00 GMT", NOW) == 0


@given(st.text())
def test_any_header_is_seconds_or_nothing(text: str) -> None:
    value = parse_retry_after(text, NOW)
    assert value is None or value >= 0
