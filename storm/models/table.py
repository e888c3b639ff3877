"""Tables as rows, each of which can be read, searched and quoted by itself."""

from storm.models.base import Frozen


class Cell(Frozen):
    """One value of a table with its column heading; `unit` if the table states it."""

    column: str = ""
    text: str
    unit: str = ""


class TableRow(Frozen):
    """One row: `heading` is the text of its first cell, after the heading of its group."""

    heading: str = ""
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The row as one self-contained line: "HbA1c (%), change: sitagliptin (n=193): -0.61; placebo: 0.13"."""
        values = "; ".join(f"{cell.column}: {cell.text}" if cell.column else cell.text for cell in self.cells)
        return f"{self.heading}: {values}" if self.heading and values else self.heading or values


def rows_text(rows: tuple[TableRow, ...]) -> str:
    """The rows as a section's text, separated by blank lines, so that no sentence spans two rows."""
    return "\n\n".join(text for row in rows if (text := row.text))
