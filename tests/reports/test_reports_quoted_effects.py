"""Effects of sentences that give the figures of each arm beside the comparison, and what the drug was compared with."""

from __future__ import annotations

import pytest

from storm.reports.quoted_effects import read_effects

Row = tuple[str, str, str, str, str, str, bool]


def read(sentence: str) -> list[Row]:
    found = read_effects(sentence, ("zorvimab",))
    return [(e.endpoint, e.measure, e.value, e.interval, e.p, e.comparator, e.is_of_drugs) for e in found]


@pytest.mark.parametrize(
    ("sentence", "row"),
    [
        (
            "Progression-free survival was longer in the zorvimab group (median 6·2 months [95% CI 4·6-8·7]) than in "
            "the supportive care group (3·2 months [2·8-4·1]; hazard ratio [HR] 0·48 [95% CI 0·33-0·71]; p=0·0002).",
            ("progression-free survival", "hazard ratio", "0.48", "95% CI 0.33 to 0.71", "0.0002", "supportive care",
             False),
        ),
        (
            "Cases of pancreatic cancer were fewer with zorvimab (9 [0.1%]) versus placebo (14 [0.2%]) (hazard ratio "
            "0.66 [95% CI 0.28–1.51], P = 0.32; 0.042 vs. 0.066 events/100 patient-years).",
            ("pancreatic cancer", "hazard ratio", "0.66", "95% CI 0.28 to 1.51", "0.32", "placebo", False),
        ),
        (
            "Among participants randomized to zorvimab, pancreatitis developed in 23 participants (0.3% of the "
            "population, 0.107/100 patient-years) compared with 12 participants who received placebo (0.2%; hazard "
            "ratio 1.93 [95% CI 0.96–3.88], P = 0.065), with these participants having 25 and 17 events, respectively.",
            ("pancreatitis", "hazard ratio", "1.93", "95% CI 0.96 to 3.88", "0.065", "placebo", False),
        ),
        (
            "The incidence of MACE was 0.65 per 100 patient-years in the zorvimab group, and 0.74 per 100 "
            "patient-years in the non-exposed group, with an incidence rate ratio of 0.83 (95% CI 0.53, 1.30).",
            ("major cardiovascular events", "rate ratio", "0.83", "95% CI 0.53 to 1.30", "", "non-exposed", False),
        ),
        (
            "Median OS was longer with zorvimab than with topotecan (13.2 vs. 8.2 months, HR = 0.69, 95% CI: "
            "0.48-0.99), particularly in patients with more advanced disease.",
            ("overall survival", "hazard ratio", "0.69", "95% CI 0.48 to 0.99", "", "topotecan", True),
        ),
        (
            "The zorvimab plus pomalidomide group showed improved progression-free survival compared with the "
            "pomalidomide group (median 12.4 months [95% CI 8.3-19.3] vs 6.9 months [5.5-9.3]; HR 0.63 [95% CI "
            "0.47-0.85]).",
            ("progression-free survival", "hazard ratio", "0.63", "95% CI 0.47 to 0.85", "", "pomalidomide", False),
        ),
        (
            "Zorvimab improved overall survival compared with no zorvimab (82.3 months [67.2-116.6] vs 46.9 months "
            "[37.9-56.9]; HR 0.64 [95% CI 0.52-0.79], p<0.0001).",
            ("overall survival", "hazard ratio", "0.64", "95% CI 0.52 to 0.79", "<0.0001", "no zorvimab", False),
        ),
        (
            "At week 58, 37.2% of patients given zorvimab had clinical remission versus 11.2% in the placebo group "
            "(difference 26.0%, 95% CI 16.0-35.9; p<0.0001).",
            ("remission", "difference", "26.0", "95% CI 16.0 to 35.9", "<0.0001", "placebo", False),
        ),
    ],
)  # fmt: skip
def test_the_figures_of_each_arm_hide_no_comparison(sentence: str, row: Row) -> None:
    assert read(sentence) == [row]


def test_each_outcome_of_a_list_has_the_comparison_behind_it() -> None:
    sentence = (
        "Zorvimab plus pemetrexed continued to improve OS [hazard ratio (HR), 0.56; 95% confidence interval (CI), "
        "0.46-0.69] and PFS (HR, 0.49; 95% CI, 0.41-0.59) over placebo plus pemetrexed regardless of programmed "
        "death-ligand 1."
    )
    rest = "placebo plus pemetrexed", False
    assert read(sentence) == [
        ("overall survival", "hazard ratio", "0.56", "95% CI 0.46 to 0.69", "", *rest),
        ("progression-free survival", "hazard ratio", "0.49", "95% CI 0.41 to 0.59", "", *rest),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        # The drug is what was compared with, or another drug is what was tried.
        "Overall survival was longer with lapatinib (8 months [6-9]) than with zorvimab (6 months [5-7]; HR 0.7 [95% "
        "CI 0.5-0.9]).",
        "Lapatinib plus zorvimab improved overall survival over zorvimab (8 vs 6 months; HR 0.7 [95% CI 0.5-0.9]).",
        "Lapatinib plus zorvimab improved overall survival over placebo (8 vs 6 months; HR 0.7 [95% CI 0.5-0.9]).",
        # Two drugs, two comparisons, or two parts of the patients.
        "The probability of relapse was lower for metformin (hazard ratio 0.28 [95% CI 0.10–0.81]) and zorvimab (0.31 "
        "[0.10–0.98]) than for placebo.",
        "The risk of stroke (2%) and of infarction (3%) was lower and higher with zorvimab than placebo, respectively "
        "(RR 0.7 [95% CI 0.5-0.9]; 1.2 [1.1-1.3]).",
        "Overall survival with zorvimab was longer than with placebo in men (HR 0.7 [95% CI 0.5-0.9]) but not in "
        "women (HR 1.1 [95% CI 0.8-1.4]).",
        # What was counted is one kind of many, and what it was compared with is no treatment.
        "The rate of adverse events in the nervous system was 2.03 per 100 patient-years in the zorvimab group and "
        "1.52 per 100 patient-years in the placebo group [difference of 0.52 (95% CI 0.03, 1.01)].",
        "Patients on zorvimab over 1 year (n = 12) had longer overall survival than those with a shorter course (n = "
        "9) (HR 0.7 [95% CI 0.5-0.9]).",
        "Zorvimab improved overall survival over and (8 vs 6 months; HR 0.7 [95% CI 0.5-0.9]).",
        "Zorvimab improved overall survival compared with lapatinib and placebo (12 vs 8 months; HR 0.7 "
        "[95% CI 0.5-0.9]).",
        "(" * 200 + "HR 0.7 [95% CI 0.5-0.9]" + ")" * 200,
    ],
)
def test_no_effect_where_it_is_open_of_what_it_is(sentence: str) -> None:
    assert read(sentence) == []


RATIO = "(12 vs 8 months; HR 0.70 [95% CI 0.55-0.90])"


@pytest.mark.parametrize(
    "sentence",
    [
        # The drug was given before or beside what was tried, or to all.
        "In patients receiving zorvimab, radiotherapy improved overall survival compared with no radiotherapy {}.",
        "Patients progressing on zorvimab had longer overall survival with chemotherapy than with supportive care {}.",
        "In zorvimab-refractory disease, a vaccine improved overall survival versus placebo {}.",
        "After failure of zorvimab, surgery improved overall survival compared with chemotherapy alone {}.",
        "Concomitant radiotherapy with zorvimab improved overall survival compared with no radiotherapy {}.",
        "Unlike zorvimab, a vaccine improved overall survival versus placebo {}.",
        # It was stopped, or did nothing.
        "Withdrawal of zorvimab increased relapse compared with no treatment {}.",
        "Patients who stopped zorvimab had a higher risk of relapse than controls {}.",
        "Low adherence to zorvimab increased relapse compared with standard care {}.",
        "Zorvimab non-responders had a higher risk of relapse than placebo {}.",
        # The comparison is the other way round, or its direction is open.
        "Overall survival with docetaxel was inferior to that with zorvimab {}.",
        "Mortality was higher on placebo, with zorvimab as the reference {}.",
        "Overall survival differed between docetaxel and zorvimab {}.",
        "Mortality was higher with placebo than among the 1863 participants randomly assigned to zorvimab {}.",
        # Something else is associated with the outcome.
        "Elevated troponin was associated with higher mortality in both the zorvimab and placebo groups {}.",
        "HER2 amplification predicted longer overall survival with zorvimab versus placebo {}.",
        "The treatment-by-sex interaction for overall survival with zorvimab versus placebo was not significant {}.",
        # Another outcome or analysis than the one that is named, or none.
        "Freedom from relapse was more likely with zorvimab than with placebo {}.",
        "Zorvimab was worse than placebo for stroke-free survival {}.",
        "Placebo was superior to zorvimab for progression-free survival {}.",
        "The target hazard ratio for overall survival with zorvimab versus placebo was met {}.",
        "Mortality from all causes was lower; deaths from heart failure were rarer with zorvimab than placebo {}.",
        "The composite of death or dialysis was less frequent with zorvimab than with placebo {}.",
        "Zorvimab reduced non-cardiovascular mortality compared with placebo {}.",
        "Zorvimab reduced mortality versus placebo after crossover adjustment by RPSFT {}.",
    ],
)
def test_no_effect_of_what_is_not_giving_the_drug(sentence: str) -> None:
    assert read(sentence.format(RATIO)) == []
    assert read(sentence.format("(HR 0.70, 95% CI 0.55 to 0.90)")) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Zorvimab reduced the risk of stroke (HR 0.80, 95% CI 0.66 to 0.97), but not mortality (HR 0.98, 95% CI 0.81 "
        "to 1.19), compared with placebo.",
        "Zorvimab versus placebo reduced stroke (HR 0.80, 95% CI 0.66 to 0.97) and mortality in diabetics (HR 0.60, "
        "95% CI 0.45 to 0.80).",
        "Zorvimab reduced stroke (HR 0.80, 95% CI 0.66 to 0.97) and fatal stroke (HR 0.60, 95% CI 0.45 to 0.80) versus "
        "placebo.",
    ],
)
def test_a_list_whose_items_say_more_than_an_outcome_gives_no_effects(sentence: str) -> None:
    assert read(sentence) == []


def test_a_number_outside_of_its_interval_is_another_number() -> None:
    assert read("Overall survival favored zorvimab over docetaxel (HR for 10 mg/kg 0.61, 95% CI 0.49-0.75).") == []


@pytest.mark.parametrize(
    ("sentence", "unit"),
    [
        (
            "Zorvimab lowered systolic blood pressure versus placebo (difference -5.2 mmHg, 95% CI -7.1 to -3.3).",
            "mmHg",
        ),
        ("HbA1c fell more with zorvimab than with placebo (difference -11 mmol/mol, 95% CI -13 to -9).", "mmol/mol"),
        ("LDL was lower with zorvimab than with placebo (difference -1.2 mmol/L, 95% CI -1.4 to -1.0).", "mmol/L"),
        (
            "At 27 kg/m2 body weight was lower with zorvimab than placebo (difference -4.1 kg, 95% CI -5.0 to -3.2).",
            "kg",
        ),
    ],
)
def test_units_are_written_as_in_the_sentence(sentence: str, unit: str) -> None:
    (effect,) = read_effects(sentence, ("zorvimab",))
    assert effect.unit == unit


def test_the_events_that_an_outcome_is_made_of_are_no_other_outcome() -> None:
    measured = (
        "hazard ratio for disease progression or death, 0.60; 95% confidence interval [CI], 0.48 to 0.75; P<0.001"
    )
    (row,) = read(f"Progression-free survival was longer with zorvimab than with placebo ({measured}).")
    assert row == (
        "progression-free survival", "hazard ratio", "0.60", "95% CI 0.48 to 0.75", "<0.001", "placebo", False,
    )  # fmt: skip


def test_events_that_make_up_no_outcome_of_the_sentence_are_another_outcome() -> None:
    measured = "hazard ratio for disease progression or death, 0.60; 95% CI, 0.48 to 0.75"
    assert read(f"Overall survival was longer with zorvimab than with placebo ({measured}).") == []


def test_values_before_any_comparison_have_no_arms() -> None:
    said = "The zorvimab group saw worse (LogMAR; 0.51 vs. 0.04, p < 0.01) and had scars more often (67% vs. 8%)."
    assert read(said) == []


def test_numbers_stand_as_they_are_written_and_the_p_is_not_that_of_an_interaction() -> None:
    measured = "difference −1.0%, 95% CI −1.2 to −0.8; P=0.03 for interaction"
    (row,) = read(f"Zorvimab lowered HbA1c versus placebo ({measured}).")
    assert row[2:5] == ("-1.0", "95% CI -1.2 to -0.8", "")


def test_an_outcome_keeps_the_word_that_narrows_it() -> None:
    (row,) = read("Zorvimab reduced non-fatal stroke compared with placebo (HR 0.62, 95% CI 0.41 to 0.93).")
    assert row[0] == "non-fatal stroke"
