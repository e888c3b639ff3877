"""The formats in which a report is written, by the names that users give them: a new one is a file and a line here."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from storm.citations.verification import reference_problems
from storm.errors import StormError, UsageError, suggest_name
from storm.export.bibtex import to_bibtex
from storm.export.csl_json import to_csl
from storm.export.markdown import render_markdown
from storm.export.ris import to_ris
from storm.reports import Report, document_of
from storm.reports.document import Document
from storm.reports.entries import Entry, entry_of


class Format(NamedTuple):
    """A format for readers: its name, its files' suffix, and what writes a document in it."""

    name: str
    suffix: str
    render: Callable[[Document], bytes]


class DataFormat(NamedTuple):
    """A format for programs, written from the report's own fields and not from the blocks that readers see."""

    name: str
    suffix: str
    render: Callable[[Report], bytes]


def to_markdown(report: Report) -> str:
    """The report as Markdown.

        Path("dossier.md").write_text(storm.to_markdown(dossier))

    It ends with the numbered references.
    """
    return render_markdown(document_of(report))


def to_json(report: Report) -> str:
    """The report as JSON.

        assert storm.Dossier.model_validate_json(storm.to_json(dossier)) == dossier

    Its fields stand in their order.
    """
    return json_text(report.model_dump(mode="json"))


def json_text(value: Any) -> str:
    """A value as all JSON files of storm have it."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _list_entries(document: Document) -> tuple[Entry, ...]:
    """The references of a document as a bibliography takes them."""
    return tuple(entry_of(reference.record) for reference in document.references)


_ALL = (
    Format("md", "md", lambda document: render_markdown(document).encode()),
    DataFormat("json", "json", lambda report: to_json(report).encode()),
    Format("bib", "bib", lambda document: to_bibtex(_list_entries(document)).encode()),
    Format("ris", "ris", lambda document: to_ris(_list_entries(document)).encode()),
    Format("csl", "csl.json", lambda document: to_csl(_list_entries(document)).encode()),
)
FORMATS: dict[str, Format | DataFormat] = {one.name: one for one in _ALL}


def check_formats(formats: Sequence[str], known: Collection[str] = tuple(FORMATS)) -> tuple[str, ...]:
    """The formats, each once; UsageError for one that is not `known`."""
    unknown = [name for name in formats if name not in known]
    if unknown or not formats:
        hint = f"{suggest_name(unknown[0], known) if unknown else ''}known: {', '.join(known)}"
        raise UsageError(f"no such format: {', '.join(unknown) or '(none given)'}", hint=hint)
    return tuple(dict.fromkeys(formats))


def render_report(report: Report, wanted: Format | DataFormat) -> bytes:
    """The report in that format; StormError if a mark for its readers has no reference, or a reference no mark."""
    if isinstance(wanted, DataFormat):
        return wanted.render(report)
    document = document_of(report)
    if problems := reference_problems(document.marks, [entry.record for entry in document.references]):
        raise StormError(
            f"the {report.file_name} was not written, its references do not hold: {problems[0]}", hint="report this"
        )
    return wanted.render(document)
