"""Tables as rows of which each can be read, searched and quoted by itself."""

from __future__ import annotations

from storm.models.base import Frozen


class Cell(Frozen):
    """One value of a table, under the heading of its column; `unit` where the table says it."""

    column: str = ""
    text: str
    unit: str = ""


class TableRow(Frozen):
    """One row: `heading` is what its first cell says, after the heading of the group in which it stands."""

    heading: str = ""
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The row in one line that explains itself: "HbA1c (%), change: sitagliptin (n=193): -0.61; placebo: 0.13"."""
        values = "; ".join(f"{cell.column}: {cell.text}" if cell.column else cell.text for cell in self.cells)
        return f"{self.heading}: {values}" if self.heading and values else self.heading or values


def rows_text(rows: tuple[TableRow, ...]) -> str:
    """The rows as a section's text, a blank line between two: no sentence goes on from one into the next."""
    return "\n\n".join(text for row in rows if (text := row.text))
