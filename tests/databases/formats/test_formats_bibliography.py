import pytest

from storm.databases.formats.bibliography import Location, complete_pages, find_isbn, find_issn, locate_article
from storm.models import Pages


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("687-97", "687", "697"),
        ("687-697", "687", "697"),
        ("1653–1786", "1653", "1786"),
        ("998-1005", "998", "1005"),
        ("S224-S225", "S224", "S225"),
        ("S12-9", "S12", "S19"),
        ("745-760.e5", "745", "760.e5"),
        ("e12-e19", "e12", "e19"),
        ("i-xii", "i", "xii"),
        ("pp. 12-15", "12", "15"),
        ("113-25; discussion 126-9", "113", "125"),
        ("229-229", "229", None),
        ("1034", "1034", None),
        ("026002", "026002", None),
    ],
)
def test_pages_are_written_in_full(text: str, first: str, last: str | None) -> None:
    assert locate_article(text) == Location(pages=Pages(first=first, last=last))


@pytest.mark.parametrize("text", ["998-3", "2023-12", "12-A5", "Suppl 1-Suppl 2"])
def test_what_is_no_range_stays_as_it_is_written(text: str) -> None:
    assert locate_article(text) == Location(pages=Pages(first=text))


@pytest.mark.parametrize("text", ["e105698", "euae122", "e0002424", "E217"])
def test_an_article_without_pages_has_its_number(text: str) -> None:
    assert locate_article(text) == Location(article_number=text)


@pytest.mark.parametrize(
    ("pages", "number", "expected"),
    [
        ("", "RP88808", Location(article_number="RP88808")),
        ("745-760", "S1097-2765(18)30603-8", Location(pages=Pages(first="745", last="760"))),
        ("", "S1097-2765(18)30603-8", Location()),
        ("S0002-9165(25)00279-5", "", Location()),
        ("", "", Location()),
    ],
)
def test_a_publishers_id_is_no_place_in_a_volume(pages: str, number: str, expected: Location) -> None:
    assert locate_article(pages, number) == expected


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("10681", "10697", Pages(first="10681", last="10697")),
        ("687", "97", Pages(first="687", last="697")),
        ("27", "27", Pages(first="27")),
        ("27", "", Pages(first="27")),
        ("27", "12", Pages(first="27")),
        ("", "12", None),
    ],
)
def test_a_last_page_follows_the_first(first: str, last: str, expected: Pages | None) -> None:
    assert complete_pages(first, last) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["0140-6736; 1474-547x; "], "0140-6736"),
        (["", "1474547x"], "1474-547X"),
        (["9781860163593"], None),
        ([], None),
    ],
)
def test_an_issn_has_its_hyphen(values: list[str], expected: str | None) -> None:
    assert find_issn(values) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [(["978-1-86016-359-3"], "9781860163593"), (["0140-6736", "186016359x"], "186016359X"), (["0140-6736"], None)],
)
def test_an_isbn_has_no_hyphens(values: list[str], expected: str | None) -> None:
    assert find_isbn(values) == expected
