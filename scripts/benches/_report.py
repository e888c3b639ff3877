"""What all measurements share: their options, a table for people, and JSON for programs."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

#: One line of a result: its `variant`, its `n`, and what was measured.
Row = Mapping[str, object]


def parser(name: str, what: str) -> argparse.ArgumentParser:
    """The options of one measurement; --json is everybody's."""
    options = argparse.ArgumentParser(prog=f"bench {name}", description=what)
    options.add_argument("--json", action="store_true", help="print JSON")
    return options


def report(rows: Sequence[Row], *, as_json: bool) -> None:
    """Print the rows: as {"rows": […]}, or a table for each run of rows with the same columns."""
    if as_json:
        print(json.dumps({"rows": list(rows)}, ensure_ascii=False, indent=2))
        return
    tables = (list(group) for _, group in groupby(rows, key=list))
    print("\n\n".join(map(table, tables)))


def table(rows: Sequence[Row]) -> str:
    """Rows of the same columns as aligned text, numbers to the right."""
    head = tuple(rows[0])
    lines = [head, *(tuple(_cell(row[column]) for column in head) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numeric = [isinstance(rows[0][column], int | float) for column in head]
    return "\n".join("  ".join(_aligned(line, widths, numeric)).rstrip() for line in lines)


def p50(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return round(statistics.median(seconds) * 1000, 3)


def p95(seconds: Sequence[float]) -> float:
    """What 95 of 100 stay under, in milliseconds."""
    return round(sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * 0.95))] * 1000, 3)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _aligned(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> Iterable[str]:
    for cell, width, is_number in zip(cells, widths, numeric, strict=True):
        yield cell.rjust(width) if is_number else cell.ljust(width)
