"""Patterns that are taken apart: what is looked up by words, and what is searched for."""

from __future__ import annotations

import pytest

from storm.patterns.alternatives import SplitPattern, take_apart


@pytest.mark.parametrize("pattern", ["patent", r"\bbinds?\b", "licen[cs](e|ed|ing)", r"\bIPR20", "(?:grade|stage)s?"])
def test_what_stands_within_a_word_is_looked_up(pattern: str) -> None:
    assert take_apart(pattern) == SplitPattern(words=pattern, phrases="", hints="")


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("in vitro", "vitro"),
        ("patients (were|received)", "patients"),
        (r"\bcell lines?", "lines?"),
        (r"(?<!open[- ])\blabel(l?ing)?\b", r"\blabel(l?ing)?\b"),
        ("resistance(?! training)", "resistance"),
        (r"\b([a-z]*mab)\b.*\b(?!\1\b)[a-z]*nib", r"\b[a-z]*nib"),
    ],
)
def test_any_other_alternative_is_searched_for_only_where_a_word_of_it_stands(pattern: str, hint: str) -> None:
    assert take_apart(pattern) == SplitPattern(words="", phrases=pattern, hints=hint)


def test_alternatives_are_split_at_the_bars_outside_of_groups() -> None:
    assert take_apart(r"a(b|c)|in vivo|[|]|d\|e") == SplitPattern("a(b|c)", r"in vivo|[|]|d\|e", None)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{1,2},\d", "≥", r"\W", "a*", "x?y?",  # nothing that a word must hold
        "(?i)a|b", "(?P<name>a)|b", r"(a)|(b)\2", "(?i:a)", "(?:foo){e<=1}", "a{}",  # depends on the rest, or unknown
    ],
)  # fmt: skip
def test_a_pattern_that_is_not_understood_is_one_phrase_without_a_hint(pattern: str) -> None:
    assert take_apart(pattern) == SplitPattern("", pattern, None)
