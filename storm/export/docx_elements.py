"""Builds elements of WordprocessingML. Every text is the content of an element, never markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from storm.reports.document import HeadingLink, Inline, Link, Mark, Sentence, Style, Text

Element: TypeAlias = BaseOxmlElement

_CITATION, _CODE, _HYPERLINK = "dossier citation", "dossier code", "hyperlink"
#: The elements of each emphasis; code has a style.
_EMPHASIS = {Style.EMPHASIS: "i", Style.STRONG: "b"}

#: Twentieths of a point in each unit, and the longest length, which also bounds the numbers of lists.
_UNITS = {"pt": 20, "pc": 240, "pi": 240, "in": 1_440, "cm": 1_440 / 2.54, "mm": 144 / 2.54}
_LONGEST = 2**31 - 1


def make_element(tag: str, *children: Element, **attributes: object) -> Element:
    """Make the element `w:tag` with attributes of the same namespace."""
    element = OxmlElement(f"w:{tag}", {qn(f"w:{name}"): str(value) for name, value in attributes.items()})
    element.extend(children)
    return cast(Element, element)


def list_children(element: Element, tag: str) -> list[Element]:
    """The children `w:tag` of an element."""
    return cast(list[Element], element.findall(qn(f"w:{tag}")))


def read_number(element: Element, name: str) -> int:
    """The attribute of that name as a whole number; 0 if it is none."""
    return parse_length(element.get(qn(f"w:{name}"), "")) or 0


def parse_length(text: str) -> int | None:
    """A length in twentieths of a point, which is written in them or with a unit; None if it is neither."""
    unit = text[-2:] if text[-2:] in _UNITS else ""
    try:
        length = float(text.removesuffix(unit)) * _UNITS.get(unit, 1)
    except ValueError:
        return None
    return round(length) if abs(length) <= _LONGEST else None


def make_run(text: str, *properties: Element) -> Element:
    """Make a run of text."""
    shown = make_element("t")
    shown.text = text
    shown.set(qn("xml:space"), "preserve")
    return make_element("r", *((make_element("rPr", *properties),) if properties else ()), shown)


def make_paragraph(style: str, content: Iterable[Element], *properties: Element) -> Element:
    """Make a paragraph in the style of that id; `properties` are in the order of the schema."""
    return make_element("p", make_element("pPr", make_element("pStyle", val=style), *properties), *content)


def make_row(cells: Iterable[Element], widths: Sequence[int], *, is_head: bool) -> Element:
    """Make a row of cells that hold one paragraph each; pages do not divide it, and a head is repeated on each."""
    properties = [make_element("cantSplit"), *((make_element("tblHeader"),) if is_head else ())]
    placed = (
        make_element("tc", make_element("tcPr", make_element("tcW", w=width, type="dxa")), cell)
        for cell, width in zip(cells, widths, strict=True)
    )
    return make_element("tr", make_element("trPr", *properties), *placed)


def make_table(style: str, rows: Iterable[Element], widths: Sequence[int]) -> Element:
    """Make a table of fixed widths in the style of that id."""
    look = make_element("tblLook", val="0020", firstRow=1, lastRow=0, firstColumn=0, lastColumn=0, noHBand=1, noVBand=1)
    properties = make_element(
        "tblPr",
        make_element("tblStyle", val=style),
        make_element("tblW", w=sum(widths), type="dxa"),
        make_element("tblLayout", type="fixed"),
        look,
    )
    grid = make_element("tblGrid", *(make_element("gridCol", w=width) for width in widths))
    return make_element("tbl", properties, grid, *rows)


def make_bookmark(number: int, name: str) -> tuple[Element, Element]:
    """Make the start and the end of a bookmark."""
    return make_element("bookmarkStart", id=number, name=name), make_element("bookmarkEnd", id=number)


def make_internal_link(target: str, *runs: Element) -> Element:
    """Make a link to the bookmark `target`."""
    return make_element("hyperlink", *runs, anchor=target, history=1)


def make_field(instruction: str, shown: Sequence[Element]) -> list[Element]:
    """Make the runs of a field that shows these until a reader updates it."""
    code = make_element("instrText")
    code.text = instruction
    code.set(qn("xml:space"), "preserve")
    begin, separate, end = (
        make_element("r", make_element("fldChar", fldCharType=kind)) for kind in ("begin", "separate", "end")
    )
    return [begin, make_element("r", code), separate, *shown, end]


def name_reference(number: int) -> str:
    """The bookmark of a numbered reference."""
    return f"ref_{number}"


class RunWriter:
    """Writes the runs of one document; `styles` are its styles' ids by name, `numbers` those of its references, and
    `headings` the bookmarks of its headings by anchor."""

    def __init__(
        self, part: Part, styles: Mapping[str, str], numbers: Collection[int], headings: Mapping[str, str]
    ) -> None:
        self._part = part
        self._styles = styles
        self._numbers = numbers
        self._headings = headings

    def write_runs(self, content: Iterable[Inline]) -> Iterator[Element]:
        """Runs of text and links; a mark links each of its numbers to its reference."""
        for piece in content:
            match piece:
                case Text(text=text, style=style):
                    yield make_run(text, *self._emphasise(style))
                case HeadingLink(text=text, anchor=anchor):
                    yield self._link_heading(text, anchor)
                case Link(url=url):
                    yield self._link_address(url)
                case Mark(numbers=numbers):
                    yield from self._link_references(numbers)
                case Sentence(content=inner):
                    yield from self.write_runs(inner)

    def _emphasise(self, style: Style) -> tuple[Element, ...]:
        if style is Style.CODE:
            return (self._style_run(_CODE),)
        return (make_element(_EMPHASIS[style]),) if style in _EMPHASIS else ()

    def _style_run(self, name: str) -> Element:
        return make_element("rStyle", val=self._styles[name])

    def _link_address(self, url: str) -> Element:
        link = make_element("hyperlink", make_run(url, self._style_run(_HYPERLINK)), history=1)
        link.set(qn("r:id"), self._part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        return link

    def _link_heading(self, text: str, anchor: str) -> Element:
        target = self._headings.get(anchor)
        return make_internal_link(target, make_run(text, self._style_run(_HYPERLINK))) if target else make_run(text)

    def _link_references(self, numbers: Iterable[int]) -> Iterator[Element]:
        yield make_run("[")
        for position, number in enumerate(numbers):
            if position:
                yield make_run(", ")
            run = make_run(str(number), self._style_run(_CITATION))
            yield make_internal_link(name_reference(number), run) if number in self._numbers else run
        yield make_run("]")
