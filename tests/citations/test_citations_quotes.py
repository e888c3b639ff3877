"""Whether a quote stands word for word in a text."""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from steps import count_steps

from storm.citations import quotes
from storm.citations.quotes import (
    _normalize_with_offsets,
    count_words,
    find_quote,
    is_quote_verified,
    locate_quote,
    normalize_text,
)
from storm.models import Cell, Hit, Section, SectionKind, Span, TableRow


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("median survival  was\n25.1 months", "The median survival was 25.1 months."),
        ("MEDIAN survival", "Median Survival rose"),
        ("12-15 months", "for 12–15 months"),
        ("“so-called” cells", 'the "so‑called" cells'),
        ("patient's", "the patient’s own"),
        ("naïve", "nai\u0308ve patients"),
        ("10^9 cells", "about 10⁹ cells"),
        ("10⁹ cells", "about 10^9 cells"),
        ("10^-9 M", "at 10⁻⁹ M"),
        ("H2O and HbA1c", "in H₂O and HbA₁c"),
        ("fluoride", "\ufb02uoride"),
        ("non breaking", "a non\u00a0breaking space"),
        ("hyphenated", "a hyphen\u00adated word"),
        ("5 µg", "of 5 μg"),
        ("(P<0.001).", "longer (P<0.001)."),
        ("survival", "overall survival."),
    ],
)
def test_white_space_unicode_dashes_quotation_marks_and_case_do_not_count(quote: str, text: str) -> None:
    assert find_quote(quote, text) is not None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("109 cells", "10⁹ cells"),
        ("improved survival", "improved the survival"),
        ("0.66", "0·66"),
        ("a b", "a. b"),
        ("tumor", "tumour"),
        ("", "anything"),
        ("  ", "any thing"),
        ("...", "to be continued..."),
        ("text", ""),
    ],
)
def test_any_other_difference_counts(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("significant difference", "a nonsignificant difference"),
        ("significant difference", "a non-significant difference"),
        ("trial show", "the trial showed"),
        ("5 months", "of 25 months"),
        ("5 months", "of 2.5 months"),
        ("5%", "of .5% and"),
        ("rose by 2", "rose by 2.5"),
        ("rose by 2", "rose by 2,500"),
        ("in 10", "in 10⁹"),
        ("9 cells", "10⁹ cells"),
        ("15 months", "12–15 months"),
        ("0.5 points", "by −0.5 points"),
        ("progression", "progression-free"),
        ("naïv", "naïve"),
    ],
)
def test_a_quote_that_starts_or_ends_inside_a_word_or_number_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


def test_a_later_place_is_taken_where_the_first_is_inside_a_word() -> None:
    span = find_quote("art", "The party of art")
    assert span is not None
    assert span == (13, 16, "art")


def test_the_place_found_gives_back_the_original_words() -> None:
    text = "Abc – “HbA₁c\n fell” by 10⁹ nai\u0308ve…"
    for quote, words in [
        ('"hba1c fell"', "“HbA₁c\n fell”"), ("10^9 NAÏVE...", "10⁹ nai\u0308ve…"), ("abc -", "Abc –"),
    ]:  # fmt: skip
        span = find_quote(quote, text)
        assert span is not None
        assert text[span.start : span.end] == span.text == words


ROWS = tuple(TableRow(heading=name, cells=(Cell(column="A", text="5"), Cell(text="6"))) for name in ("Pain", "Sleep"))
RECORD = Hit.of(
    "pubmed", "1", "https://example.org/1", "Zorvimab in stroke",
    sections=(
        Section(label="RESULTS", text="It rose. It fell.", kind=SectionKind.ABSTRACT),
        Section(label="Discussion: Limits", text="It helps."),
        Section.of_rows(ROWS, "Results", "Table 2"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("quote", "section"),
    [
        ("it rose. It fell", "Abstract: RESULTS"),
        ("It helps.", "Discussion: Limits"),
        ("Sleep: A: 5", "Table 2"),
        ("A: 5; 6", "Table 2"),
        ("zorvimab in stroke", "Title"),
    ],
)
def test_a_quote_is_found_with_the_part_in_which_it_stands(quote: str, section: str) -> None:
    place = locate_quote(quote, RECORD)
    assert place is not None
    assert (normalize_text(place.text), place.section) == (normalize_text(quote), section)
    assert is_quote_verified(quote, RECORD)


@pytest.mark.parametrize("quote", ["It fell. It helps.", "Zorvimab in stroke It rose.", "5; 6 Sleep: A", "It went."])
def test_no_quote_goes_across_title_sections_or_rows(quote: str) -> None:
    assert locate_quote(quote, RECORD) is None
    assert not is_quote_verified(quote, RECORD)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Response rose to 22%", 4),
        ("  ", 0),
        ("生存期間中央値は25.1か月", 6),
        ("การรักษาด้วยยา", 7),
        ("zorvimab は有効", 2),
    ],
)
def test_words_are_counted_in_scripts_without_blanks_too(text: str, words: int) -> None:
    assert count_words(text) == words


def test_a_quote_may_end_anywhere_in_a_script_without_blanks_but_not_in_a_number() -> None:
    text = "無作為化試験において、生存期間中央値は25.1か月であった。"
    assert find_quote("生存期間中央値は25.1か月", text) is not None
    assert find_quote("生存期間中央値は25", text) is None


def test_a_text_is_normalised_once_for_all_quotes_and_twice_the_text_is_twice_the_work() -> None:
    def first_and_later(sentences: int) -> tuple[int, int]:
        text = "Overall survival was 25½ months – “longer”. " * sentences
        assert all(find_quote(f"months - {n}", text) is None for n in range(2))  # the quotes are normalised before
        _normalize_with_offsets.cache_clear()
        first, *later = [count_steps(lambda n=n: find_quote(f"months - {n}", text)) for n in range(5)]
        return first, max(later)

    (short, after_short), (long, after_long) = first_and_later(500), first_and_later(1_000)
    assert long <= 2 * short
    assert after_long == after_short < short / 100


@given(st.text(max_size=80))
@example("¨ ́ a")
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalize_text(normalize_text(text)) == normalize_text(text)


WORDS = st.lists(st.sampled_from(["Survival", "was", "25.1", "10⁹", "naïve", "(P<0.001)", "“x”", "a–b"]), min_size=1)


@given(WORDS, WORDS, WORDS)
def test_whole_words_of_a_text_are_found_again(before: list[str], words: list[str], after: list[str]) -> None:
    text = " ".join([*before, *words, *after])
    span = find_quote(" ".join(words), text)
    assert span is not None
    assert text[span.start : span.end] == span.text
    assert normalize_text(span.text) == normalize_text(" ".join(words))


_CHARACTERS = "aB1² .,-–'\u0301\u00ad\u2009\n一%"


@given(st.text(_CHARACTERS, max_size=12), st.text(_CHARACTERS, max_size=4), st.text(_CHARACTERS, max_size=12))
def test_a_quote_to_the_letter_is_verified_where_it_is_found(before: str, quote: str, after: str) -> None:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A title", sections=(Section(text=before + quote + after),))
    assert is_quote_verified(quote, hit) == any(find_quote(quote, text) for text in (hit.text, hit.title))


@pytest.mark.slow
def test_what_is_read_in_runs_has_the_form_that_each_character_has_by_itself() -> None:
    simple = [char for char in map(chr, range(sys.maxunicode + 1)) if re.fullmatch(quotes.SIMPLE, char)]
    assert len(simple) > 27_000
    for char in simple:
        alone = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
        assert normalize_text(f"x{char}x")[1:-1] == quotes._MARKS.get(char, alone)


class _Sliced(str):
    """A text that knows the longest piece that was copied from it."""

    longest = 0

    def __getitem__(self, at: Any) -> str:
        piece = super().__getitem__(at)
        self.longest = max(self.longest, len(piece))
        return piece


def test_the_characters_beside_a_cut_decide_whether_it_goes_through_a_word() -> None:
    text = _Sliced("a" * 1000)
    assert quotes._cuts_word(text, 500)
    assert text.longest <= 2


def test_a_quote_that_begins_anywhere_in_one_long_word_is_looked_for_once() -> None:
    def steps(letters: int) -> int:
        assert find_quote("a" * 20, "a" * letters) is None
        return count_steps(lambda: find_quote("a" * 20, "a" * letters))

    assert steps(2_000) <= steps(1_000)
    assert find_quote("aa", "aaa aa") == Span(4, 6, "aa")
    assert find_quote("x", "ax 一x") == Span(4, 5, "x")
