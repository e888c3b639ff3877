"""Contradicting results of one trial or comparison, and results that only look so."""

from __future__ import annotations

import pytest

from storm.citations.conflicts import find_conflicts
from storm.models import Hit, Section, Statement

Reported = tuple[Statement, Hit]


def statement(
    text: str,
    number: int,
    *,
    title: str = "A report",
    year: int = 2020,
    trials: tuple[str, ...] = ("NCT00000001",),
    section: str = "Results",
) -> Reported:
    sections = (Section(label=section, text=text),)
    hit = Hit.of(
        "pubmed", str(number), f"https://example.org/{number}", title, sections=sections, year=year, trials=trials
    )
    return Statement(text=text, quote=text, source_ids=(f"src_{number:03}",)), hit


#: Two sentences of two reports of one trial, and on what they conflict.
CONFLICTS = [
    ("The hazard ratio for overall survival was 0.66.", "Overall survival: hazard ratio 0.81 (95% CI 0.6-0.9).",
     "overall survival, hazard ratio"),
    ("Median overall survival was 25.1 against 20.3 months.", "Median overall survival was 27.4 versus 20.3 months.",
     "overall survival, median"),
    ("The objective response rate was 61% versus 34%.", "The objective response rate was 50% versus 34%.",
     "response rate, rate"),
    ("Median progression-free survival was 18.5 months with zorvimab.",
     "Median progression-free survival was 12.4 months with zorvimab.", "progression-free survival, median"),
    ("At a median follow-up of 30 months the HR for death was 0.66.",
     "At a median follow-up of 30 months the HR for death was 0.75.", "overall survival, hazard ratio"),
    ("At 24 weeks HbA1c fell by 0.7% with lumagliptin and by 0.1% with placebo.",
     "At 24 weeks HbA1c fell by 0.4% with lumagliptin and by 0.1% with placebo.", "HbA1c, change"),
    ("HbA1c changed by -0.7% with lumagliptin at week 24.", "HbA1c was reduced by 1.1% with lumagliptin at week 24.",
     "HbA1c, change"),
    ("The between-group difference in HbA1c was -0.6% (95% CI -0.8 to -0.4).",
     "The mean difference in HbA1c was -0.3% (95% CI -0.5 to -0.1).", "HbA1c, difference"),
    ("Fasting plasma glucose decreased by 1.4 mmol/L with lumagliptin.",
     "Fasting plasma glucose decreased by 0.6 mmol/L with lumagliptin.", "fasting glucose, change"),
    ("Body weight fell by 5.2 kg with lumaglutide and 1.1 kg with placebo.",
     "Mean body weight decreased by 3.4 kg with lumaglutide versus 1.1 kg with placebo.", "body weight, change"),
    ("Systolic blood pressure fell by 12.4 mm Hg with lumasartan.",
     "Systolic blood pressure was lowered by 7.1 mmHg with lumasartan.", "systolic blood pressure, change"),
    ("Diastolic blood pressure was 82 mmHg with lumasartan and 88 mmHg with placebo.",
     "Diastolic blood pressure was 76 mmHg with lumasartan and 88 mmHg with placebo.",
     "diastolic blood pressure, value"),
    ("LDL cholesterol fell by 38% with lumastatin and 4% with placebo.",
     "LDL cholesterol fell by 52% with lumastatin and 4% with placebo.", "LDL cholesterol, change"),
    ("LDL-C was reduced by 1.9 mmol/L with lumastatin 20 mg.", "LDL-C was reduced by 1.2 mmol/L with lumastatin 20 mg.",
     "LDL cholesterol, change"),
    ("Triglycerides decreased by 22% with lumafibrate versus 3% with placebo.",
     "Triglycerides decreased by 31% with lumafibrate versus 3% with placebo.", "triglycerides, change"),
    ("Pain scores fell by 3.1 points with lumacoxib and 1.2 points with placebo.",
     "Pain scores fell by 2.2 points with lumacoxib and 1.2 points with placebo.", "pain score, change"),
    ("Pain intensity decreased by 24 mm with lumacoxib.", "Pain intensity decreased by 15 mm with lumacoxib.",
     "pain score, change"),
    ("The MADRS score improved by 14.2 points with lumaketamine versus 8.1 points with placebo.",
     "The MADRS score improved by 10.4 points with lumaketamine versus 8.1 points with placebo.",
     "MADRS score, change"),
    ("Remission was reached by 41% with lumoxetine and 26% with placebo.",
     "Remission was achieved in 33% with lumoxetine and in 26% with placebo.", "remission, rate"),
    ("The odds ratio for remission was 1.9 (95% CI 1.2 to 3.0).", "The odds ratio for remission was 1.3.",
     "remission, odds ratio"),
    ("Responders were 54% with lumoxetine against 35% with placebo.",
     "Responders were 46% with lumoxetine against 35% with placebo.", "response rate, rate"),
    ("ACR20 was achieved by 62% with zorvimab and 30% with placebo.",
     "ACR20 was achieved by 51% with zorvimab and 30% with placebo.", "ACR20, rate"),
    ("PASI 90 was reached by 71% of patients given zorvimab.", "PASI 90 was reached by 58% of patients given zorvimab.",
     "PASI 90, rate"),
    ("Mortality was 12.1% with lumamycin and 18.4% with placebo.",
     "Mortality was 15.9% with lumamycin and 18.4% with placebo.", "mortality, rate"),
    ("The relative risk of stroke was 0.72 (95% CI 0.58-0.90).", "The relative risk of stroke was 0.91.",
     "stroke, relative risk"),
    ("Clinical cure was seen in 88% with lumacillin and 84% with lumicycline.",
     "Clinical cure was seen in 79% with lumacillin and 84% with lumicycline.", "clinical cure, rate"),
    ("Serious adverse events occurred in 12% with zorvimab and 9% with placebo.",
     "Serious adverse events occurred in 17% with zorvimab and 9% with placebo.", "serious adverse events, rate"),
    ("Nausea was reported by 21.3% of patients receiving lumaglutide versus 8.1% on placebo.",
     "Nausea was reported by 28.0% of patients receiving lumaglutide versus 8.1% on placebo.", "nausea, rate"),
    ("Hypoglycaemia occurred in 3% with lumagliptin and 17% with lumipizide.",
     "Hypoglycemia occurred in 6% with lumagliptin and 17% with lumipizide.", "hypoglycaemia, rate"),
    ("Major bleeding occurred in 2.1% with lumixaban and 3.4% with warfarin.",
     "Major bleeding occurred in 3.4% with warfarin and 2.8% with lumixaban.", "major bleeding, rate"),
    ("The annualised relapse rate was 0.21 with zorvimab and 0.40 with placebo.",
     "The annualized relapse rate was 0.29 with zorvimab and 0.40 with placebo.", "annualised relapse rate, value"),
    ("FEV1 improved by 120 ml with lumiterol versus 20 ml with placebo.",
     "FEV1 improved by 85 ml with lumiterol versus 20 ml with placebo.", "FEV1, change"),
    ("Dry mouth was reported by 18% with lumitidine and 5% with placebo.",
     "Dry mouth was reported by 11% with lumitidine and 5% with placebo.", "dry mouth, rate"),
    ("Lumagliptin reduced HbA1c compared with placebo (difference -0.65%, 95% CI -0.77 to -0.53) after 24 weeks.",
     "At week 24 the placebo-adjusted change in HbA1c was -0.45% (95% CI -0.57, -0.33) with lumagliptin.",
     "HbA1c, difference"),
    ("Response rates were 64% for lumaketamine versus 28% for midazolam at 24 hours.",
     "At 24 h, the response rate was 52% with lumaketamine and 28% with midazolam.", "response rate, rate"),
    ("Median survival was 13.8 months with zorvimab and 11.1 months without (HR 0.74; 95% CI 0.60-0.91).",
     "Median survival was 16.0 months with zorvimab and 11.8 months without (HR 0.65; 95% CI 0.51-0.83).",
     "overall survival, hazard ratio"),
    ("The primary outcome occurred in 12.1% of those on lumastatin and 15.4% of those on placebo.",
     "The primary outcome occurred in 13.9% with lumastatin versus 15.4% with placebo.", "primary outcome, rate"),
    ("Hypoglycaemia was reported in 1.2% on lumagliptin and in 0.6% on placebo.",
     "The incidence of hypoglycaemia was 3.1% and 0.6% with lumagliptin and placebo, respectively.",
     "hypoglycaemia, rate"),
    ("Neutropenia was seen in 34% with lumatinib versus 12% with placebo.",
     "Neutropenia was seen in 25% with lumatinib versus 12% with placebo.", "neutropenia, rate"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "endpoint"), CONFLICTS)
def test_other_values_for_the_same_result_conflict(first: str, second: str, endpoint: str) -> None:
    statements = [statement(first, 1), statement(second, 2)]
    (conflict,) = find_conflicts(statements)
    assert (conflict.trial, conflict.endpoint) == ("NCT00000001", endpoint)
    assert conflict.statements == (statements[0][0], statements[1][0])


OS = "The hazard ratio for overall survival was 0.66."
A1C = "At 24 weeks HbA1c fell by 0.7% with lumagliptin and by 0.1% with placebo."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (OS, OS),
        (OS, "The hazard ratio for overall survival was 0.7."),
        (OS, "The hazard ratio for overall survival was 0.67."),
        (OS, "The hazard ratio for progression-free survival was 0.81."),
        ("The hazard ratio for death with zorvimab was 0.50.", "The hazard ratio for death with placebo was 2.0."),
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
        (A1C, "At 52 weeks HbA1c fell by 0.4% with lumagliptin and by 0.1% with placebo."),
        (A1C, "At 24 weeks HbA1c fell by 0.1% with placebo and by 0.7% with lumagliptin."),
        (A1C, "At 24 weeks HbA1c fell by 0.4% with lumagliptin and by 0.5% with lumipizide."),
        (A1C, "At 24 weeks in renal impairment HbA1c fell by 0.4% with lumagliptin and by 0.1% with placebo."),
        (A1C, "At 24 weeks HbA1c was 7.3% with lumagliptin and 7.9% with placebo."),
        (A1C, "At 24 weeks body weight fell by 2.1% with lumagliptin and by 0.3% with placebo."),
        (A1C, "At 24 weeks HbA1c fell by 8 mmol/mol with lumagliptin and by 1 mmol/mol with placebo."),
        (A1C, "At 24 weeks HbA1c fell by 0.9% with lumagliptin and metformin and by 0.1% with placebo."),
        (A1C, "At 24 weeks the fall in HbA1c was 0.72% with lumagliptin and 0.09% with placebo."),
        ("HbA1c fell by 0.7% with lumagliptin 100 mg.", "HbA1c fell by 0.4% with lumagliptin 25 mg."),
        ("HbA1c below 7% was reached by 45% with lumagliptin and 22% with placebo.",
         "HbA1c was 7.1% with lumagliptin and 7.9% with placebo."),
        ("HbA1c below 7% was reached by 45% with lumagliptin and 22% with placebo.",
         "HbA1c below 6.5% was reached by 21% with lumagliptin and 9% with placebo."),
        ("Baseline HbA1c was 8.1% with lumagliptin and 8.0% with placebo.",
         "HbA1c was 7.2% with lumagliptin and 7.9% with placebo."),
        ("Mean HbA1c fell from 8.1% to 7.2% with lumagliptin.", "HbA1c fell by 0.7% with lumagliptin."),
        ("Systolic blood pressure fell by 12 mmHg with lumasartan.",
         "Diastolic blood pressure fell by 7 mmHg with lumasartan."),
        ("Systolic blood pressure fell by 12 mmHg with lumasartan in women.",
         "Systolic blood pressure fell by 7 mmHg with lumasartan."),
        ("Night-time systolic blood pressure fell by 12 mmHg with lumasartan.",
         "Office systolic blood pressure fell by 7 mmHg with lumasartan."),
        ("LDL cholesterol fell by 38% with lumastatin 10 mg.", "LDL cholesterol fell by 50% with lumastatin 40 mg."),
        ("LDL cholesterol fell by 38% with lumastatin.", "LDL cholesterol fell by 1.4 mmol/L with lumastatin."),
        ("Adverse events occurred in 61% with zorvimab and 58% with placebo.",
         "Serious adverse events occurred in 11% with zorvimab and 9% with placebo."),
        ("Adverse events occurred in 61% with zorvimab and 58% with placebo.",
         "Treatment-related adverse events occurred in 31% with zorvimab and 18% with placebo."),
        ("Nausea of grade 3 occurred in 2% with zorvimab and 1% with placebo.",
         "Nausea occurred in 21% with zorvimab and 8% with placebo."),
        ("Nausea occurred in 24 of 120 patients (20%) with zorvimab and 8% with placebo.",
         "Nausea occurred in 11 of 90 patients (12%) with zorvimab and 8% with placebo."),
        ("Pain scores fell by 3.1 points with lumacoxib at rest.",
         "Pain scores fell by 2.2 points with lumacoxib on movement."),
        ("Pain scores were 3.1 with lumacoxib at 2 hours.", "Pain scores were 1.8 with lumacoxib at 24 hours."),
        ("Remission was reached by 41% with lumoxetine and 26% with placebo.",
         "Remission was reached by 52% with lumoxetine and 30% with placebo in completers."),
        ("Mortality was 12% with lumamycin and 18% with placebo.",
         "Mortality at 90 days was 21% with lumamycin and 25% with placebo."),
        ("Mortality was 12% with lumamycin and 18% with placebo.",
         "In a previous study mortality was 21% with lumamycin and 25% with placebo."),
        ("Hypoglycaemia was reported in 3.1% on lumagliptin and in 0.6% on placebo.",
         "The incidence of hypoglycaemia was 0.6% and 3.1% with placebo and lumagliptin, respectively."),
        ("HbA1c fell by 0.7% with lumagliptin (n=120) and 0.1% with placebo (n=118).",
         "HbA1c fell by 0.5% with lumagliptin (n=98) and 0.1% with placebo (n=95)."),
        ("Lumagliptin reduced HbA1c by 0.7% in those with HbA1c of 9% or more.", "Lumagliptin reduced HbA1c by 0.4%."),
        ("At week 24 HbA1c fell by 0.7% with lumagliptin.", "At one year HbA1c fell by 0.4% with lumagliptin."),
        ("The odds ratio for remission was 1.9.", "The hazard ratio for remission was 1.3."),
        ("The adjusted odds ratio for remission was 1.9.", "The odds ratio for remission was 1.4."),
        ("The relative risk of stroke was 0.72.", "The relative risk of ischaemic stroke was 0.61."),
        ("With 120 patients the study had 80% power to detect a remission of 40% with lumoxetine.",
         "Remission was reached by 33% with lumoxetine."),
        ("Dry mouth was reported by 18% with lumitidine and 5% with placebo.",
         "Dry skin was reported by 11% with lumitidine and 4% with placebo."),
    ],
)  # fmt: skip
def test_anything_else_is_two_results(first: str, second: str) -> None:
    assert find_conflicts([statement(first, 1), statement(second, 2)]) == ()


HIGH = "The hazard ratio for overall survival was 0.81."
LOW = "The hazard ratio for overall survival was 0.66."


def test_two_statements_of_one_paper_do_not_conflict() -> None:
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 1)]) == ()


def test_different_trials_and_records_of_several_do_not_conflict() -> None:
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 2, trials=("NCT00000002",))]) == ()
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 2, trials=("NCT00000001", "NCT00000002"))]) == ()
    assert find_conflicts([statement(LOW, 1, trials=()), statement(HIGH, 2, trials=())]) == ()
    both = ("ISRCTN12345678", "NCT00000001")
    (conflict,) = find_conflicts([statement(LOW, 1), statement(HIGH, 2, trials=both)])
    assert conflict.trial == "NCT00000001", "one trial, in two registries"


@pytest.mark.parametrize("section", ["Introduction", "Methods", "Discussion", "Acknowledgements"])
def test_what_a_paper_says_outside_of_its_results_may_be_anothers(section: str) -> None:
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 2, section=section)]) == ()
    named = "In NCT00000001 the hazard ratio for overall survival was 0.81."
    assert len(find_conflicts([statement(LOW, 1), statement(named, 2, section=section)])) == 1


def test_a_review_of_trials_is_no_report_of_one() -> None:
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 2, title="Zorvimab: a systematic review")]) == ()


def test_a_trial_is_also_known_by_its_acronym() -> None:
    papers = [
        statement(LOW, 1, title="Zorvimab in stroke (HERA)", trials=()),
        statement(HIGH, 2, title="Zorvimab in the HERA trial", trials=()),
        statement(HIGH, 3, title="Zorvimab in the OTHER trial", trials=()),
    ]
    (conflict,) = find_conflicts(papers)
    assert conflict.trial == "HERA"
    assert [s.source_ids for s in conflict.statements] == [("src_001",), ("src_002",)]


def test_a_disease_or_a_target_in_brackets_is_no_trial() -> None:
    papers = [
        statement(LOW, 1, title="Zorvimab in lung disease (COPD)", trials=()),
        statement(HIGH, 2, title="Placebo in lung disease (COPD)", trials=()),
    ]
    assert find_conflicts(papers) == ()


def test_reports_of_years_apart_or_of_another_analysis_do_not_conflict() -> None:
    assert find_conflicts([statement(LOW, 1, year=2005), statement(HIGH, 2, year=2017)]) == ()
    assert find_conflicts([statement(LOW, 1), statement(HIGH, 2, title="Zorvimab: final analysis")]) == ()
    assert (
        find_conflicts([statement(LOW, 1, title="Two-year follow-up"), statement(HIGH, 2, title="Ten-year follow-up")])
        == ()
    )


def test_all_statements_of_one_contradiction_stand_together() -> None:
    (conflict,) = find_conflicts([statement(LOW, 1), statement(HIGH, 2), statement(HIGH, 3)])
    assert [s.source_ids[0] for s in conflict.statements] == ["src_001", "src_002", "src_003"]
    assert find_conflicts([]) == ()


def test_what_both_titles_say_need_not_stand_in_both_sentences() -> None:
    title = "Lumagliptin versus placebo in type 2 diabetes"
    first = "In type 2 diabetes HbA1c fell by 0.7% with lumagliptin and 0.1% with placebo."
    second = "HbA1c fell by 0.3% with lumagliptin and 0.1% with placebo."
    assert len(find_conflicts([statement(first, 1, title=title), statement(second, 2, title=title)])) == 1
    assert find_conflicts([statement(first, 1, title=title), statement(second, 2)]) == ()


#: A trial's title and its result.
COMPARED = "Zorvimab versus placebo in heart failure: a randomised trial"
LOWER = "The hazard ratio for stroke was 0.60 (95% CI 0.50 to 0.72)."


def of_two_trials(first: str, second: str, title: str = COMPARED, other: str = COMPARED) -> list[str]:
    papers = [
        statement(first, 1, title=title, trials=("NCT00000001",)),
        statement(second, 2, title=other, trials=("NCT00000002",), year=2010),
    ]
    found = find_conflicts(papers)
    assert all(conflict.trial == "" for conflict in found)
    return [conflict.endpoint for conflict in found]


@pytest.mark.parametrize(
    ("second", "endpoint"),
    [
        ("The hazard ratio for stroke was 1.40 (95% CI 1.12 to 1.75).", "stroke, hazard ratio"),
        ("The hazard ratio for stroke was 0.98 (95% CI 0.90 to 1.07).", "stroke, hazard ratio"),
    ],
)
def test_two_trials_of_one_comparison_conflict_where_their_intervals_lie_apart(second: str, endpoint: str) -> None:
    assert of_two_trials(LOWER, second) == [f"{endpoint}, between trials of one comparison"]


def test_differences_of_two_trials_conflict_where_their_intervals_lie_apart() -> None:
    first = "The mean difference in HbA1c was -0.9% (95% CI -1.1 to -0.7)."
    second = "The mean difference in HbA1c was -0.2% (95% CI -0.4 to 0.0)."
    assert of_two_trials(first, second) == ["HbA1c, difference, between trials of one comparison"]
    assert of_two_trials(first, "The mean difference in HbA1c was 0.9% (95% CI 0.7 to 1.1) over 12 weeks.") == []


HIGHER = "The hazard ratio for stroke was 1.40 (95% CI 1.12 to 1.75)."


@pytest.mark.parametrize(
    ("second", "other"),
    [
        ("The hazard ratio for stroke was 0.70 (95% CI 0.62 to 0.79).", COMPARED),
        ("The hazard ratio for stroke was 1.40.", COMPARED),
        ("The odds ratio for stroke was 1.40 (95% CI 1.12 to 1.75).", COMPARED),
        ("In women the hazard ratio for stroke was 1.40 (95% CI 1.12 to 1.75).", COMPARED),
        (HIGHER, "Zorvimab versus lumixaban in heart failure: a randomised trial"),
        (HIGHER, "Zorvimab versus placebo in asthma: a randomised trial"),
        (HIGHER, "Zorvimab versus placebo in heart failure: a cohort"),
        (HIGHER, "Zorvimab versus placebo in heart failure: a systematic review of randomised trials"),
        ("The hazard ratio for stroke was 1.67 (95% CI 1.39 to 2.00).",
         "Placebo versus zorvimab in heart failure: a randomised trial"),
    ],
)  # fmt: skip
def test_anything_else_is_two_trials(second: str, other: str) -> None:
    assert of_two_trials(LOWER, second, other=other) == []
