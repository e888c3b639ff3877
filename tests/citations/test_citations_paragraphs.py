"""The paragraph around a quote: whole, or cut at the ends of sentences, with the quote unchanged in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations import find_quote
from storm.citations.paragraphs import LIMIT, cut_paragraph
from storm.models import Span

QUOTE = "Survival was longer (HR 0.66)."


def cut(text: str, quote: str = QUOTE) -> str:
    span = find_quote(quote, text)
    assert span
    return cut_paragraph(text, span)


def test_a_short_paragraph_is_whole_and_without_its_neighbours() -> None:
    assert cut(f"One before.\n\nFirst. {QUOTE} Last.\n\nOne after.") == f"First. {QUOTE} Last."


def test_a_row_of_a_table_stands_alone() -> None:
    assert cut("Deaths: 12 of 40\n\nRelapses: 3 of 40", "12 of 40") == "Deaths: 12 of 40"


def test_a_quote_over_two_paragraphs_brings_both() -> None:
    text = "A first one.\n\nA second one."
    assert cut_paragraph(text, Span(2, 22, text[2:22])) == text


@pytest.mark.parametrize("before", [0, 1, 40])
@pytest.mark.parametrize("after", [0, 1, 40])
def test_a_long_paragraph_is_cut_where_sentences_end(before: int, after: int) -> None:
    sentence = "This sentence has some fifty letters of the text. "
    shown = cut(f"{sentence * before}{QUOTE} {sentence * after}".strip())
    assert QUOTE in shown
    assert len(shown) <= LIMIT + len("… ") + len(" …")
    inner = shown.removeprefix("… ").removesuffix(" …")
    assert inner.startswith(("This sentence", QUOTE)) and inner.endswith(".")
    assert shown.startswith("… ") is (before == 40)
    assert shown.endswith(" …") is (after == 40)


def test_a_quote_longer_than_the_limit_is_shown_whole() -> None:
    quote = "word " * 400 + "end"
    assert cut(f"Before. {quote} After.", quote) == f"… {quote} …"


@given(st.text(max_size=3_000), st.text(min_size=1, max_size=50), st.text(max_size=3_000))
def test_the_quote_always_stands_in_it_unchanged(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    assert quote.strip() in cut_paragraph(text, Span(len(before), len(before) + len(quote), quote))
