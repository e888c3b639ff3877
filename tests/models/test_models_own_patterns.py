"""Patterns of a user's own syllabus."""

from __future__ import annotations

import pytest

from storm.errors import SyllabusError
from storm.models import Hit, Question, Rule, Syllabus
from storm.models.own_patterns import OwnPattern
from storm.ranking import count_cues, rank_sentences
from storm.syllabus import assign

PLACE = "mine.yaml, line 7, questions[0].rules[0].pattern"
ENDLESS = "a" * 1000 + "!"


def question(pattern: str) -> Question:
    return Question(
        key="a", label="A", description="A", min_sources=1, rules=(Rule(pattern=pattern, where="text"),),
        cues=(pattern,), places={pattern: PLACE},
    )  # fmt: skip


def test_a_match_that_takes_too_long_is_an_error_that_names_rule_file_and_line() -> None:
    with pytest.raises(SyllabusError) as caught:
        OwnPattern("(a+)+$", PLACE).search(ENDLESS, seconds=0.01)
    assert caught.value.message == f"{PLACE}: '(a+)+$' takes too long: more than 0.01 s for 1,001 characters"
    assert caught.value.exit_code == 2


def test_rules_and_cues_of_a_users_own_are_matched_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnPattern.search, "__kwdefaults__", {"seconds": 0.01})
    own = question("(a+)+$")
    syllabus = Syllabus(name="mine", questions=(own,))
    with pytest.raises(SyllabusError, match=r"mine.yaml, line 7"):
        assign(Hit.of("pubmed", "1", "https://example.org/1", "A title", text=ENDLESS), syllabus)
    with pytest.raises(SyllabusError, match=r"mine.yaml, line 7"):
        rank_sentences([ENDLESS], ["a"], (), own.cues, own.places)


def test_they_find_what_bundled_ones_find_whatever_the_case() -> None:
    own = question(r"Overall\s+survival")
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A title", text="Median OVERALL survival rose.")
    for places in (own.places, {}):
        syllabus = Syllabus(name="mine", questions=(own.model_copy(update={"places": places}),))
        assert [found.question for found in assign(hit, syllabus)] == ["a"]
        assert count_cues(hit.text, own.cues, places) == 1


def test_what_is_no_pattern_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="min repeat"):
        OwnPattern("a{2,1}", PLACE)
