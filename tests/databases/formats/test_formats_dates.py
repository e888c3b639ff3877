import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.formats.dates import is_iso_date, parse_date, partial_date, year_of


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("1992", "Feb", "5"), "1992-02-05"),
        (("2017", "06", ""), "2017-06"),
        (("2017", "6", "31"), "2017-06"),
        (("1990", "Spring", ""), "1990"),
        (("2009", "", "15"), "2009"),
        (("2024", "2", "29"), "2024-02-29"),
        (("2023", "13", "1"), "2023"),
        (("", "Feb", "5"), None),
        (("0201", "Feb", "5"), None),
    ],
)
def test_a_date_is_as_partial_as_its_fields(fields: tuple[str, str, str], expected: str | None) -> None:
    assert partial_date(*fields) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1978 Jul-Sep", "1978-07"),
        ("2000 Dec-2001 Jan", "2000-12"),
        ("1998 Dec 25-1999 Jan 1", "1998-12-25"),
        ("2007 Winter", "2007"),
        ("Spring 2001", "2001"),
        ("1998-1999", "1998"),
        ("2018 Mar 1", "2018-03-01"),
        ("2025-12-01", "2025-12-01"),
        ("2008/04/05/", "2008-04-05"),
        ("2008///", "2008"),
        ("20120305", "2012-03-05"),
        ("3 October 2012", "2012-10-03"),
        ("Oct. 2012", "2012-10"),
        ("October 3, 2012", "2012-10-03"),
        ("[c1987]", "1987"),
        ("2019-02-30", "2019-02"),
        ("20210931", "2021-09"),
        ("no date", None),
        ("", None),
    ],
)
def test_dates_are_read_as_records_write_them(text: str, expected: str | None) -> None:
    assert parse_date(text) == expected


@pytest.mark.parametrize("text", ["2019", "2019-02", "2019-02-28", "2020-02-29", "9999-12-31"])
def test_a_date_of_the_calendar_is_one_however_partial(text: str) -> None:
    assert is_iso_date(text)


@pytest.mark.parametrize(
    "text", ["2019-02-29", "2019-02-30", "2021-09-31", "2019-13", "2019-00", "2019-2", "20190228", "٢٠١٩", "2019\n", ""]
)
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert not is_iso_date(text)


@given(st.text(alphabet="0123456789 -/.,JanFebSptrig٣", max_size=20))
def test_whatever_is_read_is_an_iso_date_with_a_year(text: str) -> None:
    date = parse_date(text)
    assert date is None or (date.isascii() and len(date) in (4, 7, 10) and 1500 <= (year_of(date) or 0) < 2200)


def test_no_date_has_no_year() -> None:
    assert year_of(None) is None
