"""Read the records of an untrusted XML stream, one element at a time, in constant memory.

No DTD is loaded, nothing is fetched, no entity is expanded; a document that declares its own entities is rejected.
libxml2's limits stay on (`huge_tree=False`: 10 MB per text, 256 levels), far above what literature needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, BinaryIO, TypedDict

from lxml import etree

from storm.databases.formats.records import GuardedStream, hit_or_error
from storm.databases.formats.xml_text import local_name
from storm.errors import RecordError
from storm.models import Hit


class BrokenXml(RecordError):
    """The document is not well-formed; everything after this position is lost."""


class _Safety(TypedDict):
    load_dtd: bool
    no_network: bool
    resolve_entities: bool
    huge_tree: bool


_SAFE: _Safety = {"load_dtd": False, "no_network": True, "resolve_entities": False, "huge_tree": False}


def read_xml(
    stream: BinaryIO,
    expected: str,
    roots: Collection[str],
    records: Collection[str],
    convert: Callable[[etree._Element], Hit],
) -> Iterator[Hit | RecordError]:
    """Yield a Hit or RecordError for each element named in `records`, in a document whose root is one of `roots`.

    Names are local and match in any namespace. A broken document ends with a RecordError that says where and why.
    """
    guarded = GuardedStream(stream)
    done = 0
    try:
        _check_root(guarded.peek_head(), expected, roots)
        for element in _read_elements(guarded, [f"{{*}}{name}" for name in records]):
            done += 1
            yield hit_or_error(convert, element, f"record {done}")
            guarded.record_done()
            _free_element(element)
    except RecordError as exc:
        after = f"after record {done}" if done else ""
        exc.position = ", ".join(part for part in (exc.position, after) if part)
        yield exc


def _check_root(head: bytes, expected: str, roots: Collection[str]) -> None:
    """Check the document's root and DOCTYPE before reading any record."""
    parser = etree.XMLPullParser(events=("start",), **_SAFE)
    broken = None
    for start in range(0, len(head), 256):
        try:
            parser.feed(head[start : start + 256])
        except etree.XMLSyntaxError as exc:
            broken = _to_broken_xml(exc, parser.feed_error_log)
        for _, root in parser.read_events():
            return _check_document(root, expected, roots)
        if broken:
            raise broken
    raise RecordError(f"no XML element begins in the first {len(head):,} bytes")


def _check_document(root: Any, expected: str, roots: Collection[str]) -> None:
    name = local_name(root)
    if name not in roots:
        raise RecordError(f"not {expected}: the root element is {name[:60]}")
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and dtd.entities():
        raise RecordError("the document declares entities of its own, which are never expanded")


def _read_elements(guarded: GuardedStream, tags: list[str]) -> Iterator[etree._Element]:
    context = etree.iterparse(guarded, events=("end",), tag=tags, **_SAFE)
    try:
        for _, element in context:
            yield element
    except etree.XMLSyntaxError as exc:
        raise _to_broken_xml(exc, context.error_log) from exc


def _to_broken_xml(exc: etree.XMLSyntaxError, log: etree._ListErrorLog) -> BrokenXml:
    errors = log.filter_from_errors()
    line, reason = (errors[-1].line, errors[-1].message) if len(errors) else (exc.lineno or 0, str(exc))
    return BrokenXml(f"not well-formed XML: {' '.join(reason.split())[:200]}", position=f"line {line}")


def _free_element(element: etree._Element) -> None:
    """Free a record that was read, and everything before it."""
    element.clear()
    for node in (element, *element.iterancestors()):
        parent = node.getparent()
        while parent is not None and node.getprevious() is not None:
            del parent[0]
