"""Writes references as CSL-JSON, for citation processors, Zotero and pandoc."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from storm import wording
from storm.export.citation_keys import make_citation_keys
from storm.export.fields import describe_retraction, dotted_initials, drop_empty_fields, list_details, one_line
from storm.models import Contributor, database_label
from storm.reports.entries import Entry, EntryKind

_TYPES = {
    EntryKind.ARTICLE: "article-journal", EntryKind.PREPRINT: "article", EntryKind.CHAPTER: "chapter",
    EntryKind.BOOK: "book", EntryKind.TRIAL: "dataset", EntryKind.DATASET: "dataset", EntryKind.PATENT: "patent",
    EntryKind.REPORT: "report", EntryKind.PAGE: "webpage", EntryKind.THESIS: "thesis",
    EntryKind.CONFERENCE: "paper-conference",
}  # fmt: skip


def to_csl(entries: Sequence[Entry]) -> str:
    """Write the entries as a JSON list."""
    keyed = zip(make_citation_keys(entries), entries, strict=True)
    return json.dumps([_make_item(key, entry) for key, entry in keyed], ensure_ascii=False, indent=2) + "\n"


def _make_item(key: str, entry: Entry) -> dict[str, Any]:
    item: dict[str, Any] = {"id": key, "type": _TYPES[entry.kind]}
    for role, people in (("author", entry.authors), ("editor", entry.editors)):
        if names := [*map(_make_name, people)]:
            item[role] = names
    if entry.date:
        item["issued"] = {"date-parts": [list(entry.date)]}
    if entry.record.retrieved:
        item["accessed"] = {"date-parts": [[int(part) for part in entry.record.retrieved.split("-")]]}
    return item | dict(drop_empty_fields(_text_fields(entry)))


def _make_name(person: Contributor) -> dict[str, str]:
    """A person's name in parts, or a group as a literal that styles leave whole."""
    parts = {"family": person.family, "given": person.given or dotted_initials(person), "suffix": person.suffix}
    return dict(drop_empty_fields(parts.items())) if person.family else {"literal": person.collective}


def _text_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    own, record = entry.publication, entry.record
    yield from (("title", entry.title), ("container-title", entry.container))
    yield from (("container-title-short", own.journal_abbreviation), ("volume", own.volume), ("issue", own.issue))
    yield from (("page", "-".join(entry.pages)), ("number", entry.number), ("publisher", entry.institution))
    yield from (("publisher-place", own.place), ("ISSN", own.issn), ("ISBN", own.book.isbn if own.book else None))
    yield from (("DOI", entry.first_identifier("doi")), ("PMID", entry.first_identifier("pmid")))
    yield from (("PMCID", entry.first_identifier("pmcid")), ("URL", record.url), ("language", own.language))
    if entry.kind is EntryKind.PATENT:
        yield from (("authority", wording.PATENT_OFFICES.get(entry.country)), ("jurisdiction", entry.country))
        yield "status", own.patent.legal_status if own.patent else None
    if entry.kind is EntryKind.REPORT:
        yield "authority", record.agency
    if entry.kind is EntryKind.PREPRINT:
        yield "genre", "Preprint"
    notes = (
        wording.MORE_AUTHORS if entry.has_more_authors else "",
        one_line(describe_retraction(entry)),
        *list_details(entry),
    )
    yield "citation-number", str(record.n)
    yield from (("source", database_label(record.source_type)), ("note", "; ".join(filter(None, notes))))
