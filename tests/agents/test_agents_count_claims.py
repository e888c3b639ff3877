"""Sentences on counts and scores: every number is the one that was counted, and nothing else is claimed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.agents.count_claims import Counts, Tally, as_tokens, find_count_fault

TALLY = Tally(
    hypotheses=Counts(as_tokens(3), as_tokens(2), as_tokens(1), as_tokens(0), as_tokens(0)),
    sources=Counts(as_tokens(6), as_tokens(4, 1), as_tokens(2)),
    statements=Counts(as_tokens(7), as_tokens(5), as_tokens(2)),
    scores={"mechanism": as_tokens(6.5), "clinical": as_tokens(4), "confidence": as_tokens(0.6)},
    names=("zorvimab", "type 2 diabetes", "women"),
)


@pytest.mark.parametrize(
    "text",
    [
        "Of 3 hypotheses on zorvimab for type 2 diabetes, 2 are supported and 1 is contradicted.",
        "Two of three hypotheses are supported.",
        "The mechanism score is 6.5 of 10, and the clinical score is 4 of 10.",
        "Confidence is 0.6.",
        "3 hypotheses were tested: 2 are supported, 1 is contradicted, and none is mixed.",
        "4 sources support a hypothesis, two contradict one.",
        "There are 7 statements: 5 support the hypotheses and 2 are against them.",
        "5 statements support it.",
        "None is mixed.",
        "No hypothesis is untested.",
    ],
)
def test_a_sentence_whose_numbers_were_counted_has_no_fault(text: str) -> None:
    assert find_count_fault(text, TALLY) == ""


@pytest.mark.parametrize(
    "text",
    [
        "3 hypotheses are supported.",
        "2 of 4 hypotheses are supported.",
        "The clinical score is 6.5 of 10.",
        "The mechanism score is 6.5 of 100.",
        "Confidence is 6.5.",
        "No source contradicts it.",
        "6 sources support it.",
        "Two hypotheses are supported by 4 sources.",
        "2 hypotheses are supported and contradicted.",
        "The evidence supports zorvimab: 3 hypotheses were tested.",
        "Zorvimab is supported.",
        "It is 2.",
        "Zorvimab cures type 2 diabetes.",
        "2 hypotheses are supported in women.",
        "2 women are supported.",
        "4 sources support zorvimab.",
        "4 sources are supported.",
        "2 hypotheses support it.",
        "3 hypotheses on @ were tested.",
        "5 clinical statements support it.",
        "Confidence is 0.6 of 10.",
        "Zorvimab has improved survival in type 2 diabetes, and 3 hypotheses were tested.",
        "It is the drug for type 2 diabetes; the clinical score is 4 of 10.",
        "Zorvimab is needed for all women with type 2 diabetes.",
        "Larger trials of zorvimab are missing.",
        "Take zorvimab: 3 hypotheses were tested.",
        "3 hypotheses were tested, as zorvimab has been.",
        "",
        "3 hypotheses. " * 99,
    ],
)
def test_a_sentence_that_says_anything_else_has_one(text: str) -> None:
    assert find_count_fault(text, TALLY)


@given(total=st.integers(0, 30), supported=st.integers(0, 30), said=st.integers(0, 30))
def test_only_the_number_that_was_counted_can_be_said(total: int, supported: int, said: int) -> None:
    tally = TALLY._replace(hypotheses=Counts(as_tokens(total), as_tokens(supported)))
    text = f"Of {total} hypotheses, {said} are supported."
    assert (find_count_fault(text, tally) == "") is (said == supported)


def test_the_kind_that_is_counted_is_that_of_the_statements() -> None:
    tally = TALLY._replace(kind="clinical")
    assert find_count_fault("5 clinical statements support a hypothesis.", tally) == ""
    assert find_count_fault("5 mechanistic statements support a hypothesis.", tally)
