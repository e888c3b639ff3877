"""Parses a page by the type of its bytes: the program of the separate process that process.py starts."""

from __future__ import annotations

import json
import logging
import re
import sys

from storm.databases.formats.fields import clean_text
from storm.databases.formats.headings import markdown_parts
from storm.databases.pages.html import decode_page, read_html
from storm.databases.pages.pdf import read_pdf
from storm.databases.pages.text import HTML_TYPES, PDF_TYPES, PageText, checked_text, media_type, write_page
from storm.errors import BadAnswer

MAX_MEMORY = 2**30
#: The process ends itself after this much CPU time, in case its parent is gone.
MAX_CPU_SECONDS = 120

_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*+-->\s*)*+<(?:!doctype html|html|head)\b",
    re.I | re.S,
)

# These libraries log problems of pages; silent unless logging is configured.
for _name in ("trafilatura", "pypdf", "htmldate"):
    logging.getLogger(_name).addHandler(logging.NullHandler())


def read_page(body: bytes, content_type: str) -> PageText:
    """The text of a page with this Content-Type; BadAnswer, with the reason, if it has none.

    The bytes decide over the header: a login page sent as a PDF is read as HTML.
    """
    try:
        return _read_body(body, content_type)
    except BadAnswer:
        raise
    except (MemoryError, RecursionError) as exc:
        raise BadAnswer("the page is too large or too deeply nested to be read") from exc
    except Exception as exc:  # the libraries raise arbitrary errors for damaged pages
        raise BadAnswer("the page is damaged and cannot be read") from exc


def _read_body(body: bytes, content_type: str) -> PageText:
    media, charset = media_type(content_type)
    if _HTML_START.match(body[:5_000]):
        return read_html(decode_page(body, charset))
    if b"%PDF-" in body[:1024] or media in PDF_TYPES:
        return read_pdf(body)
    if b"\0" in body and "16" not in charset:
        raise BadAnswer("the answer is binary data, not a page")
    if media in HTML_TYPES:
        return read_html(decode_page(body, charset))
    if media == "text/plain":
        text = checked_text(clean_text(decode_page(body, charset)))
        return PageText(text, parts=markdown_parts(text))
    raise BadAnswer(f"the answer is {media or 'of no named type'}, not a page with text")


def main() -> None:
    """Read a page from standard input, its type from the second argument; write a PageText or the problem as JSON."""
    _limit_resources()
    try:
        fields = write_page(read_page(sys.stdin.buffer.read(), sys.argv[2][1:-1]))
    except BadAnswer as exc:
        fields = {"problem": exc.message, "hint": exc.hint}
    sys.stdout.write(json.dumps(fields))


def _limit_resources() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
