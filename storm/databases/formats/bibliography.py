"""Bring pages, article numbers, ISSNs and ISBNs, which records write in many ways, to one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from storm.models import Pages

_PAGE = re.compile(r"(?P<letters>[A-Za-z]{0,4})(?P<digits>\d{1,9})(?P<rest>\.?[A-Za-z]\d{0,4}|\.\d{1,4}|)", re.A)
_ROMAN = re.compile(r"[ivxlcdm]{1,8}", re.I)
_DASH = re.compile(r"\s?[-\u2010-\u2015\u2212]{1,2}\s?")
_ABBREVIATION = re.compile(r"pp?(?:\.\s?|\s)", re.I)
#: `e105698`, `euae122`: the number of an article that has no pages.
_ARTICLE_NUMBER = re.compile(r"e[a-z]{0,5}\d{1,12}", re.I | re.A)
#: `S0140-6736(24)02600-X` identifies an item at its publisher; no reader finds an article by it.
_PUBLISHER_ITEM = re.compile(r"S\d{4}-?\d{3}[\dX]", re.I | re.A)
_ISSN = re.compile(r"(?<![\w-])(\d{4})-?(\d{3}[\dX])(?![\w-])", re.I | re.A)
_ISBN = re.compile(r"(?:97[89])?\d{9}[\dX]", re.I | re.A)


class Location(NamedTuple):
    """Where in its volume an article stands: on pages, or under a number of its own."""

    pages: Pages | None = None
    article_number: str | None = None


def locate_article(pages: str, number: str = "") -> Location:
    """The location by a record's pages (`687-97`, `e1001`), else by the article's number that it states."""
    first, *_ = re.split(r"[;,]", _ABBREVIATION.sub("", pages.strip(), count=1), maxsplit=1)
    stated = next((text for text in (first.strip(), number.strip()) if text and not _PUBLISHER_ITEM.match(text)), "")
    if not stated:
        return Location()
    if stated != first.strip() or _ARTICLE_NUMBER.fullmatch(stated):
        return Location(article_number=stated)
    return Location(pages=_split_range(stated))


def complete_pages(first: str, last: str) -> Pages | None:
    """The pages from `first` to `last` in full; a last page that cannot follow the first is left out."""
    first, last = first.strip(), last.strip()
    if not first:
        return None
    return Pages(first=first, last=_complete_last(first, last) if last != first else None)


def _split_range(text: str) -> Pages:
    """The two ends of a range; what is not a range that can be understood is one page, as the record writes it."""
    first, *rest = _DASH.split(text, maxsplit=1)
    if not rest or rest[0] == first:
        return Pages(first=first)
    last = _complete_last(first, rest[0])
    return Pages(first=first, last=last) if last else Pages(first=text)


def _complete_last(first: str, last: str) -> str | None:
    """`697` of `97` after `687`; None where no page from the first on is meant."""
    if _ROMAN.fullmatch(first) and _ROMAN.fullmatch(last):
        return last
    start, end = _PAGE.fullmatch(first), _PAGE.fullmatch(last)
    if not start or not end or end["letters"] not in ("", start["letters"]):
        return None
    digits = start["digits"][: max(0, len(start["digits"]) - len(end["digits"]))] + end["digits"]
    if int(digits) < int(start["digits"]):
        return None
    return f"{start['letters']}{digits}{end['rest']}"


def find_issn(values: Iterable[str]) -> str | None:
    """The first ISSN in the values, with its hyphen."""
    found = next((match for value in values if (match := _ISSN.search(value))), None)
    return f"{found[1]}-{found[2]}".upper() if found else None


def find_isbn(values: Iterable[str]) -> str | None:
    """The first of the values that is an ISBN, without hyphens."""
    plain = (re.sub(r"[\s-]", "", value) for value in values)
    return next((value.upper() for value in plain if _ISBN.fullmatch(value)), None)
