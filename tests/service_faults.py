"""What goes wrong with a service: each fault makes a bad answer of a sound one."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fault_server import Entry, Reply, Seen
from sound_services import CALLER, CONTACT, KEY, in_json, in_xml

#: What services say of a call that they refuse: more than may be passed on.
ECHO = f"refused: {CALLER} with {KEY} for {CONTACT}"
MEGABYTES = 1_000_000
#: Ten thousand bytes that unpack to ten million.
BOMB = gzip.compress(b" " * 10 * MEGABYTES)

#: From the sound answer to the bad one.
Fault = Callable[[Reply], Entry]


def is_xml(good: Reply) -> bool:
    return "xml" in good.content_type


def beginning(good: Reply) -> bytes:
    return good.content[: len(good.content) // 2]


def damaged(good: Reply) -> bytes:
    """A body that begins and ends as it should."""
    start, end, rest = good.content.rpartition(b"</" if is_xml(good) else b"}")
    return start + b" & broken " + end + rest


def without_records(good: Reply) -> Reply:
    """The answer with its counts, and none of the records that it lists."""
    if is_xml(good):
        listed = rb"<(exchange-documents|PubmedArticle|article)\b.*</\1>"
        return replace(good, body=re.sub(listed, b"", good.content, flags=re.S))
    return in_json(_without_lists(json.loads(good.content)))


def _without_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_lists(member) for name, member in value.items()}
    return [] if isinstance(value, list) else value


def in_circles(seen: Seen) -> Reply:
    return Reply(status=302, headers={"Location": seen.target})


def in_error(status: int) -> Reply:
    return replace(in_json({"error": {"code": "E", "message": ECHO}}), status=status)


def names_nobody(text: str) -> bool:
    """Whether a text holds no secret of ours and no IP address."""
    address = re.search(r"\d+\.\d+\.\d+\.\d+", text)
    return not address and not any(secret in text for secret in (KEY, "s3cret", "T0KEN", CONTACT))


FAULTS: dict[str, Fault] = {
    "nothing in the body": lambda good: Reply(b"", content_type=good.content_type),
    "another kind of record": lambda good: in_xml("<response/>") if is_xml(good) else in_json({}),
    "a list": lambda good: in_xml("<list><item/></list>") if is_xml(good) else in_json([]),
    "null": lambda good: in_xml("null") if is_xml(good) else in_json(None),
    "an error inside": lambda good: (
        in_xml(f"<error><message>{ECHO}</message></error>")
        if is_xml(good)
        else in_json({"error": ECHO, "detail": ECHO})
    ),
    "a body that is cut": lambda good: replace(good, body=beginning(good)),
    "a body that is damaged": lambda good: replace(good, body=damaged(good)),
    "a shorter body than announced": lambda good: replace(good, announced=len(good.content) + 1),
    "the other format": lambda good: in_json({"results": []}) if is_xml(good) else in_xml("<response/>"),
    "a web page": lambda good: Reply("<!DOCTYPE html><html><body>Please wait</body></html>", content_type="text/html"),
    "a web page called data": lambda good: replace(good, body=b"<html><body>Please wait</body></html>"),
    "bytes that are no text": lambda good: replace(good, body=bytes(range(128, 256))),
    "400": lambda good: Reply(ECHO, status=400, content_type="text/plain"),
    "401": lambda good: in_error(401),
    "403": lambda good: in_error(403),
    "404 of a web server": lambda good: Reply("<html>Not Found</html>", status=404, content_type="text/html"),
    "429": lambda good: Reply(ECHO, status=429, content_type="text/plain"),
    "429 for an hour": lambda good: Reply("", status=429, headers={"Retry-After": "3600"}),
    "NCBI's rate body": lambda good: in_json({"error": "API rate limit exceeded", "api-key": CALLER, "count": "4"}),
    "500": lambda good: in_error(500),
    "503": lambda good: Reply("<html>Unavailable</html>", status=503, content_type="text/html"),
    "redirects in circles": lambda good: in_circles,
    "a redirect elsewhere": lambda good: Reply(status=302, headers={"Location": "http://169.254.169.254/"}),
    "a reset connection": lambda good: replace(good, body=beginning(good), reset=True),
    "a bomb": lambda good: replace(good, body=BOMB, headers={"Content-Encoding": "gzip"}),
}
#: What passes: the client tries again.
PASSING: dict[str, Fault] = {
    **{name: FAULTS[name] for name in ("429", "NCBI's rate body", "500", "503", "a web page", "a body that is cut")},
    "a body that is damaged": FAULTS["a body that is damaged"],
    "a reset connection": FAULTS["a reset connection"],
    "429 for seven seconds": lambda good: Reply("", status=429, headers={"Retry-After": "7"}),
}
