"""Writes the tables from records as CSV, one file each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm import wording
from storm.export.csv_text import to_csv
from storm.models import Dossier, RecordRow, RecordTable, Reference
from storm.models.record_table import TableName
from storm.reports import Report
from storm.reports import table_wording as words
from storm.reports.table_columns import COLUMNS


def to_tables(report: Report) -> dict[str, bytes]:
    """Each table's file by its suffix ("trials.csv"), also of tables without rows, which have only heads."""
    tables = {table.name: table for table in report.tables} if isinstance(report, Dossier) else {}
    references = {r.source_id: r for r in report.references} if isinstance(report, Dossier) else {}
    empty = {name: RecordTable(name=name, columns=COLUMNS[name]) for name in TableName}
    return {f"{name}.csv": _write_table(tables.get(name, empty[name]), references) for name in TableName}


def _write_table(table: RecordTable, references: Mapping[str, Reference]) -> bytes:
    return to_csv([(*table.columns, *words.TABLE_ENDS), *(_list_cells(table, row, references) for row in table.rows)])


def _list_cells(table: RecordTable, row: RecordRow, references: Mapping[str, Reference]) -> Sequence[str | int]:
    reference = references[row.source_id]
    stated = (cell or wording.NOT_STATED for cell in row.cells)
    return (*stated, row.source_id, reference.n, reference.url, _describe_places(table, row))


def _describe_places(table: RecordTable, row: RecordRow) -> str:
    """Where the row stands, or "Phase: field phase; Arms: ARMS" of each cell that is stated."""
    if len(row.places) == 1:
        return row.places[0]
    stated = zip(table.columns, row.cells, row.places, strict=True)
    return "; ".join(f"{column}: {place}" for column, cell, place in stated if cell)
