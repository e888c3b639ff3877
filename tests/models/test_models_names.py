"""How names are read: what stands in folded text are the same words that the index is given."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.models.names import fold_text, is_odd, phrases_of, split_words


@given(st.text() | st.text(alphabet="aA1é\u0301ßΣς\u2011\u13a0\uab70İ½™®¹²_- \n"))
def test_the_words_of_folded_text_are_the_tokens_of_the_text(text: str) -> None:
    assert re.findall(r"[^\W_]+", fold_text(text)) == split_words(text)


def test_folding_keeps_what_stands_between_the_words() -> None:
    assert fold_text("[¹⁷⁷Lu]Lu\u2011PSMA\u2013617 (Métformine)") == "[177lu]lu-psma-617 (metformine)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Herceptin™ (trastuzumab)", ["herceptin", "trastuzumab"]),
        ("Herceptin®", ["herceptin"]),
        ("Herceptin℠Ⓡ", ["herceptin"]),
        ("Herceptin²", ["herceptin", "2"]),
        ("Herceptin¹⁰,¹¹", ["herceptin", "10", "11"]),
        ("¹⁷⁷Lu-PSMA", ["177lu", "psma"]),
        ("10⁹/L of H₂O", ["10", "9", "l", "of", "h2o"]),
    ],
)
def test_a_mark_or_a_raised_number_after_a_word_is_no_part_of_it(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_a_raised_number_after_a_word_is_written_as_in_texts_read_from_markup() -> None:
    assert fold_text("10⁹ cells/m²") == "10^9 cells/m^2"


def test_names_of_the_same_words_are_one_phrase_and_those_without_a_word_are_none() -> None:
    assert phrases_of(("5-FU", "5\u2011fu", '"', "Herceptin")) == [("5", "fu"), ("herceptin",)]


@pytest.mark.parametrize(
    ("name", "odd"), [("AND", True), ("trastuzumab OR", True), ("a:b", True), ("5-FU", False), ("IL-2", False)]
)
def test_a_name_is_odd_if_it_reads_like_grammar(name: str, odd: bool) -> None:
    assert is_odd(phrases_of([name])[0]) is odd
