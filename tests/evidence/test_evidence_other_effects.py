"""Which sentences report the effect of another drug than the one that the dossier is on."""

from __future__ import annotations

import pytest

from storm.evidence.other_effects import is_compared_with, is_of_another_drug, is_only_comparator


@pytest.mark.parametrize(
    "text",
    [
        "39.3% of women on pertuzumab, trastuzumab and docetaxel had a complete response, compared with 21.5% on "
        "trastuzumab and docetaxel.",
        "A cardiac event was recorded in 83 patients treated with pertuzumab plus trastuzumab, against 76 patients "
        "in the trastuzumab group.",
        "Compared with trastuzumab, lapatinib carried a 32% higher risk of relapse.",
        "Lapatinib lowered relapses less than trastuzumab did.",
        "Responses were seen in 30% on lapatinib, versus 40% of those on trastuzumab.",
    ],
)
def test_the_effect_of_a_drug_that_is_added_or_compared_is_anothers(text: str) -> None:
    assert is_of_another_drug(text, ("trastuzumab",))


@pytest.mark.parametrize(
    "text",
    [
        "Compared with docetaxel, trastuzumab carried a 32% lower risk of relapse.",
        "Responses to trastuzumab plus docetaxel were seen in 61%, whereas docetaxel by itself achieved 34%.",
        "Trastuzumab plus docetaxel lowered relapses more than docetaxel alone.",
        "Relapses were 89.4% for six months of trastuzumab versus 89.8% for twelve months of trastuzumab.",
        "Compared with placebo, the risk of relapse was reduced by trastuzumab and by docetaxel.",
        "Relapses were rarer than on placebo with trastuzumab.",
        "Trastuzumab and docetaxel together helped more than trastuzumab or docetaxel alone.",
    ],
)
def test_the_effect_of_the_drug_itself_is_not(text: str) -> None:
    assert not is_of_another_drug(text, ("trastuzumab",))


def test_comparisons_with_metformin_are_read_too() -> None:
    text = "Compared with metformin, rosiglitazone carried a 32% lower risk of monotherapy failure in ADOPT."
    assert is_of_another_drug(text, ("metformin",))


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("Lapatinib reduced mortality relative to trastuzumab.", True),
        ("Mortality was 20% with placebo versus 12% with trastuzumab.", True),
        ("Compared with trastuzumab, it was higher.", True),
        ("Mortality over five years of trastuzumab was lower than with placebo.", False),
        ("Mortality was 12% with trastuzumab versus 20% with placebo.", False),
        ("Mortality (12% vs 20%; trastuzumab and placebo) fell.", False),
        ("Compared with placebo, trastuzumab reduced mortality.", False),
    ],
)
def test_what_stands_behind_a_word_of_comparison_is_the_other_side(text: str, compared: bool) -> None:
    assert is_compared_with(text, ("trastuzumab",)) is compared


@pytest.mark.parametrize(
    ("text", "is_only"),
    [
        ("Lapatinib lowered relapses less than trastuzumab did.", True),
        ("Compared with trastuzumab, lapatinib carried a 32% higher risk of relapse.", True),
        ("Trastuzumab plus docetaxel lowered relapses more than docetaxel alone.", False),
        ("Relapses were rarer with trastuzumab 2 mg than with placebo (difference 9% for trastuzumab 2 mg).", False),
        ("Trastuzumab and lapatinib were as effective as each other, and better than placebo.", False),
    ],
)
def test_a_drug_that_only_another_is_held_against_is_a_comparator(text: str, is_only: bool) -> None:
    assert is_only_comparator(text, ("trastuzumab",)) == is_only


def test_what_was_added_to_the_continued_drug_is_another_effect() -> None:
    added = "Addition of insulin detemir reduced A1C further compared with continued metformin + zorvimab (-0.5%)."
    assert is_only_comparator(added, ("zorvimab",))
    assert not is_only_comparator("Adding zorvimab reduced A1C compared with continued metformin.", ("zorvimab",))
