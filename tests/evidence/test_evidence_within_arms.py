"""Changes within an arm."""

from __future__ import annotations

import pytest

from storm.evidence.within_arms import reports_change_within_arms


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("Pain decreased significantly in the zorvimab group (p = 0.01).", True),
        ("Compared with baseline, pain was lower in both groups (p = 0.01).", True),
        ("Pain decreased in the zorvimab group and rose in the control group, and differed (p = 0.01).", False),
        ("Compared with baseline, pain was lower in both groups, but lower with zorvimab than with placebo.", False),
        ("Pain was less than with placebo.", False),
        ("Zorvimab lowered it from 1621.8 ± 229.8 to 1592.0 ± 249.3, but the decrease was not significant.", True),
        ("It significantly decreased from 92.6 to 91.4 cm (p = 0.007) in group Z.", True),
        ("Pain fell from 5 to 3 with zorvimab and to 4 with placebo.", False),
    ],
)
def test_a_change_since_before_in_one_arm_or_in_each_is_within_arms(text: str, *, within: bool) -> None:
    assert reports_change_within_arms(text) is within
