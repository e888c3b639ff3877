"""Numbers of a statement and of its quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.numbers import numbers, unsupported_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HR .66, 0·66 and 0.660", ("0.66", "0.66", "0.66")),
        ("1,234 of 12,345,678", ("1234", "12345678")),
        ("grades 3,4", ("3", "4")),
        ("61% and 61 percent and 61 per cent", ("61%", "61%", "61%")),
        ("5 percentage points", ("5",)),
        ("22 and 17%", ("22%", "17%")),
        ("10-20% or 12 to 15 %", ("10%", "20%", "12%", "15%")),
        ("three of twelve arms", ("3", "12")),
        ("twenty-one and forty-eight", ()),
        ("one hundred, one of the arms", ()),
        ("one-year and two-year rates", ("1", "2")),
        ("HER2, IL-6, B12, QX7, COVID-19, NCT00045032", ()),
        ("CYP2C9*3 and MA.32", ("3",)),
        ("21nM, 5mg, 2nd", ("21", "5", "2")),
        ("10⁹ and 10^9 and 3×10⁻⁵", ("10^9", "10^9", "3", "10^-5")),
        ("100 mg/m2 and 75 mg/m²", ("100", "75")),
        ("−0.42 (−0.62 to -0.23)", ("-0.42", "-0.62", "-0.23")),
        ("12–15 months, phase 2-3", ("12", "15", "2", "3")),
        ("(P<0.001; n=29)", ("0.001", "29")),
        ("7.0% and 007", ("7%", "7")),
        ("version 1.2.3", ("1.2.3",)),
        ("", ()),
    ],
)
def test_numbers_are_read_as_canonical_tokens(text: str, expected: tuple[str, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Survival was 0.66.", "survival .66"),
        ("Three patients died.", "3 patients died"),
        ("1,234 patients", "1234 patients"),
        ("12,345 patients", "12 345 patients"),
        ("12 345 patients", "12,345 patients"),
        ("22% had it", "22 and 17% had it"),
        ("HER2-positive cancer", "breast cancer"),
        ("no number", ""),
    ],
)
def test_a_number_that_the_quote_writes_otherwise_is_supported(statement: str, quote: str) -> None:
    assert unsupported_numbers(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote", "missing"),
    [
        ("0.6 against 0.66", "0.66", ("0.6",)),
        ("61%", "61 patients", ("61%",)),
        ("5 months", "25 months and 5.1 months", ("5",)),
        ("109 cells", "10⁹ cells", ("109",)),
        ("it fell by 0.5", "a change of -0.5", ("0.5",)),
        ("12 of 12 and 13", "nothing", ("12", "13")),
        ("two", "twelve", ("2",)),
    ],
)
def test_numbers_are_compared_whole(statement: str, quote: str, missing: tuple[str, ...]) -> None:
    assert unsupported_numbers(statement, quote) == missing


@given(st.text(alphabet="0123456789.,·%- abone^⁹²", max_size=40))
def test_every_text_supports_its_own_numbers(text: str) -> None:
    assert unsupported_numbers(text, text) == ()


@given(st.integers(0, 10**12))
def test_thousands_separators_do_not_matter(number: int) -> None:
    assert numbers(f"{number:,}") == numbers(str(number)) == (str(number),)


@given(st.integers(0, 999), st.integers(0, 999))
def test_decimal_marks_do_not_matter(whole: int, part: int) -> None:
    assert numbers(f"{whole}·{part:03}") == numbers(f"{whole}.{part:03}")
