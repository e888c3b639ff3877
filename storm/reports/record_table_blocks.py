"""Lays out the tables from records: some columns and rows of each, with a mark for every source of the others.

A column in which no record states anything is left out; the tables' files have all columns.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from storm import wording
from storm.models import Dossier, Exclusion, RecordRow, RecordTable
from storm.models.record_table import TableName
from storm.reports import table_wording as words
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    Block,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    join_inlines,
    make_cells,
    make_heading,
    to_inlines,
)
from storm.reports.pictures import forest_figures
from storm.reports.reference_style import spell_patent_number
from storm.reports.sections import find_tables, is_on_drug
from storm.reports.table_columns import ALWAYS_SHOWN, BEYOND_GLANCE, SHOWN, TITLES, TRIAL

#: Most rows of a table that a document shows, and characters of a cell.
_MOST_ROWS = 15
_MOST_CHARACTERS = 300
#: The keys of patents, and of the Orange Book's listings of them under an application.
_PATENT = re.compile(r"patent:|orangebook:\w+-\d{7,}")
#: Reasons of records that were saved after all, or are of other drugs.
_NOT_MISSING = (
    Exclusion.NOT_CITED,
    Exclusion.REFUSED,
    Exclusion.NOT_NAMED,
    Exclusion.MENTIONED,
    Exclusion.ANOTHER_DRUG,
)
#: What tables do not hold although the answers may.
_PARTIAL = {
    TableName.EFFECT_SIZES: words.PARTIAL_RESULTS,
    TableName.COMPARISONS: words.PARTIAL_RESULTS,
    TableName.ADVERSE_EVENTS: words.PARTIAL_RESULTS,
    TableName.PATENTS: words.PARTIAL_PATENTS,
}


def record_table_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """A heading, and each table that has rows and stands beside no section, without what is shown at a glance."""
    placed = find_tables(dossier)
    tables = (table for table in dossier.tables if table.name not in placed)
    shown = [rest for table in tables if (rest := _leave_out_glance(table, dossier)).rows]
    if shown:
        yield make_heading(words.TABLES, "tables")
        yield Paragraph(content=to_inlines(words.TABLES_BASIS.format(glance=_describe_glance(dossier, placed))))
    for table in shown:
        yield from lay_out_table(table, dossier, bibliography)


def _leave_out_glance(table: RecordTable, dossier: Dossier) -> RecordTable:
    """The table without the rows that say no more than those at a glance."""
    if table.name is TableName.APPROVALS and is_on_drug(dossier):
        return table.model_copy(update={"rows": ()})
    if table.name is TableName.TRIALS:
        shown = _list_studies_at_a_glance(dossier)
        beyond = [table.columns.index(name) for name in BEYOND_GLANCE]
        rows = (row for row in table.rows if row.source_id not in shown or any(row.cells[n] for n in beyond))
        return table.model_copy(update={"rows": tuple(rows)})
    return table


def _list_studies_at_a_glance(dossier: Dossier) -> set[str]:
    """The sources of the registered studies that are shown at a glance."""
    return {study.source_id for study in dossier.at_a_glance.studies} if is_on_drug(dossier) else set()


def _describe_glance(dossier: Dossier, placed: Container[TableName]) -> str:
    """Which tables stand at a glance, as a sentence and a space; empty if none does."""
    approvals = is_on_drug(dossier) and bool(dossier.at_a_glance.approvals) and TableName.APPROVALS not in placed
    shown = ((words.APPROVALS, approvals), (words.STUDIES, bool(_list_studies_at_a_glance(dossier))))
    listed = [name for name, is_there in shown if is_there]
    return words.AT_A_GLANCE.format(tables=" and ".join(listed).capitalize()) if listed else ""


def lay_out_table(
    table: RecordTable, dossier: Dossier, bibliography: Bibliography, *, captioned: bool = False
) -> Iterator[Block]:
    """The table under a heading of its own, or with a caption, what it leaves out, and its pictures."""
    title = TITLES[table.name].format(day=f"{dossier.created:%Y-%m-%d}")
    if not captioned:
        yield make_heading(title, f"table-{table.name.replace('_', '-')}", level=3)
    rows = _lay_out_rows(table, _choose_columns(table, dossier), bibliography)
    yield rows.model_copy(update={"caption": title}) if captioned else rows
    if notes := _describe_rest(table, dossier, bibliography):
        yield Paragraph(content=notes)
    if table.name is TableName.EFFECT_SIZES:
        yield from forest_figures(dossier, bibliography)


def _choose_columns(table: RecordTable, dossier: Dossier) -> list[int]:
    """The columns to show: without those of studies at a glance, and those in which no record states anything, but for
    those that a reader looks for."""
    is_at_a_glance = {row.source_id for row in table.rows} <= _list_studies_at_a_glance(dossier)
    names = (TRIAL, *BEYOND_GLANCE) if table.name is TableName.TRIALS and is_at_a_glance else SHOWN[table.name]
    return [
        n
        for n in map(table.columns.index, names)
        if table.columns[n] in ALWAYS_SHOWN or any(row.cells[n] for row in table.rows)
    ]


def _lay_out_rows(table: RecordTable, columns: Sequence[int], bibliography: Bibliography) -> Table:
    return Table(
        head=make_cells(*(table.columns[n] for n in columns), words.TABLE_SOURCE),
        rows=tuple(
            make_cells(*(_show_cell(table.name, row, n) for n in columns), bibliography.mark_of(row.source_id))
            for row in table.rows[: _count_shown(table)]
        ),
    )


def _count_shown(table: RecordTable) -> int:
    """How many rows are shown; an event is shown in all arms or in none."""
    if table.name is not TableName.ADVERSE_EVENTS or len(table.rows) <= _MOST_ROWS:
        return _MOST_ROWS
    event = [(row.source_id, *row.cells[: table.columns.index("Arm")]) for row in table.rows]
    ends = (n for n in range(_MOST_ROWS, 0, -1) if event[n - 1] != event[n])
    return next(ends, _MOST_ROWS)


def _show_cell(table: TableName, row: RecordRow, column: int) -> str:
    """The text of a cell; a long one up to a semicolon, or else to a word, that no value is cut."""
    text = row.cells[column] or wording.NOT_STATED
    if table is TableName.PATENTS and column == 0:
        return spell_patent_number(text)
    if len(text) <= _MOST_CHARACTERS:
        return text
    kept = text[:_MOST_CHARACTERS]
    return f"{kept.rpartition('; ')[0] or kept.rpartition(' ')[0] or kept}…"


def _describe_rest(table: RecordTable, dossier: Dossier, bibliography: Bibliography) -> Inlines:
    """How many rows the table's file has besides, with their sources, how many are in the sources alone, how many
    records were found and not kept, and what the table lacks."""
    rest = table.rows[_count_shown(table) :]
    more: Inlines = ()
    if rest:
        mark = bibliography.mark_of(*(row.source_id for row in rest))
        more = fill_template(words.MORE_ROWS, rows=wording.format_large_count(len(rest), "more row"), mark=mark)
    partial = _PARTIAL.get(table.name, "")
    omitted = words.OMITTED_ROWS.format(rows=wording.format_large_count(table.omitted, "row")) if table.omitted else ""
    left = _count_not_kept(dossier) if table.name is TableName.PATENTS else 0
    not_kept = words.NOT_KEPT.format(records=wording.format_large_count(left, "record")) if left else ""
    return join_inlines(" ", (to_inlines(part) for part in (more, omitted, not_kept, partial) if part))


def _count_not_kept(dossier: Dossier) -> int:
    """How many patents and listings of patents were found and not filed, without those of other drugs."""
    if dossier.flow is None:
        return 0
    not_kept = dossier.flow.not_kept.items()
    return sum(_PATENT.match(record) is not None and reason not in _NOT_MISSING for record, reason in not_kept)
