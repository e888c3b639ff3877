"""How the plain terms of a SearchQuery are written for a service: as quoted phrases and whole dates, not as syntax."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable

from storm.errors import QueryRejected, UsageError
from storm.models import SearchQuery

_DATE = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?", re.A)
_WORDS = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR", "TO"})
#: What ends or escapes a quoted phrase in some service, and what no query may hold.
_UNQUOTABLE = re.compile(r"[\"\\“”„\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def plain(term: str) -> str:
    """A term on one line without quotation marks and backslashes; empty if no letter or digit is in it."""
    text = " ".join(_UNQUOTABLE.sub(" ", term).split())
    return text if any(character.isalnum() for character in text) else ""


def bare_words(text: str) -> str:
    """The words of a text without any sign, and without a capital AND, OR or NOT: plain in every query syntax."""
    return " ".join(word.lower() if word in _OPERATORS else word for word in _WORDS.findall(text))


def phrases(terms: Iterable[str], wildcards: str = "") -> list[str]:
    """The terms as phrases in double quotes, each once; what holds no letter or digit is left out.

    `wildcards` are characters that stand for others in the service, even between quotes: they become blanks.
    """
    blanks = str.maketrans(wildcards, " " * len(wildcards))
    return [f'"{text}"' for text in dict.fromkeys(plain(term.translate(blanks)) for term in terms) if text]


def name_phrases(query: SearchQuery, service: str) -> list[str]:
    """The query's names as quoted phrases, one at least; QueryRejected if none holds a letter or digit."""
    if found := phrases(query.names):
        return found
    raise QueryRejected("no name with a letter or digit to look for", service=service)


def first_day(query: SearchQuery) -> str | None:
    """The first day of `since` as YYYY-MM-DD; QueryRejected if it is no date."""
    if query.since is None:
        return None
    year, month, day = _parts("since", query.since)
    return f"{year:04}-{month or 1:02}-{day or 1:02}"


def last_day(query: SearchQuery) -> str | None:
    """The last day of `until` as YYYY-MM-DD; QueryRejected if it is no date."""
    if query.until is None:
        return None
    year, month, day = _parts("until", query.until)
    month = month or 12
    return f"{year:04}-{month:02}-{day or calendar.monthrange(year, month)[1]:02}"


def check_span(query: SearchQuery) -> None:
    """UsageError if a date of the span is none, or if it ends before it begins."""
    try:
        first, last = first_day(query), last_day(query)
    except QueryRejected as exc:
        raise UsageError(exc.message) from exc
    if first and last and first > last:
        raise UsageError(f"--since {query.since} is after --until {query.until}: nothing lies between them")


def in_span(date: str | None, query: SearchQuery) -> bool:
    """Whether an ISO date, possibly partial, may lie in the query's span; a missing one lies in none but the open."""
    first, last = first_day(query), last_day(query)
    if first is None and last is None:
        return True
    if date is None:
        return False
    return (first is None or date >= first[: len(date)]) and (last is None or date <= last)


def _parts(name: str, text: str) -> tuple[int, int, int]:
    match = _DATE.fullmatch(text.strip())
    if not match or int(match[1]) == 0:
        raise QueryRejected(f"{name} is {text!r}; it takes a date such as 2019, 2019-03 or 2019-03-31")
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day and day > calendar.monthrange(year, month)[1]:
        raise QueryRejected(f"{name} is {text!r}, a day that its month does not have")
    return year, month, day
