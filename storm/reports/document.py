"""The document model: a report as blocks, independent of the output format.

Documents hold plain text only. Renderers escape every piece, so text from a record never becomes markup.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from html import escape
from string import Formatter
from typing import Annotated, TypeAlias, assert_never
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, Field

from storm.models import Reference, Statement
from storm.models.base import Frozen

#: Anchors of the headings of questions begin so; the key of the question follows.
QUESTION = "question-"
#: Anchors of the headings of sections begin so.
SECTION = "section-"
_ANCHOR = r"^[a-z][a-z0-9_.-]*$"
_BLANKS = re.compile(r" {2,}")
#: Soft hyphens and characters without a width, which stand inside words.
_WITHIN_WORDS = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BRACKETED_NUMBERS = re.compile(r"\[(\d[\d,;\s–-]*)\]")
#: Characters kept in a web address; all others are percent-encoded, so that none can end a link.
_URL_SAFE = "%/:=&?~#+!$,;'@()*[]-._"


def one_line(text: str) -> str:
    """Reduce text to printable characters on one line; `[1]` becomes `(1)`, since only a Mark is a citation."""
    line = printable_line(text)
    return _BRACKETED_NUMBERS.sub(r"(\1)", line) if "[" in line else line


def printable_line(text: str) -> str:
    """Reduce text to printable characters on one line, with single spaces; soft hyphens leave none."""
    line = text
    if not text.isprintable():
        line = "".join(c if c.isprintable() else " " for c in _WITHIN_WORDS.sub("", text))
    return _BLANKS.sub(" ", line) if "  " in line else line


def escape_markup(text: str) -> str:
    """Escape a text as one line, for content and attributes of HTML and SVG alike."""
    return escape(printable_line(text), quote=True)


def is_web_address(url: str) -> bool:
    """Whether the URL is http or https."""
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def _web_address(url: str) -> str:
    if not is_web_address(url):
        raise ValueError(f"not an http(s) address: {url}")
    return quote(url, safe=_URL_SAFE, errors="replace")


Line: TypeAlias = Annotated[str, AfterValidator(one_line)]


class Style(StrEnum):
    """How a piece of text is emphasised."""

    PLAIN = "plain"
    EMPHASIS = "emphasis"
    STRONG = "strong"
    CODE = "code"


class Text(Frozen):
    """A piece of text, shown literally."""

    text: Line
    style: Style = Style.PLAIN


class Link(Frozen):
    """An http or https address, shown as it is; characters that could end it are encoded."""

    url: Annotated[str, AfterValidator(_web_address)]


class HeadingLink(Frozen):
    """A text that leads to the heading of the document with this anchor, where the format can."""

    text: Line
    anchor: str = Field(pattern=_ANCHOR)


class Mark(Frozen):
    """A citation mark: the numbers of references."""

    numbers: tuple[int, ...] = Field(min_length=1)


class Sentence(Frozen):
    """A statement as readers see it, with its record: quote, sources, verdict."""

    content: "Inlines"
    statement: Statement


Inline: TypeAlias = Text | Link | HeadingLink | Mark | Sentence
Inlines: TypeAlias = tuple[Inline, ...]


class Heading(Frozen):
    """A heading below the title, which is level 1; `anchor` is unique in its document and the same in every job."""

    level: int = Field(ge=2, le=6)
    content: Inlines
    anchor: str = Field(pattern=_ANCHOR)


class Paragraph(Frozen):
    """Running text."""

    content: Inlines


class BulletList(Frozen):
    """A bulleted list; each item is one line."""

    items: tuple[Inlines, ...] = Field(min_length=1)


class Table(Frozen):
    """A table; each row has as many cells as the head. Without a `caption` it belongs to the heading before it."""

    caption: Line = ""
    head: tuple[Inlines, ...]
    rows: tuple[tuple[Inlines, ...], ...]


class Note(Frozen):
    """A call-out before the text; one paragraph per notice."""

    paragraphs: tuple[Inlines, ...] = Field(min_length=1)


class Figure(Frozen):
    """A picture as one SVG element that storm drew, and the text in its place where none can be shown."""

    title: Line
    description: Line
    svg: str


Block: TypeAlias = Heading | Paragraph | BulletList | Table | Note | Figure


class NumberedReference(Frozen):
    """A reference laid out for readers, without its number, and its record."""

    content: Inlines
    record: Reference


class Document(Frozen):
    """A title, blocks, the numbered references, and after them an appendix."""

    title: Line
    created: datetime
    blocks: tuple[Block, ...]
    references: tuple[NumberedReference, ...] = ()
    appendix: tuple[Block, ...] = ()

    @property
    def marks(self) -> Iterator[int]:
        """The reference number of each citation mark, in reading order."""
        runs = (run for block in (*self.blocks, *self.appendix) for run in list_runs(block))
        return (number for run in runs for mark in _list_marks(run) for number in mark.numbers)


def record_text(text: str, style: Style = Style.PLAIN) -> Text:
    """Text from a record or a user, stripped."""
    return Text(text=one_line(text).strip(), style=style)


def make_heading(text: str, anchor: str, level: int = 2) -> Heading:
    """A heading that is a single piece of text."""
    return Heading(level=level, content=(record_text(text),), anchor=anchor)


def to_inlines(*parts: str | Inline | Inlines) -> Inlines:
    """Concatenate the parts into one run; a string becomes text."""
    return tuple(piece for part in parts for piece in _to_pieces(part))


def join_inlines(separator: str, parts: Iterable[Inlines]) -> Inlines:
    """Concatenate runs with a separator."""
    return tuple(piece for n, part in enumerate(parts) for piece in (to_inlines(separator) if n else ()) + part)


def join_texts(separator: str, texts: Iterable[str]) -> Inlines:
    """Concatenate texts of records with a separator."""
    return join_inlines(separator, ((record_text(text),) for text in texts))


def make_cells(*values: str | Inline | Inlines) -> tuple[Inlines, ...]:
    """Make a table row; a string becomes text of a record."""
    return tuple(to_inlines(record_text(value) if isinstance(value, str) else value) for value in values)


def fill_template(template: str, **values: str | Inline | Inlines) -> Inlines:
    """Fill the placeholders of a sentence; a string becomes a separate piece of record text."""
    content: Inlines = ()
    for literal, name, _, _ in Formatter().parse(template):
        content += to_inlines(literal)
        if name:
            value = values[name]
            content += to_inlines(record_text(value) if isinstance(value, str) else value)
    return content


def to_text(content: Iterable[Inline]) -> str:
    """A run of inlines as it is read, without emphasis."""
    return "".join(map(_inline_text, content))


def _inline_text(piece: Inline) -> str:
    match piece:
        case Text(text=text) | HeadingLink(text=text):
            return text
        case Link(url=url):
            return url
        case Mark(numbers=numbers):
            return f"[{', '.join(map(str, numbers))}]"
        case Sentence(content=content):
            return to_text(content)
        case _:
            assert_never(piece)


def _to_pieces(part: str | Inline | Inlines) -> Inlines:
    if isinstance(part, tuple):
        return part
    return ((Text(text=part),) if part else ()) if isinstance(part, str) else (part,)


def list_runs(block: Block) -> Iterator[Inlines]:
    """All runs of text in a block."""
    match block:
        case Heading(content=content) | Paragraph(content=content):
            yield content
        case BulletList(items=runs) | Note(paragraphs=runs):
            yield from runs
        case Table(head=head, rows=rows):
            yield from (cell for row in (head, *rows) for cell in row)


def _list_marks(run: Inlines) -> Iterator[Mark]:
    for piece in run:
        if isinstance(piece, Mark):
            yield piece
        elif isinstance(piece, Sentence):
            yield from _list_marks(piece.content)
