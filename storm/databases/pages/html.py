"""Extracts the main text and the metadata of an HTML page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storm.databases.formats.author_names import split_inverted, write_authors
from storm.databases.formats.bibliography import complete_pages, find_issn, locate_article
from storm.databases.formats.dates import parse_date
from storm.databases.formats.fields import clean_text, text_line
from storm.databases.formats.headings import group_by_heading
from storm.databases.formats.xml_text import write_superscript
from storm.databases.pages.obstacles import find_obstacle
from storm.databases.pages.text import MAX_FIELD, PageText, checked_text
from storm.errors import BadAnswer
from storm.models import Contributor, Publication

MAX_AUTHORS = 300

_LEVEL = re.compile(r"h([1-6])")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?\s*([\w-]{2,30})", re.I)
_WEB_ENCODINGS = re.compile(
    r"utf-?(?:8|16(?:le|be)?)|windows-125\d|cp125\d|iso-8859-\d{1,2}|koi8-[ru]|gb2312|gbk|gb18030|big5|shift_jis|euc-(?:jp|kr)",
    re.I,
)
#: As browsers do: pages that declare the smaller character sets use the larger.
_LARGER = {"iso-8859-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "latin1": "cp1252", "gb2312": "gb18030"}
#: Control characters, literal or numeric, that XML forbids: the extractor stops at the first.
_NO_XML = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
    r"|&#0*(?:[0-8]|1[124-9]|2\d|3[01])(?!\d);?|&#x0*(?:[0-8bcef]|1[\da-f])(?![\da-f]);?",
    re.I,
)


def decode_page(body: bytes, charset: str) -> str:
    """The decoded page: in the charset that the server or the page declares, else UTF-8, else windows-1252."""
    declared = _META_CHARSET.search(body[:4_096])
    for name in (charset, declared[1].decode("ascii").lower() if declared else ""):
        name = _LARGER.get(name, name)
        if _WEB_ENCODINGS.fullmatch(name):
            return body.decode(name, "replace").removeprefix("\ufeff")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def read_html(markup: str) -> PageText:
    """Main text and citation tags of a page; BadAnswer for a robot check, consent form, paywall or empty shell."""
    parts = _main_parts(markup)
    text = "\n\n".join(text for _, text in parts)
    if reason := find_obstacle(markup, text):
        raise BadAnswer(f"the page is {reason}, no text", hint="open it in a browser")
    meta = _read_head(markup)
    return PageText(
        text=checked_text(text),
        parts=parts,
        title=_first_value(meta, "citation_title", "dc.title", "og:title", "title"),
        authors=_read_authors(meta),
        date=_read_date(meta),
        container=_first_value(meta, "citation_journal_title", "prism.publicationname", "og:site_name") or None,
        publication=_read_publication(meta),
    )


def _main_parts(markup: str) -> list[tuple[str, str]]:
    """The main text by its headings."""
    import trafilatura
    from lxml import etree, html
    from trafilatura.settings import Document

    try:
        # From bytes, since lxml refuses text with an encoding declaration, which XHTML has.
        octets = _NO_XML.sub(" ", markup).encode(errors="replace")
        tree = html.document_fromstring(octets, html.HTMLParser(encoding="utf-8"))
    except etree.ParserError:  # an empty document
        return []
    _write_superscripts(tree)
    found = trafilatura.bare_extraction(tree, include_comments=False, include_tables=True)
    return group_by_heading(_read_blocks(found.body)) if isinstance(found, Document) else []


def _read_blocks(body: Any) -> Iterator[tuple[int, str]]:
    """The lines of the main text in order, each with its heading level, or 0."""
    from trafilatura.xml import xmltotxt

    for block in body:
        level = _LEVEL.fullmatch(block.get("rend", "")) if block.tag == "head" else None
        for text in clean_text(xmltotxt(block, include_formatting=False)).split("\n"):
            yield int(level[1]) if level else 0, text.strip()


def _write_superscripts(tree: Any) -> None:
    """Write `10<sup>9</sup>` as 10^9 and drop reference marks, before the extractor joins the digits."""
    for element in list(tree.iter("sup")):
        refers = element.find(".//a") is not None
        content = "" if refers else write_superscript("".join(element.itertext())).replace("\0", "")
        for child in list(element):
            element.remove(child)
        element.text = content


def _read_head(markup: str) -> Mapping[str, Sequence[str]]:
    """The contents of the meta tags, by lower-case name, and of the title."""
    from bs4 import BeautifulSoup
    from bs4.filter import SoupStrainer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # XHTML parsed as HTML, a short text that looks like a file name
        soup = BeautifulSoup(markup, "lxml", parse_only=SoupStrainer(["title", "meta"]))
    meta: dict[str, list[str]] = {}
    for tag in soup.find_all("meta"):
        name = text_line(tag.get("name") or tag.get("property") or tag.get("itemprop")).lower()
        if name and (content := text_line(tag.get("content"))[:MAX_FIELD]):
            meta.setdefault(name, []).append(content)
    if soup.title and (title := text_line(soup.title.get_text())[:MAX_FIELD]):
        meta["title"] = [title]
    return meta


def _all_values(meta: Mapping[str, Sequence[str]], *names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for name in names for value in meta.get(name, ())))


def _first_value(meta: Mapping[str, Sequence[str]], *names: str) -> str:
    return next(iter(_all_values(meta, *names)), "")


def _read_authors(meta: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    if people := _read_people(meta):
        return write_authors(people)
    return tuple(name for name in _all_values(meta, "author") if "//" not in name)


def _read_people(meta: Mapping[str, Sequence[str]]) -> tuple[Contributor, ...]:
    return tuple(map(split_inverted, _all_values(meta, "citation_author", "dc.creator")[:MAX_AUTHORS]))


def _read_publication(meta: Mapping[str, Sequence[str]]) -> Publication:
    """What the page says in the tags of bibliographies; nothing is taken from its text."""
    first, last = _first_value(meta, "citation_firstpage"), _first_value(meta, "citation_lastpage")
    location = locate_article(first, _first_value(meta, "citation_article_number"))
    texts = {
        name: _first_value(meta, *tags) or None
        for name, tags in {
            "journal": ("citation_journal_title",), "journal_abbreviation": ("citation_journal_abbrev",),
            "volume": ("citation_volume",), "issue": ("citation_issue",), "language": ("citation_language",),
            "publisher": ("citation_publisher",),
        }.items()
    }  # fmt: skip
    return Publication(
        authors=_read_people(meta),
        pages=complete_pages(first, last) if last else location.pages,
        article_number=None if last else location.article_number,
        issn=find_issn(_all_values(meta, "citation_issn")),
        **texts,
    )


def _read_date(meta: Mapping[str, Sequence[str]]) -> str | None:
    names = (
        "citation_publication_date", "citation_online_date", "citation_date", "prism.publicationdate", "dc.date",
        "article:published_time", "datepublished", "date",
    )  # fmt: skip
    return next((date for value in _all_values(meta, *names) if (date := parse_date(value))), None)
