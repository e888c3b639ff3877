"""What was asked for is stored in the fields that it has always had, and read back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storm.errors import UsageError
from storm.models import (
    JobLimits,
    JobRequest,
    Place,
    ReportPreferences,
    RequestKind,
    ResearchSettings,
    RunSettings,
    Scope,
    Syllabus,
)
from storm.store.requests import request_from_json, request_to_json

BEGUN_BEFORE = Path(__file__).parents[1] / "modes/jobs_begun_before/model-failed.json"


def stored_before() -> str:
    """A request as version 0.1.0 stored it."""
    keys = json.loads(BEGUN_BEFORE.read_text(encoding="utf-8"))["keys"]
    return str(next(key["value"]["request"] for name, key in keys.items() if name.endswith(":metadata")))


def test_every_field_that_was_stored_before_is_stored_still(syllabus: Syllabus) -> None:
    before, now = json.loads(stored_before()), json.loads(request_to_json(JobRequest(text="x", syllabus=syllabus)))
    assert before.keys() <= now.keys()
    assert {name: type(now[name]) for name in before} == {name: type(value) for name, value in before.items()}


def test_a_request_of_before_is_parted_into_what_was_asked_and_where_it_searches() -> None:
    request, scope = request_from_json(stored_before())
    assert (request.kind, request.text, request.offline) == (RequestKind.DRUG, "zorvimab", True)
    assert request.settings == RunSettings(mode="broad", model="openai/house-model")
    assert scope == Scope(place=Place.CORPUS)


def test_a_request_is_read_back_as_it_was(syllabus: Syllabus) -> None:
    research = ResearchSettings(max_iterations=1)
    settings = RunSettings(mode="broad", limits=JobLimits(calls=7), unsupported="mark", research=research)
    wishes = ReportPreferences(audience="regulators", length="two pages", sections=("Risks", "Benefits"))
    text = "Does trastuzumab\nprolong survival? " * 20
    asked = JobRequest(kind=RequestKind.QUESTION, text=text, settings=settings, preferences=wishes, also=("Herceptin",))
    for request in (asked, JobRequest(text="x", syllabus=syllabus, databases=("pubmed",), out="/tmp/x")):
        assert request_from_json(request_to_json(request)) == (request, None)


def test_rounds_were_the_only_setting_of_research_before_it_had_several() -> None:
    stored = json.loads(request_to_json(JobRequest(text="zorvimab")))
    del stored["research"]
    request, _ = request_from_json(json.dumps({**stored, "rounds": 1}))
    assert request.settings.research == ResearchSettings(max_iterations=1)


def test_a_question_may_be_long_and_is_listed_on_one_short_line() -> None:
    request = JobRequest(kind=RequestKind.TOPIC, text="HER2\nand\tthe heart " * 50)
    assert len(request.text) > 200 and "\n" in request.text
    assert len(request.subject) == 200 and request.subject.startswith("HER2 and the heart HER2")


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (RequestKind.DRUG, "x" * 201, "the drug name has 201 characters"),
        (RequestKind.DRUG, "two\nlines", "the drug name contains control characters"),
        (RequestKind.QUESTION, "x" * 20_001, "the question has 20,001 characters"),
        (RequestKind.QUESTION, " ?", "the question has no letter or digit"),
        (RequestKind.TOPIC, "", "the topic is empty"),
        (RequestKind.TOPIC, "a\x1b[31m", "the topic contains control characters"),
    ],
)
def test_a_text_that_cannot_be_asked_is_refused_by_its_kind(kind: RequestKind, text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        JobRequest(kind=kind, text=text)
