"""Compares the rows of tables from records with those of the previous version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm.models import RecordRow, RecordTable
from storm.models.changes import Change, FieldChange, RowChange


def compare_tables(
    before: Sequence[RecordTable], keys_before: Mapping[str, str], after: Sequence[RecordTable], keys: Mapping[str, str]
) -> Iterator[RowChange]:
    """The rows that are new, gone or changed; `keys` are canonical identifiers by source id."""
    old_tables = {table.name: table for table in before}
    for table in after:
        old = old_tables.get(table.name)
        # A version of storm with other columns filled other cells.
        was = _group_rows(old, keys_before) if old and old.columns == table.columns else {}
        now = _group_rows(table, keys)
        for source in dict.fromkeys((*now, *was)):
            yield from _compare_rows(table, source, was.get(source, []), now.get(source, []))


def _group_rows(table: RecordTable, keys: Mapping[str, str]) -> dict[str, list[RecordRow]]:
    """The rows of each source, by its canonical identifier."""
    rows: dict[str, list[RecordRow]] = {}
    for row in table.rows:
        rows.setdefault(keys.get(row.source_id, row.source_id), []).append(row)
    return rows


def _compare_rows(
    table: RecordTable, source: str, before: Sequence[RecordRow], after: Sequence[RecordRow]
) -> Iterator[RowChange]:
    """The changes among the rows of one source. A row has changed if one that is gone has half of its cells or more."""
    same = {row.cells for row in before} & {row.cells for row in after}
    gone = [row for row in before if row.cells not in same]
    for row in (row for row in after if row.cells not in same):
        nearest = max(gone, key=lambda old: _count_equal(old, row), default=None)
        if nearest is None or 2 * _count_equal(nearest, row) < len(row.cells):
            yield _describe_row(Change.NEW, table, source, row)
            continue
        gone.remove(nearest)
        fields = (
            FieldChange(field=column, old=old, new=new)
            for column, old, new in zip(table.columns, nearest.cells, row.cells, strict=True)
            if old != new
        )
        yield _describe_row(Change.CHANGED, table, source, row, *fields)
    for row in gone:
        yield _describe_row(Change.GONE, table, source, row)


def _count_equal(one: RecordRow, other: RecordRow) -> int:
    return sum(a == b for a, b in zip(one.cells, other.cells, strict=True))


def _describe_row(kind: Change, table: RecordTable, source: str, row: RecordRow, *fields: FieldChange) -> RowChange:
    cells = dict(zip(table.columns, row.cells, strict=True))
    return RowChange(kind=kind, table=table.name, source=source, cells=cells, fields=fields)
