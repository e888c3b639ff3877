from __future__ import annotations

import pytest

from storm.evidence.outcomes import Outcomes
from storm.evidence.sides import Side, Subject, read_stated_sides

DISEASE = ("Alzheimer's disease", "dementia")


def read(sentence: str, effect: str = "slower cognitive decline", *, has_control: bool = True) -> set[Side]:
    return set(read_stated_sides(sentence, Subject(("metformin",), Outcomes(DISEASE, effect), has_control)))


@pytest.mark.parametrize(
    "sentence",
    [
        "Metformin slowed cognitive decline.",
        "Memory improved in patients on metformin.",
        "Mortality was lower with metformin than with placebo (P = 0.01).",
        "Mortality was higher in the placebo group than in the metformin group.",
        "Metformin reduced the rate of relapse compared with placebo.",
        "Median overall survival was longer with metformin than with placebo.",
        "Time to progression was prolonged by metformin.",
        "Metformin users had a lower incidence of dementia (hazard ratio 0.76, 95% CI 0.60-0.95).",
        "Metformin was more effective than placebo in reducing symptoms.",
        "Symptoms fell with metformin, whereas there was no significant change in symptoms in the placebo group.",
        "Patients treated with metformin had a 32% lower risk of any related endpoint than untreated ones (P=0.002).",
        "Metformin use was linked to a lower frequency of dementia.",
        "The recovery time in the metformin group was lower (P = 0.042).",
        "Metformin was more effective in lowering symptoms than placebo (P = 0.01).",
        "The recovery time was shorter with metformin than with placebo.",
        "PASI 90 was reached by 71% of those given metformin and 6% of those given placebo (risk ratio 11.1; P<0.001).",
    ],
)
def test_a_benefit_and_fewer_bad_outcomes_are_for(sentence: str) -> None:
    assert read(sentence) == {Side.FOR}


@pytest.mark.parametrize(
    ("sentence", "sides"),
    [
        ("Metformin gave a hazard ratio for disease-free survival of 0.54 (95% CI 0.44-0.67).", {Side.FOR}),
        ("Metformin gave a hazard ratio for disease-free survival of 1.54 (95% CI 1.24-1.90).", {Side.AGAINST}),
        (
            "Median overall survival reached 13.8 months when metformin was added and 11.1 months when it was not "
            "(HR 0.74, 95% CI 0.60-0.91; P=0.0046).",
            {Side.FOR},
        ),
        ("For metformin the hazard ratio of time to recovery was 1.40 (95% CI 1.10-1.80).", {Side.FOR}),
        ("For metformin the hazard ratio of remission was 1.40 (95% CI 1.10-1.80).", {Side.FOR}),
        ("For metformin the odds ratio of objective response was 1.40 (95% CI 1.10-1.80).", {Side.FOR}),
        ("For metformin the odds ratio of objective response was 0.60 (95% CI 0.40-0.80).", {Side.AGAINST}),
        ("For metformin the hazard ratio of death was 0.60 (95% CI 0.40-0.80).", {Side.FOR}),
        ("For metformin the odds ratio of survival was 0.60 (95% CI 0.40-0.80).", set[Side]()),
    ],
)
def test_a_hazard_ratio_is_of_the_event_and_an_odds_ratio_of_what_it_names(sentence: str, sides: set[Side]) -> None:
    assert read(sentence) == sides


@pytest.mark.parametrize(
    "sentence",
    [
        "Metformin reduced survival.",
        "Metformin was less effective in lowering symptoms than placebo (P = 0.01).",
        "Cognitive function was worse with metformin than with placebo.",
        "Metformin increased the risk of dementia.",
        "Metformin accelerated cognitive decline.",
        "Survival was longer with placebo than with metformin.",
    ],
)
def test_harm_to_the_outcome_is_against(sentence: str) -> None:
    assert read(sentence) == {Side.AGAINST}


@pytest.mark.parametrize(
    "sentence",
    [
        "Metformin did not improve memory.",
        "There was no significant difference in mortality between metformin and placebo.",
        "Metformin had no effect on cognitive decline.",
        "Mortality was lower with metformin than with placebo, but the difference was not statistically significant.",
        "Mortality was 26% in the metformin group and 45% in the placebo group (P = 0.17).",
        "Metformin reduced mortality (hazard ratio 0.92, 95% CI 0.80 to 1.06).",
        "Metformin showed no benefit over placebo.",
        "There was a trend to less mortality with metformin (P = 0.09).",
        "Both groups improved, but there was no significant difference in symptoms between metformin and placebo.",
        "Metformin decreased symptoms by 1.3 points, but this failed to reach statistical significance.",
    ],
)
def test_a_null_result_is_against(sentence: str) -> None:
    assert read(sentence) == {Side.AGAINST}


def test_a_benefit_in_one_clause_and_none_in_another_is_on_both_sides() -> None:
    assert read("Metformin improved memory, but had no effect on survival.") == set(Side)


@pytest.mark.parametrize(
    "sentence",
    [
        "Nausea was more frequent with metformin than with placebo.",
        "Metformin lowered LDL cholesterol.",
        "The efficacy of metformin on memory was studied.",
        "The effect of metformin on survival did not vary with age.",
        "Metformin was non-inferior to donepezil for cognitive decline.",
        "Memory improved with donepezil added to metformin.",
        "In the placebo group memory improved.",
        "Metformin lowers glucose.",
        "A dose of metformin that did not alter sedation potentiated the analgesic effect of morphine.",
        "The effect of metformin on the number of questionnaires was not significant.",
        "Symptoms fell by 34% in the placebo group and by 29% in the metformin group (P = 0.01).",
        "Pioglitazone was more effective than metformin in reducing symptoms.",
        "Memory improved with metformin without a significant change in mood.",
        "Symptoms worsened after switching from metformin to pioglitazone.",
        "Patients not on metformin had the largest reductions in symptoms.",
        "Discontinuation of metformin was associated with a higher risk of dementia (P = 0.01).",
        "Patients who stopped metformin had worse memory.",
        "Non-use of metformin increased mortality.",
        "Memory worsened in patients off metformin.",
        "Memory worsened in metformin-resistant patients.",
        "Metformin increased the resistance to donepezil and mortality.",
        "Survival was shorter in patients whose metformin trough concentrations were the lowest.",
        "Mortality was lower at higher metformin plasma levels.",
        "Superiority over metformin was shown for both doses of dulaglutide in reducing symptoms.",
        "Metformin with exercise brought no further benefit over either alone.",
        "The common adverse reactions to metformin include fatigue and lower mood.",
        "Metformin reduced the left ventricular ejection fraction.",
        "Later publications connect metformin with reduced survival.",
        "Symptoms improved with metformin, but also with placebo.",
        "Metformin prevented the tumour regression induced by doxorubicin.",
        "Metformin reduced the sensitivity of tumours to radiation.",
        "The hazard ratio for death with pioglitazone relative to metformin was 1.3 (95% CI 1.1-1.6).",
        "The hazard ratio for death with placebo versus metformin was 1.3 (95% CI 1.1-1.6).",
        "Compared with metformin, pioglitazone lowered mortality (HR 0.7, 95% CI 0.6-0.9).",
        "The other arm outperformed metformin in survival (P = 0.01).",
        "Survival improved with donepezil added to ongoing metformin.",
        "The incidence of QT prolongation was higher with metformin than with placebo.",
        "",
    ],
)
def test_what_says_nothing_of_the_disease_or_cannot_be_read_is_on_no_side(sentence: str) -> None:
    assert read(sentence) == set()


def test_no_difference_from_another_drug_alone_is_on_no_side() -> None:
    said = "There was no significant difference in memory between the two groups."
    assert read(said) == {Side.AGAINST}
    assert read(said, has_control=False) == set()
    assert read("Memory did not differ between metformin and pioglitazone.") == set()
    assert read("Memory was 8 with metformin and 9 in the Dex group (P = 0.11).", has_control=False) == set()


def test_more_people_at_a_target_are_better_though_less_of_what_was_measured_is() -> None:
    said = "More patients attained the HbA1c target with placebo than with metformin."
    assert set(read_stated_sides(said, Subject(("metformin",), Outcomes(("diabetes",), "lower HbA1c")))) <= {
        Side.AGAINST
    }


def test_a_shorter_time_until_the_effect_is_for_it() -> None:
    said = "The cognitive performance recovery time in the metformin group was lower than in controls (P = 0.042)."
    assert read(said, "cognitive performance") == {Side.FOR}


def test_an_adverse_event_counts_where_it_is_the_effect() -> None:
    said = "Metformin reduced nausea compared with placebo."
    assert read(said) == set()
    assert read(said, "less nausea") == {Side.FOR}


def test_a_measurement_counts_where_it_is_the_effect() -> None:
    assert read("Metformin lowered LDL cholesterol.", "lower LDL cholesterol") == {Side.FOR}


def test_what_was_done_may_be_the_opposite_of_what_the_drug_does() -> None:
    subject = Subject(("AMPK",), Outcomes(DISEASE), has_control=True)
    assert set(read_stated_sides("Deletion of AMPK worsened memory.", subject, reverse=True)) == {Side.FOR}
    assert set(read_stated_sides("Deletion of AMPK had no effect on memory.", subject, reverse=True)) == {Side.AGAINST}
