"""What a number counts, and of how many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.claims import find_claim_faults

DIED = "31 (6%) of 512 patients on zorvimab and 27 (5%) of 498 on placebo died within a year."
FELL = "Falls were seen in 4.1% (n = 12) of the zorvimab group and in 9.3% (n = 28) of the placebo group."
EVENTS = "Seven adverse events were related to zorvimab; rash was seen in one case."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Within a year 31 of 512 patients on zorvimab died.", DIED),
        ("Of 498 patients on placebo, 27 (5%) died within a year.", DIED),
        ("Falls were seen in 4.1% (n = 12) with zorvimab.", FELL),
        ("Twelve patients (4.1%) on zorvimab had falls.", FELL),
        ("Seven adverse events were related to zorvimab.", EVENTS),
    ],
)
def test_numbers_that_the_quote_pairs_are_accepted(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote", "fault"),
    [
        ("Within a year 27 of 512 patients on zorvimab died.", DIED, "27 of 512"),
        ("Within a year 512 of 31 patients on zorvimab died.", DIED, "512 of 31"),
        ("Of 512 patients on zorvimab, 27 died within a year.", DIED, "27 of 512"),
        ("Falls were seen in 4.1% (n = 28) of the zorvimab group.", FELL, "28 and 4.1%"),
        ("Seven patients on zorvimab had rash.", EVENTS, "counts 7 events"),
    ],
)
def test_numbers_that_the_quote_pairs_otherwise_are_reported(statement: str, quote: str, fault: str) -> None:
    assert any(fault in one for one in find_claim_faults(statement, quote))


@pytest.mark.slow
@given(st.lists(st.integers(1, 999), min_size=4, max_size=4, unique=True))
def test_a_part_keeps_its_whole(values: list[int]) -> None:
    one, of, other, of_other = values
    quote = f"Falls were seen in {one} of {of} patients on zorvimab and in {other} of {of_other} on placebo."
    assert find_claim_faults(f"Falls were seen in {one} of {of} patients on zorvimab.", quote) == ()
    assert find_claim_faults(f"Falls were seen in {other} of {of} patients on zorvimab.", quote) != ()
