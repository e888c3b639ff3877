"""The rows of a file: plain names, CSV or JSON lines, each with the number of its line."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from storm.errors import UsageError, suggest_name

#: Bytes of a line, or of a row of several lines.
_MAX_LINE = 200_000
#: Unknown columns that are named.
_MOST_NAMED = 10
#: A file has columns if its first line names one of these.
SUBJECTS = ("drug", "question")


class RowFormat(StrEnum):
    """How the rows are written."""

    NAMES = "names"
    CSV = "csv"
    JSONL = "jsonl"


class GivenRow(NamedTuple):
    """A row as it was written: its line, and its values by column, or why it cannot be read."""

    line: int
    values: Mapping[str, Any]
    problem: str = ""


def read_rows(stream: BinaryIO, wanted: RowFormat | None, known: Collection[str]) -> Iterator[GivenRow]:
    """The rows, one at a time; without `wanted` the first line that is not empty says how they are written. UsageError
    where no further row can be read, or a column is not `known`."""
    lines = _read_lines(stream)
    skipped = 0
    for first in lines:
        if first.strip() and not first.lstrip().startswith("#"):
            break
        skipped += 1
    else:
        return
    chosen = wanted or _guess_format(first)
    rest = chain([first], lines)
    if chosen is RowFormat.CSV:
        yield from _read_csv(rest, skipped, known)
    else:
        yield from (_read_names if chosen is RowFormat.NAMES else _read_json)(rest, skipped)


def _guess_format(first: str) -> RowFormat:
    if first.lstrip().startswith("{"):
        return RowFormat.JSONL
    columns = {name.strip(' "\r\n') for name in first.replace(";", ",").replace("\t", ",").split(",")}
    return RowFormat.CSV if columns & set(SUBJECTS) else RowFormat.NAMES


def _read_lines(stream: BinaryIO) -> Iterator[str]:
    number = 0
    while line := stream.readline(_MAX_LINE + 1):
        number += 1
        if len(line) > _MAX_LINE:
            raise UsageError(f"line {number:,} has more than {_MAX_LINE:,} bytes", hint="write one job a line")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as exc:
            raise UsageError(f"line {number:,} is not UTF-8 (byte {exc.start})", hint="save it as UTF-8") from exc


def _read_names(lines: Iterator[str], skipped: int) -> Iterator[GivenRow]:
    for number, line in enumerate(lines, skipped + 1):
        name = line.rstrip("\r\n").strip(" ")
        if name and not name.startswith("#"):
            yield GivenRow(number, {"drug": name})


def _read_csv(lines: Iterator[str], skipped: int, known: Collection[str]) -> Iterator[GivenRow]:
    reader = csv.reader(lines, strict=True)
    began = skipped
    try:
        columns = [name.strip() for name in next(reader)]
        _check_columns(columns, skipped + 1, known)
        began = skipped + reader.line_num
        for cells in reader:
            if len(cells) > len(columns):
                found = f"{len(cells)} cells, and the first line names {len(columns)} columns"
                yield GivenRow(began + 1, {}, f"{found}; put text with commas in quotation marks")
            elif any(cell.strip() for cell in cells):
                pairs = zip(columns, cells, strict=False)
                yield GivenRow(began + 1, {name: cell.strip(" ") for name, cell in pairs if cell.strip()})
            began = skipped + reader.line_num
    except csv.Error as exc:
        raise UsageError(
            f"line {began + 1:,}: this is not CSV ({exc})", hint='close each quotation mark; one within text is ""'
        ) from exc


def _check_columns(columns: list[str], line: int, known: Collection[str]) -> None:
    if not set(columns) & set(SUBJECTS):
        raise UsageError(
            f"line {line:,}: the columns are {', '.join(map(repr, columns))[:200]}, none is drug or question",
            hint="part the columns by commas, and name them in the first line",
        )
    if repeated := [name for name in columns if columns.count(name) > 1]:
        raise UsageError(f"line {line:,}: the column {repeated[0]!r} is there twice", hint="name each column once")
    if unknown := [name for name in columns if name not in known]:
        raise UsageError(f"line {line:,}: {describe_unknown_columns(unknown, known)}")


def describe_unknown_columns(names: Collection[str], known: Collection[str]) -> str:
    """What is wrong with these names of columns, and what there is."""
    wrong = (f"column {name[:80]!r} is unknown; {suggest_name(name, known)}" for name in sorted(names)[:_MOST_NAMED])
    return f"{' '.join(map(str.strip, wrong))} known: {', '.join(known)}"


def _read_json(lines: Iterator[str], skipped: int) -> Iterator[GivenRow]:
    for number, line in enumerate(lines, skipped + 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as exc:
            yield GivenRow(number, {}, f'this is not JSON ({exc}); write one object a line: {{"drug": "trastuzumab"}}')
            continue
        if isinstance(values, dict):
            yield GivenRow(number, {name: value for name, value in values.items() if value is not None})
        else:
            yield GivenRow(number, {}, 'this is not an object; write it like {"drug": "trastuzumab"}')
