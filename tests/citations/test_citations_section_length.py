"""How long a section may be, by the length that the reader wants."""

from __future__ import annotations

import pytest

from storm.citations.section_length import is_length, limit_section
from storm.extractive.preferences_reader import read_preferences
from storm.models import Outline, OutlinePart, Plan, Question, ReportPreferences, ResearchPlan, Syllabus

PARTS = tuple(OutlinePart(anchor=key, heading=key, questions=(key,)) for key in ("a", "b"))
QUESTIONS = tuple(Question(key=key, label=key, description=key, min_sources=1) for key in ("a", "b"))


def limit(length: str) -> int | None:
    research = ResearchPlan(preferences=ReportPreferences(length=length))
    plan = Plan(names=("x",), syllabus=Syllabus(name="s", questions=QUESTIONS), research=research)
    return limit_section(plan, Outline(parts=PARTS))


@pytest.mark.parametrize(
    ("length", "most"),
    [
        ("one page", 6),
        ("six pages", 36),
        ("12 pages", 72),
        ("1.5 pages", 9),
        ("two paragraphs", 4),
        ("10 sentences", 5),
        ("nine lines", 2),
        ("700 words", 10),
        ("1,400 words", 20),
        ("brief", 4),
        ("one-page", 6),
    ],
)
def test_numbers_and_units_of_a_length_limit_each_section(length: str, most: int) -> None:
    assert limit(length) == most and is_length(length)


@pytest.mark.parametrize("length", ["", "exhaustive", "someone pages", "phone-page", "in detail"])
def test_a_length_that_is_none_limits_nothing(length: str) -> None:
    assert limit(length) is None and not is_length(length)


@pytest.mark.parametrize("number", ["a", "half a", "six", "seven", "10"])
@pytest.mark.parametrize("unit", ["page", "paragraphs", "sentences", "words", "lines"])
def test_every_amount_that_a_request_states_has_an_effect(number: str, unit: str) -> None:
    wanted = read_preferences(f"What is known of X, in {number} {unit}?", ReportPreferences()).preferences
    assert wanted.length == f"{number} {unit}" and is_length(wanted.length)
