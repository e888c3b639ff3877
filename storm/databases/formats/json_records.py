"""Stream the records of JSON files: one object, an answer with a list, an array, or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, Protocol

import ijson
from ijson.common import ObjectBuilder

from storm.databases.formats.records import GuardedStream
from storm.errors import RecordError

#: Larger records or lines (in bytes) are errors.
MAX_RECORD = 32_000_000
#: Ten times the depth of any record of these databases.
MAX_DEPTH = 200


class SupportsRead(Protocol):
    """A readable binary file or stream."""

    def read(self, size: int = -1, /) -> bytes: ...


class JsonRecord(NamedTuple):
    """An object of a file, and its position there."""

    value: dict[str, Any]
    position: str


def read_json_records(stream: BinaryIO, list_key: str) -> Iterator[JsonRecord | RecordError]:
    """Read the objects of a file: those listed under `list_key`, or the top-level ones.

    In JSON lines a broken line costs one record; in a single JSON text everything after the break is lost.
    """
    blank = 0
    while (first := stream.readline(MAX_RECORD)) and not first.strip():
        blank += 1
    if isinstance(_parse_json(first), dict):
        yield from _read_lines((first,), stream, list_key, blank + 1)
        return
    # A first line that begins an object may be broken, or continue: the next two lines show which.
    second = stream.readline(MAX_RECORD) if first.startswith(b"{") and first.endswith((b"\n", b"}")) else b""
    after = _read_to_text(stream) if isinstance(_parse_json(second), dict) else []
    if (_looks_like_record(first) and _looks_like_record(second)) or _is_record_alone(second, after):
        yield from _read_value(_parse_json(first), f"line {blank + 1}", list_key)
        yield from _read_lines((second, *after), stream, list_key, blank + 2)
    else:
        yield from _read_stream(GuardedStream(stream, MAX_RECORD, first + second + b"".join(after)), list_key)


def _read_to_text(stream: BinaryIO) -> list[bytes]:
    """Read lines up to and including the first that is not blank."""
    lines: list[bytes] = []
    while not (lines and lines[-1].strip()) and (line := stream.readline(MAX_RECORD)):
        lines.append(line)
    return lines


def _is_record_alone(line: bytes, following: Sequence[bytes]) -> bool:
    """Whether a line is a complete object that no longer JSON text continues, with a comma or bracket, after it."""
    text = following[-1].lstrip() if following else b""
    return isinstance(_parse_json(line), dict) and not text.startswith((b",", b"]", b"}"))


def _looks_like_record(text: bytes) -> bool:
    """Whether a line, broken or not, looks like a separate object and not like part of a longer JSON text."""
    return (
        text.startswith(b"{") and text.endswith((b"\n", b"}")) and not text.rstrip().endswith((b"{", b"[", b",", b":"))
    )


def _parse_json(text: bytes) -> Any:
    """Parse a JSON text; return a RecordError if it is invalid."""
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        return RecordError("not UTF-8 text")
    except json.JSONDecodeError as exc:
        return RecordError(f"not JSON ({exc.msg} at character {exc.pos + 1:,})")
    except (ValueError, RecursionError):
        return RecordError("not JSON that can be read (a number too long, or nested too deep)")


def _read_lines(
    head: Sequence[bytes], stream: BinaryIO, list_key: str, number: int
) -> Iterator[JsonRecord | RecordError]:
    """Read the records of the head's lines, then of the stream's; `number` is the first line's number."""
    lines = chain(filter(None, head), iter(partial(stream.readline, MAX_RECORD), b""))
    for at, text in enumerate(lines, number):
        if len(text) == MAX_RECORD and not text.endswith(b"\n"):
            yield RecordError(f"the line is longer than {MAX_RECORD:,} bytes", position=f"line {at}")
            while text and not text.endswith(b"\n"):
                text = next(lines, b"")
        elif text.strip():
            yield from _read_value(_parse_json(text), f"line {at}", list_key)


def _read_value(value: Any, position: str, list_key: str) -> Iterator[JsonRecord | RecordError]:
    if isinstance(value, RecordError):
        value.position = position
        yield value
    elif isinstance(value, dict) and isinstance(value.get(list_key), list):
        for number, item in enumerate(value[list_key], 1):
            yield from _read_value(item, f"{position}, record {number}", list_key="")
    elif isinstance(value, dict):
        yield JsonRecord(value, position)
    else:
        yield RecordError("not a JSON object", position=position)


def _read_stream(stream: GuardedStream, list_key: str) -> Iterator[JsonRecord | RecordError]:
    listed = 0
    try:
        for item in _build_objects(read_json_events(stream), list_key):
            listed += 1
            stream.record_done()
            yield from _read_value(item, f"record {listed}", list_key="")
    except ijson.JSONError as exc:
        reason = str(exc).splitlines()[0] if str(exc) else "it ends in the middle"
        yield RecordError(f"not JSON from here on ({reason})", position=f"record {listed + 1}")
    except RecordError as exc:
        exc.position = f"record {listed + 1}"
        yield exc
    except (ValueError, OverflowError):
        yield RecordError(
            "not JSON from here on (nested too deep, or a value that cannot be read)", position=f"record {listed + 1}"
        )


def read_json_events(stream: SupportsRead) -> Iterator[tuple[str, str, Any]]:
    """Yield ijson's (prefix, event, value) events of one or several JSON texts; ValueError beyond `MAX_DEPTH`."""
    return ijson.parse(_limit_depth(ijson.basic_parse(stream, multiple_values=True, use_float=True)))  # type: ignore[no-any-return]


def _limit_depth(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Limit nesting, since ijson's prefixes grow with depth: endless brackets would take quadratic time."""
    depth = 0
    for event, value in events:
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")
        yield event, value


def _build_objects(events: Iterator[tuple[str, str, Any]], list_key: str) -> Iterator[Any]:
    """Yield the listed items, and each top-level object that does not itself contain the list."""
    item = outer = None
    depth = 0
    for prefix, event, value in events:
        if item is None and prefix in (f"{list_key}.item", "item") and event not in ("end_map", "end_array"):
            item, depth = ObjectBuilder(), 0
        if item is not None:
            item.event(event, value)
            depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
            if depth == 0:
                yield item.value
                item = None
            continue
        if prefix == "" and event == "start_map":
            outer = ObjectBuilder()
        if outer is not None:
            outer.event(event, value)
            if prefix == "" and event == "end_map":
                if not isinstance(outer.value.get(list_key), list):
                    yield outer.value
                outer = None
