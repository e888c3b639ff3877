"""Numbers of a statement and of its quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers, read_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HR .66, 0·66 and 0.660", ("0.66", "0.66", "0.66")),
        ("1,234 of 12,345,678", ("1234", "12345678")),
        ("grades 3,4", ("3", "4")),
        ("61% and 61 percent and 61 per cent", ("61%", "61%", "61%")),
        ("5 percentage points", ("5",)),
        ("22 and 17%", ("22%", "17%")),
        ("10, 20 and 30%; .22 or .3%", ("10%", "20%", "30%", "0.22%", "0.3%")),
        ("10-20% or 12 to 15 %", ("10%", "20%", "12%", "15%")),
        ("12, 15 and 18%; 10, 20, and 30%", ("12%", "15%", "18%", "10%", "20%", "30%")),
        ("five to ten percent", ("5%", "10%")),
        ("31% and 58%, 5 and 10 mg", ("31%", "58%", "5", "10")),
        ("HR 0.98, 95% CI 0.7 to 1.2", ("0.98", "95%", "0.7", "1.2")),
        ("HR 0.98 and 95% CI", ("0.98", "95%")),
        ("mean 0.98 to 95% confidence", ("0.98", "95%")),
        ("n = 235, 45%", ("235", "45%")),
        ("in 235, 45% and 12%", ("235", "45%", "12%")),
        ("in 10, 20, and 30%", ("10%", "20%", "30%")),
        ("n=235 and 45%", ("235", "45%")),
        ("in 2019 and 45% of men", ("2019", "45%")),
        ("at week 12 and 45%", ("12", "45%")),
        ("group 2 and 45%; arms 1, 2 and 45%", ("2", "45%", "1", "2", "45%")),
        ("at weeks 4, 8 and 12 and 45%", ("4", "8", "12", "45%")),
        ("cohort 3 or 12%; dose level 2 to 30%", ("3", "12%", "2", "30%")),
        ("group 2: 45 and 50%; grade 3 in 10 and 20%", ("2", "45", "50%", "3", "10%", "20%")),
        ("three of twelve arms", ("3", "12")),
        ("twenty-one and forty-eight", ("21", "48")),
        ("thirteen of ninety nine, fifty percent", ("13", "99", "50%")),
        ("one hundred, one of the arms", ("100",)),
        ("no difference between the two; than on a warfarin-based one.", ()),
        ("the two arms, the one death, two arms", ("1", "2")),
        ("95% CI-0.9 to 5, $US31,660, half an hour", ("95%", "-0.9", "5", "31660", "30")),
        ("two hundred and three thousand five hundred", ("203500",)),
        ("1.5 million, 2 dozen, 1,200 thousand", ("1500000", "24", "1200000")),
        ("per hundred, several hundred, thousands of", ("100",)),
        ("half of them, one half, two-thirds, a third of", ("50%", "50%", "2/3", "1/3")),
        ("a quarter of, three quarters, one-fifth", ("25%", "75%", "20%")),
        ("half-life, the first half, a third dose, the third quarter, third-line", ()),
        ("one third-line therapy, a third and a fourth arm", ("1",)),
        ("often, benign, weight, tenfold", ()),
        ("one-year and two-year rates", ("1", "2")),
        ("HER2, IL-6, B12, QX7, COVID-19, NCT00045032", ()),
        ("CYP2C9*3 and MA.32", ("3",)),
        ("21nM, 5mg, 2nd", ("21", "5", "2")),
        ("10⁹ and 10^9 and 3×10⁻⁵", ("10^9", "10^9", "3", "10^-5")),
        ("3x10^9, 2 x 2", ("3", "10^9", "2", "2")),
        ("生存期間中央値は25.1か月、２５人", ("25.1", "25")),
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
    assert read_numbers(text) == expected


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
        ("1.5 million units", "1,500,000 units"),
        ("twenty-one percent", "21%"),
        ("21%", "twenty-one per cent"),
        ("half of the patients", "50% of patients"),
        ("The HR was 0.98.", "HR 0.98, 95% CI 0.7-1.2"),
        ("Of 235 patients 45% responded.", "n = 235, 45% responded"),
        ("no number", ""),
    ],
)
def test_a_number_that_the_quote_writes_otherwise_is_supported(statement: str, quote: str) -> None:
    assert find_unsupported_numbers(statement, quote) == ()


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
        ("fifty percent", "22% of them", ("50%",)),
        ("a third of them", "22% of them", ("1/3",)),
        ("1.5", "1.5 million", ("1.5",)),
        ("it rose by 1%", "it rose by 1,250%", ("1%",)),
        ("Mortality was 0.98%", "mortality HR 0.98, 95% CI 0.7-1.2", ("0.98%",)),
        ("235% responded", "n = 235, 45% responded", ("235%",)),
    ],
)
def test_numbers_are_compared_whole(statement: str, quote: str, missing: tuple[str, ...]) -> None:
    assert find_unsupported_numbers(statement, quote) == missing


RECORD = "Anti-PD-L1, HER2+ and CYP3A4, IL-6 and ABP 980 (NCT00045032), 100 mg/m² and 1.73 m(2), HR 0.66, IPR2017-01488"


@pytest.mark.parametrize(
    "statement",
    [
        "HER2-positive cancer", "her-2 and CYP3A4", "PD-L1 or PD L1", "ABP980 and ABP-980", "IL6 and IL-6-driven",
        "the trial NCT00045032", "75 mg/m2, 1.73m2", "HR0.66", "q3w", "phase-3", "IPR201701488",
        "PDL1", "no name", "2nd, 21nM, 10⁹",
    ],
)  # fmt: skip
def test_names_that_the_record_has_or_whose_number_the_quote_has_are_harmless(statement: str) -> None:
    assert find_unsupported_names(statement, "given every 3 weeks", [RECORD]) == ()


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("in NCT09999999 (PMID31234567)", ("nct09999999", "pmid31234567")),
        ("HR0.12 and HR0.6", ("hr0.12", "hr0.6")),
        ("IL-17 and CYP3A5 and HER22", ("il-17", "cyp3a5", "her22")),
        ("in trial_12, MA.32 and 4B51", ("trial_12", "ma.32", "4b51")),
    ],
)
def test_names_that_nobody_has_are_found(statement: str, missing: tuple[str, ...]) -> None:
    assert find_unsupported_names(statement, "given every 3 weeks", [RECORD]) == missing


@given(st.text(alphabet="0123456789.,·%- abone^⁹²か", max_size=40))
def test_every_text_has_its_own_names(text: str) -> None:
    assert find_unsupported_names(text, "", [text]) == ()


@given(st.text(alphabet="0123456789.,·%- abone^⁹²", max_size=40))
def test_every_text_supports_its_own_numbers(text: str) -> None:
    assert find_unsupported_numbers(text, text) == ()


_VALUES = st.integers(1, 99).map(str)


@given(st.lists(_VALUES, min_size=1, max_size=5), st.sampled_from(("and", "or", "to", "versus", "vs")), _VALUES)
def test_a_list_that_ends_in_a_conjunction_shares_its_percent_sign(row: list[str], joint: str, last: str) -> None:
    assert read_numbers(f"{', '.join(row)} {joint} {last}%") == (*(f"{value}%" for value in row), f"{last}%")


@given(st.lists(_VALUES, min_size=1, max_size=5), _VALUES)
def test_commas_alone_share_no_percent_sign(row: list[str], last: str) -> None:
    assert read_numbers(f"{', '.join(row)}, {last}%") == (*row, f"{last}%")


@given(st.lists(_VALUES, min_size=1, max_size=3), st.sampled_from((", ", " and ", " to ", "-", "; ", " (")))
def test_an_interval_shares_its_percent_sign_with_no_number(row: list[str], joint: str) -> None:
    assert read_numbers(f"HR {joint.join(row)}{joint}95% CI") == (*row, "95%")


@given(st.integers(0, 10**12))
def test_thousands_separators_do_not_matter(number: int) -> None:
    assert read_numbers(f"{number:,}") == read_numbers(str(number)) == (str(number),)


@given(st.integers(0, 999), st.integers(0, 999))
def test_decimal_marks_do_not_matter(whole: int, part: int) -> None:
    assert read_numbers(f"{whole}·{part:03}") == read_numbers(f"{whole}.{part:03}")


@pytest.mark.parametrize("row", [" ".join(["123"] * 1_500), ",".join(["1"] * 3_000), "1, " * 1_500])
def test_a_long_row_of_numbers_is_read_to_its_end(row: str) -> None:
    assert find_unsupported_numbers("It rose by 22%.", f"{row} and then 22%") == ()
