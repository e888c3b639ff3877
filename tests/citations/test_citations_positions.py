"""Where words and brackets stand among the terms of a text."""

from __future__ import annotations

from storm.citations.positions import bracket_depths, find_after_last, find_next, outside_brackets, word_at
from storm.citations.terms import read_terms

TERMS = read_terms("rash (mild; brief) and fever, but rash) later")
WORDS = [term.word for term in TERMS]


def test_outside_of_the_text_stands_no_word() -> None:
    assert [word_at(TERMS, at) for at in (-1, 0, len(TERMS))] == ["", "rash", ""]


def test_the_next_of_some_words_is_the_first_from_the_start_on_or_the_end_of_the_text() -> None:
    assert find_next(TERMS, ("rash",), 0) == 0
    assert find_next(TERMS, ("but", "fever"), 1) == WORDS.index("fever")
    assert find_next(TERMS, ("fever",), WORDS.index("but")) == len(TERMS)


def test_the_place_after_the_last_of_some_words_is_before_the_end_or_the_beginning_of_the_text() -> None:
    assert find_after_last(TERMS, ("rash",), len(TERMS)) == len(TERMS) - 2
    assert find_after_last(TERMS, ("rash",), 2) == 1
    assert find_after_last(TERMS, ("fever",), WORDS.index("fever")) == 0


def test_brackets_are_left_out_whole_and_one_that_was_not_opened_is_ignored() -> None:
    assert [term.word for term in outside_brackets(TERMS)] == ["rash", "and", "fever", ",", "but", "rash", ")", "later"]
    assert max(bracket_depths(TERMS)) == 1
    assert bracket_depths(TERMS)[-1] == 0
