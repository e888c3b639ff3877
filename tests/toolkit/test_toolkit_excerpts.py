"""A long text is cut where a line ends, and how much is left out is said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storm.toolkit.excerpts import cut_at_line


def test_a_short_text_stays_whole() -> None:
    assert cut_at_line("one\ntwo", 7) == "one\ntwo"


def test_a_long_text_ends_with_a_line() -> None:
    assert cut_at_line("first line\nsecond line\nthird", 24) == "first line\nsecond line\n(cut here: 6 characters more)"


def test_a_text_whose_first_line_is_long_is_cut_within_it() -> None:
    assert cut_at_line(f"a\n{'b' * 30}", 20) == f"a\n{'b' * 18}\n(cut here: 12 characters more)"


@given(text=st.text(alphabet="ab \n", max_size=200), limit=st.integers(1, 100))
def test_what_is_kept_begins_the_text_and_is_within_the_limit(text: str, limit: int) -> None:
    kept = cut_at_line(text, limit).partition("\n(cut here: ")[0]
    assert text.startswith(kept) and len(kept) <= max(limit, len(text) * (len(text) <= limit))
