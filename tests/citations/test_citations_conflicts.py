"""Contradicting results of one trial, and results that only look so."""

from __future__ import annotations

import pytest

from storm.citations.conflicts import find_conflicts
from storm.models import Hit, Statement

Told = tuple[Statement, Hit]


def told(
    text: str, number: int, *, title: str = "A report", year: int = 2020, trials: tuple[str, ...] = ("NCT00000001",)
) -> Told:
    hit = Hit.of("pubmed", str(number), f"https://example.org/{number}", title, text=text, year=year, trials=trials)
    return Statement(text=text, quote=text, source_ids=(f"src_{number:03}",)), hit


@pytest.mark.parametrize(
    ("first", "second", "endpoint"),
    [
        ("The hazard ratio for overall survival was 0.66.", "Overall survival: hazard ratio 0.81 (95% CI 0.6-0.9).",
         "overall survival, hazard ratio"),
        ("Median overall survival was 25.1 against 20.3 months.",
         "Median overall survival was 27.4 versus 20.3 months.", "overall survival, median"),
        ("The objective response rate was 61% versus 34%.", "The objective response rate was 50% versus 34%.",
         "response rate, rate"),
        ("Median progression-free survival was 18.5 months with zorvimab.",
         "Median progression-free survival was 12.4 months with zorvimab.", "progression-free survival, median"),
        ("At a median follow-up of 30 months the HR for death was 0.66.",
         "At a median follow-up of 30 months the HR for death was 0.75.", "overall survival, hazard ratio"),
    ],
)  # fmt: skip
def test_other_values_for_the_same_result_conflict(first: str, second: str, endpoint: str) -> None:
    statements = [told(first, 1), told(second, 2)]
    (conflict,) = find_conflicts(statements)
    assert (conflict.trial, conflict.endpoint) == ("NCT00000001", endpoint)
    assert conflict.statements == (statements[0][0], statements[1][0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The hazard ratio for overall survival was 0.66.", "The hazard ratio for overall survival was 0.66."),
        ("The hazard ratio for overall survival was 0.66.", "The hazard ratio for overall survival was 0.7."),
        ("The hazard ratio for overall survival was 0.66.", "The hazard ratio for progression-free survival was 0.81."),
        ("At the interim analysis the HR for overall survival was 0.66.",
         "At the final analysis the HR for overall survival was 0.81."),
        ("At a median follow-up of 12 months the HR for overall survival was 0.66.",
         "At a median follow-up of 24 months the HR for overall survival was 0.81."),
        ("At a median follow-up of 12 months the HR for death was 0.66.", "The HR for death was 0.81."),
        ("Median overall survival was 25.1 months with zorvimab.",
         "Median overall survival was 20.3 months with placebo."),
        ("Median overall survival was 25.1 versus 20.3 months.",
         "Median overall survival was 25.1 months with zorvimab."),
        ("Response rate was 61% at 12 weeks.", "Response rate was 70% at 24 weeks."),
        ("In node-negative patients the HR for death was 0.99.", "The HR for death was 0.83."),
        ("HR for death 0.66; HR for progression-free survival 0.5.", "The HR for death was 0.83."),
        ("Overall survival improved.", "Overall survival did not improve."),
        ("Zorvimab is safe in 12%.", "Zorvimab is safe in 13%."),
    ],
)  # fmt: skip
def test_anything_else_is_two_results(first: str, second: str) -> None:
    assert find_conflicts([told(first, 1), told(second, 2)]) == ()


HIGH = "The hazard ratio for overall survival was 0.81."
LOW = "The hazard ratio for overall survival was 0.66."


def test_two_statements_of_one_paper_do_not_conflict() -> None:
    assert find_conflicts([told(LOW, 1), told(HIGH, 1)]) == ()


def test_different_trials_and_records_of_several_do_not_conflict() -> None:
    assert find_conflicts([told(LOW, 1), told(HIGH, 2, trials=("NCT00000002",))]) == ()
    assert find_conflicts([told(LOW, 1), told(HIGH, 2, trials=("NCT00000001", "NCT00000002"))]) == ()
    assert find_conflicts([told(LOW, 1, trials=()), told(HIGH, 2, trials=())]) == ()


def test_a_trial_is_also_known_by_its_acronym() -> None:
    papers = [
        told(LOW, 1, title="Zorvimab in stroke (HERA)", trials=()),
        told(HIGH, 2, title="Zorvimab in the HERA trial", trials=()),
        told(HIGH, 3, title="Zorvimab in the OTHER trial", trials=()),
    ]
    (conflict,) = find_conflicts(papers)
    assert conflict.trial == "HERA"
    assert [s.source_ids for s in conflict.statements] == [("src_001",), ("src_002",)]


def test_reports_of_years_apart_or_of_another_analysis_do_not_conflict() -> None:
    assert find_conflicts([told(LOW, 1, year=2005), told(HIGH, 2, year=2017)]) == ()
    assert find_conflicts([told(LOW, 1), told(HIGH, 2, title="Zorvimab: final analysis")]) == ()
    assert find_conflicts([told(LOW, 1, title="Two-year follow-up"), told(HIGH, 2, title="Ten-year follow-up")]) == ()


def test_all_statements_of_one_contradiction_stand_together() -> None:
    (conflict,) = find_conflicts([told(LOW, 1), told(HIGH, 2), told(HIGH, 3)])
    assert [s.source_ids[0] for s in conflict.statements] == ["src_001", "src_002", "src_003"]
    assert find_conflicts([]) == ()
