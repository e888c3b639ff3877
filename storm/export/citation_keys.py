"""Makes citation keys for bibliography entries: `slamon2001chemotherapy`, `fda2023herceptin`, `nct01772472`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from storm.models.normal_forms import normal_form
from storm.reports.entries import Entry, EntryKind

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Words too common to be a key.
_COMMON = frozenset(
    ("about", "after", "against", "among", "and", "are", "before", "between", "for", "from", "how", "into", "its",
     "not", "study", "than", "that", "the", "their", "this", "trial", "use", "using", "versus", "what", "when",
     "which", "with")
)  # fmt: skip
_SHORTEST, _LONGEST = 3, 30
#: Works known by their number, if their record names no author.
_NUMBERED = (EntryKind.TRIAL, EntryKind.DATASET, EntryKind.PATENT)
#: Words of an institution's name from which it is known by its initials: European Medicines Agency.
_MOST_WORDS = 3


def make_citation_keys(entries: Sequence[Entry]) -> tuple[str, ...]:
    """A key per entry: family name, year and first distinctive word of the title, in ASCII.

    Without an author, the institution, journal or site is in place of the name; a study, patent or entry of a register
    has its number as its key. Duplicates get the suffixes a, b and so on. The same entries in the same order get the
    same keys."""
    taken: set[str] = set()
    keys = []
    for entry in entries:
        stem = _make_stem(entry)
        key = next(key for suffix in _letter_suffixes() if (key := stem + suffix) not in taken)
        taken.add(key)
        keys.append(key)
    return tuple(keys)


def _make_stem(entry: Entry) -> str:
    number = "" if entry.authors or entry.kind not in _NUMBERED else _to_ascii(entry.number)
    if number[:1].isalpha():
        return number
    author = entry.authors[0] if entry.authors else None
    name = _to_ascii(author.family or author.collective) if author else _shorten_institution(entry)
    year = str(entry.date[0]) if entry.date else ""
    words = (_to_ascii(word) for word in entry.title.split())
    distinctive = next((word for word in words if len(word) >= _SHORTEST and word not in _COMMON), "")
    return f"{name if name[:1].isalpha() else entry.kind + name}{year}{distinctive}"


def _shorten_institution(entry: Entry) -> str:
    """`fda`, `ema` (European Medicines Agency), `genentech`, `oncoprescribe` (of oncoprescribe.com)."""
    words = (entry.institution or entry.container).removeprefix("www.").split()
    if len(words) >= _MOST_WORDS and all(word[:1].isupper() for word in words):
        return _to_ascii("".join(word[0] for word in words))
    return _to_ascii(words[0].split(".")[0]) if words else ""


def _to_ascii(text: str) -> str:
    plain = normal_form("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(letter for letter in plain if letter.isalnum())[:_LONGEST]


def _letter_suffixes() -> Iterator[str]:
    yield ""
    for length in itertools.count(1):
        yield from map("".join, itertools.product(_LETTERS, repeat=length))
