"""Renders a document as DOCX: real headings, tables with head rows, numbered references that the marks link to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from datetime import datetime
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, assert_never
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx.document import Document as Docx
from docx.image.image import Image
from docx.oxml.ns import qn
from docx.shared import Twips

from storm.export import page_wording as words
from storm.export.docx_elements import (
    Element,
    RunWriter,
    list_children,
    make_bookmark,
    make_element,
    make_field,
    make_internal_link,
    make_paragraph,
    make_row,
    make_run,
    make_table,
    name_reference,
    read_number,
)
from storm.export.docx_template import add_bullets, map_styles, open_template
from storm.export.pages import (
    ContentsList,
    PageBlock,
    PageSection,
    PageSetup,
    ReferenceList,
    measure_columns,
    split_sections,
)
from storm.export.pictures import PPI, draw_png
from storm.reports.document import BulletList, Document, Figure, Heading, Inlines, Note, Paragraph, Table, to_text
from storm.version import __version__

if TYPE_CHECKING:
    from docx.section import Section

_NOTE, _REFERENCE, _CELL, _TABLE = "dossier note", "dossier reference", "dossier cell", "dossier table"
_TITLE, _NORMAL, _BULLET, _CAPTION, _FOOTER = "title", "normal", "list bullet", "caption", "footer"
#: The width of a character in a table, in twentieths of a point.
_CHARACTER = 92
#: The part of a page's height that a picture takes at most.
_HIGHEST = 0.85
#: Twips of a pixel of a PNG, so that one of its SVG takes 1/96 inch; typst takes it for a point.
_NATURAL = 72 / PPI * 1440 / 96
#: Characters of a property.
_LONGEST_PROPERTY = 255
#: No zip archive knows an earlier date.
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)


def render_docx(document: Document, pages: PageSetup) -> bytes:
    """Render the whole document; the same document gives the same bytes. UsageError if the template cannot be read."""
    written = open_template(pages)
    _describe(written, document)
    _number_pages(written.sections[0], map_styles(written)[_FOOTER])
    _BodyWriter(written, document).write()
    content = BytesIO()
    written.save(content)
    return _set_dates(content, document.created)


class _TextSize(NamedTuple):
    """The size of the text on the pages of a section, in twentieths of a point."""

    width: int
    height: int

    @classmethod
    def of(cls, page: Element) -> _TextSize:
        """Read it from the properties of the section."""
        (size,), (margins,) = (list_children(page, tag) for tag in ("pgSz", "pgMar"))
        width = read_number(size, "w") - read_number(margins, "left") - read_number(margins, "right")
        height = read_number(size, "h") - read_number(margins, "top") - read_number(margins, "bottom")
        return cls(width, height)


class _BodyWriter:
    """Writes the body of one file."""

    def __init__(self, written: Docx, document: Document) -> None:
        self._written = written
        self._document = document
        self._styles = map_styles(written)
        self._bullets = add_bullets(written)
        self._sections = split_sections(document)
        headings = [block for section in self._sections for block in section.blocks if isinstance(block, Heading)]
        self._targets = {heading.anchor: f"_Toc{n:08}" for n, heading in enumerate(headings, 1)}
        numbers = {entry.record.n for entry in document.references}
        self._runs = RunWriter(written.part, self._styles, numbers, self._targets)
        self._bookmarks = count(1)

    def write(self) -> None:
        """Write each section, the last of which ends the body."""
        body = self._written.element.body
        page = body[-1]
        body.clear()
        body.append(self._make_paragraph(_TITLE, [make_run(self._document.title)]))
        for number, section in enumerate(self._sections):
            if number:
                _add_property(body[-1], page)
                page = _continue_pages(page)
            page = _turn_page(page, wide=section.wide)
            body.extend(self._write_section(section, page))
        body.append(page)

    def _write_section(self, section: PageSection, page: Element) -> Iterator[Element]:
        size = _TextSize.of(page)
        for block, is_lead in zip(section.blocks, section.leads, strict=True):
            elements = list(self._write_block(block, size))
            if is_lead:
                _add_property(elements[-1], make_element("keepNext"))
            yield from elements

    def _write_block(self, block: PageBlock, size: _TextSize) -> Iterator[Element]:
        match block:
            case Heading():
                yield self._write_heading(block)
            case Paragraph(content=content):
                yield self._write_paragraph(_NORMAL, content)
            case BulletList(items=items):
                yield from (self._write_paragraph(_BULLET, item, *map(deepcopy, self._bullets)) for item in items)
            case Note(paragraphs=paragraphs):
                yield from (self._write_paragraph(_NOTE, content) for content in paragraphs)
            case Table():
                yield from self._write_table(block, size)
            case Figure():
                yield from self._write_figure(block, size)
            case ContentsList(headings=headings):
                yield from self._write_contents(headings)
            case ReferenceList():
                yield from self._write_references(block)
            case _:
                assert_never(block)

    def _make_paragraph(self, style: str, content: Iterable[Element], *properties: Element) -> Element:
        return make_paragraph(self._styles[style], content, *properties)

    def _write_paragraph(self, style: str, content: Inlines, *properties: Element) -> Element:
        return self._make_paragraph(style, self._runs.write_runs(content), *properties)

    def _write_heading(self, heading: Heading) -> Element:
        start, end = make_bookmark(next(self._bookmarks), self._targets[heading.anchor])
        runs = (start, *self._runs.write_runs(heading.content), end)
        return self._make_paragraph(f"heading {heading.level - 1}", runs, make_element("keepNext"))

    def _write_contents(self, headings: Sequence[Heading]) -> Iterator[Element]:
        """A table of contents that shows its links at once; an application adds the page numbers when it updates it."""
        yield self._make_paragraph(_NORMAL, [make_run(words.CONTENTS, make_element("b"))], make_element("keepNext"))
        lines = [
            make_internal_link(self._targets[heading.anchor], make_run(to_text(heading.content)))
            for heading in headings
        ]
        deepest = max(heading.level for heading in headings) - 1
        begin, code, separate, *shown, end = make_field(f'TOC \\o "1-{deepest}" \\h \\z \\u', lines)
        for n, (heading, line) in enumerate(zip(headings, shown, strict=True)):
            before = (begin, code, separate) if n == 0 else ()
            after = (end,) if n == len(shown) - 1 else ()
            yield self._make_paragraph(f"toc {heading.level - 1}", (*before, line, *after))

    def _write_table(self, table: Table, size: _TextSize) -> Iterator[Element]:
        if not table.head:
            return
        if table.caption:
            yield self._make_paragraph(_CAPTION, [make_run(table.caption)], make_element("keepNext"))
        widths = [round(share * size.width) for share in measure_columns(table, size.width // _CHARACTER)]
        rows = [make_row(self._write_cells(table.head, make_element("keepNext")), widths, is_head=True)]
        rows += [make_row(self._write_cells(row), widths, is_head=False) for row in table.rows]
        yield make_table(self._styles[_TABLE], rows, widths)
        yield self._make_paragraph(_CELL, ())  # else a table that follows would be one with it

    def _write_cells(self, cells: Sequence[Inlines], *properties: Element) -> Iterator[Element]:
        return (self._write_paragraph(_CELL, cell, *map(deepcopy, properties)) for cell in cells)

    def _write_figure(self, figure: Figure, size: _TextSize) -> Iterator[Element]:
        """The picture if it can be drawn, and its title; else its description instead."""
        png = draw_png(figure.svg)
        if png is None:
            yield self._make_paragraph(_CAPTION, [make_run(f"{figure.title}. {figure.description}")])
            return
        image = Image.from_blob(png)
        highest = round(_HIGHEST * size.height * image.px_width / image.px_height)
        width = min(size.width, highest, round(image.px_width * _NATURAL))
        inline = self._written.part.new_pic_inline(BytesIO(png), width=Twips(width))
        inline.docPr.set("title", figure.title)
        inline.docPr.set("descr", figure.description)
        yield self._make_paragraph(
            _NORMAL, [make_element("r", make_element("drawing", inline))], make_element("keepNext")
        )
        yield self._make_paragraph(_CAPTION, [make_run(figure.title)])

    def _write_references(self, listed: ReferenceList) -> Iterator[Element]:
        """Written numbers: those of a list would change in an edited file, and the marks would not."""
        for entry in listed.references:
            number = entry.record.n
            start, end = make_bookmark(next(self._bookmarks), name_reference(number))
            tab = make_element("r", make_element("tab"))
            runs = (start, make_run(f"{number}."), end, tab, *self._runs.write_runs(entry.content))
            yield self._make_paragraph(_REFERENCE, runs)


def _describe(written: Docx, document: Document) -> None:
    """Set all properties: none of a template's stay."""
    properties, program = written.core_properties, f"storm {__version__}"
    properties.title, properties.subject = document.title[:_LONGEST_PROPERTY], words.DOCUMENT_SUBJECT
    properties.author = properties.last_modified_by = program
    properties.created = properties.modified = document.created.replace(tzinfo=None)
    properties.language, properties.revision = words.LANGUAGE, 1
    properties.category = properties.comments = properties.keywords = ""
    properties.content_status = properties.identifier = properties.version = ""


def _number_pages(section: Section, style: str) -> None:
    """Number the pages in the footer, unless the template has a footer."""
    if section.footer.is_linked_to_previous:
        footer = section.footer.paragraphs[0]._p
        fields = (make_field(name, [make_run("1")]) for name in ("PAGE", "NUMPAGES"))
        first, last = fields
        footer.getparent().replace(footer, make_paragraph(style, (*first, make_run(" / "), *last)))


def _continue_pages(page: Element) -> Element:
    """The properties of a section whose pages go on from those of `page`, without a first page of its own."""
    following = deepcopy(page)
    for tag in ("titlePg", "type"):
        for element in list_children(following, tag):
            following.remove(element)
    for numbering in list_children(following, "pgNumType"):
        numbering.attrib.pop(qn("w:start"), "")
    return following


def _turn_page(page: Element, *, wide: bool) -> Element:
    """The properties of a section like `page`, in portrait or landscape."""
    turned = deepcopy(page)
    (size,) = list_children(turned, "pgSz")
    short, long = sorted((read_number(size, "w"), read_number(size, "h")))
    for name, value in (("w", long if wide else short), ("h", short if wide else long)):
        size.set(qn(f"w:{name}"), str(value))
    size.set(qn("w:orient"), "landscape" if wide else "portrait")
    return turned


def _add_property(paragraph: Element, element: Element) -> None:
    """Add to the properties of a paragraph that `make_paragraph` made."""
    paragraph[0].append(element)


def _set_dates(content: BytesIO, created: datetime) -> bytes:
    """The same archive with this date on each member, instead of the present time."""
    date = max(created.timetuple()[:6], _FIRST_DATE)
    dated = BytesIO()
    with ZipFile(content) as source, ZipFile(dated, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(ZipInfo(name, date), source.read(name), ZIP_DEFLATED)
    return dated.getvalue()
