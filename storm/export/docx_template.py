"""Opens the file that a DOCX is made from: storm's own styles, or the reader's template without its text."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Set
from copy import deepcopy
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import cast
from zipfile import BadZipFile

import docx
from docx.document import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.parts.numbering import NumberingPart

from storm.errors import UsageError
from storm.export.docx_elements import Element, list_children, make_element, read_number
from storm.export.pages import PageSetup
from storm.models import Paper

#: What of a template's main part is used; all else belongs to its text.
_USED = frozenset(("styles", "numbering", "settings", "theme", "fontTable", "webSettings", "header", "footer"))
#: Width and height in twentieths of a point.
_SIZES = {Paper.A4: (11_906, 16_838), Paper.LETTER: (12_240, 15_840)}
_MARGIN, _FOOTER = 1_134, 567
_LIST_BULLET = "list bullet"
#: What python-docx and its parser raise for files that are damaged or something else.
_DAMAGED = (
    OpcError, BadZipFile, zlib.error, struct.error, OSError, EOFError, LookupError, ValueError, TypeError,
    AttributeError, SyntaxError, NotImplementedError, AssertionError,
)  # fmt: skip


def open_template(pages: PageSetup) -> Document:
    """Open an empty document with all styles of storm's; those of the template come first.

    UsageError if the template cannot be read."""
    if pages.template is None:
        return _make_plain(pages.paper)
    try:
        document = docx.Document(BytesIO(_read_file(pages.template)))
        _remove_text(document)
        _add_styles(document)
        return document
    except _DAMAGED as exc:
        raise UsageError(f"{pages.template} is not a readable DOCX file", setting="template") from exc


def map_styles(document: Document) -> Mapping[str, str]:
    """The ids of the document's styles by their names in small letters, as applications compare them."""
    return {_name_of(style).lower(): style.get(qn("w:styleId"), "") for style in _list_styles(document.styles.element)}


def add_bullets(document: Document) -> tuple[Element, ...]:
    """The properties that make a paragraph an item of a bulleted list; empty if the style for it has its own."""
    style = next(s for s in _list_styles(document.styles.element) if _name_of(s).lower() == _LIST_BULLET)
    if style.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None:
        return ()
    numbering = _find_numbering(document)
    abstracts, lists = (list_children(numbering, tag) for tag in ("abstractNum", "num"))
    abstract = 1 + max((read_number(one, "abstractNumId") for one in abstracts), default=0)
    number = 1 + max((read_number(one, "numId") for one in lists), default=0)
    numbering.insert(numbering.index(lists[0]) if lists else len(numbering), _make_bullets(abstract))
    numbering.append(make_element("num", make_element("abstractNumId", val=abstract), numId=number))
    return (make_element("numPr", make_element("ilvl", val=0), make_element("numId", val=number)),)


def _read_file(path: Path) -> bytes:
    if path.suffix.lower() != ".docx":
        raise UsageError(f"{path} is no .docx file", hint="save it as .docx", setting="template")
    try:
        return path.read_bytes()
    except OSError as exc:
        raise UsageError(f"{path} cannot be read: {exc.strerror}", setting="template") from exc


def _make_plain(paper: Paper) -> Document:
    """An empty document with storm's styles alone."""
    document = docx.Document()
    _remove_text(document)
    _drop_relations(document.part, _USED - {"numbering"})  # its lists are in styles that go, too
    styles = document.styles.element
    styles.clear()
    styles.extend(deepcopy(_read_styles()))
    for setting in document.settings.element.iter(qn("w:compatSetting")):
        if setting.get(qn("w:name")) == "compatibilityMode":
            setting.set(qn("w:val"), "15")  # else applications open it as a file of an earlier version
    page = document.sections[0]._sectPr  # python-docx has lengths only, which it rounds
    page.clear()
    _complete_page(page, paper)
    return document


def _complete_page(page: Element, paper: Paper) -> None:
    """Add the paper and the margins where the properties of a section lack them."""
    width, height = _SIZES[paper]
    if page.find(qn("w:pgSz")) is None:
        page.append(make_element("pgSz", w=width, h=height))
    if page.find(qn("w:pgMar")) is None:
        sides = dict.fromkeys(("top", "right", "bottom", "left"), _MARGIN)
        page.append(make_element("pgMar", **sides, header=_FOOTER, footer=_FOOTER, gutter=0))


def _remove_text(document: Document) -> None:
    """Remove the text, and what it refers to; the first section's page, header and footer stay."""
    body = document.element.body
    section = deepcopy(document.sections[0]._sectPr)
    _complete_page(section, Paper.A4)
    body.clear()
    body.append(section)
    _drop_relations(document.part, _USED)
    for tag in ("footnotePr", "endnotePr"):
        for setting in list_children(document.settings.element, tag):
            document.settings.element.remove(setting)
    package = document.part.package
    for key in [key for key, one in package.rels.items() if one.reltype.endswith("/thumbnail")]:
        del package.rels[key]


def _drop_relations(part: Part, used: Set[str]) -> None:
    rels = part.rels
    for key in [key for key, relation in rels.items() if relation.reltype.rpartition("/")[2] not in used]:
        del rels[key]


@cache
def _read_styles() -> Element:
    element: Element = parse_xml((files("storm.export") / "docx_styles.xml").read_bytes())
    return element


def _list_styles(styles: Element) -> list[Element]:
    return list_children(styles, "style")


def _name_of(style: Element) -> str:
    name = style.find(qn("w:name"))
    return "" if name is None else name.get(qn("w:val"), "")


def _add_styles(document: Document) -> None:
    """Add those of storm's styles that the template lacks, on top of its own."""
    ids = dict(map_styles(document))
    own = {style.get(qn("w:styleId"), ""): _name_of(style).lower() for style in _list_styles(_read_styles())}
    for style in map(deepcopy, _list_styles(_read_styles())):
        name = _name_of(style).lower()
        if name in ids:
            continue
        ids[name] = _find_free(style.get(qn("w:styleId"), ""), set(ids.values()))
        style.set(qn("w:styleId"), ids[name])
        style.set(qn("w:default"), "0")
        for tag in ("w:basedOn", "w:next"):
            for other in style.iterchildren(qn(tag)):
                other.set(qn("w:val"), ids[own[other.get(qn("w:val"), "")]])
        document.styles.element.append(style)


def _find_free(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted


def _find_numbering(document: Document) -> Element:
    """The definitions of lists, which a template without a list lacks."""
    part = document.part
    for relation in part.rels.values():
        if relation.reltype == RELATIONSHIP_TYPE.NUMBERING:
            return cast(Element, cast(NumberingPart, relation.target_part).element)
    blank = f"<w:numbering {nsdecls('w')}/>".encode()
    made = NumberingPart.load(PackURI("/word/numbering.xml"), CONTENT_TYPE.WML_NUMBERING, blank, document.part.package)
    part.relate_to(made, RELATIONSHIP_TYPE.NUMBERING)
    return cast(Element, made.element)


def _make_bullets(number: int) -> Element:
    indent = make_element("pPr", make_element("ind", left=360, hanging=260))
    level = make_element(
        "lvl",
        make_element("start", val=1),
        make_element("numFmt", val="bullet"),
        make_element("lvlText", val="•"),
        make_element("lvlJc", val="left"),
        indent,
        ilvl=0,
    )
    return make_element("abstractNum", make_element("multiLevelType", val="singleLevel"), level, abstractNumId=number)
