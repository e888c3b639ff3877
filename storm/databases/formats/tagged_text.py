"""Split formats with one tagged field per line (MEDLINE, RIS) into decoded records, whatever the line ends."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator
from typing import NamedTuple

from storm.databases.formats.records import GuardedStream
from storm.errors import RecordError

MAX_RECORD_BYTES = 8_000_000
#: Bytes read at once.
_CHUNK = 64 * 2**10


class Block(NamedTuple):
    """The lines of one record, from line number `line` on; `cut` if the file ended before the record did."""

    line: int
    lines: list[str]
    cut: bool = False


def read_blocks(
    guarded: GuardedStream, begins: Callable[[bytes, list[bytes]], bool], ends: Callable[[bytes], bool]
) -> Iterator[Block]:
    """Yield blocks of lines; a block begins where `begins(line, lines so far)` and ends after a line that `ends` it.

    Blank lines before a block are skipped. RecordError, with its position, for a record that is too long.
    """
    lines: list[bytes] = []
    first = 1
    try:
        for number, line in enumerate(_split_lines(guarded), 1):
            if lines and begins(line, lines):
                yield Block(first, _decode_lines(lines))
                lines = []
            if not lines:
                if not line.strip():
                    continue
                first = number
                guarded.record_done()
            lines.append(line)
            if ends(line):
                yield Block(first, _decode_lines(lines))
                lines = []
    except RecordError as exc:
        raise RecordError(f"{exc.message}; nothing after it is read", position=f"line {first}") from exc
    if lines:
        yield Block(first, _decode_lines(lines), cut=True)


def _split_lines(guarded: GuardedStream) -> Iterator[bytes]:
    # Latin-1 maps each byte to one character and back: only the line ends are changed here.
    newlines = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("latin-1")(), translate=True)
    rest = ""
    while chunk := guarded.read(_CHUNK):
        *complete, rest = (rest + newlines.decode(chunk)).split("\n")
        yield from (line.encode("latin-1") for line in complete)
    rest += newlines.decode(b"", final=True)
    yield from (line.encode("latin-1") for line in rest.split("\n") if line)


def _decode_lines(lines: list[bytes]) -> list[str]:
    """Decode as UTF-8, or else as Windows-1252, which older exports use; invalid bytes become U+FFFD."""
    data = b"\n".join(lines)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.split("\n")
