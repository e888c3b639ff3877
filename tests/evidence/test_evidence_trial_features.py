"""Telling a crossover from a trial whose patients may cross over, and who knew the treatment."""

from __future__ import annotations

import pytest

from storm.evidence.trial_features import is_crossover, read_blinding
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
        ("Patients not on insulin took part in this crossover trial.", True),
        ("This study was not a crossover trial.", False),
        ("The trial was stopped early and crossover was allowed.", False),
        ("After unblinding, 52% of patients in the study had crossed over.", False),
        ("Crossover to zorvimab after the study was possible.", False),
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
    assert read_blinding(Design.META_ANALYSIS, "", "Zorvimab in double-blind trials: a meta-analysis") == ""


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("Zorvimab in asthma", "In this double-blinded trial 40 adults took part."),
            "double-blind",
        ),
        (("Zorvimab in asthma: an open-label trial", "It followed an earlier double-blind one."), "open-label"),
        (("Zorvimab in asthma", "It was randomised.", "The raters were single-masked in this study."), "single-blind"),
        (("Zorvimab in asthma", "After a single-blind run-in they were randomised, double-blind."), "double-blind"),
        (
            ("Zorvimab in asthma", "They could enter an open-label extension.", "It was a double-blind trial."),
            "double-blind",
        ),
        (("Zorvimab plus open-label metformin", "It was a double-blind trial."), "double-blind"),
        (("Zorvimab in asthma", "Outcomes differed from those of a double-blind trial."), ""),
        (("Zorvimab in asthma", "After 12 double-blind weeks all had it open-label."), ""),
        (("Zorvimab in asthma", "Unlike previous double-blind trials, this one was in routine care."), ""),
        (("Zorvimab in asthma", "It was randomised."), ""),
    ],
)
def test_who_knew_the_treatment_is_what_the_first_text_says_that_says_it(texts: tuple[str, ...], expected: str) -> None:
    assert read_blinding(Design.RANDOMISED, "", *texts) == expected


def test_what_all_arms_shared_may_be_open_label_in_a_blinded_trial() -> None:
    texts = ("A double-blind trial of zorvimab added to metformin", "All received open-label metformin.")
    assert read_blinding(Design.RANDOMISED, "metformin", *texts) == "double-blind"
    assert read_blinding(Design.RANDOMISED, "", *texts) == ""
