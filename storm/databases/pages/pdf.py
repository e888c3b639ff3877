"""Extracts the text of a PDF page by page, within a time limit."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from storm.databases.formats.dates import parse_date
from storm.databases.formats.fields import clean_text, text_line
from storm.databases.pages.text import MAX_FIELD, PageText
from storm.errors import BadAnswer

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 500
MAX_SECONDS = 20.0

#: Titles written by a word processor or typesetter, not an author.
_NO_TITLE = re.compile(r"untitled|microsoft word|\.(?:docx?|indd|pdf|tex|dvi|qxd)$|^\W*$", re.I)


def read_pdf(
    body: bytes,
    *,
    max_pages: int = MAX_PAGES,
    max_seconds: float = MAX_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> PageText:
    """The text of the pages within both limits; `part` names them if they are not all. BadAnswer without text."""
    from pypdf import PdfReader  # it takes longer to load than most pages to read
    from pypdf.errors import DependencyError, FileNotDecryptedError

    end = clock() + max_seconds
    try:
        reader = PdfReader(io.BytesIO(body))
        total = len(reader.pages)
        texts: list[str] = []
        while len(texts) < min(total, max_pages) and clock() < end:
            texts.append(clean_text(reader.pages[len(texts)].extract_text()))
    except (DependencyError, FileNotDecryptedError) as exc:
        raise BadAnswer("the PDF is encrypted") from exc
    text = "\n\n".join(filter(None, texts))
    if not re.search(r"\w{2}", text):
        raise BadAnswer("the PDF has no text, only images")
    part = "" if len(texts) == total else f"pages 1–{len(texts)} of {total}"
    return _describe_pdf(reader, text, part)


def _describe_pdf(reader: PdfReader, text: str, part: str) -> PageText:
    metadata: Mapping[str, object] = reader.metadata or {}
    title, author = text_line(metadata.get("/Title"))[:MAX_FIELD], text_line(metadata.get("/Author"))[:MAX_FIELD]
    if _NO_TITLE.search(title):
        title = text_line(text.partition("\n")[0])[:MAX_FIELD]
    return PageText(
        text=text,
        title=title,
        authors=(author,) if author else (),
        date=parse_date(text_line(metadata.get("/CreationDate")).removeprefix("D:")[:8]),
        part=part,
    )
