from typing import Any

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.clinicaltrials_findings import describe_adverse_events
from storm.databases.formats.clinicaltrials_results import MAX_OUTCOMES, MAX_ROWS, read_adverse_events, read_outcomes
from storm.databases.formats.recognition import read_file
from storm.models import Hit, Section, SectionKind

GROUPS = [{"id": "OG0", "title": "Placebo"}, {"id": "OG1", "title": "Zorvimab 5 mg"}]


def values(*numbers: str, **more: str) -> list[dict[str, str]]:
    return [{"groupId": f"OG{n}", "value": number, **more} for n, number in enumerate(numbers)]


def measure(**changes: Any) -> dict[str, Any]:
    return {
        "type": "PRIMARY",
        "title": "HbA1c",
        "timeFrame": "24 weeks",
        "paramType": "LEAST_SQUARES_MEAN",
        "unitOfMeasure": "%",
        "dispersionType": "Standard Error",
        "groups": GROUPS,
        "denoms": [{"units": "Participants", "counts": [{"groupId": "OG0", "value": "190"}]}],
        "classes": [{"categories": [{"measurements": values("0.13", "-0.61", spread="0.1")}]}],
        **changes,
    }


def tables(*measures: dict[str, Any]) -> list[Section]:
    return list(read_outcomes({"outcomeMeasures": list(measures)}))


def rows(*measures: dict[str, Any]) -> list[str]:
    return [row.text for table in tables(*measures) for row in table.rows]


def test_an_outcome_is_a_table_with_the_values_of_each_arm() -> None:
    (table,) = tables(measure())
    assert (table.kind, table.label, table.place) == (
        SectionKind.TABLE,
        "RESULTS: Primary outcome",
        "Primary outcome 1",
    )
    assert table.text == (
        "HbA1c (24 weeks) [least squares mean, %]: Placebo (n=190): 0.13 (Standard Error 0.1); "
        "Zorvimab 5 mg: -0.61 (Standard Error 0.1)"
    )
    assert [cell.unit for cell in table.rows[0].cells] == ["%", "%"]


def test_outcomes_are_numbered_by_their_kind() -> None:
    found = tables(measure(), measure(type="OTHER_PRE_SPECIFIED"), measure(), measure(type="POST_HOC"))
    assert [table.place for table in found] == [
        "Primary outcome 1",
        "Other pre specified outcome 1",
        "Primary outcome 2",
        "Post-hoc outcome 1",
    ]


def test_classes_and_categories_are_rows_of_their_own() -> None:
    classes = [
        {"title": "Week 12", "categories": [{"title": "Better", "measurements": values("1", "2")}]},
        {"title": "Week 24", "categories": [{"measurements": values("3", lowerLimit="2", upperLimit="4")}]},
    ]
    assert rows(measure(paramType="COUNT_OF_PARTICIPANTS", unitOfMeasure="Participants", classes=classes)) == [
        "HbA1c (24 weeks), Week 12, Better [Participants]: Placebo (n=190): 1; Zorvimab 5 mg: 2",
        "HbA1c (24 weeks), Week 24 [Participants]: Placebo (n=190): 3 (Standard Error 2 to 4)",
    ]


def test_an_outcome_without_values_is_not_posted_and_never_zero() -> None:
    assert rows(measure(classes=[])) == ["HbA1c (24 weeks): not posted"]
    assert rows(measure(classes=[{"categories": [{"measurements": values("0", "NA")}]}], paramType="NUMBER")) == [
        "HbA1c (24 weeks) [%]: Placebo (n=190): 0; Zorvimab 5 mg: NA"
    ]


def test_an_analysis_says_what_was_compared_and_how() -> None:
    analysis = {
        "groupIds": ["OG0", "OG1"], "pValue": "<0.001", "paramType": "Odds Ratio (OR)", "paramValue": "7.4",
        "ciPctValue": "95", "ciLowerLimit": "4.1", "ciUpperLimit": "13.4", "statisticalMethod": "Logistic",
        "nonInferiorityType": "NON_INFERIORITY",
    }  # fmt: skip
    assert rows(measure(analyses=[analysis, {}]))[1:] == [
        "HbA1c (24 weeks), Placebo versus Zorvimab 5 mg: Odds Ratio (OR): 7.4; 95% CI: 4.1 to 13.4; p: <0.001; "
        "Method: Logistic; Hypothesis: non inferiority"
    ]


@pytest.mark.parametrize(
    ("limits", "stated"),
    [
        ({"ciUpperLimit": "1.49", "ciNumSides": "ONE_SIDED"}, "upper limit 1.49 (one-sided)"),
        ({"ciLowerLimit": "0.8", "ciNumSides": "TWO_SIDED"}, "lower limit 0.8"),
    ],
)
def test_a_limit_that_is_posted_alone_is_named(limits: dict[str, str], stated: str) -> None:
    analysis = {"groupIds": ["OG0", "OG1"], "paramType": "HR", "paramValue": "1.1", "ciPctValue": "97.5", **limits}
    assert rows(measure(analyses=[analysis]))[1:] == [
        f"HbA1c (24 weeks), Placebo versus Zorvimab 5 mg: HR: 1.1; 97.5% CI: {stated}"
    ]


def test_a_class_that_is_counted_for_itself_has_its_own_numbers() -> None:
    denominators = [{"units": "Participants", "counts": [{"groupId": "OG0", "value": "56"}]}]
    male = {"title": "Male", "denoms": denominators, "categories": [{"measurements": values("1", "2")}]}
    assert rows(measure(classes=[male])) == [
        "HbA1c (24 weeks), Male [least squares mean, %]: Placebo (n=56): 1; Zorvimab 5 mg: 2"
    ]


def subgroup_analyses(*described: str) -> list[str]:
    """The rows of analyses of these groups; the outcome has the classes Male and Female."""
    classes = [{"title": name, "categories": [{"measurements": values("1", "2")}]} for name in ("Male", "Female")]
    analyses = [
        {"groupIds": ["OG0", "OG1"], "groupDescription": text, "paramType": "HR", "paramValue": "0.5"}
        for text in described
    ]
    return rows(measure(classes=classes, analyses=analyses))[2:]


def test_an_analysis_of_a_subgroup_names_the_class_that_its_description_names() -> None:
    compared = "Placebo versus Zorvimab 5 mg: HR: 0.5"
    assert subgroup_analyses("For male participants", "For FEMALE participants") == [
        f"HbA1c (24 weeks), Male, {compared}", f"HbA1c (24 weeks), Female, {compared}",
    ]  # fmt: skip


@pytest.mark.parametrize("described", [("Males", "For female"), ("For male", "Also for male"), ("", "For female")])
def test_analyses_whose_descriptions_do_not_tell_them_apart_name_no_class(described: tuple[str, ...]) -> None:
    assert set(subgroup_analyses(*described)) == {"HbA1c (24 weeks), Placebo versus Zorvimab 5 mg: HR: 0.5"}


def events(**changes: Any) -> list[Section]:
    module = {
        "timeFrame": "24 weeks",
        "eventGroups": [
            {"id": "EG0", "title": "Placebo", "seriousNumAffected": 4, "seriousNumAtRisk": 158},
            {"id": "EG1", "title": "Zorvimab", "seriousNumAffected": 0, "seriousNumAtRisk": 0, "deathsNumAffected": 1},
        ],
        **changes,
    }
    return list(read_adverse_events(module))


def test_events_are_counted_by_arm_and_nobody_at_risk_gives_no_share() -> None:
    deaths, serious = events()
    assert deaths.text == "Deaths (24 weeks): Zorvimab: 1"
    assert (serious.place, serious.text) == (
        "Serious adverse events",
        "Serious adverse events (24 weeks): Placebo: 4 of 158; Zorvimab: 0",
    )


def test_each_event_is_a_row_the_most_frequent_first() -> None:
    def event(term: str, *numbers: int | None) -> dict[str, Any]:
        stats = [{"groupId": f"EG{n}", "numAffected": number, "numAtRisk": 158} for n, number in enumerate(numbers)]
        return {"term": term, "organSystem": "Eye disorders", "stats": stats}

    (*_, other) = events(otherEvents=[event("Rare", 0, 1), event("Frequent", 9, 8), event("Untold", None)])
    assert [row.text for row in other.rows] == [
        "Frequent (Eye disorders): Placebo: 9 of 158; Zorvimab: 8 of 158",
        "Rare (Eye disorders): Placebo: 0 of 158; Zorvimab: 1 of 158",
    ]


def test_what_is_left_out_of_long_results_is_said() -> None:
    many = tables(*[measure()] * (MAX_OUTCOMES + 3))
    assert many[-1].text == "Outcomes that are posted and not read here: 3"
    (long,) = tables(measure(classes=[{"categories": [{"measurements": values("1")}] * (MAX_ROWS + 2)}]))
    assert (len(long.rows), long.rows[-1].text) == (MAX_ROWS + 1, "Rows that are posted and not read here: 2")


@pytest.mark.parametrize("module", [{}, {"outcomeMeasures": None}, {"outcomeMeasures": ["x", {"title": 3}, None]}])
def test_results_of_another_shape_do_no_harm(module: dict[str, Any]) -> None:
    assert all(row.cells for table in read_outcomes(module) for row in table.rows)
    assert list(read_adverse_events({"eventGroups": ["x"], "seriousEvents": [1, {"term": "a", "stats": "b"}]})) == []


@needs_recorded_answers
def test_recorded_results_are_read_whole() -> None:
    (study,) = read_file(ANSWERS / "clinicaltrials" / "aact_NCT02278341.json")
    assert isinstance(study, Hit)
    found = {part.place: part for part in study.sections if part.kind is SectionKind.TABLE}
    assert len(found) == 34
    assert (
        found["Primary outcome 2"]
        .rows[0]
        .text.endswith("[percentage of subjects]: Placebo (FAS) (n=158): 11.4; CZP 200 mg Q2W (FAS) (n=159): 47.8")
    )
    assert found["Primary outcome 3"].text.endswith(": not posted")
    assert (len(found["Serious adverse events"].rows), len(found["Other adverse events"].rows)) == (37, 10)


@pytest.mark.parametrize(
    ("threshold", "heading"),
    [
        ("5", "Other adverse events, of those in more than 5% of an arm"), ("0", "Other adverse events"),
        (None, "Other adverse events"), ("many", "Other adverse events"),
    ],
)  # fmt: skip
def test_a_count_of_the_more_frequent_events_alone_says_so(threshold: str | None, heading: str) -> None:
    group = {"id": "EG000", "title": "Zorvimab", "otherNumAffected": 4, "otherNumAtRisk": 158}
    module = {"frequencyThreshold": threshold, "eventGroups": [group]}
    assert describe_adverse_events(module) == f"{heading}: Zorvimab 4 of 158."
    (table,) = read_adverse_events(module)
    assert (table.place, table.rows[0].heading) == ("Other adverse events", heading)
