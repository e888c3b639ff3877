"""Cells of tables from records, each with the section or field of its record that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.models import Hit, Section, Source, number_of_trial
from storm.models.record_table import RecordRow
from storm.reports.reference_style import spell_identifier


class PlacedText(NamedTuple):
    """A value as its record states it, None where it does not, and where it stands."""

    text: str | None
    place: str


def make_row(source: Source, cells: Sequence[PlacedText]) -> RecordRow:
    """A row of one source; a place that all cells share is written once."""
    places = tuple(cell.place for cell in cells)
    return RecordRow(
        source_id=source.source_id,
        cells=tuple(cell.text or None for cell in cells),
        places=places[:1] if len(set(places)) == 1 else places,
    )


def place_field(name: str, text: str | None) -> PlacedText:
    """A value of a record's own field."""
    return PlacedText(text, f"field {name}")


def find_section(hit: Hit, label: str) -> Section | None:
    """The first section with this label."""
    return next((section for section in hit.sections if section.label == label), None)


def read_paragraphs(hit: Hit, label: str) -> list[str]:
    """The paragraphs of a section without their last full stop; empty if the record has no such section."""
    section = find_section(hit, label)
    return [paragraph.removesuffix(".") for paragraph in section.text.split("\n\n")] if section else []


def list_tables(hit: Hit, label: str) -> Iterator[Section]:
    """The sections with this label that are tables."""
    return (section for section in hit.sections if section.rows and section.label == label)


def name_study(hit: Hit) -> str:
    """The number of the one trial that a record reports, else the record's own identifier."""
    return number_of_trial(hit.trials) or spell_identifier(hit.key)
