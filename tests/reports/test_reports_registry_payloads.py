"""Tables of trials with posted results: each row equals what was read by hand in the registry's own JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.clinicaltrials import read_studies
from storm.models import Hit, RecordRow, RecordTable, Source
from storm.models.record_table import TableName
from storm.reports.record_tables import collect_tables

PREDIABETES, FOOD = "aact_NCT00763412.json", "aact_NCT05594173.json"
REMDESIVIR, CERTOLIZUMAB = "biomcp_old_NCT04280705_remdesivir.json", "aact_NCT02278341.json"
POSTED = "posted in the registry"

pytestmark = needs_recorded_answers


def place_of(row: RecordRow, column: int) -> str:
    return row.places[column if len(row.places) > 1 else 0]


def tables_of(file: str, name: str) -> dict[TableName, RecordTable]:
    with (ANSWERS / "clinicaltrials" / file).open("rb") as stream:
        (hit,) = read_studies(stream)
    assert isinstance(hit, Hit)
    source = Source(source_id="src_001", number=1, hit=hit, questions=())
    return {table.name: table for table in collect_tables((name,), [source], [], [], date(2026, 11, 22))}


def cells(table: RecordTable) -> list[tuple[str | None, ...]]:
    return [row.cells for row in table.rows]


def test_each_row_of_a_small_trial_without_comparisons() -> None:
    tables = tables_of(PREDIABETES, "repaglinide")
    assert cells(tables[TableName.TRIALS]) == [
        (
            "NCT00763412", "itself", None,
            "Interventional, Randomized, Parallel, masking: quadruple (participant, care provider, investigator, "
            "outcomes assessor)",
            "31 participants enrolled",
            "Cystic Fibrosis Related Diabetes; Pancreatic Insufficiency; all sexes from 12 years to 24 years",
            "Placebo comparator: 1 Placebo; Experimental: 2. repaglinide – repaglinide 0.5 mg before each meal 3-4 "
            "times a day for 2 years", "BMI (2 year/end of study) (first of 3)",
            "1 Placebo (n=4): 19.63 (Full Range 15.56 to 22.64); 2. Repaglinide (n=4): 21.19 (Full Range 20.78 to 21.8)"
            " mean, Kg/m^2", "Completed", None,
            "Overall Study: started Placebo 8, 2. Repaglinide 8; completed Placebo 4, 2. Repaglinide 4",
            "Start 2006-11 (actual or estimated: not stated); primary completion 2013-01; completion 2013-01; "
            "results first posted 2017-06-05",
        )
    ]  # fmt: skip
    assert cells(tables[TableName.ADVERSE_EVENTS]) == [
        ("NCT00763412", kind, "any", arm, "0", "8", "0.0")
        for kind in ("Deaths", "Serious adverse events", "Other adverse events")
        for arm in ("Placebo", "Repaglinide")
    ]
    assert cells(tables[TableName.EFFECT_SIZES]) == []


def test_each_row_of_an_observational_study() -> None:
    tables = tables_of(FOOD, "food texture")
    (trial,) = cells(tables[TableName.TRIALS])
    assert trial[:8] == (
        "NCT05594173", "itself", None, "Observational", "20 participants enrolled",
        "Dysphagia; all sexes from 18 years to 60 years", None,
        "Number of Chewing Cycles Per Bolus (Baseline (single timepoint only)) (first of 2)",
    )  # fmt: skip
    assert trial[8] == (
        "Healthy Participants: Carrot (n=14): 22 (Standard Deviation 11); "
        "Healthy Participants: Cracker (n=14): 15 (Standard Deviation 6); "
        "Healthy Participants: Cracker With Barium Paste (n=14): 15 (Standard Deviation 4); "
        "Healthy Participants: Gummy Candy (n=14): 28 (Standard Deviation 13); "
        "Healthy Participants: Minced and Moist Barium Stimulus (n=14): 6 (Standard Deviation 3); "
        "Healthy Participants: Soft and Bite-sized Barium Stimulus (n=14): 11 (Standard Deviation 4) "
        "mean, number of chewing cycles"
    )
    own = ("NCT05594173", "Other adverse events")
    assert cells(tables[TableName.ADVERSE_EVENTS]) == [
        ("NCT05594173", "Deaths", "any", "Healthy Participants", "0", "18", "0.0"),
        ("NCT05594173", "Serious adverse events", "any", "Healthy Participants", "0", "18", "0.0"),
        (*own, "any", "Healthy Participants", "1", "18", "5.6"),
        (*own, "Digestive complaints (Gastrointestinal disorders)", "Healthy Participants", "1", "18", "5.6"),
    ]


def test_each_effect_of_a_large_trial_and_then_those_of_its_subgroups_by_their_names() -> None:
    tables = tables_of(REMDESIVIR, "remdesivir")
    (trial,) = cells(tables[TableName.TRIALS])
    assert trial == (
        "NCT04280705", "itself", "Phase 3",
        "Interventional, Randomized, Parallel, masking: double (participant, investigator)",
        "1,062 participants enrolled", "COVID-19; all sexes from 18 years to 99 years",
        "Placebo comparator: Placebo; Experimental: Remdesivir – 200 mg of Remdesivir administered intravenously on "
        "Day 1, followed by a 100 mg once-daily maintenance dose of Remdesivir while hospitalized for up to a 10 days "
        "total course",
        "Time to Recovery (Day 1 through Day 29) (first of 4)",
        "Placebo (n=521): 15 (95% Confidence Interval 13 to 18); Remdesivir (n=541): 10 (95% Confidence Interval 9 to "
        "11) median, Days; Placebo and Remdesivir: Cox Proportional Hazard 1.29, 95% CI 1.12 to 1.49, p <0.001",
        "Completed", None,
        "Overall Study: started Placebo 521, Remdesivir 541; completed Placebo 508, Remdesivir 517",
        "Start 2020-02-21; primary completion 2020-05-21; completion 2020-05-21; results first posted 2020-09-25",
    )  # fmt: skip
    frame = "(Day 1 through Day 29)"
    effects = tables[TableName.EFFECT_SIZES]
    of_all, of_subgroups = cells(effects)[:4], cells(effects)[4:]
    assert of_all == [
        ("NCT04280705", f"{endpoint} {frame}", "Cox Proportional Hazard", value, "Days", f"95% CI {interval}", p,
         "Placebo and Remdesivir", "1062", POSTED)
        for endpoint, value, interval, p in (
            ("Time to Recovery", "1.29", "1.12 to 1.49", "<0.001"),
            ("Time to an Improvement by at Least One Category Using an Ordinal Scale", "1.23", "1.08 to 1.41", "0.002"),
            ("Time to an Improvement of at Least Two Categories Using an Ordinal Scale", "1.29", "1.12 to 1.48",
             "<0.001"),
            ("Time to Discharge or to a NEWS of 2 or Less and Maintained for 24 Hours, Whichever Occurs First", "1.27",
             "1.10 to 1.46", "<0.001"),
        )
    ]  # fmt: skip
    assert [place_of(row, 3) for row in effects.rows][:4] == [
        "Primary outcome 1", "Secondary outcome 37", "Secondary outcome 38", "Secondary outcome 39",
    ]  # fmt: skip
    assert [(row[1], row[3], row[5], row[8]) for row in of_subgroups] == [
        (f"Time to Recovery by {name} {frame}, {group}", value, f"95% CI {interval}", counted)
        for name, group, value, interval, counted in (
            ("Race", "Asian", "1.07", "0.73 to 1.58", "135"),
            ("Race", "Black or African American", "1.25", "0.91 to 1.72", "226"),
            ("Race", "White", "1.29", "1.06 to 1.57", "566"), ("Race", "Other", "1.68", "1.10 to 2.58", "135"),
            ("Ethnicity", "Not Hispanic or Latino", "1.31", "1.10 to 1.55", "755"),
            ("Ethnicity", "Hispanic or Latino", "1.28", "0.94 to 1.73", "250"),
            ("Sex", "Male", "1.30", "1.09 to 1.56", "684"), ("Sex", "Female", "1.31", "1.03 to 1.66", "378"),
        )
    ]  # fmt: skip
    assert effects.omitted == 0
    assert cells(tables[TableName.COMPARISONS]) == []


def test_the_effects_of_a_trial_with_differences_and_odds_ratios() -> None:
    tables = tables_of(CERTOLIZUMAB, "certolizumab pegol")
    effects = cells(tables[TableName.EFFECT_SIZES])
    assert [row[2:7] for row in effects] == [
        ("Odds Ratio (OR)", "15.231", "percentage of subjects", "95% CI 7.336 to 31.623", "<0.001"),
        ("Odds Ratio (OR)", "7.436", "percentage of subjects", "95% CI 4.127 to 13.401", "<0.001"),
        ("Odds Ratio (OR)", "7.359", "percentage of subjects", "95% CI 4.286 to 12.636", "<0.001"),
        ("Difference", "-1.696", "scores on a scale", "95% CI -2.110 to -1.282", "<0.001"),
        ("Difference", "-1.585", "scores on a scale", "95% CI -2.132 to -1.038", "<0.0001"),
        ("Difference", "-1.819", "scores on a scale", "95% CI -2.250 to -1.388", "<0.001"),
        ("Difference", "-1.290", "scores on a scale", "95% CI -1.909 to -0.672", "<0.001"),
        ("Difference", "-4.8687", "scores on a scale", "95% CI -6.4014 to -3.3360", "<0.001"),
        ("Odds Ratio (OR)", "6.223", "Participants", "95% CI 3.800 to 10.191", "<0.001"),
        ("Difference", "-0.183", "scores on a scale", "95% CI -0.250 to -0.117", "<0.001"),
        ("Difference", "-1.90", "scores on a scale", "95% CI -2.62 to -1.18", "<0.001"),
        ("Odds Ratio (OR)", "0.484", "Participants", "95% CI 0.142 to 1.653", "0.247"),
    ]
    arms = "Placebo (FAS) and CZP 200 mg Q2W (FAS)"
    assert {row[8:] for row in effects} == {("317", POSTED)}
    assert {(row[2], row[7]) for row in effects} == {
        ("Difference", arms), ("Odds Ratio (OR)", f"{arms} (posted as: Odds ratio: CZP/Placebo)"),
        ("Odds Ratio (OR)", f"{arms} (posted as: Odds ratio: CZP/PBO)"),
    }  # fmt: skip
    assert effects[10][1] == (
        "Change From Baseline in Nocturnal Spinal Pain Numerical Rating Scale (NRS) at Week 52 "
        "(From Baseline to Week 52)"
    )


@pytest.mark.parametrize(("file", "name"), [(REMDESIVIR, "remdesivir"), (CERTOLIZUMAB, "certolizumab pegol")])
def test_each_row_of_adverse_events_has_the_counts_of_its_arm(file: str, name: str) -> None:
    table = tables_of(file, name)[TableName.ADVERSE_EVENTS]
    posted = list(_posted_counts(file))
    assert {row.cells[1:6] for row in table.rows} == set(posted)
    assert (len(table.rows), table.omitted) == (len(posted), 0)


@pytest.mark.parametrize(
    ("file", "name"),
    [(PREDIABETES, "repaglinide"), (FOOD, "x"), (REMDESIVIR, "remdesivir"), (CERTOLIZUMAB, "certolizumab pegol")],
)
def test_each_value_stands_in_the_section_that_its_row_names(file: str, name: str) -> None:
    with (ANSWERS / "clinicaltrials" / file).open("rb") as stream:
        (hit,) = read_studies(stream)
    assert isinstance(hit, Hit)
    texts = {section.name: section.text for section in hit.sections}
    tables = tables_of(file, name)
    for row in tables[TableName.EFFECT_SIZES].rows:
        _, endpoint, measure, value, *_ = row.cells
        assert f"{measure}: {value}" in texts[place_of(row, 3)] and f"{endpoint}, " in texts[place_of(row, 1)]
    for row in tables[TableName.ADVERSE_EVENTS].rows:
        assert f"{row.cells[3]}: {row.cells[4]} of {row.cells[5]}" in texts[place_of(row, 4)]
    for row in tables[TableName.TRIALS].rows:
        assert all(arm in texts["ARMS"] for arm in (row.cells[6] or "").split("; ") if arm)


def _posted_counts(file: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Kind, event, arm, affected and at risk, as they stand in the registry's JSON."""
    answer: dict[str, Any] = json.loads((ANSWERS / "clinicaltrials" / file).read_bytes())
    study = answer["studies"][0] if "studies" in answer else answer
    module = study["resultsSection"]["adverseEventsModule"]
    arms = {group["id"]: group["title"] for group in module["eventGroups"]}
    for field, kind in (("deaths", "Deaths"), ("serious", "Serious adverse events"), ("other", "Other adverse events")):
        for group in module["eventGroups"]:
            affected, at_risk = group[f"{field}NumAffected"], group[f"{field}NumAtRisk"]
            above = module.get("frequencyThreshold", "0") if field == "other" else "0"
            event = f"any, of those in more than {above}% of an arm" if above != "0" else "any"
            yield kind, event, group["title"], str(affected), str(at_risk)
        for event in module.get(f"{field}Events", ()):
            term = f"{event['term']} ({event['organSystem']})"
            for one in event["stats"]:
                yield kind, term, arms[one["groupId"]], str(one["numAffected"]), str(one["numAtRisk"])
