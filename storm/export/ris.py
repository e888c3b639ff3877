"""Writes references as RIS, for Zotero, EndNote and Mendeley."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import wording
from storm.export.fields import Field, describe_retraction, dotted_initials, drop_empty_fields, list_details
from storm.models import Contributor, database_label
from storm.reports.entries import Entry, EntryKind

#: Zotero imports unknown types as articles: preprints have no RIS type, and trials and datasets are DATA.
_TYPES = {
    EntryKind.ARTICLE: "JOUR", EntryKind.PREPRINT: "JOUR", EntryKind.CHAPTER: "CHAP", EntryKind.BOOK: "BOOK",
    EntryKind.TRIAL: "DATA", EntryKind.DATASET: "DATA", EntryKind.PATENT: "PAT", EntryKind.REPORT: "RPRT",
    EntryKind.PAGE: "ELEC", EntryKind.THESIS: "THES", EntryKind.CONFERENCE: "CPAPER",
}  # fmt: skip
_LINE_END = "\r\n"
#: Identifiers without a tag, written as a note.
_NOTED = ("pmid", "pmcid")


def to_ris(entries: Sequence[Entry]) -> str:
    """Write the entries, each from `TY` to `ER`, separated by empty lines."""
    return _LINE_END.join(map(_format_entry, entries))


def _format_entry(entry: Entry) -> str:
    fields = [("TY", _TYPES[entry.kind]), *drop_empty_fields(_list_fields(entry)), ("ER", "")]
    return "".join(f"{tag}  - {value}{_LINE_END}" for tag, value in fields)


def _list_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    own, record = entry.publication, entry.record
    yield "TI", entry.title
    yield from (("AU", _format_name(person)) for person in entry.authors)
    yield from (("ED", _format_name(person)) for person in entry.editors)
    yield from _date_fields(entry)
    yield from (("T2", entry.container), ("J2", own.journal_abbreviation), ("VL", own.volume), ("IS", own.issue))
    yield from zip(("SP", "EP"), entry.pages, strict=False)
    yield from _type_fields(entry)
    yield from (("LA", own.language), ("DO", entry.first_identifier("doi")), ("UR", record.url))
    yield from (("AN", entry.first_identifier("pmid") or entry.number), ("DB", database_label(record.source_type)))
    yield from (("ID", record.source_id), ("LB", str(record.n)))
    yield from (("N1", note) for note in _list_notes(entry))


def _format_name(person: Contributor) -> str:
    """`Family, Given, Suffix`; commas in a group's name, which would split it, are removed."""
    if not person.family:
        return " ".join(person.collective.replace(",", " ").split())
    parts = (person.family, person.given or dotted_initials(person), person.suffix)
    return ", ".join(" ".join(part.replace(",", " ").split()) for part in parts if part)


def _date_fields(entry: Entry) -> Iterator[Field]:
    """`2010` and `2010/08/28/`."""
    if entry.date:
        year, *rest = (f"{number:02}" for number in entry.date)
        yield "PY", year.zfill(4)
        yield "DA", "/".join((year.zfill(4), *rest, *[""] * (3 - len(rest))))
    if entry.record.retrieved:
        yield "Y2", f"{entry.record.retrieved.replace('-', '/')}/"


def _type_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    """Fields whose tags depend on the entry type."""
    own = entry.publication
    yield from (("PB", entry.institution), ("CY", own.place))
    match entry.kind:
        case EntryKind.PREPRINT:
            yield "M3", "Preprint"
        case EntryKind.PATENT:
            yield from _patent_fields(entry)
        case EntryKind.REPORT:
            yield "SN", entry.number
        case EntryKind.TRIAL | EntryKind.DATASET:
            yield "NV", entry.number
        case EntryKind.CHAPTER | EntryKind.BOOK:
            yield "SN", own.book.isbn if own.book else None
        case _:
            yield "SN", own.issn


def _patent_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    yield from (("SN", entry.number), ("A2", wording.PATENT_OFFICES.get(entry.country)), ("C3", entry.country))
    if patent := entry.publication.patent:
        yield from (("M1", patent.application_number), ("C6", patent.legal_status))
        yield from (("C1", (patent.filing_date or "").replace("-", "/")), ("OP", ", ".join(patent.priority_numbers)))


def _list_notes(entry: Entry) -> Iterator[str]:
    """Identifiers and details without a tag, a list of authors that is not whole, and a retraction."""
    numbers = ((kind.upper(), entry.first_identifier(kind)) for kind in _NOTED)
    yield "; ".join(f"{name}: {number}" for name, number in numbers if number)
    if entry.has_more_authors:
        yield wording.MORE_AUTHORS
    yield describe_retraction(entry)
    if entry.kind is not EntryKind.PATENT:  # whose details have tags
        yield "; ".join(list_details(entry))
