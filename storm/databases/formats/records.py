"""Limit the size of records in a stream, and give errors their position; shared by the formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, TypeVar

from storm.errors import RecordError
from storm.models import Hit

#: More than ten times the longest article seen; a longer record is damage or an attack that would fill the memory.
MAX_RECORD_BYTES = 64_000_000

_HEAD_BYTES = 64 * 2**10

Record = TypeVar("Record")


class GuardedStream:
    """A binary stream that raises RecordError if more than `max_record_bytes` are read before `record_done` is called.

    `head` holds bytes already read from the stream; they come first.
    """

    def __init__(self, stream: BinaryIO, max_record_bytes: int = MAX_RECORD_BYTES, head: bytes = b"") -> None:
        self._stream = stream
        self._max = max_record_bytes
        self._since_record = 0
        self._head = head

    def peek_head(self) -> bytes:
        """The first 64 KiB, without consuming them."""
        while len(self._head) < _HEAD_BYTES and (chunk := self._stream.read(_HEAD_BYTES - len(self._head))):
            self._head += chunk
        return self._head

    def read(self, size: int = -1) -> bytes:
        """The next bytes, or none at the end."""
        limit = size if size >= 0 else self._max
        chunk, self._head = (self._head[:limit], self._head[limit:]) if self._head else (self._stream.read(limit), b"")
        self._since_record += len(chunk)
        if self._since_record > self._max:
            raise RecordError(f"a record is longer than {self._max:,} bytes")
        return chunk

    def record_done(self) -> None:
        """Reset the byte count at the end of a record."""
        self._since_record = 0


def hit_or_error(convert: Callable[[Record], Hit], record: Record, position: str) -> Hit | RecordError:
    """Convert a record to a Hit, or return the RecordError that `convert` raised, with `position` if it has none."""
    try:
        return convert(record)
    except RecordError as exc:
        exc.position = exc.position or position
        return exc
