"""The tables as CSV files, read back by Python's own reader."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from bibliographies import HOSTILE
from dossiers import dossier, reference

from storm.export import write_report
from storm.export.csv_text import guard_cell
from storm.models import Dossier, RecordRow, RecordTable
from storm.models.record_table import TableName
from storm.reports.table_columns import COLUMNS
from storm.reports.table_wording import TABLE_ENDS

#: Formulas that only a spreadsheet runs.
FORMULAS = (
    "-1+1",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1",
    "|x",
    "-",
    "--1",
    "−1",
    '"=1"',
    "\x00=\x07",
    "\ud800=1",
    "\u202e=1",
)


def written(made: Dossier, name: TableName, folder: Path) -> list[list[str]]:
    paths = {path.name: path for path in write_report(made, folder, ["tables"])}
    return list(csv.reader(io.StringIO(paths[f"dossier.{name}.csv"].read_bytes().decode(), newline="")))


def patents(*rows: RecordRow) -> RecordTable:
    return RecordTable(name=TableName.PATENTS, columns=COLUMNS[TableName.PATENTS], rows=rows)


def row(*cells: str | None, places: tuple[str, ...] = ("text",)) -> RecordRow:
    return RecordRow(source_id="src_001", cells=(*cells, *[None] * (8 - len(cells))), places=places)


def test_a_row_has_all_columns_its_source_reference_and_places(tmp_path: Path) -> None:
    places = tuple(f"field {n}" for n in range(8))
    rows = written(dossier(tables=(patents(row("US 1", "Patent", places=places)),)), TableName.PATENTS, tmp_path)
    assert rows == [
        [*COLUMNS[TableName.PATENTS], *TABLE_ENDS],
        ["US 1", "Patent", *["not stated"] * 6, "src_001", "1", "https://example.org/1",
         "Number: field 0; Kind: field 1"],
    ]  # fmt: skip


def test_each_table_has_a_file_also_in_a_dossier_that_was_stored_before_there_were_tables(tmp_path: Path) -> None:
    stored = dossier().model_dump(mode="json")
    del stored["tables"]
    old = Dossier.model_validate(stored)
    for name in TableName:
        assert written(old, name, tmp_path) == [[*COLUMNS[name], *TABLE_ENDS]]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"dossier.{name}.csv" for name in TableName)


@pytest.mark.parametrize("text", (*HOSTILE, *FORMULAS))
def test_no_cell_is_a_formula_and_every_row_is_one_record(text: str, tmp_path: Path) -> None:
    _, found = written(dossier(tables=(patents(row("US 1", text)),)), TableName.PATENTS, tmp_path)
    assert found[1][:1] not in ("=", "+", "@", "|", "%", "＝", "\t", "\r", "\n")
    assert not found[1].startswith("-")
    assert len(found) == len(COLUMNS[TableName.PATENTS]) + len(TABLE_ENDS)
    assert found[1].isprintable()


@pytest.mark.parametrize("number", ["-0.61", "-12", "0.5", "1,024", "<0.001"])
def test_numbers_are_left_as_they_are(number: str) -> None:
    assert guard_cell(number) == number


def test_rows_of_all_tables_are_written_with_their_reference_numbers(tmp_path: Path) -> None:
    rows = [RecordRow(source_id=f"src_{n:03}", cells=("US 1", *[None] * 7), places=("text",)) for n in (2, 1)]
    made = dossier(tables=(patents(*rows),), references=(reference(1), reference(2)))
    assert [line[-3] for line in written(made, TableName.PATENTS, tmp_path)[1:]] == ["2", "1"]
