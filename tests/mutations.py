"""Harm done to bodies, and what must hold of all that is read from them all the same."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from lxml import etree

from storm.errors import RecordError
from storm.models import Hit

_DEEP: Any = []
for _ in range(300):
    _DEEP = [_DEEP]

#: What may stand where a record is expected to hold something else.
ODD_VALUES: tuple[Any, ...] = (
    None, [], {}, "", " ", 0, -1, 2**70, 10**400, 1e308, 0.5, True, False, [None], [[]], [{}], {"a": {"b": []}}, _DEEP,
    "x" * 5_000, "a\0b", "\ud800", "\u202e\u200b", "<sup>[1]</sup>", "<", "&#0;&#xD800;&amp;amp;", "\\", "\u2028",
    "10.1000/a%00b", "https://example.org/\0", "http://[x", "javascript:x", "NaN", "1e999", "20\u0661\u0662-\u0661",
    "\u00b2", "0000-00-00", "2012-13-45", "2012", "NCT00000001", "null", "\U0001f48a", "\u0130\u1e9e\ufb01",
)  # fmt: skip

#: What may come into a body where it is damaged, or by someone's will.
PIECES: tuple[bytes, ...] = (
    b"<", b">", b"</", b"&amp;", b"&x;", b"&eacute;", b"&#0;", b"&#31;", b"&#xD800;", b"&#x202E;", b"<sup>", b"</sup>",
    b"<a/>", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<?x?>", b"\n", b"\n\n", b"\r", b"\r\n", b'"', b"'", b"{", b"}",
    b"[", b"]", b"(", b")", b",", b",,,", b":", b";", b"~", b"~~~", b"|", b"\t", b"-", b"%", b"null", b"NaN",
    b"-Infinity", b"1e999", b"9" * 30, b"\\ud800", b"\\u0000", b"\0", b"\x1f", b"\x0b", b"\x85", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xf0\x9f\x92\x8a", b"\x1f\x8b", b"ER  - \n", b"TY  - ",
    b"PMID- ", b"      ", b"xmlns='u'", b" a:b='c'", b"http://[", b"&a [*a]", b"<?xml version='1.0' encoding='utf-7'?>",
    b"<?xml version='1.0' encoding='utf-16'?>", b"[" * 500, b'{"a":' * 300, b"<p>" * 300,
    b"<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;&b;'><!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
)  # fmt: skip

_places = st.integers(0, 10_000)


class _Twin(str):
    """A key that json writes beside an equal one."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Change(NamedTuple):
    """One change to a tree: at which of its nodes, what is done, and with which value or other node."""

    place: int
    kind: str
    value: Any = None
    other: int = 0


Changes = Sequence[Change]
#: Each change to bytes as (where, from 0 to 1; how many are taken out; what comes in).
ByteChanges = Sequence[tuple[float, int, bytes]]


def json_changes() -> st.SearchStrategy[Changes]:
    """Some changes to a JSON value."""
    kinds = ("replace", "replace", "drop", "double", "move", "wrap")
    values = st.one_of(st.sampled_from(ODD_VALUES), st.text(max_size=12), st.integers(), st.floats(allow_nan=False))
    change = st.builds(Change, _places, st.sampled_from(kinds), values, _places)
    return st.lists(change, min_size=1, max_size=4)


def changed_json(value: Any, changes: Changes) -> Any:
    """A copy of the value with nodes replaced, dropped, doubled, moved and wrapped; its root stays."""
    value = copy.deepcopy(value)
    for change in changes:
        nodes = list(_nodes(value))
        if not nodes:
            break
        parent, key = nodes[change.place % len(nodes)]
        other, other_key = nodes[change.other % len(nodes)]
        _change_json(parent, key, change, copy.deepcopy(other[other_key]))
    return value


def _nodes(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    """Each place in the value, as its container and its key; a tower of brackets is not climbed to its top."""
    if depth < 50:
        items: Iterable[tuple[Any, Any]] = ()
        if isinstance(value, dict):
            items = value.items()
        elif isinstance(value, list):
            items = enumerate(value)
        for key, inner in items:
            yield value, key
            yield from _nodes(inner, depth + 1)


def _change_json(parent: Any, key: Any, change: Change, other: Any) -> None:
    match change.kind:
        case "replace":
            parent[key] = copy.deepcopy(change.value)
        case "drop":
            del parent[key]
        case "move":
            parent[key] = other
        case "wrap":
            parent[key] = [parent[key]] if change.other % 2 else {str(change.value): parent[key]}
        case "double" if isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        case "double":
            parent[_Twin(key)] = copy.deepcopy(change.value)


def xml_changes() -> st.SearchStrategy[Changes]:
    """Some changes to an XML tree."""
    kinds = st.sampled_from(["drop", "double", "move", "text", "tail", "attribute", "rename", "wrap", "mix"])
    texts = st.sampled_from([text for text in ODD_VALUES if isinstance(text, str) and _fits_xml(text)])
    return st.lists(st.builds(Change, _places, kinds, texts, _places), min_size=1, max_size=4)


def _fits_xml(text: str) -> bool:
    return not re.search("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", text)


def changed_xml(body: bytes, changes: Changes) -> bytes:
    """The document with elements dropped, doubled, moved into others, renamed, wrapped, and other texts in them."""
    root = etree.fromstring(body)
    for change in changes:
        elements = [element for element in root.iter() if isinstance(element.tag, str)]
        element, other = elements[change.place % len(elements)], elements[change.other % len(elements)]
        if element is not root:
            _change_xml(element, change, other)
    return etree.tostring(root.getroottree(), encoding="utf-8", xml_declaration=True)


def _change_xml(element: Any, change: Change, other: Any) -> None:
    parent = element.getparent()
    match change.kind:
        case "drop":
            parent.remove(element)
        case "double":
            element.addprevious(copy.deepcopy(element))
        case "move" if element not in (other, *other.iterancestors()):
            other.append(element)
        case "text":
            element.text = change.value
        case "tail":
            element.tail = change.value
        case "attribute":
            element.attrib.update(dict.fromkeys(element.attrib, change.value))
        case "rename":
            element.tag = other.tag
        case "wrap":
            for _ in range(change.other % 300):
                parent.replace(element, wrapper := etree.Element(element.tag))
                wrapper.append(element)
                element = wrapper
        case "mix":
            for node in (etree.Comment("c"), etree.ProcessingInstruction("p", "i"), etree.Entity("eacute")):
                element.insert(0, node)


def byte_changes() -> st.SearchStrategy[ByteChanges]:
    """Some changes to bytes."""
    piece = st.one_of(st.sampled_from(PIECES), st.binary(max_size=6))
    removed = st.one_of(st.integers(0, 12), st.just(0), st.integers(0, 10_000))
    return st.lists(st.tuples(st.floats(0, 1), removed, piece), min_size=1, max_size=4)


def changed_bytes(body: bytes, changes: ByteChanges) -> bytes:
    """The bytes with pieces taken out and others put in."""
    for place, removed, piece in changes:
        at = int(place * len(body))
        body = body[:at] + piece + body[at + removed :]
    return body


def changed_lines(body: bytes, changes: ByteChanges) -> bytes:
    """The lines with some taken out, and others put in that are copies of their neighbours or pieces."""
    lines = body.split(b"\n")
    for place, removed, piece in changes:
        at = int(place * len(lines))
        lines[at : at + removed % 3] = [piece, lines[at % len(lines)]] if lines and removed % 2 else [piece]
    return b"\n".join(lines)


def check(items: Iterable[Any]) -> list[Hit | RecordError]:
    """What was read, which must be hits and errors of ours that can be shown, stored and read again."""
    found = list(items)
    for item in found:
        if isinstance(item, RecordError):
            assert item.message
            str(item).encode()
        else:
            check_hit(item)
    return found


def check_hit(hit: Hit) -> None:
    """A Hit has a title, an identity and ISO dates; its texts can be written down; it survives storage unchanged."""
    assert isinstance(hit, Hit)
    assert hit.title.strip()
    assert hit.database
    assert hit.external_id.strip()
    assert all(identifier.partition(":")[2].strip() for identifier in hit.identifiers)
    for date in (hit.date, hit.facts.expiry, *(approval.date for approval in hit.facts.approvals)):
        assert date is None or re.fullmatch(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?", date)
    check_texts(hit.model_dump())
    assert Hit.model_validate_json(hit.model_dump_json()) == hit


def check_texts(value: Any) -> None:
    """Every text in the value can be written as UTF-8, and none holds a NUL."""
    for text in _texts(value):
        text.encode()
        assert "\0" not in text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)
