"""Writes the terms of a SearchQuery for a service: as quoted phrases and full dates, never as query syntax."""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Callable, Iterable

from storm.errors import QueryRejected, UsageError
from storm.models import SearchQuery

_DATE = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?", re.A)
_HYPHENS = re.compile(r"[-'’]{2,}")
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR", "TO"})
#: Characters that end or escape a quoted phrase in some service, or are not allowed in any query.
_UNQUOTABLE = re.compile(r"[\"\\“”„\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
#: Trade marks, which decompose into letters.
_TRADE_MARKS = str.maketrans("™℠Ⓡ®", "    ")
_LETTER = re.compile(
    r"(?:LATIN (?P<size>SMALL|CAPITAL) (?:LETTER|LIGATURE) (?P<letter>[A-Z]{1,2})(?: WITH .*)?"
    r"|GREEK (?:SMALL|CAPITAL) LETTER (?:FINAL )?(?P<greek>[A-Z]{1,7}))$"
)


def plain_term(term: str) -> str:
    """A term on one line without quotation marks and backslashes; empty if it has no letter or digit."""
    text = " ".join(_UNQUOTABLE.sub(" ", term).split())
    return text if any(character.isalnum() for character in text) else ""


def bare_words(text: str) -> str:
    """The words of a text without punctuation and capital AND, OR or NOT: safe in every query syntax."""
    letters = "".join(character if _is_of_word(character) else " " for character in text)
    words = (word.strip("-'’") for word in _HYPHENS.sub(" ", letters).split())
    return " ".join(word.lower() if word in _OPERATORS else word for word in words if plain_term(word))


def _is_of_word(character: str) -> bool:
    """Whether a character is part of a word, including combining vowel signs of other scripts."""
    return character.isalnum() or character in "-'’" or unicodedata.category(character).startswith("M")


def transliterate_term(term: str) -> str | None:
    """The term in ASCII, without accents and with Greek letters by name; None for other scripts.

    "naïve" becomes "naive", "β-lactam" becomes "beta-lactam".
    """
    if term.isascii():
        return term
    letters = [
        _ascii_letter(letter)
        for letter in unicodedata.normalize("NFKD", term.translate(_TRADE_MARKS))
        if not unicodedata.combining(letter)
    ]
    return None if None in letters else "".join(filter(None, letters))


def _ascii_letter(letter: str) -> str | None:
    if letter.isascii():
        return letter
    if unicodedata.category(letter)[0] in "PSZC":
        return "-" if unicodedata.category(letter) == "Pd" else " "
    if letter == "ß":
        return "ss"
    name = _LETTER.match(unicodedata.name(letter, ""))
    if name is None:
        return None
    if name["greek"]:
        return name["greek"].lower()
    return name["letter"] if name["size"] == "CAPITAL" else name["letter"].lower()


def quote_phrases(terms: Iterable[str], wildcards: str = "") -> list[str]:
    """The distinct terms as phrases in double quotes; terms without a letter or digit are dropped.

    `wildcards` are the service's wildcard characters, which work even between quotes: they become blanks.
    """
    blanks = str.maketrans(wildcards, " " * len(wildcards))
    return [f'"{text}"' for text in dict.fromkeys(plain_term(term.translate(blanks)) for term in terms) if text]


def name_phrases(query: SearchQuery, service: str) -> list[str]:
    """The query's names as quoted phrases, at least one; QueryRejected if none has a letter or digit."""
    if found := quote_phrases(query.names):
        return found
    raise QueryRejected("no name with a letter or digit to look for", service=service)


def build_clauses(
    query: SearchQuery,
    service: str,
    *,
    name: Callable[[str], str] = str,
    word: Callable[[str], str] = str,
    wildcards: str = "",
    either: str = " OR ",
    ranking: bool = True,
) -> list[str]:
    """The clauses that must all match, each a list of alternatives: the names, and each group of required words.

    `name` and `word` put a quoted phrase into the service's fields. Ranking words form a further clause with the first
    one's alternatives, so that they add relevance and exclude nothing; they are dropped without `ranking`. Alone, one
    of them must match. Raises QueryRejected if there is nothing to search for.
    """
    names = [name(phrase) for phrase in quote_phrases(query.names, wildcards)]
    if query.names and not names:
        raise QueryRejected("no name with a letter or digit to look for", service=service)
    required = [[word(phrase) for phrase in quote_phrases(group, wildcards)] for group in query.required]
    words = [word(phrase) for phrase in quote_phrases(query.words, wildcards)]
    found = [group for group in (names, *required) if group]
    if not any(found):
        found = [words]
    elif words and ranking:
        found.append([*found[0], *words])
    if not any(found):
        raise QueryRejected("no word with a letter or digit to look for", service=service)
    return [either.join(group) for group in found]


def first_day(query: SearchQuery) -> str | None:
    """The first day of `since` as YYYY-MM-DD; QueryRejected if it is not a date."""
    if query.since is None:
        return None
    year, month, day = _parse_date("since", query.since)
    return f"{year:04}-{month or 1:02}-{day or 1:02}"


def last_day(query: SearchQuery) -> str | None:
    """The last day of `until` as YYYY-MM-DD; QueryRejected if it is not a date."""
    if query.until is None:
        return None
    year, month, day = _parse_date("until", query.until)
    month = month or 12
    return f"{year:04}-{month:02}-{day or calendar.monthrange(year, month)[1]:02}"


def check_span(query: SearchQuery) -> None:
    """Raise UsageError for an invalid date, or a range that ends before it begins."""
    try:
        first, last = first_day(query), last_day(query)
    except QueryRejected as exc:
        raise UsageError(exc.message, setting=exc.message.partition(" ")[0]) from exc
    if first and last and first > last:
        raise UsageError(f"since {query.since} is after until {query.until}: nothing lies between them")


def in_span(date: str | None, query: SearchQuery) -> bool:
    """Whether an ISO date, possibly partial, may be in the query's date range; a missing date only if it is open."""
    first, last = first_day(query), last_day(query)
    if first is None and last is None:
        return True
    if date is None:
        return False
    return (first is None or date >= first[: len(date)]) and (last is None or date <= last)


def _parse_date(name: str, text: str) -> tuple[int, int, int]:
    match = _DATE.fullmatch(text.strip())
    if not match or int(match[1]) == 0:
        raise QueryRejected(f"{name} is {text!r}; it must be a date such as 2019, 2019-03 or 2019-03-31")
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day and day > calendar.monthrange(year, month)[1]:
        raise QueryRejected(f"{name} is {text!r}, a day that its month does not have")
    return year, month, day
