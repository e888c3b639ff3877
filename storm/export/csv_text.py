"""Writes CSV (RFC 4180, UTF-8) that spreadsheets show and never execute."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

#: Spreadsheets read a cell that begins so as a formula; the full-width forms, too.
_FORMULA_STARTS = tuple("=+-@|%＝＋－＠")
#: "-0.53", "-1,024", "-5%", "-0.53 to 0.2", and the unit of them.
_NUMBERS = re.compile(r"-?[0-9][0-9.,]*%?(?: to -?[0-9][0-9.,]*%?)?|%")


def to_csv(rows: Iterable[Sequence[str | int]]) -> bytes:
    """The rows as CSV, one line each; a text that a spreadsheet would execute gets an apostrophe before it."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([guard_cell(cell) for cell in row] for row in rows)
    return file.getvalue().encode()


def guard_cell(cell: str | int) -> str | int:
    """The text on one line, with an apostrophe before what a spreadsheet would run; numbers stay numbers."""
    if isinstance(cell, int):
        return cell
    line = "".join(char if char.isprintable() else " " for char in cell)
    return f"'{line}" if line.lstrip().startswith(_FORMULA_STARTS) and not _NUMBERS.fullmatch(line) else line
