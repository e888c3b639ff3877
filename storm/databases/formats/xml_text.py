"""Convert markup to text, alike for every format.

`10<sup>9</sup>` becomes 10^9 and `H<sub>2</sub>O` H2O, so that exponents never run into numbers. Marks of references
and footnotes are dropped; an author and year ("Smith et al., 2019") are words of the sentence and stay. A superscript
number that is not marked as a reference could be an exponent, so it is kept, as `^13`.
A named entity becomes the character that HTML defines for it; any other entity is a RecordError.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from html.entities import html5

from lxml import etree

from storm.databases.formats.fields import MAX_LINE, clean_characters, cut_off
from storm.errors import RecordError

#: Placeholder for a dropped mark until the text is tidied; it cannot occur in XML.
_MARK = "\0"
#: Placeholder for a reference mark, and what remains of it in texts that keep the places of citations.
_REFERENCE = "\2"
CITED = "\3"
#: Separator between blocks of a paragraph that share no sentence; it cannot occur in XML either.
_BORDER = "\1"
_SEPARATORS = r"\s,;–—−\-"
_EMPTY_BRACKETS = re.compile(rf"(?:(?<!\s)\s+)?[\[(][{_SEPARATORS}]*[\0\2][{_SEPARATORS}\0\2]*[\])]")
_MARKS = re.compile(rf"(?:(?<!\s)\s+)?[\0\2](?:[{_SEPARATORS}]*[\0\2])*")
_ONLY_MARKS = re.compile(rf"[{_SEPARATORS}\0\[\]().*]*")
_NUMBERS_IN_BRACKETS = re.compile(r"\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]")
_WORDS_OR_YEAR = re.compile(r"[^\W\d_]{2}|\b(?:19|20)\d\d")
_PLAIN_SUPERSCRIPT = re.compile(r"(?:st|nd|rd|th|[®™©℠°′″†‡*]+)", re.I)

_MARKING_XREFS = frozenset({"fn", "table-fn", "author-notes", "corresp", "aff"})
#: Cross-references to the bibliography; some publishers write "ref".
_CITING_XREFS = frozenset({"bibr", "ref"})
_DROPPED = frozenset({
    "graphic", "inline-graphic", "media", "inline-supplementary-material", "supplementary-material", "object-id",
    "alt-text", "long-desc", "table", "table-wrap-foot", "array", "fn", "ref-list", "permissions", "attrib",
    "index-term", "tex-math", "annotation", "annotation-xml",
})  # fmt: skip
_BLOCKS = frozenset({
    "p", "title", "sec", "list", "list-item", "def-list", "def-item", "term", "def", "disp-quote", "boxed-text",
    "break", "fig", "caption", "label", "table-wrap", "verse-group", "verse-line", "speech", "statement",
})  # fmt: skip
#: Blocks inside a paragraph whose words never belong to the sentence before or after them.
_SEPARATE = frozenset({
    "p", "title", "list", "list-item", "def-list", "def-item", "disp-quote", "boxed-text", "verse-group", "statement",
})  # fmt: skip
_FORMULAS = frozenset({"inline-formula", "disp-formula", "alternatives"})

_HTML_TAG = re.compile(
    r"</?(?:a|b|i|u|p|br|em|strong|small|span|div|ul|ol|li|h[1-6]|sub|title|sec|italic|bold)(?:\s[^<>]*)?/?>", re.I
)
_HTML_SUP = re.compile(r"<sup(?:\s[^<>]{0,200})?>((?:[^<]|<(?!/?sup\b)){0,200})</sup\s?>", re.I)
_HTML_BLOCK = re.compile(r"</?(?:p|br|div|ul|ol|li|h[1-6]|title|sec)\b", re.I)


def text_of(element: etree._Element | None) -> str:
    """The text of an element on one line, without its tail; empty for None."""
    if element is None:
        return ""
    return _tidy_marks(_collect_content(element) if len(element) else element.text or "")


def paragraphs_of(element: etree._Element) -> list[str]:
    """The text of an element as `text_of` gives it, split at lists, list items and other blocks."""
    return _split_blocks(_collect_content(element))


def cited_paragraphs_of(element: etree._Element) -> list[str]:
    """As `paragraphs_of`, but with CITED in place of each dropped reference mark."""
    return [text for text in _split_blocks(_collect_content(element), CITED) if text != CITED]


def text_of_html(fragment: str) -> str:
    """The text of a fragment with inline HTML; a `<` that opens no usual HTML tag is a less-than sign."""
    return _tidy_marks(_convert_html(fragment))


def blocks_of_html(fragment: str) -> str:
    """As `text_of_html`, but with a blank line between blocks: paragraphs, list items, lines."""
    return "\n\n".join(_split_blocks(_convert_html(fragment)))


def write_superscript(content: str) -> str:
    """`^` and the content, but signs and ordinal endings unchanged, and a placeholder for reference marks alone."""
    text = content.strip()
    if (_MARK in text and _ONLY_MARKS.fullmatch(text)) or _NUMBERS_IN_BRACKETS.fullmatch(text):
        return _MARK
    return text if not text or _PLAIN_SUPERSCRIPT.fullmatch(text) else f"^{text}"


def collapse_spaces(text: str) -> str:
    """Collapse white space to one line and remove invisible characters."""
    return " ".join(clean_characters(text).split())


def local_name(element: etree._Element) -> str:
    """The element's name without its namespace; empty for comments, instructions and entities."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def remove_content(element: etree._Element) -> None:
    """Remove the content of an element but keep the text after it."""
    tail = element.tail
    element.clear()
    element.tail = tail


def _split_blocks(content: str, cited: str = "") -> list[str]:
    return [text for part in content.split(_BORDER) if (text := _tidy_marks(part, cited))]


def _convert_html(fragment: str) -> str:
    markup = html.unescape(cut_off(fragment, MAX_LINE)).replace(_MARK, "").replace(_BORDER, "").replace(_REFERENCE, "")
    markup = _HTML_SUP.sub(lambda match: write_superscript(match[1]), markup)
    return _HTML_TAG.sub(lambda tag: f" {_BORDER} " if _HTML_BLOCK.match(tag[0]) else "", markup)


def _tidy_marks(content: str, cited: str = "") -> str:
    text = cut_off(content, MAX_LINE)
    if _MARK not in text and _REFERENCE not in text:
        return collapse_spaces(text)

    def replace_marks(marks: re.Match[str]) -> str:
        return CITED if _REFERENCE in marks[0] else ""

    line = _MARKS.sub(replace_marks, _EMPTY_BRACKETS.sub(replace_marks, " ".join(text.split())))
    plain = collapse_spaces(line.replace(CITED, ""))
    marked = cited.join(clean_characters(part) for part in line.strip().split(CITED))
    return marked if marked.replace(CITED, "") == plain else plain


def _collect_content(element: etree._Element) -> str:
    parts = [element.text or ""]
    for child in element:
        parts.append(_convert_child(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _convert_child(element: etree._Element) -> str:
    name = local_name(element)
    if not name:
        return _resolve_entity(element) if element.tag is etree.Entity else ""
    if name in _DROPPED:
        return ""
    if name == "xref":
        return _convert_xref(element)
    if name == "sup":
        return _convert_superscript(_collect_content(element))
    if name == "math":
        return _write_formula(element)
    if name in _FORMULAS:
        return f" {_choose_formula(element)} " if name == "disp-formula" else _choose_formula(element)
    return _convert_block(element, name) if name in _BLOCKS else _collect_content(element)


def _convert_block(element: etree._Element, name: str) -> str:
    content = _collect_content(element)
    if name == "term":
        return f" {content.strip().removesuffix(':')}: "
    inside = local_name(parent) if (parent := element.getparent()) is not None else ""
    if name == "label" and inside == "list-item":
        return " "  # the number or bullet of a list item
    space = f" {_BORDER} " if content and name in _SEPARATE and inside != "def" else " "
    return f"{space}{content}{space}"


def _resolve_entity(entity: etree._Element) -> str:
    name = (entity.text or "")[1:-1]
    if (character := html5.get(f"{name};")) is None:
        raise RecordError(f"the text uses &{name[:40]};, which names no character")
    return character


def _convert_xref(element: etree._Element) -> str:
    kind = element.get("ref-type")
    if kind in _MARKING_XREFS:
        return _MARK
    text = _collect_content(element)
    return _REFERENCE if kind in _CITING_XREFS and not _WORDS_OR_YEAR.search(text) else text


def _convert_superscript(content: str) -> str:
    text = write_superscript(content.replace(_REFERENCE, _MARK))
    cites = _REFERENCE in content or _NUMBERS_IN_BRACKETS.fullmatch(content.strip())
    return _REFERENCE if text == _MARK and cites else text


def _choose_formula(element: etree._Element) -> str:
    """Choose one form of a formula: MathML, or else TeX, or else the text."""
    for child in element.iter("{*}math"):
        return _write_formula(child)
    for child in element.iter("{*}tex-math"):
        tex = _collect_content(child).partition("\\begin{document}")
        return (tex[2] or tex[0]).partition("\\end{document}")[0].strip().strip("$")
    return _collect_content(element)


def _write_formula(element: etree._Element) -> str:
    """Write MathML on one line: x^2, plain subscripts, fractions as a/b."""
    name = local_name(element)
    if name in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if not len(element):
        return " " if name == "mspace" else (element.text or "").strip()
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _collect_content(element).strip()
    parts: list[str] = []
    scripts = 0
    for child in element:
        if local_name(child) == "mprescripts":
            scripts = len(parts)
        elif local_name(child):
            parts.append(_write_formula(child))
    return _arrange_parts(name, parts, scripts)


def _arrange_parts(name: str, parts: Sequence[str], prescripts: int) -> str:
    if name == "mmultiscripts":
        after, before = (parts[1:prescripts], parts[prescripts:]) if prescripts else (parts[1:], [])
        return _write_scripts(before) + "".join(parts[:1]) + _write_scripts(after)
    if name == "msup" and len(parts) == 2:
        return parts[0] + _write_power(parts[1])
    if name == "msubsup" and len(parts) == 3:
        return parts[0] + parts[1] + _write_power(parts[2])
    if name == "mfrac" and len(parts) == 2:
        return f"{_add_brackets(parts[0])}/{_add_brackets(parts[1])}"
    if name == "msqrt":
        return f"√{_add_brackets(''.join(parts))}"
    if name in ("mtr", "mtable", "matrixrow", "matrix"):
        return " ".join(parts)
    return "".join(parts)


def _write_scripts(parts: Sequence[str]) -> str:
    return "".join(part if n % 2 == 0 else _write_power(part) for n, part in enumerate(parts))


def _write_power(text: str) -> str:
    return f"^{_add_brackets(text)}" if text else ""


def _add_brackets(text: str) -> str:
    return text if re.fullmatch(r"[+−–-]?[\w.]*[+−–-]?", text) else f"({text})"
