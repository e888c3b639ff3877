"""Reference marks: the source's own, and ours."""

from __future__ import annotations

import pytest

from storm.citations.markers import read_citation_marks, strip_marks


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("The follow-up was short [12].", "The follow-up was short."),
        ("As shown [3,4] and [5, 7–9] before.", "As shown and before."),
        ("Survival rose.^12", "Survival rose."),
        ("Survival^3,4 rose.", "Survival rose."),
        ("Survival rose.¹² Then it fell.", "Survival rose. Then it fell."),
        ("It was approved in 2010 [12].", "It was approved in 2010."),
        ("It was 0.66 (HR) [7].", "It was 0.66 (HR)."),
        ("In HER2 [5] disease.", "In HER2 disease."),
        ("Long ago [1][2].", "Long ago."),
    ],
)
def test_a_sources_own_marks_are_not_shown(sentence: str, shown: str) -> None:
    assert strip_marks(sentence) == shown


@pytest.mark.parametrize(
    "sentence",
    [
        "Cells rose to 10^9 per litre.",
        "At 10⁹ cells/mm^3 and 75 mg/m² or kg/m^2.",
        "Neutropenia in 3 (12) and 4 (5).",
        "The median was 15 months [10-20].",
        "It was 34 [12] in all.",
        "HR 0.66 [0.47-0.91] and [95% CI] and [18F]FDG.",
        "Ca²⁺ and cm² and x².",
        "p = 0.05 [n = 12].",
        "No mark here.",
        "",
    ],
)
def test_powers_units_and_data_stay(sentence: str) -> None:
    assert strip_marks(sentence) == sentence


def test_our_marks_are_found_in_order_once() -> None:
    assert read_citation_marks("It rose [2]. It fell [1, 3] and [2][10].") == (2, 1, 3, 10)
    assert read_citation_marks("HR [95% CI], [18F], (4), [a1], []") == ()
