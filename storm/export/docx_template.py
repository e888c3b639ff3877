"""Opens the file that a DOCX is made from: storm's own styles, or the reader's template without its text."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Set
from copy import deepcopy
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import docx
from docx.document import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.opc.rel import _Relationship
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.section import CT_SectPr
from docx.parts.numbering import NumberingPart

from storm.errors import UsageError
from storm.export.docx_elements import Element, list_children, make_element, parse_length, read_number
from storm.export.pages import PageSetup
from storm.models import Paper

#: What of a template's main part is used, beside the headers and footers of its first section.
_USED = frozenset(("styles", "numbering", "settings", "theme", "fontTable"))
#: Settings that belong to a template's text, its author or its protection.
_DROPPED_SETTINGS = (
    "footnotePr", "endnotePr", "documentProtection", "writeProtection", "trackRevisions", "docVars", "mailMerge",
)  # fmt: skip
#: Properties of a section that name its author or a part that is not used.
_DROPPED_PROPERTIES = ("sectPrChange", "printerSettings")
#: Bytes of all parts of a template together, unpacked.
_LARGEST = 50_000_000
#: Width and height in twentieths of a point.
_SIZES = {Paper.A4: (11_906, 16_838), Paper.LETTER: (12_240, 15_840)}
_MARGIN, _FOOTER = 1_134, 567
#: The width and height that margins leave for text, in either orientation.
_LEAST_TEXT = 1_440
_LIST_BULLET = "list bullet"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
_HINT = 'name another file; "none" stands for storm\'s own styles'
#: What python-docx and its parser raise for files that are damaged or something else.
_DAMAGED = (
    OpcError, BadZipFile, zlib.error, struct.error, OSError, EOFError, LookupError, ValueError, TypeError,
    AttributeError, SyntaxError, RuntimeError, AssertionError,
)  # fmt: skip


def open_template(pages: PageSetup) -> Document:
    """Open an empty document with all styles of storm's, and a page with room for text; the template's come first.

    UsageError if the template cannot be read or is too large."""
    if pages.template is None:
        return _make_plain(pages.paper)
    document = _read_template(pages.template)
    _remove_text(document, pages.paper)
    _add_styles(document)
    return document


def map_styles(document: Document) -> Mapping[str, str]:
    """The ids of the document's styles by their names in small letters, as applications compare them."""
    return {_name_of(style).lower(): style.get(qn("w:styleId"), "") for style in _list_styles(document.styles.element)}


def add_bullets(document: Document) -> tuple[Element, ...]:
    """The properties that make a paragraph an item of a bulleted list; empty if the style for it has its own."""
    style = next(s for s in _list_styles(document.styles.element) if _name_of(s).lower() == _LIST_BULLET)
    if style.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None:
        return ()
    numbering = _get_numbering(document)
    if numbering is None:
        numbering = _add_numbering(document)
    abstracts, lists = (list_children(numbering, tag) for tag in ("abstractNum", "num"))
    abstract = 1 + max((read_number(one, "abstractNumId") for one in abstracts), default=0)
    number = 1 + max((read_number(one, "numId") for one in lists), default=0)
    numbering.insert(numbering.index(lists[0]) if lists else len(numbering), _make_bullets(abstract))
    numbering.append(make_element("num", make_element("abstractNumId", val=abstract), numId=number))
    return (make_element("numPr", make_element("ilvl", val=0), make_element("numId", val=number)),)


def _read_template(path: Path) -> Document:
    """The template, each part of which can be read if it is used."""
    content = _read_file(path)
    try:
        _check_size(path, content)
        document = docx.Document(BytesIO(content))
        _ = document.element.body, document.sections[0], document.styles.element, document.settings.element
        _get_numbering(document)
        return document
    except _DAMAGED as exc:
        raise UsageError(f"{path} is not a readable DOCX file", hint=_HINT, setting="template") from exc


def _read_file(path: Path) -> bytes:
    if path.suffix.lower() != ".docx":
        raise UsageError(f"{path} is no .docx file", hint="save it as .docx", setting="template")
    try:
        return path.read_bytes()
    except OSError as exc:
        raise UsageError(f"{path} cannot be read: {exc.strerror}", hint=_HINT, setting="template") from exc


def _check_size(path: Path, content: bytes) -> None:
    """UsageError if the parts are too large unpacked; BadZipFile if the archive states less than it holds."""
    with ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > _LARGEST:
            raise UsageError(
                f"{path} is too large: {size / 1e6:,.0f} MB unpacked, and at most {_LARGEST // 1_000_000} MB are read",
                hint="remove its text and images",
                setting="template",
            )
        if any(member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for member in members) or archive.testzip():
            raise BadZipFile  # testzip unpacks piece by piece; python-docx, each part at once


def _make_plain(paper: Paper) -> Document:
    """An empty document with storm's styles alone."""
    document = docx.Document()
    _remove_text(document, paper)
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


def _complete_page(page: CT_SectPr, paper: Paper) -> None:
    """Write the paper and the margins as whole numbers; storm's where the section lacks them or leaves no room."""
    for tag in ("pgSz", "pgMar"):
        for double in list_children(page, tag)[1:]:
            page.remove(double)
    size, margins = cast(Element, page.get_or_add_pgSz()), cast(Element, page.get_or_add_pgMar())
    _complete_lengths(size, margins, paper)
    short = min(read_number(size, "w"), read_number(size, "h"))
    beside, above = (
        sum(read_number(margins, name) for name in pair) for pair in (("left", "right"), ("top", "bottom"))
    )
    if short - max(beside, above) < _LEAST_TEXT:
        size.attrib.clear()
        margins.attrib.clear()
        _complete_lengths(size, margins, paper)


def _complete_lengths(size: Element, margins: Element, paper: Paper) -> None:
    """Write each length as a whole number; storm's where there is none, or it cannot be read."""
    sides = dict.fromkeys(("top", "right", "bottom", "left"), _MARGIN)
    own = {
        size: dict(zip("wh", _SIZES[paper], strict=True)),
        margins: {**sides, "header": _FOOTER, "footer": _FOOTER, "gutter": 0},
    }
    for element, lengths in own.items():
        for name, length in lengths.items():
            found = parse_length(element.get(qn(f"w:{name}"), ""))
            element.set(qn(f"w:{name}"), str(length if found is None else found))


def _remove_text(document: Document, paper: Paper) -> None:
    """Remove the text, what it refers to, and all properties; the first section's page, header and footer stay."""
    body = document.element.body
    section = deepcopy(document.sections[0]._sectPr)
    _remove_children(section, _DROPPED_PROPERTIES)
    _complete_page(section, paper)
    body.clear()
    body.append(section)
    references = (one for tag in ("headerReference", "footerReference") for one in list_children(section, tag))
    _drop_relations(document.part, _USED, {one.get(qn("r:id"), "") for one in references})
    _clean_settings(document)
    _replace_properties(document)


def _drop_relations(part: Part, used: Set[str], keys: Set[str] = frozenset()) -> None:
    """Drop the part's relations but those of a kind that is used, and those of these keys."""
    for key in [key for key, one in part.rels.items() if key not in keys and _kind_of(one) not in used]:
        del part.rels[key]


def _kind_of(relation: _Relationship) -> str:
    return (relation.reltype or "").rpartition("/")[2]  # a damaged file has relations of no kind


def _clean_settings(document: Document) -> None:
    """Remove the settings of the template's text, and those that refer to another part or file."""
    settings = document.settings.element
    _remove_children(settings, _DROPPED_SETTINGS)
    for setting in list(settings):
        if any(name.startswith(_RELATION) for one in setting.iter() for name in one.attrib):
            settings.remove(setting)
    for relation in document.part.rels.values():
        if _kind_of(relation) == "settings":
            relation.target_part.rels.clear()


def _remove_children(element: Element, tags: Iterable[str]) -> None:
    for tag in tags:
        for child in list_children(element, tag):
            element.remove(child)


def _replace_properties(document: Document) -> None:
    """Drop all of the package but its main part, and name the program that wrote it."""
    package = document.part.package
    for key in [key for key, one in package.rels.items() if _kind_of(one) != "officeDocument"]:
        del package.rels[key]
    content = f'<Properties xmlns="{_PROPERTIES}"><Application>storm</Application></Properties>'.encode()
    made = Part(PackURI("/docProps/app.xml"), CONTENT_TYPE.OFC_EXTENDED_PROPERTIES, content, package)
    package.relate_to(made, RELATIONSHIP_TYPE.EXTENDED_PROPERTIES)


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


def _get_numbering(document: Document) -> Element | None:
    """The definitions of lists, which a template without a list lacks."""
    for relation in document.part.rels.values():
        if relation.reltype == RELATIONSHIP_TYPE.NUMBERING:
            return cast(Element, cast(NumberingPart, relation.target_part).element)
    return None


def _add_numbering(document: Document) -> Element:
    part = document.part
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
