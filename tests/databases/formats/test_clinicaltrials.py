"""ClinicalTrials.gov studies: what a study says of itself, in each of the shapes that its API answers."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from storm.databases.corpus.database import SAMPLE_FOLDER
from storm.databases.formats.clinicaltrials import read_studies
from storm.errors import RecordError
from storm.models import Hit, Retraction, SectionKind
from storm.models.study import StudyDate, describe_date

SAMPLE = SAMPLE_FOLDER / "clinicaltrials.json"


def study(**protocol: Any) -> dict[str, Any]:
    """A small study in the shape of the API, version 2."""
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": "NCT09990001",
                "briefTitle": "Zorvimab or Placebo in Adults With QX7 Disease",
                "officialTitle": "A Randomized Trial",
                "secondaryIdInfos": [{"id": "NCT09990777", "type": "REGISTRY"}],
            },
            "statusModule": {"overallStatus": "ACTIVE_NOT_RECRUITING", "startDateStruct": {"date": "2019-03"}},
            "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Zorvi Pharma", "class": "INDUSTRY"}},
            "descriptionModule": {"briefSummary": "Scores \\>= 2 points\nare \\[mean\\] values."},
            "conditionsModule": {"conditions": ["QX7 Disease", "Fatigue"]},
            "designModule": {
                "studyType": "INTERVENTIONAL",
                "phases": ["PHASE2", "PHASE3"],
                "designInfo": {
                    "allocation": "RANDOMIZED",
                    "interventionModel": "PARALLEL",
                    "maskingInfo": {"masking": "DOUBLE"},
                },
                "enrollmentInfo": {"count": 1317, "type": "ACTUAL"},
            },
            "armsInterventionsModule": {
                "armGroups": [{"label": "Zorvimab 5 mg", "type": "EXPERIMENTAL", "description": "Once a week."}],
                "interventions": [
                    {"type": "BIOLOGICAL", "name": "Zorvimab", "description": "An antibody"},
                    {"type": "DRUG", "name": "Velotinib"},
                    {"type": "BEHAVIORAL", "name": "Counselling"},
                ],
            },
            "outcomesModule": {"primaryOutcomes": [{"measure": "Response", "timeFrame": "Week 12"}]},
            "referencesModule": {"references": [{"pmid": "35296532"}]},
            **protocol,
        }
    }


RESULTS = {
    "outcomeMeasuresModule": {
        "outcomeMeasures": [
            {
                "type": "PRIMARY",
                "title": "Response",
                "timeFrame": "Week 12",
                "unitOfMeasure": "percentage of participants",
                "groups": [{"id": "OG000", "title": "Placebo"}, {"id": "OG001", "title": "Zorvimab"}],
                "classes": [
                    {
                        "categories": [
                            {
                                "measurements": [
                                    {"groupId": "OG000", "value": "11.4"},
                                    {"groupId": "OG001", "value": "47.8", "lowerLimit": "40.1", "upperLimit": "55.3"},
                                ]
                            }
                        ]
                    }
                ],
                "analyses": [
                    {
                        "pValue": "<0.001",
                        "paramType": "Odds Ratio (OR)",
                        "paramValue": "7.4",
                        "ciPctValue": "95",
                        "ciLowerLimit": "4.1",
                        "ciUpperLimit": "13.4",
                    },
                    {"pValue": "0.03"},
                ],
            },
            {"type": "SECONDARY", "title": "Quality of life"},
        ]
    },
    "adverseEventsModule": {
        "eventGroups": [
            {"title": "Placebo", "seriousNumAffected": 4, "seriousNumAtRisk": 158},
            {"title": "Zorvimab", "seriousNumAffected": 8, "seriousNumAtRisk": 159},
        ]
    },
}


def read(content: object) -> list[Hit | RecordError]:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return list(read_studies(io.BytesIO(text)))


def hit_of(content: object) -> Hit:
    (hit,) = read(content)
    assert isinstance(hit, Hit)
    return hit


def sections(hit: Hit) -> dict[str, str]:
    return {section.label: section.text for section in hit.sections}


def test_a_study_is_described_by_its_own_fields() -> None:
    hit = hit_of(study())
    assert (hit.database, hit.external_id) == ("clinicaltrials", "NCT09990001")
    assert hit.url == "https://clinicaltrials.gov/study/NCT09990001"
    assert hit.title == "Zorvimab or Placebo in Adults With QX7 Disease"
    assert (hit.year, hit.date, hit.container) == (2019, "2019-03", "Zorvi Pharma")
    assert hit.publication_types == ("Clinical Trial", "Interventional", "Randomized")
    assert hit.drugs == ("Zorvimab", "Velotinib")
    assert hit.retraction is Retraction.NOT_RETRACTED
    facts = hit.facts
    assert (facts.phase, facts.status) == ("Phase 2/Phase 3", "Active, not recruiting")
    assert (facts.sponsor, facts.enrollment) == ("Zorvi Pharma", 1317)


def test_the_number_of_the_study_is_its_identity_and_numbers_in_it_are_not() -> None:
    hit = hit_of(study())
    assert hit.identifiers == ("registry:NCT09990001",)
    assert hit.trials == ("NCT09990001",)


def test_the_text_tells_the_design_and_is_freed_of_markdown_escapes() -> None:
    text = sections(hit_of(study()))
    assert text["BRIEF SUMMARY"] == "Scores >= 2 points\nare [mean] values."
    assert text["DESIGN"] == (
        "Interventional, Phase 2/Phase 3, Randomized, Parallel, masking: double; 1,317 participants enrolled; "
        "status: Active, not recruiting; lead sponsor: Zorvi Pharma."
    )
    assert text["INTERVENTIONS"].split("\n\n") == [
        "Biological: Zorvimab – An antibody.", "Drug: Velotinib.", "Behavioral: Counselling.",
    ]  # fmt: skip
    assert text["PRIMARY OUTCOMES"] == "Response (time frame: Week 12)."
    assert "RESULTS" not in text


@pytest.mark.parametrize(
    ("enrollment", "status", "expected"),
    [
        ({"count": 800, "type": "ESTIMATED"}, "RECRUITING", "800 participants planned"),
        ({"count": 800, "type": "ESTIMATED"}, "TERMINATED", "800 participants planned"),
        ({"count": 800, "type": "ANTICIPATED"}, "COMPLETED", "800 participants planned"),
        ({"count": 800, "type": "Anticipated"}, "COMPLETED", "800 participants planned"),
        ({"count": 800, "type": "ACTUAL"}, "COMPLETED", "800 participants enrolled"),
        ({"count": 1, "type": "ACTUAL"}, "TERMINATED", "1 participant enrolled"),
        ({"count": 800}, "NOT_YET_RECRUITING", "800 participants planned"),
        ({"count": 800}, "COMPLETED", "800 participants (planned or enrolled: not stated)"),
    ],
)
def test_a_planned_enrolment_is_never_stated_as_reached(enrollment: object, status: str, expected: str) -> None:
    design = {"studyType": "INTERVENTIONAL", "enrollmentInfo": enrollment}
    hit = hit_of(study(designModule=design, statusModule={"overallStatus": status}))
    assert expected in sections(hit)["DESIGN"].split("; ")


def test_why_a_study_stopped_and_when_it_ends_are_stored_and_stated() -> None:
    status = {
        "overallStatus": "TERMINATED",
        "whyStopped": "Safety: excess deaths",
        "startDateStruct": {"date": "2019-03", "type": "ACTUAL"},
        "primaryCompletionDateStruct": {"date": "2021-05-01", "type": "ACTUAL"},
        "completionDateStruct": {"date": "2028-01", "type": "ESTIMATED"},
    }
    hit = hit_of(study(statusModule=status))
    assert sections(hit)["STATUS"].split("\n\n") == [
        "Terminated; why stopped: Safety: excess deaths.",
        "Start 2019-03; primary completion 2021-05-01; completion expected 2028-01.",
    ]
    assert hit.facts.why_stopped == "Safety: excess deaths"
    assert hit.facts.primary_completion == StudyDate(date="2021-05-01", expected=False)
    assert hit.facts.completion == StudyDate(date="2028-01", expected=True)


def test_a_date_without_a_type_is_stated_neither_as_reached_nor_as_expected() -> None:
    hit = hit_of(study(statusModule={"completionDateStruct": {"date": "2028-01"}}))
    assert sections(hit)["STATUS"] == "Completion 2028-01 (actual or estimated: not stated)."
    assert hit.facts.completion == StudyDate(date="2028-01")
    anticipated = hit_of(study(statusModule={"completionDateStruct": {"date": "2028-01", "type": "Anticipated"}}))
    assert sections(anticipated)["STATUS"] == "Completion expected 2028-01."


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        (StudyDate(date="2028-01"), "completion expected 2028-01"),
        (StudyDate(date="2026-11-22"), "completion expected 2026-11-22"),
        (StudyDate(date="2026-11"), "completion 2026-11"),
        (StudyDate(date="2020-01-31"), "completion 2020-01-31"),
        (StudyDate(date="2020-01", expected=True), "completion was expected 2020-01"),
        (StudyDate(date="2026-11", expected=True), "completion expected 2026-11"),
        (StudyDate(date="2028-01", expected=False), "completion 2028-01"),
    ],
)
def test_a_completion_after_the_day_of_the_job_is_stated_as_expected(date: StudyDate, expected: str) -> None:
    assert describe_date("completion", date, "2026-11-21") == expected


def test_a_record_stored_before_these_fields_were_kept_still_loads() -> None:
    stored = hit_of(study()).model_dump(mode="json")
    for name in ("enrollment_kind", "why_stopped", "primary_completion", "completion"):
        del stored["facts"][name]
    assert Hit.model_validate(stored).facts.enrollment == 1317


def test_the_bundled_sample_says_of_a_recruiting_study_that_its_enrolment_is_planned() -> None:
    items = {hit.external_id: hit for hit in read_studies(io.BytesIO(SAMPLE.read_bytes())) if isinstance(hit, Hit)}
    assert "370 participants planned" in sections(items["NCT04098666"])["DESIGN"]
    assert "completion expected 2026-04" in sections(items["NCT04098666"])["STATUS"].lower()
    assert "3,649 participants enrolled" in sections(items["NCT01101438"])["DESIGN"]


def test_posted_results_are_stated_with_the_values_of_each_group() -> None:
    text = sections(hit_of({**study(), "resultsSection": RESULTS}))
    assert text["RESULTS"] == (
        "Response (Week 12): Placebo 11.4 percentage of participants; Zorvimab 47.8 (40.1 to 55.3) percentage of "
        "participants; Odds Ratio (OR) 7.4, 95% CI 4.1 to 13.4, P<0.001; P=0.03."
    )
    assert text["ADVERSE EVENTS"] == "Serious adverse events: Placebo 4 of 158; Zorvimab 8 of 159."


def test_deaths_come_before_other_harms_of_each_group() -> None:
    group = {"title": "Zorvimab", "deathsNumAffected": 3, "deathsNumAtRisk": 159}
    counted = {**group, "seriousNumAffected": 8, "seriousNumAtRisk": 159}
    text = sections(hit_of({**study(), "resultsSection": {"adverseEventsModule": {"eventGroups": [counted]}}}))
    assert text["ADVERSE EVENTS"].split("\n\n") == [
        "Deaths from any cause: Zorvimab 3 of 159.",
        "Serious adverse events: Zorvimab 8 of 159.",
    ]


def test_who_is_masked_and_when_results_were_posted_are_stated() -> None:
    design = {"designInfo": {"maskingInfo": {"masking": "DOUBLE", "whoMasked": ["PARTICIPANT", "CARE_PROVIDER"]}}}
    state = {"resultsFirstPostDateStruct": {"date": "2020-09-25", "type": "ACTUAL"}}
    text = sections(hit_of(study(designModule=design, statusModule=state)))
    assert "masking: double (participant, care provider)" in text["DESIGN"]
    assert text["STATUS"] == "Results first posted 2020-09-25."


def test_who_started_and_completed_a_study_and_why_others_left_is_stated_by_group() -> None:
    groups = [{"id": "FG0", "title": "Placebo"}, {"id": "FG1", "title": "Zorvimab"}]
    started, left = ([{"groupId": "FG0", "numSubjects": a}, {"groupId": "FG1", "numSubjects": b}]
                     for a, b in (("9", "8"), ("0", "1")))  # fmt: skip
    period = {
        "title": "Overall Study",
        "milestones": [{"type": "STARTED", "achievements": started}],
        "dropWithdraws": [{"type": "Adverse Event", "reasons": left}],
    }
    flow = {"participantFlowModule": {"groups": groups, "periods": [period]}}
    (found,) = (one for one in hit_of({**study(), "resultsSection": flow}).sections if one.label == "PARTICIPANT FLOW")
    assert found.text == (
        "Overall Study: started Placebo 9, Zorvimab 8; left for: adverse event Placebo 0, Zorvimab 1."
    )
    assert found.kind is SectionKind.METHODS


def test_deaths_are_stated_where_they_are_no_primary_outcome() -> None:
    outcome = {
        "type": "SECONDARY", "title": "Mortality", "timeFrame": "Day 29", "groups": [{"id": "OG0", "title": "Placebo"}],
        "classes": [{"categories": [{"measurements": [{"groupId": "OG0", "value": "0.15"}]}]}],
    }  # fmt: skip
    other = {**outcome, "title": "Weight"}
    results = {"resultsSection": {"outcomeMeasuresModule": {"outcomeMeasures": [outcome, other]}}}
    assert sections(hit_of({**study(), **results}))["RESULTS"] == "Mortality (Day 29): Placebo 0.15."


@pytest.mark.parametrize(
    ("statistic", "dispersion", "value", "shown"),
    [
        ("MEDIAN", "95% Confidence Interval", {"lowerLimit": "9", "upperLimit": "11"}, "median 10 (95% CI 9 to 11)"),
        ("MEAN", "Standard Deviation", {"spread": "4.1"}, "mean 10 (SD 4.1)"),
        ("LEAST_SQUARES_MEAN", "", {"spread": "4.1"}, "least squares mean 10 (± 4.1)"),
        ("NUMBER", "", {}, "10"),
    ],
)
def test_a_posted_value_says_which_statistic_it_is_and_which_spread(
    statistic: str, dispersion: str, value: dict[str, str], shown: str
) -> None:
    measure = {
        "type": "PRIMARY", "title": "Time to recovery", "paramType": statistic, "dispersionType": dispersion,
        "unitOfMeasure": "Days",
        "groups": [{"id": "OG000", "title": "Zorvimab"}],
        "classes": [{"categories": [{"measurements": [{"groupId": "OG000", "value": "10", **value}]}]}],
    }  # fmt: skip
    posted = {"outcomeMeasuresModule": {"outcomeMeasures": [measure]}}
    assert sections(hit_of({**study(), "resultsSection": posted}))["RESULTS"] == (
        f"Time to recovery: Zorvimab {shown} Days."
    )


def test_who_may_take_part_is_separate_from_the_results() -> None:
    module = {"sex": "ALL", "minimumAge": "18 Years", "eligibilityCriteria": "Inclusion:\n\n* Score \\>= 2\n  * Adult"}
    (found,) = [part for part in hit_of(study(eligibilityModule=module)).sections if part.label == "ELIGIBILITY"]
    assert (found.kind, found.text.split("\n\n")) == (
        SectionKind.METHODS,
        ["Eligible: all sexes from 18 years.", "Inclusion:", "Score >= 2", "Adult"],
    )


def test_a_study_without_results_says_so_only_where_its_record_does() -> None:
    assert sections(hit_of({**study(), "hasResults": False}))["STATUS"].endswith("Results: not posted.")
    assert "not posted" not in hit_of(study()).text


@pytest.mark.parametrize(
    ("phases", "expected"),
    [(["PHASE3"], "Phase 3"), (["EARLY_PHASE1"], "Early Phase 1"), (["NA"], None), (None, None), ("PHASE3", "Phase 3")],
)
def test_the_phase_is_written_for_readers(phases: object, expected: str | None) -> None:
    assert hit_of(study(designModule={"studyType": "OBSERVATIONAL", "phases": phases})).facts.phase == expected


def test_an_official_title_stands_in_for_a_missing_brief_one() -> None:
    names = {"nctId": "nct09990001", "officialTitle": "The Official One"}
    assert hit_of(study(identificationModule=names)).title == "The Official One"


def test_a_search_answer_an_array_and_json_lines_give_their_studies() -> None:
    other = study(identificationModule={"nctId": "NCT09990002", "briefTitle": "Second"})
    pretty = json.dumps({"totalCount": 2, "studies": [study(), other], "nextPageToken": "x"}, indent=2).encode()
    compact = json.dumps({"studies": [study(), other]}).encode()
    lines = json.dumps(study()).encode() + b"\n" + json.dumps(other).encode() + b"\n"
    for content in (pretty, compact, lines, json.dumps([study(), other], indent=1).encode()):
        assert [hit.external_id for hit in read(content) if isinstance(hit, Hit)] == ["NCT09990001", "NCT09990002"]


def test_an_empty_answer_holds_nothing_and_is_no_error() -> None:
    assert read({"studies": []}) == []


def test_a_broken_line_costs_one_study() -> None:
    lines = json.dumps(study()).encode() + b'\n{"protocolSection": \n' + json.dumps(study()).encode()
    first, broken, last = read(lines)
    assert isinstance(first, Hit) and isinstance(last, Hit)
    assert isinstance(broken, RecordError) and broken.position == "line 2"


def test_a_text_that_ends_early_keeps_the_studies_before() -> None:
    text = json.dumps({"studies": [study(), study()]}, indent=1).encode()
    first, error = read(text[: len(text) - 900])
    assert isinstance(first, Hit)
    assert isinstance(error, RecordError) and error.position == "record 2"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"FullStudiesResponse": {"FullStudies": []}}, "old API shape"),
        (b"Unknown query parameter: filter.phase", "not JSON"),
        ({"studies": [{"protocolSection": {}}]}, "no protocolSection with an NCT number"),
        ({"studies": ["x"]}, "not a JSON object"),
        (study(identificationModule={"nctId": "NCT09990001"}), "NCT09990001 has no title"),
    ],
)
def test_what_is_no_study_is_an_error_that_says_so(content: object, message: str) -> None:
    (error,) = read(content)
    assert isinstance(error, RecordError)
    assert message in error.message
