"""Comparisons with placebo, and names of other drugs, in a trial of another drug."""

from __future__ import annotations

import pytest

from storm.evidence.own_arm import is_against_placebo, names_another_drug


@pytest.mark.parametrize(
    ("text", "against"),
    [
        ("Zorvimab and belustatin were superior to placebo.", True),
        ("Bone density rose more with zorvimab than with placebo.", True),
        ("Zorvimab was superior to belustatin, and both were superior to placebo.", False),
        ("The hazard ratio was 0.6 for zorvimab vs placebo and 0.7 for belustatin vs zorvimab.", False),
        ("Zorvimab was superior to nothing.", False),
    ],
)
def test_a_comparison_with_placebo_is_one_only_without_a_comparison_with_a_drug(text: str, *, against: bool) -> None:
    assert is_against_placebo(text) is against


def test_another_drug_is_one_of_another_name() -> None:
    assert names_another_drug("Zorvimab or belustatin was given.", ("zorvimab",))
    assert not names_another_drug("Zorvimab was given.", ("zorvimab",))
