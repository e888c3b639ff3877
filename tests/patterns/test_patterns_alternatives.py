"""Patterns that are taken apart: what is looked up by words, and what is searched for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.patterns.alternatives import SplitPattern, compile_alternatives, take_apart


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


@pytest.mark.parametrize(
    ("pattern", "compiled"),
    [
        (r"\bone|\btwo (a|b)|^three", r"\b(?:one|two (a|b))|^three"),
        (r"one|\btwo|three", r"one|\btwo|three"),
        (r"[|]|\b(?:a|\bb)|\bc|\bd", r"[|]|\b(?:(?:a|\bb)|c|d)"),
    ],
)
def test_neighbouring_alternatives_share_the_edge_of_a_word(pattern: str, compiled: str) -> None:
    assert compile_alternatives(pattern).pattern == compiled


@given(st.text(alphabet="ab -", max_size=12), st.lists(st.sampled_from([r"\ba", r"\bab\b", "b", r"\b(a|-)b", "^a"])))
def test_a_pattern_with_a_shared_edge_matches_the_same(text: str, alternatives: list[str]) -> None:
    pattern = "|".join(alternatives)
    found, expected = compile_alternatives(pattern).search(text), re.search(pattern, text)
    assert (found and (found.span(), found.groups())) == (expected and (expected.span(), expected.groups()))
