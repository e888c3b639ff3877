"""Where the statements and tables of a report stand in its sections."""

from __future__ import annotations

from collections.abc import Iterator

from storm.models import Dossier, OutlinePart, RecordTable, ReportSection, ResearchReport
from storm.models.record_table import TableName
from storm.reports import research_wording as words

#: The levels of the headings of sections and of their sub-headings.
_FIRST_LEVEL, _LAST_LEVEL = 2, 6


def is_on_drug(dossier: Dossier) -> bool:
    """Whether it is about one drug; a report on a question may be about none."""
    return not isinstance(dossier, ResearchReport) or bool(dossier.identity and dossier.identity.inn)


def name_subject(text: str, dossier: Dossier) -> str:
    """A text that speaks of the drug, as it is said of this report's subject; no text of a record."""
    return text if is_on_drug(dossier) else text.replace(words.THE_DRUG, words.THE_SUBJECT)


def name_relation(text: str, dossier: Dossier) -> str:
    """How a source relates to the drug, as it is said of this report's subject: what is no drug is no comparator and no
    part of a combination."""
    return name_subject(text, dossier) if is_on_drug(dossier) or words.THE_DRUG in text else ""


def list_sections(dossier: Dossier) -> tuple[ReportSection, ...]:
    """The sections of a report, of which each statement stands in the first that has it; a dossier has none."""
    return tuple(_drop_repeats(dossier.research.sections if dossier.research else ()))


def _drop_repeats(sections: tuple[ReportSection, ...]) -> Iterator[ReportSection]:
    seen: set[str] = set()
    for section in sections:
        paragraphs = []
        for paragraph in section.paragraphs:
            new = {sentence.identity: sentence for sentence in paragraph if sentence.identity not in seen}
            seen.update(new)
            paragraphs += [tuple(new.values())] if new else []
        yield section.model_copy(update={"paragraphs": tuple(paragraphs)})


def find_headings(dossier: Dossier) -> dict[str, str]:
    """The heading of the section in which each statement stands, by the statement's key."""
    return {key: part.heading for key, part in find_parts(dossier).items()}


def find_parts(dossier: Dossier) -> dict[str, OutlinePart]:
    """The part of the outline under which each statement stands, by the statement's key."""
    return {
        sentence.identity: section.part
        for section in list_sections(dossier)
        for paragraph in section.paragraphs
        for sentence in paragraph
    }


def find_levels(dossier: Dossier) -> dict[str, int]:
    """The level of each section's heading, by its anchor."""
    levels: dict[str, int] = {}
    for section in list_sections(dossier):
        above = levels.get(section.part.parent, _FIRST_LEVEL - 1)
        levels[section.part.anchor] = min(above + 1, _LAST_LEVEL)
    return levels


def find_tables(dossier: Dossier) -> dict[TableName, str]:
    """The anchor of the section beside which each table with rows stands, the first that names it."""
    places: dict[TableName, str] = {}
    filled = {table.name for table in dossier.tables if table.rows}
    for section in list_sections(dossier):
        for name in section.part.tables:
            if name in filled:
                places.setdefault(name, section.part.anchor)
    return places


def list_tables_beside(dossier: Dossier, anchor: str) -> Iterator[RecordTable]:
    """The tables beside this section, in the order in which it names them."""
    by_name = {table.name: table for table in dossier.tables}
    return (by_name[name] for name, place in find_tables(dossier).items() if place == anchor)
