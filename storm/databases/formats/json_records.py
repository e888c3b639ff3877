"""JSON files as a stream of records: one object, an answer that lists them under a key, an array, or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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


def json_records(stream: BinaryIO, list_key: str) -> Iterator[JsonRecord | RecordError]:
    """The objects of a file: those listed under `list_key`, or the top-level ones.

    A broken line costs one record; where the file is one JSON text, a break ends it.
    """
    first = stream.readline(MAX_RECORD)
    if isinstance(_parsed(first), dict):
        yield from _by_line(first, stream, list_key)
    else:
        yield from _by_event(GuardedStream(stream, MAX_RECORD, first), list_key)


def _parsed(text: bytes) -> Any:
    """The value of a JSON text; a RecordError (not raised) says why there is none."""
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        return RecordError("not UTF-8 text")
    except json.JSONDecodeError as exc:
        return RecordError(f"not JSON ({exc.msg} at character {exc.pos + 1:,})")
    except (ValueError, RecursionError):
        return RecordError("not JSON that can be read (a number too long, or nested too deep)")


def _by_line(text: bytes, stream: BinaryIO, list_key: str) -> Iterator[JsonRecord | RecordError]:
    number = 1
    while text:
        if len(text) == MAX_RECORD and not text.endswith(b"\n"):
            yield RecordError(f"the line is longer than {MAX_RECORD:,} bytes", position=f"line {number}")
            while text and not text.endswith(b"\n"):
                text = stream.readline(MAX_RECORD)
        elif text.strip():
            yield from _of_line(_parsed(text), f"line {number}", list_key)
        text = stream.readline(MAX_RECORD)
        number += 1


def _of_line(value: Any, position: str, list_key: str) -> Iterator[JsonRecord | RecordError]:
    if isinstance(value, RecordError):
        value.position = position
        yield value
    elif isinstance(value, dict) and isinstance(value.get(list_key), list):
        for number, item in enumerate(value[list_key], 1):
            yield from _of_line(item, f"{position}, record {number}", list_key="")
    elif isinstance(value, dict):
        yield JsonRecord(value, position)
    else:
        yield RecordError("not a JSON object", position=position)


def _by_event(stream: GuardedStream, list_key: str) -> Iterator[JsonRecord | RecordError]:
    listed = 0
    try:
        for item in _objects(json_events(stream), list_key):
            listed += 1
            stream.record_done()
            yield from _of_line(item, f"record {listed}", list_key="")
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


def json_events(stream: SupportsRead) -> Iterator[tuple[str, str, Any]]:
    """The events of ijson (prefix, event, value) of one JSON text or several; ValueError beyond `MAX_DEPTH`."""
    return ijson.parse(_not_too_deep(ijson.basic_parse(stream, multiple_values=True, use_float=True)))  # type: ignore[no-any-return]


def _not_too_deep(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """A prefix is as long as its place is deep, so that brackets without end would cost their number squared."""
    depth = 0
    for event, value in events:
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")
        yield event, value


def _objects(events: Iterator[tuple[str, str, Any]], list_key: str) -> Iterator[Any]:
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
