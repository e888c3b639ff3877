"""The formats of reports by name. To add one, write a module and add it to `_ALL`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from storm import reports
from storm.errors import FormatUnavailable, StormError, UsageError, name_install, suggest_name
from storm.export.bibtex import to_bibtex
from storm.export.changes import changes_to_json
from storm.export.csl_json import to_csl
from storm.export.html import render_html
from storm.export.json_text import json_bytes, json_text
from storm.export.markdown import render_markdown
from storm.export.pages import PageSetup
from storm.export.repurposing_markdown import repurposing_markdown
from storm.export.ris import to_ris
from storm.export.tables import to_tables
from storm.models import RepurposingReport
from storm.models.reference import find_reference_problems
from storm.reports import Report
from storm.reports.document import Document
from storm.reports.entries import Entry, entry_of

#: What the extra `pdf` installs.
_PDF_LIBRARIES = ("typst", "anyascii")


class Format(NamedTuple):
    """A format for readers: its name, file suffix, and a function that renders a document."""

    name: str
    suffix: str
    render: Callable[[Document], bytes]


class PagedFormat(NamedTuple):
    """A format for readers with pages: FormatUnavailable if it lacks a library, or its template cannot be read."""

    name: str
    suffix: str
    render: Callable[[Document, PageSetup], bytes]


class DataFormat(NamedTuple):
    """A format for programs, rendered from the report's fields instead of its document."""

    name: str
    suffix: str
    render: Callable[[Report], bytes]


class FilesFormat(NamedTuple):
    """A format of several files, for programs and reviewers: the content of each by its suffix."""

    name: str
    render: Callable[[Report], Mapping[str, bytes]]


def to_html(report: Report) -> str:
    """The report as one HTML file, which requests nothing from anywhere.

        Path("dossier.html").write_text(storm.to_html(dossier), encoding="utf-8")

    A citation mark shows the quote of its sentence, and a press on it the paragraph that the quote stands in.
    """
    return render_html(reports.document_of(report))


def to_markdown(report: Report | RepurposingReport) -> str:
    """The report as Markdown.

        Path("dossier.md").write_text(storm.to_markdown(dossier))

    It ends with the numbered references and an appendix on the searches. A RepurposingReport is written as by its own
    `to_markdown`.
    """
    if isinstance(report, RepurposingReport):
        return repurposing_markdown(report)
    return render_markdown(reports.document_of(report))


def to_json(report: Report) -> str:
    """The report as JSON.

        assert storm.Dossier.model_validate_json(storm.to_json(dossier)) == dossier

    Its fields are in the order of the model.
    """
    return json_text(report.model_dump(mode="json"))


def _render_docx(document: Document, pages: PageSetup) -> bytes:
    from storm.export.docx import render_docx  # with python-docx, which no other format needs

    try:
        return render_docx(document, pages)
    except UsageError as exc:
        raise FormatUnavailable(f"the DOCX was not written, as {exc.message}", hint=exc.hint) from exc


def _render_pdf(document: Document, pages: PageSetup) -> bytes:
    try:
        from storm.export.pdf import render_pdf  # with typst, which is an extra
    except ImportError as exc:
        if exc.name not in _PDF_LIBRARIES:
            raise
        raise FormatUnavailable(
            f"the PDF was not written, as {exc.name} is not installed: {name_install('pdf')}"
        ) from exc
    return render_pdf(document, pages)


def _render_log(report: Report) -> Mapping[str, bytes]:
    from storm.export.search_log import log_to_csv, log_to_json, not_kept_to_csv

    not_kept = not_kept_to_csv(report)
    return {"log.csv": log_to_csv(report), "log.json": log_to_json(report), "not-kept.csv": not_kept}


def _render_flow(report: Report) -> Mapping[str, bytes]:
    from storm.export.flow import flow_to_csv, flow_to_svg  # with the picture, which no bibliography needs

    return {"flow.svg": flow_to_svg(report), "flow.csv": flow_to_csv(report)}


def _list_entries(report: Report) -> tuple[Entry, ...]:
    """The references of a report as bibliography entries."""
    return tuple(map(entry_of, reports.references_of(report)))


_ALL = (
    Format("html", "html", lambda document: render_html(document).encode()),
    Format("md", "md", lambda document: render_markdown(document).encode()),
    PagedFormat("docx", "docx", _render_docx),
    PagedFormat("pdf", "pdf", _render_pdf),
    DataFormat("json", "json", lambda report: json_bytes(to_json(report))),
    DataFormat("bib", "bib", lambda report: to_bibtex(_list_entries(report)).encode()),
    DataFormat("ris", "ris", lambda report: to_ris(_list_entries(report)).encode()),
    DataFormat("csl", "csl.json", lambda report: to_csl(_list_entries(report)).encode()),
    FilesFormat("tables", to_tables),
    FilesFormat("log", _render_log),
    FilesFormat("flow", _render_flow),
    DataFormat("changes", "changes.json", changes_to_json),
)
#: The formats of a report's references alone.
BIBLIOGRAPHIES = frozenset(("bib", "ris", "csl"))
AnyFormat: TypeAlias = Format | PagedFormat | DataFormat | FilesFormat
FORMATS: dict[str, AnyFormat] = {one.name: one for one in _ALL}


def check_formats(formats: Sequence[str], known: Collection[str] = tuple(FORMATS)) -> tuple[str, ...]:
    """Return the formats in small letters without duplicates; UsageError if one is not `known`."""
    formats = [name.lower() for name in formats]
    unknown = [name for name in formats if name not in known]
    if unknown or not formats:
        hint = f"{suggest_name(unknown[0], known) if unknown else ''}known: {', '.join(known)}"
        raise UsageError(f"no such format: {', '.join(unknown) or '(none given)'}", hint=hint, setting="formats")
    return tuple(dict.fromkeys(formats))


def check_libraries(formats: Sequence[str]) -> None:
    """Raise UsageError if a format needs a library that is not installed, before any work is done."""
    if "pdf" in formats and (missing := [name for name in _PDF_LIBRARIES if find_spec(name) is None]):
        raise UsageError(
            f"the format pdf needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed",
            hint=f"leave pdf out, or install it: {name_install('pdf')}",
            setting="formats",
        )


def check_template(template: Path | None, formats: Sequence[str]) -> None:
    """Raise UsageError if the template cannot be read, or no format uses one, before any work is done."""
    if template and "docx" not in formats:
        raise UsageError(
            "only the format docx uses a template", hint="leave it out, or ask for docx", setting="template"
        )
    check_pages(PageSetup(template=template), formats)


def check_pages(pages: PageSetup, formats: Sequence[str]) -> None:
    """Raise UsageError if one of the formats uses the template and it cannot be read, before any work is done."""
    if pages.template and "docx" in formats:
        from storm.export.docx_template import open_template

        open_template(pages)


def render_report(
    report: Report,
    wanted: AnyFormat,
    lay_out: Callable[[Report], Document] | None = None,
    pages: PageSetup | None = None,
) -> dict[str, bytes]:
    """Render the report: the contents of each file by its suffix ("md", "trials.csv").

    StormError if a citation mark has no reference, or a reference no mark, and readers or tables number them;
    FormatUnavailable if what renders the format is not installed, or its template cannot be read."""
    lay_out = lay_out or lay_out_report
    match wanted:
        case DataFormat():
            return {wanted.suffix: wanted.render(report)}
        case FilesFormat():
            lay_out(report)
            return dict(wanted.render(report))
        case Format():
            return {wanted.suffix: wanted.render(lay_out(report))}
        case PagedFormat():
            return {wanted.suffix: wanted.render(lay_out(report), pages or PageSetup())}


def lay_out_report(report: Report) -> Document:
    """Lay out the report for the formats for readers; StormError if marks and references do not agree."""
    document = reports.document_of(report)
    if problems := find_reference_problems(document.marks, [entry.record for entry in document.references]):
        raise StormError(
            f"the {report.file_name} was not written because its references are inconsistent: {problems[0]}",
            hint="report this",
        )
    return document
