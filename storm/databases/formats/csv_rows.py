"""CSV files as a stream of rows, in which a broken line costs one row."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from storm.errors import RecordError

#: A line may have this many bytes; a field 131,072 characters, which is the csv module's own limit.
MAX_LINE = 4_000_000


class CsvRow(NamedTuple):
    """The fields of a row, and the line that it ends on."""

    fields: list[str]
    line: int


def csv_rows(stream: BinaryIO, delimiters: str = ",") -> Iterator[CsvRow | RecordError]:
    """The rows of a UTF-8 file, parted by that one of `delimiters` that parts its first line into most fields."""
    lines = _Lines(stream)
    rows = csv.reader(lines, delimiter=delimiter(lines.first, delimiters), strict=True)
    while True:
        try:
            yield CsvRow(next(rows), lines.number)
        except StopIteration:
            return
        except RecordError as exc:
            exc.position = f"line {lines.number}"
            yield exc
        except csv.Error as exc:
            yield RecordError(f"not a line of a table ({exc})", position=f"line {lines.number}")


def delimiter(line: str, delimiters: str) -> str:
    """The one of `delimiters` that stands in the line most often."""
    return max(delimiters, key=line.count)


class _Lines:
    """A file's lines as text; a line that is none raises RecordError, and the next one follows all the same."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = stream.readline(MAX_LINE).removeprefix(b"\xef\xbb\xbf")
        self.first = self._held.decode("utf-8", errors="replace")
        self.number = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        raw, self._held = self._held, b""
        raw = raw or self._stream.readline(MAX_LINE)
        if not raw:
            raise StopIteration
        self.number += 1
        if len(raw) >= MAX_LINE and not raw.endswith(b"\n"):
            while raw and not raw.endswith(b"\n"):
                raw = self._stream.readline(MAX_LINE)
            raise RecordError(f"the line is longer than {MAX_LINE:,} bytes")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as exc:
            raise RecordError("the line is not UTF-8 text") from exc
