"""The text and metadata of a page, whatever format it was read from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import Message
from typing import NamedTuple

from storm.databases.formats.fields import text_line
from storm.errors import BadAnswer
from storm.models import Publication

#: Media types of pages that may have text; "" for a missing header.
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
PDF_TYPES = frozenset({"application/pdf", "application/x-pdf"})
READABLE_TYPES = HTML_TYPES | PDF_TYPES | {"text/plain", "application/octet-stream", "binary/octet-stream", ""}

#: Characters of a field of a page's description.
MAX_FIELD = 1_000

_WORD = re.compile(r"\w{2}")


class PageText(NamedTuple):
    """A page's main text and metadata; dates are ISO, possibly partial.

    `parts` are the texts under its headings, if it has any; `part` says which part of the document the text covers, if
    not all of it; `publication` is what it states in the tags of bibliographies.
    """

    text: str
    title: str = ""
    authors: Sequence[str] = ()
    date: str | None = None
    container: str | None = None
    part: str = ""
    parts: Sequence[tuple[str, str]] = ()
    publication: Publication = Publication.model_construct()


def write_page(page: PageText) -> dict[str, object]:
    """The page as it goes, in JSON, from the process that reads it."""
    return page._asdict() | {"publication": page.publication.model_dump(mode="json")}


def media_type(content_type: str) -> tuple[str, str]:
    """The lower-case media type and charset of a Content-Type header, each empty if missing."""
    header = Message()
    header["content-type"] = text_line(content_type)[:200] or "application/octet-stream"
    media = header.get_content_type() if text_line(content_type) else ""
    charset = header.get_param("charset", "")
    return media, charset.strip().lower() if isinstance(charset, str) else ""


def checked_text(text: str) -> str:
    """The text; BadAnswer if it contains no word."""
    if not _WORD.search(text):
        raise BadAnswer("the page has no text")
    return text
