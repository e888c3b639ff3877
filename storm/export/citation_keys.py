"""Makes citation keys for bibliography entries: `slamon2001chemotherapy`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from storm.models.normal_forms import normal_form
from storm.reports.entries import Entry

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Words too common to be a key.
_COMMON = frozenset(
    ("about", "after", "against", "among", "and", "are", "before", "between", "for", "from", "how", "into", "its",
     "not", "study", "than", "that", "the", "their", "this", "trial", "use", "using", "versus", "what", "when",
     "which", "with")
)  # fmt: skip
_SHORTEST, _LONGEST = 3, 30


def make_citation_keys(entries: Sequence[Entry]) -> tuple[str, ...]:
    """A key per entry: family name, year and first distinctive word of the title, in ASCII.

    Duplicates get the suffixes a, b and so on. The same entries in the same order get the same keys."""
    taken: set[str] = set()
    keys = []
    for entry in entries:
        stem = _make_stem(entry)
        key = next(key for suffix in _letter_suffixes() if (key := stem + suffix) not in taken)
        taken.add(key)
        keys.append(key)
    return tuple(keys)


def _make_stem(entry: Entry) -> str:
    author = entry.authors[0] if entry.authors else None
    name = _to_ascii(author.family or author.collective) if author else ""
    year = str(entry.date[0]) if entry.date else ""
    words = (_to_ascii(word) for word in entry.title.split())
    distinctive = next((word for word in words if len(word) >= _SHORTEST and word not in _COMMON), "")
    return f"{name if name[:1].isalpha() else entry.kind + name}{year}{distinctive}"


def _to_ascii(text: str) -> str:
    plain = normal_form("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(letter for letter in plain if letter.isalnum())[:_LONGEST]


def _letter_suffixes() -> Iterator[str]:
    yield ""
    for length in itertools.count(1):
        yield from map("".join, itertools.product(_LETTERS, repeat=length))
