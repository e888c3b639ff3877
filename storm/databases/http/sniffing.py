"""Checks whether the bytes of an answer are of the requested type, whatever its status and content type say."""

from __future__ import annotations

import json
import re
from enum import StrEnum


class Expect(StrEnum):
    """The type of body that a request asks for."""

    JSON = "json"
    XML = "xml"


ACCEPT = {
    Expect.JSON: "application/json",
    Expect.XML: "application/xml, text/xml",
}

#: The description of JSON that cannot be parsed.
DAMAGED = "JSON that is cut off or damaged"

#: Bytes that are looked at, from the start and from the end.
_START = 4096
_BLANK = b" \t\r\n\xef\xbb\xbf"
_PROLOGUE = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.S)
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")

#: NCBI's rate limit message, which comes as JSON with any status and names the caller.
_NCBI_LIMIT = b'"API rate limit exceeded"'


def is_rate_body(body: bytes) -> bool:
    """Whether the body is NCBI's rate limit message."""
    return len(body) < 1000 and body.lstrip(_BLANK).startswith(b"{") and _NCBI_LIMIT in body


def is_html(body: bytes) -> bool:
    """Whether the body is a web page."""
    start = body[:_START].lstrip(_BLANK)
    if not start.startswith(b"<"):
        return False
    if re.match(rb"<!doctype\s+html", _PROLOGUE.sub(b"", start).lstrip(_BLANK), re.I):
        return True
    return _root_name(start).lower() == b"html"


def fault_of(body: bytes, expect: Expect, *, parse: bool = True) -> str | None:
    """What is wrong with the body ("a web page where XML was asked for"); None if it is complete and of that type.

    Without `parse`, truncated JSON is not detected.
    """
    if not body.strip(_BLANK):
        return "an empty answer"
    if is_html(body):
        return f"a web page where {expect.name} was asked for"
    return _json_fault(body, parse) if expect is Expect.JSON else _xml_fault(body)


def _json_fault(body: bytes, parse: bool) -> str | None:
    if body.lstrip(_BLANK)[:1] not in (b"{", b"["):
        return "not the JSON that was asked for"
    if not parse:
        return None
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return DAMAGED
    return None


def _xml_fault(body: bytes) -> str | None:
    start = body[:_START].lstrip(_BLANK)
    if not start.startswith(b"<"):
        return "not the XML that was asked for"
    root = _root_name(start)
    end = body[-_START:].rstrip(_BLANK + b"\0")
    closed = re.search(rb"</" + re.escape(root) + rb"\s*>(?>\s+|" + _PROLOGUE.pattern + rb")*+$", end, re.S)
    alone = end.endswith(b"/>") and body.rpartition(b"<")[2].startswith(root) and body.count(b"<" + root) == 1
    return None if root and (closed or alone) else "XML that is cut off"


def _root_name(start: bytes) -> bytes:
    """The name of the first element."""
    found = _ROOT.search(_PROLOGUE.sub(b"", start))
    return found[1] if found else b""
