"""Writes CSV that spreadsheets show and never execute."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

#: A cell that begins with one of these is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@")


def to_csv(rows: Iterable[Sequence[str | int]]) -> bytes:
    """The rows as CSV in UTF-8, one line each; a text that a spreadsheet would execute gets an apostrophe before it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_guard_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _guard_cell(cell: str | int) -> str | int:
    if isinstance(cell, int):
        return cell
    line = "".join(char if char.isprintable() else " " for char in cell)
    return f"'{line}" if line.lstrip().startswith(_FORMULA) else line
