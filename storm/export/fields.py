"""What the formats of bibliographies share: fields that are stated, on one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from storm import wording
from storm.models import Contributor
from storm.reports.document import printable_line
from storm.reports.entries import Entry, initials_of

#: A field's name and its text.
Field: TypeAlias = tuple[str, str]


def one_line(text: str) -> str:
    """The text on one line, printable characters only, without blanks at its ends."""
    return printable_line(text).strip()


def drop_empty_fields(fields: Iterable[tuple[str, str | None]]) -> Iterator[Field]:
    """Those that have a text."""
    return ((name, line) for name, value in fields if value and (line := one_line(value)))


def dotted_initials(person: Contributor) -> str:
    """`D. J.`; what are no initials stays as it is."""
    initials = initials_of(person)
    return " ".join(f"{letter}." for letter in initials) if initials.isalpha() else initials


def describe_retraction(entry: Entry) -> str:
    """What nobody may miss who cites the work."""
    return wording.RETRACTIONS.get(entry.record.retraction, "")
