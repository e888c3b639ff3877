"""CSV files as a stream of rows, in which each line is part of one row or one error, and a broken line costs itself."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from storm.errors import RecordError

#: A line, and a row of several lines, may have this many bytes, and a field as many: a record of JSON lines, too.
MAX_LINE = 32_000_000
#: The csv module's own limit, of 131,072 characters, is one for the whole process; CsvRows has a limit for each row.
csv.field_size_limit(MAX_LINE)


class CsvRow(NamedTuple):
    """The fields of a row, and the lines that it begins and ends on."""

    fields: list[str]
    first: int
    last: int

    @property
    def position(self) -> str:
        """Where the row stands, for a reader."""
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"


class _Line(NamedTuple):
    number: int
    content: str | RecordError


class _LineFeedStream(io.RawIOBase):
    """The bytes of a stream; where its lines end with carriage returns alone, these are line feeds."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        start = stream.readline(MAX_LINE)
        self._returns = b"\r" in start and not start.endswith(b"\n")
        self._start, self._rest = io.BytesIO(start), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        chunk = self._start.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(chunk)] = chunk.replace(b"\r", b"\n") if self._returns else chunk
        return len(chunk)


class CsvRows:
    """The rows of a UTF-8 file, parted by that one of `delimiters` that parts its first line into most fields.

    Where a row of several lines breaks, as after a quote that is never closed, its first line is the error, and those
    after it are read as rows of their own.
    """

    def __init__(self, stream: BinaryIO, delimiters: str = ",") -> None:
        self._stream: BinaryIO = io.BufferedReader(_LineFeedStream(stream))
        self._number = 0
        self._waiting: deque[_Line] = deque()
        self._row_lines: list[_Line] = []
        #: As many of the waiting lines are read alone: none of them may take in the next.
        self._alone = 0
        first = self._read_line()
        self._waiting.extend([first] if first else [])
        self._delimiter = guess_delimiter(first.content if first and isinstance(first.content, str) else "", delimiters)
        self._reader = self._new_reader()

    def __iter__(self) -> Iterator[CsvRow | RecordError]:
        return self

    def __next__(self) -> CsvRow | RecordError:
        self._row_lines = []
        if self._alone:
            self._alone -= 1
            return self._read_alone(self._waiting.popleft())
        try:
            return CsvRow(next(self._reader), self._row_lines[0].number, self._row_lines[-1].number)
        except RecordError as exc:
            return self._reject_first_line(exc.message, exc.message)
        except csv.Error as exc:
            return self._reject_first_line(f"not a line of a table ({exc})", str(exc))

    def read_inner_lines(self) -> list[list[str]]:
        """The fields of each line of the last row but its first, as if it were a row of its own."""
        rows = (self._read_alone(line) for line in self._row_lines[1:])
        return [row.fields for row in rows if isinstance(row, CsvRow)]

    def reject_row(self) -> RecordError:
        """The error that the last row is, as it swallowed others; they are read now."""
        reason = "the lines after it are records of their own"
        return self._reject_first_line(reason, reason)

    def _reject_first_line(self, reason: str, cause: str) -> RecordError:
        """The error of the first line that was taken; the others wait, the last perhaps as the start of a row."""
        first, *others = self._row_lines
        if others:
            reason = f"a quote that opens in this line is not closed where its field ends ({cause})"
        error = RecordError(reason, position=f"line {first.number}")
        self._waiting.extendleft(reversed(others))
        self._alone = max(len(others) - 1, 0)
        self._reader = self._new_reader()
        return error

    def _read_alone(self, line: _Line) -> CsvRow | RecordError:
        position = f"line {line.number}"
        if isinstance(line.content, RecordError):
            line.content.position = position
            return line.content
        try:
            fields = next(csv.reader([line.content], delimiter=self._delimiter, strict=True))
        except csv.Error as exc:
            return RecordError(f"not a line of a table ({exc})", position=position)
        return CsvRow(fields, line.number, line.number)

    def _new_reader(self) -> Iterator[list[str]]:
        return csv.reader(self._take_lines(), delimiter=self._delimiter, strict=True)

    def _take_lines(self) -> Iterator[str]:
        """Lines for the reader, noted as taken; an error where one is none or a row grows too long."""
        size = 0
        while line := self._waiting.popleft() if self._waiting else self._read_line():
            if not self._row_lines:
                size = 0
            self._row_lines.append(line)
            if isinstance(line.content, RecordError):
                raise line.content
            size += len(line.content)
            if size > MAX_LINE:
                raise RecordError(f"the row is longer than {MAX_LINE:,} characters")
            yield line.content

    def _read_line(self) -> _Line | None:
        raw = self._stream.readline(MAX_LINE)
        if not raw:
            return None
        self._number += 1
        if self._number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) >= MAX_LINE and not raw.endswith(b"\n"):
            while raw and not raw.endswith(b"\n"):
                raw = self._stream.readline(MAX_LINE)
            return _Line(self._number, RecordError(f"the line is longer than {MAX_LINE:,} bytes"))
        try:
            return _Line(self._number, raw.decode("utf-8"))
        except UnicodeDecodeError:
            return _Line(self._number, RecordError("the line is not UTF-8 text"))


def guess_delimiter(line: str, delimiters: str) -> str:
    """The one of `delimiters` that stands in the line most often."""
    return max(delimiters, key=line.count)
