"""Read the sections of a JATS article: abstract, body by headings, captions and tables, and back matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from lxml import etree

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.jats_tables import read_footnotes, read_rows
from storm.databases.formats.xml_text import (
    CITED,
    cited_paragraphs_of,
    local_name,
    paragraphs_of,
    remove_content,
    text_of,
)
from storm.models import Section, SectionKind
from storm.models.section import kind_of_heading

#: Types of abstracts that are pictures or only announce the article.
_NOT_TEXT = frozenset({"graphical", "toc", "teaser", "video", "scanned-figures", "web-summary", "precis"})
#: Floating elements, set apart from the text around them.
_FRAMES = ("fig", "table-wrap", "boxed-text", "fig-group", "table-wrap-group")
_SKIPPED = frozenset({
    "sec", "title", "label", "caption", "sec-meta", "supplementary-material", "ref-list", "bio",
})  # fmt: skip
#: The kinds that `sec-type` states, for sections with an uninformative heading.
_TYPES: Mapping[str, SectionKind] = {
    "intro": SectionKind.INTRODUCTION, "methods": SectionKind.METHODS, "materials": SectionKind.METHODS,
    "subjects": SectionKind.METHODS, "results": SectionKind.RESULTS, "discussion": SectionKind.DISCUSSION,
    "conclusions": SectionKind.CONCLUSION, "supplementary-material": SectionKind.BACK_MATTER,
}  # fmt: skip
#: The parts of the back matter that are read besides footnotes, and the headings of parts that have none.
_BACK_PARTS = frozenset({"ack", "glossary", "notes", "app", "sec"})
_BACK_HEADINGS: Mapping[str, str] = {
    "ack": "Acknowledgements", "glossary": "Abbreviations", "app": "Appendix",
    "conflict": "Competing interests", "coi-statement": "Competing interests",
    "financial-disclosure": "Funding", "supported-by": "Funding",
    "con": "Author contributions", "abbr": "Abbreviations",
}  # fmt: skip
_STYLES = frozenset({"bold", "italic", "underline", "sc"})
#: A heading at the start of a paragraph: a few words without a finite verb, then punctuation.
_RUN_IN = re.compile(r"(?!.*\b(?:is|are|was|were|had|has|have|did|do)\b)\w.{3,80}", re.S)
_MOST_WORDS = 8
_BORDER = re.compile(r"\s{0,3}[:.—–]\s{0,3}(?=[\W\dA-Z]|\Z)")
_NUMBERED = re.compile(r"(fig(?:ure)?|table|box|scheme|chart)s?\b[.:]?\s{0,3}", re.I)

Element = etree._Element


class _Part(NamedTuple):
    """The headings above a text, and its kind unless a heading implies another."""

    path: tuple[str, ...] = ()
    kind: SectionKind = SectionKind.OTHER

    @property
    def label(self) -> str:
        return ": ".join(self.path)

    def under_heading(self, heading: str, kind: SectionKind = SectionKind.OTHER) -> _Part:
        """The part under a heading. A known kind stays; otherwise the heading decides, or else `kind`. Below the
        abstract a summary is a conclusion."""
        path = (*self.path, heading) if heading else self.path
        stated = kind_of_heading(heading) if heading else SectionKind.OTHER
        stated = SectionKind.CONCLUSION if stated is SectionKind.ABSTRACT else stated
        kinds = (self.kind, stated, kind)
        return _Part(path, next((k for k in kinds if k is not SectionKind.OTHER), SectionKind.OTHER))


def read_abstract(meta: Element) -> tuple[Section, ...]:
    """Read the abstract, with highlights and summaries, in its parts; a translated one if there is no other."""
    for name in ("abstract", "trans-abstract"):
        texts = [abstract for abstract in meta.findall(name) if abstract.get("abstract-type") not in _NOT_TEXT]
        sections = [section for abstract in texts for section in _read_one_abstract(abstract)]
        if sections:
            return tuple(sections)
    return ()


def read_body(article: Element) -> Iterator[Section]:
    """Read the body's sections, each followed by its captions and tables; floating ones come at the end."""
    if (body := article.find("body")) is not None:
        sections = list(_read_sections(body, _Part()))
        yield from map(_mark_introduction, sections[:1]) if len(body.findall("sec")) > 1 else sections[:1]
        yield from sections[1:]
    for floats in (*article.findall("floats-group"), *article.findall("floats-wrap")):
        yield from _read_sections(floats, _Part())


def read_back_matter(article: Element) -> Iterator[Section]:
    """Read back matter and author notes: funding, interests, contributions, acknowledgements, abbreviations."""
    statements = article.findall("front/article-meta/funding-group/funding-statement")
    funding = list(filter(None, map(text_of, statements)))
    if funding:
        yield Section(label="Funding", text="\n\n".join(funding), kind=SectionKind.BACK_MATTER)
    for notes in (*article.findall("front/article-meta/author-notes"), *article.findall("back/fn-group")):
        yield from _read_note_sections(notes)
    for part in (*article.findall("back/*"), *article.findall("back/app-group/app")):
        if (name := local_name(part)) in _BACK_PARTS:
            heading = text_of(part.find("title")) or _BACK_HEADINGS.get(name, "")
            yield from _read_sections(part, _Part((heading,) if heading else (), SectionKind.BACK_MATTER), titled=True)


def _read_one_abstract(abstract: Element) -> Iterator[Section]:
    """Read one abstract. Its own heading is dropped beside those of its parts, unless it is a special summary."""
    title = text_of(abstract.find("title"))
    is_special = bool(abstract.get("abstract-type"))
    part = _Part((title,) if title and is_special else (), SectionKind.ABSTRACT)
    for section in _read_sections(abstract, part, titled=True):
        for cut in abstract_sections([(section.label, section.text)]):
            yield cut if cut.label else cut.model_copy(update={"label": title or "Abstract"})


def _mark_introduction(section: Section) -> Section:
    """Mark text before the first heading as the introduction."""
    is_plain = not section.label and section.kind is SectionKind.OTHER
    return section.model_copy(update={"kind": SectionKind.INTRODUCTION}) if is_plain else section


def _read_note_sections(notes: Element) -> Iterator[Section]:
    """Read footnotes under the heading of their type; author notes without such a heading are skipped."""
    title = text_of(notes.find("title"))
    for note in notes.findall("fn"):
        heading = _BACK_HEADINGS.get(note.get("fn-type", ""), title)
        text = "\n\n".join(paragraphs_of(note))
        if text and (heading or local_name(notes) == "fn-group"):
            yield Section(label=heading or "Notes", text=text, kind=SectionKind.BACK_MATTER)


def _read_sections(part: Element, place: _Part, *, titled: bool = False) -> Iterator[Section]:
    """Yield sections of a part's own paragraphs, then of its figures, tables and boxes, then of its subsections.

    `titled`: `place` already includes the part's own heading.
    """
    if not titled:
        place = place.under_heading(text_of(part.find("title")), _read_section_type(part))
    framed = [section for frame in _find_frames(part) for section in _read_frame(frame, place)]
    yield from _read_paragraphs(part, place)
    yield from framed
    for section in part.findall("sec"):
        yield from _read_sections(section, place)


def _read_paragraphs(part: Element, place: _Part) -> Iterator[Section]:
    """Read the part's own paragraphs; a run-in heading applies until the next one."""
    under, texts = place, list[str]()
    for child in part:
        if local_name(child) in _SKIPPED or not local_name(child):
            continue
        if heading := _take_heading(child):
            yield from _join_paragraphs(under, texts)
            under, texts = place.under_heading(heading), []
        texts += cited_paragraphs_of(child)
    yield from _join_paragraphs(under, texts)


def _join_paragraphs(place: _Part, texts: list[str]) -> Iterator[Section]:
    """Join paragraphs with blank lines, so that no sentence continues into the next one."""
    if texts:
        parts = "\n\n".join(texts).split(CITED)
        cited = tuple(accumulate(map(len, parts[:-1])))
        yield Section(label=place.label, text="".join(parts), kind=place.kind, cited=cited)


def _take_heading(paragraph: Element) -> str:
    """Remove and return the bold or italic heading that opens a paragraph; empty if it has none."""
    first = next(iter(paragraph), None)
    if local_name(paragraph) != "p" or first is None or local_name(first) not in _STYLES:
        return ""
    heading, after = text_of(first), first.tail or ""
    if (paragraph.text or "").strip() or not _RUN_IN.fullmatch(heading) or len(heading.split()) > _MOST_WORDS:
        return ""
    border = _BORDER.match(after)
    is_alone = local_name(first) == "bold" and not after.strip() and len(paragraph) == 1
    if not (border or heading.endswith((".", ":")) or is_alone):
        return ""
    remove_content(first)
    first.tail = after[border.end() :] if border else after
    return heading.rstrip(".: ")


def _find_frames(part: Element) -> list[Element]:
    """The outermost figures, tables and boxes of a part, without those of its subsections."""
    frames: list[Element] = []
    for child in part:
        if local_name(child) in _FRAMES:
            frames.append(child)
        elif local_name(child) not in _SKIPPED:
            frames += _find_frames(child)
    return frames


def _read_frame(frame: Element, place: _Part) -> list[Section]:
    """Read a figure, table or box, and remove it from the text around it."""
    if local_name(frame) == "boxed-text":
        heading = text_of(frame.find("caption")) or text_of(frame.find("title"))
        sections = list(_read_sections(frame, _Part().under_heading(heading), titled=True))
    else:
        inner = [section for part in _find_frames(frame) for section in _read_frame(part, place)]
        sections = [*_read_caption(frame, place), *_read_table(frame, place), *inner]
    remove_content(frame)
    return sections


def _read_caption(frame: Element, place: _Part) -> Iterator[Section]:
    caption = frame.find("caption")
    texts = [*(paragraphs_of(caption) if caption is not None else []), *read_footnotes(frame)]
    if texts:
        yield Section(label=place.label, text="\n\n".join(texts), kind=SectionKind.CAPTION, place=_name_frame(frame))


def _read_table(frame: Element, place: _Part) -> Iterator[Section]:
    if local_name(frame) == "table-wrap" and (rows := read_rows(frame)):
        yield Section.of_rows(rows, place.label, _name_frame(frame) or "Table")


def _name_frame(frame: Element) -> str:
    """Normalise the label of a figure or table: "Figure 2" for "FIG. 2:"."""
    label = text_of(frame.find("label")).rstrip(".:–—- ")
    named = _NUMBERED.match(label)
    if named is None:
        return label
    name = "Figure" if named[1].lower().startswith("fig") else named[1].capitalize()
    return f"{name} {label[named.end() :]}"


def _read_section_type(part: Element) -> SectionKind:
    types = part.get("sec-type", "").lower().split("|")
    return next((_TYPES[name] for name in types if name in _TYPES), SectionKind.OTHER)
