"""Lays out the flow of records as a table, and why records were not kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storm import wording
from storm.models import Dossier, Exclusion, RecordFlow
from storm.reports import flow_wording as words
from storm.reports.document import (
    Block,
    Figure,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    join_texts,
    make_cells,
    make_heading,
    record_text,
)
from storm.reports.failures import describe_failures
from storm.reports.pictures.flow import describe_flow, draw_flow
from storm.reports.sections import name_subject

#: The rows of the table, each with the field of the counts.
_ROWS = {
    words.IDENTIFIED: "identified", words.DUPLICATES: "duplicates", words.AUTOMATIC: "automatic",
    words.SCREENED: "screened", words.EXCLUDED: "excluded", words.SOUGHT: "sought",
    words.NOT_RETRIEVED: "not_retrieved", words.ASSESSED: "assessed", words.NOT_INCLUDED: "not_included",
    words.INCLUDED: "included",
}  # fmt: skip


def flow_blocks(dossier: Dossier) -> Iterator[Block]:
    """The flow and the reasons; nothing for a dossier stored before they were counted."""
    if dossier.flow is None:
        return
    yield make_heading(words.FLOW, "flow", level=3)
    yield _flow_table(dossier.flow)
    yield Paragraph(content=join_texts(" ", caption_flow(dossier)))
    yield _draw_figure(dossier, dossier.flow)
    counts = dossier.flow.total
    not_kept = {**counts.automatic_reasons, **counts.exclusion_reasons}
    for template, reasons in ((words.REASONS, not_kept), (words.REASONS_OF_SOURCES, counts.uncited_reasons)):
        if reasons:
            yield Paragraph(content=fill_template(template, reasons=_join_reasons(dossier, reasons)))


def _join_reasons(dossier: Dossier, reasons: Mapping[Exclusion, int]) -> Inlines:
    """The reasons with the number of records, the most frequent first."""
    explained = explain_exclusions(dossier)
    most_first = sorted(reasons.items(), key=lambda pair: -pair[1])
    return join_texts("; ", [words.REASON.format(reason=explained[one], number=number) for one, number in most_first])


def _draw_figure(dossier: Dossier, flow: RecordFlow) -> Figure:
    title = words.FLOW_TITLE.format(drug=dossier.drug)
    return Figure(
        title=title, description=describe_flow(flow), svg=draw_flow(flow, title, (), explain_exclusions(dossier))
    )


def explain_exclusions(dossier: Dossier) -> dict[Exclusion, str]:
    """The words for the reasons of exclusions."""
    return {reason: name_subject(text, dossier) for reason, text in wording.EXCLUSIONS.items()}


def caption_flow(dossier: Dossier) -> tuple[str, ...]:
    """What a reader must know of the numbers; what could not be searched is said beside them."""
    return (words.FLOW_CAPTION, *describe_failures(dossier))


def _flow_table(flow: RecordFlow) -> Table:
    columns = (flow.search_counts, flow.other_counts)
    rows = [make_cells(label, *(f"{getattr(one, name):,}" for one in columns)) for label, name in _list_rows(flow)]
    totals = [make_cells(label, record_text(f"{number:,}"), "") for label, number in _list_totals(flow)]
    return Table(head=make_cells(*words.FLOW_HEAD), rows=(*rows, *totals))


def _list_rows(flow: RecordFlow) -> Iterator[tuple[str, str]]:
    """The rows with their fields; in an update, new records are counted apart from those that were there before."""
    for label, name in _ROWS.items():
        yield (words.NEW_INCLUDED if flow.previous and name == "included" else label), name
        if flow.previous and name == "automatic":
            yield words.KNOWN_BEFORE, "known_before"


def _list_totals(flow: RecordFlow) -> Iterator[tuple[str, int]]:
    previous = flow.previous
    if previous is None:
        yield words.STUDIES, flow.studies
        return
    yield words.NEW_STUDIES, flow.studies
    yield words.PREVIOUS_STUDIES, previous.studies
    yield words.PREVIOUS_REPORTS, previous.reports
    yield words.NO_LONGER, previous.no_longer
    yield words.NOW_CITED, previous.now_cited
    yield words.TOTAL_STUDIES, flow.total_studies
    yield words.TOTAL_REPORTS, flow.total_reports
