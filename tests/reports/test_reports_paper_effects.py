"""Effect sizes from the tables of papers: which tables are read, and what each row gives."""

from __future__ import annotations

import pytest

from storm.models import Cell, Hit, Section, TableRow
from storm.reports.paper_effects import read_table_effects

PLACEBO, ZORVIMAB = "Placebo (n = 7,339)", "Zorvimab (n = 7,332)"
RATIO = "HR (95% CI)"


def table(*rows: tuple[str, dict[str, str]], label: str = "Results: Outcomes") -> Hit:
    made = tuple(
        TableRow(heading=heading, cells=tuple(Cell(column=name, text=text) for name, text in cells.items()))
        for heading, cells in rows
    )
    section = Section.of_rows(made, label, "Table 1")
    return Hit.of("pmc", "PMC1", "https://example.org/1", "Zorvimab in adults", sections=(section,))


def effects(hit: Hit) -> list[tuple[str, ...]]:
    return [
        (one.endpoint, one.measure, one.value, one.interval, one.p, " versus ".join(one.arms))
        for one in read_table_effects(hit, ("zorvimab",))
    ]


def test_a_row_gives_its_effect_with_its_arms() -> None:
    hit = table(
        ("Acute pancreatitis", {ZORVIMAB: "23", PLACEBO: "12", RATIO: "1.93 (0.96–3.88)", "P value": "0.065"}),
        ("Weight, kg", {ZORVIMAB: "80", PLACEBO: "81", RATIO: "—"}),
    )
    assert effects(hit) == [
        ("Acute pancreatitis", "hazard ratio", "1.93", "95% CI 0.96 to 3.88", "0.065", "Zorvimab versus Placebo")
    ]
    (one,) = read_table_effects(hit, ("zorvimab",))
    assert one.place == "Table 1" and not one.is_of_drugs


@pytest.mark.parametrize(
    ("columns", "arms"),
    [
        (
            ("Placebo (N = 2333), n (%)", "Placebo (N = 2333), rate", "Zorvimab (N = 4687), n (%)"),
            "Zorvimab versus Placebo",
        ),
        (("Events, Zorvimab", "Events, Placebo", "Patients, Zorvimab (n = 9)"), "Zorvimab versus Placebo"),
        (("Zorvimab, n = 29", "Sitagliptin, n = 34"), "Zorvimab versus Sitagliptin"),
        (("Zorvimab 5 mg", "Zorvimab 10 mg", "Placebo"), None),
        (("Zorvimab 5 mg", "Zorvimab 10 mg"), None),
        (("Placebo", "Sitagliptin"), None),
        (("Zorvimab",), None),
    ],
)
def test_a_table_is_read_if_its_columns_are_of_the_drug_and_one_other_arm(
    columns: tuple[str, ...], arms: str | None
) -> None:
    cells = dict.fromkeys(columns, "3 (1.2)")
    found = effects(table(("Death", {**cells, "Odds ratio (95% CI)": "0.80 (0.70, 0.90)"})))
    assert [one[-1] for one in found] == ([arms] if arms else [])


@pytest.mark.parametrize(
    ("zorvimab", "other", "ratio", "arms"),
    [
        ("265 (5.7)", "198 (8.5)", "0.66 (0.55–0.79)", "Zorvimab versus Losartan"),
        ("198 (8.5)", "265 (5.7)", "0.66 (0.55–0.79)", "Losartan versus Zorvimab"),
        ("265 (5.7)", "198 (8.5)", "1.50 (1.27–1.82)", "Losartan versus Zorvimab"),
        ("204 (4.4)", "143 (6.1)", "0.70 (0.56–0.87)", "Zorvimab versus Losartan"),
        ("5 (50)", "9 (60)", "0.67 (0.50–0.87)", "Zorvimab versus Losartan"),
        ("41.4 (12)", "60.1 (9)", "0.69 (0.50–0.87)", "Zorvimab versus Losartan"),
        ("23", "12", "0.66 (0.55–0.79)", "Losartan versus Zorvimab"),
    ],
)
def test_the_arm_with_the_lower_rate_stands_first_where_a_ratio_is_below_one(
    zorvimab: str, other: str, ratio: str, arms: str
) -> None:
    hit = table(("Death", {"Losartan": other, "Zorvimab": zorvimab, RATIO: ratio}))
    assert [one[-1] for one in effects(hit)] == [arms]


@pytest.mark.parametrize(
    ("column", "measure"),
    [
        ("Adjusted odds ratio, 95% confidence interval", "odds ratio"),
        ("Relative risk (95% CI)", "relative risk"),
        ("Difference between zorvimab and placebo (95% CI)", "difference"),
        ("Relative risk reduction (95% CI)", None),
        ("Mean (95% CI)", None),
        ("HR", None),
    ],
)
def test_the_heading_of_the_column_names_the_measure_and_the_level(column: str, measure: str | None) -> None:
    found = effects(table(("Death", {"Zorvimab": "1", "Placebo": "2", column: "−7.6 (−13.9, −1.3)"})))
    assert [(one[1], one[2], one[3]) for one in found] == (
        [(measure, "-7.6", "95% CI -13.9 to -1.3")] if measure else []
    )


@pytest.mark.parametrize("value", ["1.93 (2.1–3.88)", "1.93", "0.5 (0.4–0.6) vs 0.7 (0.6–0.8)", ""])
def test_a_value_outside_of_its_interval_without_one_or_beside_another_gives_no_row(value: str) -> None:
    assert effects(table(("Death", {"Zorvimab": "1", "Placebo": "2", RATIO: value}))) == []


def test_two_comparisons_or_rows_by_the_people_in_them_are_not_read() -> None:
    arms = {"Zorvimab": "1", "Placebo": "2"}
    assert not effects(table(("Death", {**arms, RATIO: "0.8 (0.7–0.9)", "OR (95% CI)": "0.8 (0.7–0.9)"})))
    assert not effects(table(("Death", {**arms, RATIO: "0.8 (0.7–0.9)"}), ("Women", {**arms, RATIO: "0.8 (0.7–0.9)"})))
    assert not effects(table(("Death", {**arms, RATIO: "0.8 (0.7–0.9)"}), label="Results: Subgroup analyses"))


def test_a_difference_of_rates_has_the_unit_of_the_row_and_harms_come_last() -> None:
    column = "Difference between zorvimab and placebo (95% CI)"
    cells = {"Zorvimab": "1", "Placebo": "2", column: "−7.6 (−13.9, −1.3)"}
    harms = table(("Incidence rate per 100 patient-years, Nausea", cells), label="Results: Adverse events")
    benefit = table(("HbA1c", cells))
    hit = benefit.model_copy(update={"sections": (*harms.sections, *benefit.sections)})
    assert [(one.endpoint, one.unit) for one in read_table_effects(hit, ("zorvimab",))] == [
        ("HbA1c", ""),
        ("Incidence rate per 100 patient-years, Nausea", "per 100 patient-years"),
    ]


def test_the_word_or_in_the_head_of_a_column_is_no_odds_ratio() -> None:
    either = "Death or relapse (95% CI)"
    assert effects(table(("Women", {ZORVIMAB: "23", PLACEBO: "12", either: "1.93 (0.96–3.88)"}))) == []


@pytest.mark.parametrize(
    ("value", "is_read"),
    [("4.41 (1.4-14.1)", True), ("0.23 (0.1-0.7)", True), ("5.52 (1.8-17.1)", False)],
)
@pytest.mark.parametrize(("zorvimab", "placebo"), [("41.4 (12)", "9.4 (3)"), ("12 (41.4%)", "3 (9.4%)")])
def test_a_risk_ratio_of_several_rows_is_not_that_of_the_row_it_stands_in(
    zorvimab: str, placebo: str, value: str, *, is_read: bool
) -> None:
    cells = {"Zorvimab": zorvimab, "Placebo": placebo, "RR (95% CI)": value}
    assert bool(effects(table(("Fever, mild", cells)))) is is_read


def test_numbers_with_the_size_of_the_arm_are_no_rates() -> None:
    cells = {"Zorvimab": "12 (100)", "Placebo": "30 (250)", "RR (95% CI)": "1.0 (0.5-1.9)"}
    assert effects(table(("Fever, mild", cells)))


def test_an_adjusted_risk_ratio_need_not_be_that_of_the_rates() -> None:
    cells = {"Zorvimab": "41.4 (12)", "Placebo": "9.4 (3)", "Adjusted RR (95% CI)": "5.52 (1.8-17.1)"}
    assert effects(table(("Fever, mild", cells)))
