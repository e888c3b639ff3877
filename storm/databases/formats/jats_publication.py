"""Read from JATS where and by whom an article was published."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from storm.databases.formats.author_names import name_contributor
from storm.databases.formats.bibliography import complete_pages, find_issn
from storm.databases.formats.xml_text import remove_content, text_of
from storm.models import Contributor, Publication

Element = etree._Element

_PRINT = frozenset({"ppub", "print"})
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ABBREVIATIONS = ("journal-id[@journal-id-type='iso-abbrev']", "journal-id[@journal-id-type='nlm-ta']")
_NAMES = ("name", "name-alternatives/name", "string-name", "name-alternatives/string-name")


def read_jats_publication(article: Element, meta: Element) -> Publication:
    """The journal, the place in it and the authors of an article, whose namespaces were dropped."""
    journal = _read_first(article, "journal-title-group/journal-title", "journal-title")
    abbreviation = _read_first(article, *_ABBREVIATIONS)
    is_same = abbreviation and journal and abbreviation.lower() == journal.lower()
    return Publication(
        authors=_read_people(meta),
        journal=journal,
        journal_abbreviation=journal if is_same else abbreviation,  # eLife calls itself `elife` there
        volume=text_of(meta.find("volume")) or None,
        issue=text_of(meta.find("issue")) or None,
        pages=complete_pages(text_of(meta.find("fpage")), text_of(meta.find("lpage"))),
        article_number=text_of(meta.find("elocation-id")) or None,
        issn=_read_issn(article.findall("front/journal-meta/issn")),
        language=article.get(_LANGUAGE, "").strip() or None,
        publisher=_read_first(article, "publisher/publisher-name"),
        place=_read_first(article, "publisher/publisher-loc"),
    )


def _read_first(article: Element, *paths: str) -> str | None:
    return next((text for path in paths if (text := text_of(article.find(f"front/journal-meta/{path}")))), None)


def _read_issn(elements: Iterable[Element]) -> str | None:
    """The printed journal's, or else another."""
    by_medium = sorted(elements, key=lambda issn: not _PRINT & {issn.get("pub-type"), issn.get("publication-format")})
    return find_issn(map(text_of, by_medium))


def _read_people(meta: Element) -> tuple[Contributor, ...]:
    people = [contrib for group in meta.findall("contrib-group") for contrib in group.findall("contrib")]
    authors = [contrib for contrib in people if contrib.get("contrib-type", "author") == "author"]
    return tuple(named for contrib in authors if (named := _read_person(contrib)))


def _read_person(contrib: Element) -> Contributor | None:
    for path in _NAMES:
        if (name := contrib.find(path)) is not None and name.find("surname") is not None:
            family, given, suffix = (text_of(name.find(part)) for part in ("surname", "given-names", "suffix"))
            initials = name.find("given-names[@initials]")
            return name_contributor(family, given, "" if initials is None else initials.get("initials", ""), suffix)
    return name_contributor("", collective=_read_group(contrib))


def _read_group(contrib: Element) -> str:
    group = contrib.find("collab")
    if group is None:
        return text_of(contrib.find("string-name"))
    for members in group.findall("contrib-group"):
        remove_content(members)
    return text_of(group)
