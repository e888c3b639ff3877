"""Telling a crossover from a trial whose patients may cross over."""

from __future__ import annotations

import pytest

from storm.evidence.crossover import is_crossover
from storm.models.design import Design


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "In a randomised, open-label, two-way crossover study, healthy volunteers took either drug.",
            True,
        ),
        ("Zorvimab in asthma: a randomized cross-over trial", True),
        ("Each of them took zorvimab and placebo in a double-blind, cross-over fashion.", True),
        ("The trial was randomised, controlled and crossover.", True),
        ("Patients could cross over to zorvimab on progression.", False),
        ("Overall survival was adjusted for crossover from placebo to zorvimab.", False),
        ("Unlike earlier crossover trials, this one had two groups.", False),
        ("This case-crossover study looked at the days before a fall.", False),
    ],
)
def test_a_crossover_is_what_the_study_calls_itself(text: str, expected: bool) -> None:
    assert is_crossover(Design.RANDOMISED, text, "", "") is expected
    assert is_crossover(Design.RANDOMISED, "", "", text) is expected


def test_what_is_no_trial_is_no_crossover() -> None:
    assert not is_crossover(Design.META_ANALYSIS, "Zorvimab in crossover trials: a meta-analysis", "", "")
