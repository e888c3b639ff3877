"""How a report is wanted, read from the words of its request."""

from __future__ import annotations

import pytest

from storm.extractive.preferences_reader import read_preferences
from storm.models import ReportPreferences

NONE_GIVEN = ReportPreferences()


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Is metformin safe? Explain for a lay reader.", "audience", "lay reader"),
        ("Is metformin safe? Written for the general public", "audience", "general public"),
        ("Explain how it works to a 10-year-old", "audience", "10-year-old"),
        ("Summarise the harms in plain language", "audience", "plain language"),
        ("What is known of X, in two pages?", "length", "two pages"),
        ("A 500-word summary of X", "length", "500-word"),
        ("Write a detailed report on X", "length", "detailed"),
        ("What is known of X, in brief?", "length", "in brief"),
        ("What is known of X, in a neutral tone", "tone", "neutral"),
        ("Harms of X as bullet points", "format", "bullet points"),
        ("What is known of X, in six pages?", "length", "six pages"),
        ("What is known of X, in two paragraphs?", "length", "two paragraphs"),
        ("What is known of X, in 5 sentences?", "length", "5 sentences"),
    ],
)
def test_a_preference_is_read_and_leaves_the_question(text: str, field: str, value: str) -> None:
    read = read_preferences(text, NONE_GIVEN)
    assert getattr(read.preferences, field) == value
    assert value not in read.rest


def test_a_form_that_there_is_not_is_no_preference() -> None:
    assert read_preferences("Compare A and B in a table", NONE_GIVEN).preferences == NONE_GIVEN


@pytest.mark.parametrize(
    "text",
    [
        "Is trastuzumab safe for patients with heart failure?",
        "Does it work for doctors?",
        "What harm does it do to children?",
        "How many tablets are taken in a week?",
        "Does it improve the quality of life?",
        "Is a short course as good?",
        "二甲双胍安全吗？",
    ],
)
def test_words_of_the_question_are_no_preferences(text: str) -> None:
    assert read_preferences(text, NONE_GIVEN) == (NONE_GIVEN, text)


def test_the_sections_end_where_the_next_wish_begins() -> None:
    read = read_preferences("Is it safe? With sections on harms, costs & open questions, in two pages.", NONE_GIVEN)
    assert read.preferences.sections == ("harms", "costs", "open questions")
    assert read.preferences.length == "two pages"
    assert "costs" not in read.rest


def test_given_preferences_win() -> None:
    given = ReportPreferences(audience="regulators", sections=("Safety",))
    read = read_preferences("Is it safe? For a lay reader, in two pages, with sections on cost", given)
    assert read.preferences == ReportPreferences(audience="regulators", length="two pages", sections=("Safety",))
