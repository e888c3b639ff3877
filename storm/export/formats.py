"""The formats of reports by name. To add one, write a module and add it to `_ALL`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from storm.errors import StormError, UsageError, suggest_name
from storm.export.bibtex import to_bibtex
from storm.export.changes import changes_to_json
from storm.export.csl_json import to_csl
from storm.export.flow import flow_to_csv, flow_to_svg
from storm.export.json_text import json_text
from storm.export.markdown import render_markdown
from storm.export.ris import to_ris
from storm.export.search_log import log_to_csv, log_to_json
from storm.export.tables import to_tables
from storm.models.dossier import find_reference_problems
from storm.reports import Report, document_of
from storm.reports.document import Document
from storm.reports.entries import Entry, entry_of


class Format(NamedTuple):
    """A format for readers: its name, file suffix, and a function that renders a document."""

    name: str
    suffix: str
    render: Callable[[Document], bytes]


class DataFormat(NamedTuple):
    """A format for programs, rendered from the report's fields instead of its document."""

    name: str
    suffix: str
    render: Callable[[Report], bytes]


class FilesFormat(NamedTuple):
    """A format of several files, for programs and reviewers: the content of each by its suffix."""

    name: str
    render: Callable[[Report], Mapping[str, bytes]]


def to_markdown(report: Report) -> str:
    """The report as Markdown.

        Path("dossier.md").write_text(storm.to_markdown(dossier))

    It ends with the numbered references and an appendix on the searches.
    """
    return render_markdown(document_of(report))


def to_json(report: Report) -> str:
    """The report as JSON.

        assert storm.Dossier.model_validate_json(storm.to_json(dossier)) == dossier

    Its fields are in the order of the model.
    """
    return json_text(report.model_dump(mode="json"))


def _list_entries(document: Document) -> tuple[Entry, ...]:
    """The references of a document as bibliography entries."""
    return tuple(entry_of(reference.record) for reference in document.references)


_ALL = (
    Format("md", "md", lambda document: render_markdown(document).encode()),
    DataFormat("json", "json", lambda report: to_json(report).encode()),
    Format("bib", "bib", lambda document: to_bibtex(_list_entries(document)).encode()),
    Format("ris", "ris", lambda document: to_ris(_list_entries(document)).encode()),
    Format("csl", "csl.json", lambda document: to_csl(_list_entries(document)).encode()),
    FilesFormat("tables", to_tables),
    FilesFormat("log", lambda report: {"log.csv": log_to_csv(report), "log.json": log_to_json(report)}),
    FilesFormat("flow", lambda report: {"flow.svg": flow_to_svg(report), "flow.csv": flow_to_csv(report)}),
    DataFormat("changes", "changes.json", changes_to_json),
)
FORMATS: dict[str, Format | DataFormat | FilesFormat] = {one.name: one for one in _ALL}


def check_formats(formats: Sequence[str], known: Collection[str] = tuple(FORMATS)) -> tuple[str, ...]:
    """Return the formats without duplicates; UsageError if one is not `known`."""
    unknown = [name for name in formats if name not in known]
    if unknown or not formats:
        hint = f"{suggest_name(unknown[0], known) if unknown else ''}known: {', '.join(known)}"
        raise UsageError(f"no such format: {', '.join(unknown) or '(none given)'}", hint=hint, setting="formats")
    return tuple(dict.fromkeys(formats))


def render_report(
    report: Report,
    wanted: Format | DataFormat | FilesFormat,
    lay_out: Callable[[Report], Document] | None = None,
) -> dict[str, bytes]:
    """Render the report: the contents of each file by its suffix ("md", "trials.csv").

    StormError if a citation mark has no reference, or a reference no mark, and readers or tables number them."""
    lay_out = lay_out or lay_out_report
    match wanted:
        case DataFormat():
            return {wanted.suffix: wanted.render(report)}
        case FilesFormat():
            lay_out(report)
            return dict(wanted.render(report))
        case Format():
            return {wanted.suffix: wanted.render(lay_out(report))}


def lay_out_report(report: Report) -> Document:
    """Lay out the report for the formats for readers; StormError if marks and references do not agree."""
    document = document_of(report)
    if problems := find_reference_problems(document.marks, [entry.record for entry in document.references]):
        raise StormError(
            f"the {report.file_name} was not written because its references are inconsistent: {problems[0]}",
            hint="report this",
        )
    return document
