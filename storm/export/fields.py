"""Helpers shared by the bibliography formats."""

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
    """Reduce text to printable characters on one line, stripped."""
    return printable_line(text).strip()


def drop_empty_fields(fields: Iterable[tuple[str, str | None]]) -> Iterator[Field]:
    """Keep the fields that have a text, each on one line."""
    return ((name, line) for name, value in fields if value and (line := one_line(value)))


def dotted_initials(person: Contributor) -> str:
    """`D. J.`; anything but letters is returned unchanged."""
    initials = initials_of(person)
    return " ".join(f"{letter}." for letter in initials) if initials.isalpha() else initials


def list_details(entry: Entry) -> Iterator[str]:
    """What a registered study, a label or a patent states for which most formats have no field."""
    own = entry.publication
    trial, label, patent = own.trial, own.label, own.patent
    stated = (
        (wording.SPONSOR, {"sponsor": trial and trial.sponsor}),
        (wording.LAST_UPDATE, {"date": trial and trial.last_update}),
        (wording.LABEL_VERSION, {"version": label and label.version}),
        (wording.APPLICATION, {"number": patent and patent.application_number}),
        (wording.FILED, {"date": patent and patent.filing_date}),
    )
    return (template.format(**values) for template, values in stated if all(values.values()))


def describe_retraction(entry: Entry) -> str:
    """RETRACTED or EXPRESSION OF CONCERN; empty if neither is known."""
    return wording.RETRACTIONS.get(entry.record.retraction, "")
