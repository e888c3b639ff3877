"""Stream the rows of CSV files. Each line belongs to one row or one error; a broken line costs only itself."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from storm.errors import RecordError

#: The most bytes of a line, of a row of several lines, and of a field.
MAX_LINE = 32_000_000
#: The csv module's limit on fields (131,072 characters) is global to the process; CsvRows limits each row itself.
csv.field_size_limit(MAX_LINE)


class CsvRow(NamedTuple):
    """The fields of a row, and the numbers of its first and last line."""

    fields: list[str]
    first: int
    last: int

    @property
    def position(self) -> str:
        """The line numbers, as shown to users."""
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"


class _Line(NamedTuple):
    number: int
    content: str | RecordError


class _LineFeedStream(io.RawIOBase):
    """The bytes of a stream, with line feeds in place of carriage returns if its lines end with those alone."""

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
    """The rows of a UTF-8 file, split at the delimiter that occurs most often in the first line.

    If a row of several lines is broken, for example by an unclosed quote, its first line becomes an error and the
    following lines are read as separate rows.
    """

    def __init__(self, stream: BinaryIO, delimiters: str = ",") -> None:
        self._stream: BinaryIO = io.BufferedReader(_LineFeedStream(stream))
        self._number = 0
        self._waiting: deque[_Line] = deque()
        self._row_lines: list[_Line] = []
        #: How many of the waiting lines to read as rows of one line each.
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
        """The fields of each line of the current row except the first, read as a row of its own."""
        rows = (self._read_alone(line) for line in self._row_lines[1:])
        return [row.fields for row in rows if isinstance(row, CsvRow)]

    def reject_row(self) -> RecordError:
        """Turn the current row, which swallowed others, into an error; the swallowed lines are read next."""
        reason = "the lines after it are records of their own"
        return self._reject_first_line(reason, reason)

    def _reject_first_line(self, reason: str, cause: str) -> RecordError:
        """Make an error of the row's first line and queue the others; the last may begin a row of several lines."""
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
        """Yield lines to the csv reader and remember them; RecordError for an unreadable line or an overlong row."""
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
    """The one of `delimiters` that occurs most often in the line."""
    return max(delimiters, key=line.count)
