"""Figures of a discussion that its own results do not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.own_figures import has_foreign_figures
from storm.models import Hit, Section, SectionKind


def paper(*sections: Section) -> Hit:
    return Hit.of("pmc", "1", "https://example.org/1", "Zorvimab in asthma", pmcid="PMC1", sections=sections)


RESULTS = Section(text="Relapse: 30.24% with zorvimab, 33·5% with placebo (p = 0.02).", kind=SectionKind.RESULTS)
TABLE = Section(text="Nocturia: 65.4%", kind=SectionKind.TABLE)


@pytest.mark.parametrize(
    ("sentence", "foreign"),
    [
        ("Relapse fell by 83% and nocturia by 27.3% with zorvimab.", True),
        ("The final temperature was 34.4 degrees with zorvimab.", True),
        ("Relapse occurred in 30.2% with zorvimab and 33.5 % with placebo.", False),
        ("Nocturia fell by 65% with zorvimab.", False),
        ("Zorvimab was given to 153 children aged 2 to 24 months (p = 0.81; 95% CI not stated).", False),
        ("Zorvimab reduced relapse.", False),
    ],
)
def test_a_figure_that_the_results_do_not_have_is_another_studys(sentence: str, foreign: bool) -> None:
    assert has_foreign_figures(sentence, paper(RESULTS, TABLE)) is foreign


def test_without_results_nothing_is_known_of_figures() -> None:
    assert not has_foreign_figures("Relapse fell by 83% with zorvimab.", paper(TABLE))


@given(st.decimals(min_value=0, max_value=99, places=2))
def test_a_results_own_figure_is_never_foreign(figure: object) -> None:
    own = Section(text=f"The mean was {figure} mmol/L.", kind=SectionKind.RESULTS)
    assert not has_foreign_figures(f"The mean of {figure} mmol/L was low with zorvimab.", paper(own))


def test_an_interval_that_the_results_do_not_have_is_another_studys_though_they_have_its_ends_apart() -> None:
    own = Section(text="Risk 0.46 (0.41 to 0.93); others 0.6, 0.4 and 0.9; 40% and 60%.", kind=SectionKind.RESULTS)
    assert has_foreign_figures("Risk fell by 40% (RR 0.6; 95% CI 0.4–0.9) with zorvimab.", paper(own))
    assert not has_foreign_figures("Risk fell (0.46, 95% CI 0.41–0.93) with zorvimab.", paper(own))


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ("Relapse did not differ (p = 0.62).", "Relapse did not differ between zorvimab and placebo (p > 0.05)."),
        ("HbA1c was 8.5 ± 1.2 at baseline and 7.1 ± 1.0 at last.", "HbA1c fell from 8.5 to 7.1 with zorvimab."),
        ("Hypotension was seen in 4 patients.", "Zorvimab 0.5 mg caused severe hypotension in four patients."),
        ("Hypotension was seen in 12.5% of patients.", "Severe hypotension was seen in 13% on zorvimab."),
        ("Hypotension was seen in 12.5% of patients.", "Severe hypotension was seen in 12% on zorvimab."),
    ],
)
def test_what_a_study_says_of_its_own_is_not_foreign(results: str, sentence: str) -> None:
    assert not has_foreign_figures(sentence, paper(Section(text=results, kind=SectionKind.RESULTS)))


def test_a_round_share_is_not_among_other_digits() -> None:
    own = Section(text="It was seen in 2 of 31 adults.", kind=SectionKind.RESULTS)
    assert has_foreign_figures("Severe hypotension was seen in 20% on zorvimab.", paper(own))
