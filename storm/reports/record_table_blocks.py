"""Lays out the tables from records: some columns and rows of each, with a mark for every source of the others.

A column in which no record states anything is left out; the tables' files have all columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from storm import wording
from storm.models import Dossier, RecordRow, RecordTable
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
from storm.reports.sections import find_tables, is_on_drug
from storm.reports.table_columns import SHOWN, TITLES

#: Most rows of a table that a document shows, and characters of a cell.
_MOST_ROWS = 15
_MOST_CHARACTERS = 200
#: What tables do not hold although the answers may.
_PARTIAL = {
    TableName.EFFECT_SIZES: words.PARTIAL_RESULTS,
    TableName.COMPARISONS: words.PARTIAL_RESULTS,
    TableName.ADVERSE_EVENTS: words.PARTIAL_RESULTS,
    TableName.PATENTS: words.PARTIAL_PATENTS,
}


def record_table_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """A heading, and each table that has rows and stands beside no section; a drug's approvals are shown at a
    glance."""
    placed, at_a_glance = find_tables(dossier), is_on_drug(dossier)
    shown = [
        table
        for table in dossier.tables
        if table.rows and table.name not in placed and not (at_a_glance and table.name is TableName.APPROVALS)
    ]
    if shown:
        yield make_heading(words.TABLES, "tables")
        where = words.APPROVALS_AT_A_GLANCE if at_a_glance and TableName.APPROVALS not in placed else ""
        yield Paragraph(content=to_inlines(words.TABLES_BASIS.format(approvals=where)))
    for table in shown:
        yield from lay_out_table(table, dossier, bibliography)


def lay_out_table(
    table: RecordTable, dossier: Dossier, bibliography: Bibliography, *, captioned: bool = False
) -> Iterator[Block]:
    """The table under a heading of its own, or with a caption, what it leaves out, and its pictures."""
    title = TITLES[table.name].format(day=f"{dossier.created:%Y-%m-%d}")
    if not captioned:
        yield make_heading(title, f"table-{table.name.replace('_', '-')}", level=3)
    rows = _lay_out_rows(table, bibliography)
    yield rows.model_copy(update={"caption": title}) if captioned else rows
    if notes := _describe_rest(table, bibliography):
        yield Paragraph(content=notes)
    if table.name is TableName.EFFECT_SIZES:
        yield from forest_figures(dossier, bibliography)


def _lay_out_rows(table: RecordTable, bibliography: Bibliography) -> Table:
    wanted = [table.columns.index(name) for name in SHOWN[table.name]]
    columns = [n for n in wanted if any(row.cells[n] for row in table.rows)]
    return Table(
        head=make_cells(*(table.columns[n] for n in columns), words.TABLE_SOURCE),
        rows=tuple(
            make_cells(*(_clip_cell(row, n) for n in columns), bibliography.mark_of(row.source_id))
            for row in table.rows[:_MOST_ROWS]
        ),
    )


def _clip_cell(row: RecordRow, column: int) -> str:
    text = row.cells[column] or wording.NOT_STATED
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rstrip()}…"


def _describe_rest(table: RecordTable, bibliography: Bibliography) -> Inlines:
    """How many rows the table's file has besides, with their sources, how many are in the sources alone, and what the
    table lacks."""
    rest = table.rows[_MOST_ROWS:]
    more: Inlines = ()
    if rest:
        mark = bibliography.mark_of(*(row.source_id for row in rest))
        more = fill_template(words.MORE_ROWS, rows=wording.format_large_count(len(rest), "more row"), mark=mark)
    partial = _PARTIAL.get(table.name, "")
    omitted = words.OMITTED_ROWS.format(rows=wording.format_large_count(table.omitted, "row")) if table.omitted else ""
    return join_inlines(" ", (to_inlines(part) for part in (more, omitted, partial) if part))
