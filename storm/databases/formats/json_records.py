"""JSON files as a stream of records: one object, an answer that lists them under a key, an array, or JSON lines."""

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

#: A record, or a line, of more bytes than this is an error.
MAX_RECORD = 32_000_000
#: No record of these databases is a tenth as deep.
MAX_DEPTH = 200


class SupportsRead(Protocol):
    """What is read from: a file, or something like it."""

    def read(self, size: int = -1, /) -> bytes: ...


class JsonRecord(NamedTuple):
    """One object of a file, and where it stands there."""

    value: dict[str, Any]
    position: str


def read_json_records(stream: BinaryIO, list_key: str) -> Iterator[JsonRecord | RecordError]:
    """The objects of a file: those listed under `list_key`, or the top-level ones.

    A broken line costs one record; where the file is one JSON text, a break ends it.
    """
    blank = 0
    while (first := stream.readline(MAX_RECORD)) and not first.strip():
        blank += 1
    if isinstance(_parse_json(first), dict):
        yield from _read_lines((first,), stream, list_key, blank + 1)
        return
    # A first line that begins an object and is none may be broken, or the text goes on: the next two lines tell.
    second = stream.readline(MAX_RECORD) if first.startswith(b"{") and first.endswith((b"\n", b"}")) else b""
    after = _read_to_text(stream) if isinstance(_parse_json(second), dict) else []
    if (_looks_like_record(first) and _looks_like_record(second)) or _is_record_alone(second, after):
        yield from _read_value(_parse_json(first), f"line {blank + 1}", list_key)
        yield from _read_lines((second, *after), stream, list_key, blank + 2)
    else:
        yield from _read_stream(GuardedStream(stream, MAX_RECORD, first + second + b"".join(after)), list_key)


def _read_to_text(stream: BinaryIO) -> list[bytes]:
    """The next lines, the last of which is the first that is not blank."""
    lines: list[bytes] = []
    while not (lines and lines[-1].strip()) and (line := stream.readline(MAX_RECORD)):
        lines.append(line)
    return lines


def _is_record_alone(line: bytes, following: Sequence[bytes]) -> bool:
    """Whether a line is an object after which no longer JSON text goes on: that would need a comma or a bracket."""
    text = following[-1].lstrip() if following else b""
    return isinstance(_parse_json(line), dict) and not text.startswith((b",", b"]", b"}"))


def _looks_like_record(text: bytes) -> bool:
    """Whether a line, broken or not, looks like an object of its own and not like a piece of a longer JSON text."""
    return (
        text.startswith(b"{") and text.endswith((b"\n", b"}")) and not text.rstrip().endswith((b"{", b"[", b",", b":"))
    )


def _parse_json(text: bytes) -> Any:
    """The value of a JSON text; a RecordError (not raised) says why there is none."""
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
    """The records of the lines: those of the head, which were read before, and the stream's. The first has a number."""
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
    """The events of ijson (prefix, event, value) of one JSON text or several; ValueError beyond `MAX_DEPTH`."""
    return ijson.parse(_limit_depth(ijson.basic_parse(stream, multiple_values=True, use_float=True)))  # type: ignore[no-any-return]


def _limit_depth(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """A prefix is as long as its place is deep, so that brackets without end would cost their number squared."""
    depth = 0
    for event, value in events:
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")
        yield event, value


def _build_objects(events: Iterator[tuple[str, str, Any]], list_key: str) -> Iterator[Any]:
    """The listed items one by one, and each top-level object that is not such a list's envelope."""
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
