"""Writes the tables from records as CSV (RFC 4180, UTF-8), one file each; no cell is a formula of a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from storm import wording
from storm.export.fields import one_line
from storm.models import Dossier, RecordRow, RecordTable, Reference
from storm.models.record_table import TableName
from storm.reports import Report
from storm.reports.table_columns import COLUMNS

#: Spreadsheets read a cell that begins so as a formula; the full-width forms, too.
_FORMULA_STARTS = tuple("=+-@|%＝＋－＠")


def to_tables(report: Report) -> dict[str, bytes]:
    """Each table's file by its name, also of those without rows; a report without tables has none but the heads."""
    tables = {table.name: table for table in report.tables} if isinstance(report, Dossier) else {}
    references = {r.source_id: r for r in report.references} if isinstance(report, Dossier) else {}
    empty = {name: RecordTable(name=name, columns=COLUMNS[name]) for name in TableName}
    return {name.value: _write_table(tables.get(name, empty[name]), references) for name in TableName}


def guard_cell(text: str) -> str:
    """The text on one line, with an apostrophe before what a spreadsheet would run; negative numbers stay numbers."""
    line = one_line(text)
    return f"'{line}" if line.startswith(_FORMULA_STARTS) and not _is_number(line) else line


def _is_number(line: str) -> bool:
    digits = line.removeprefix("-").replace(".", "", 1)
    return digits.isascii() and digits.isdigit()


def _write_table(table: RecordTable, references: Mapping[str, Reference]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow((*table.columns, *wording.TABLE_ENDS))
    for row in table.rows:
        reference = references[row.source_id]
        ends = (row.source_id, str(reference.n), reference.url, _describe_places(table, row))
        writer.writerow([guard_cell(text) for text in (*(cell or wording.NOT_STATED for cell in row.cells), *ends)])
    return file.getvalue().encode()


def _describe_places(table: RecordTable, row: RecordRow) -> str:
    """Where the row stands, or "Phase: field phase; Arms: ARMS" of each cell that is stated."""
    if len(row.places) == 1:
        return row.places[0]
    stated = zip(table.columns, row.cells, row.places, strict=True)
    return "; ".join(f"{column}: {place}" for column, cell, place in stated if cell)
