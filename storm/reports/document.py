"""A report as blocks, whatever it is about: what each format renders.

All text in a document is text: a renderer escapes each piece, so that nothing a record says becomes markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from string import Formatter
from typing import Annotated, TypeAlias
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, Field

from storm.models import Reference, Statement
from storm.models.base import Frozen

_BLANKS = re.compile(r" {2,}")
_BRACKETED_NUMBERS = re.compile(r"\[(\d[\d,;\s–-]*)\]")
#: What a web address may hold as it is; all else is percent-encoded, so that no character of it ends a link.
_URL_SAFE = "%/:=&?~#+!$,;'@()*[]-._"


def one_line(text: str) -> str:
    """Printable characters on one line; a number in brackets gets parentheses, since only a Mark is a mark."""
    return _BRACKETED_NUMBERS.sub(r"(\1)", printable_line(text))


def printable_line(text: str) -> str:
    """Printable characters on one line, one blank for several."""
    line = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return _BLANKS.sub(" ", line)


def is_web_address(url: str) -> bool:
    """Whether a reader may be sent there."""
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
    """How a piece of text stands out."""

    PLAIN = "plain"
    EMPHASIS = "emphasis"
    STRONG = "strong"
    CODE = "code"


class Text(Frozen):
    """A piece of text, to be shown letter by letter."""

    text: Line
    style: Style = Style.PLAIN


class Link(Frozen):
    """A web address, shown as it is: http or https, without a character that could end it."""

    url: Annotated[str, AfterValidator(_web_address)]


class Mark(Frozen):
    """A citation mark: the numbers of references."""

    numbers: tuple[int, ...] = Field(min_length=1)


class Sentence(Frozen):
    """A statement as a reader sees it, and what it stands on: its quote, its sources, its verdict."""

    content: Inlines
    statement: Statement


Inline: TypeAlias = Text | Link | Mark | Sentence
Inlines: TypeAlias = tuple[Inline, ...]


class Heading(Frozen):
    """A heading below the title, which is level 1; `anchor` is unique in its document and stays from job to job."""

    level: int = Field(ge=2, le=6)
    content: Inlines
    anchor: str = Field(pattern=r"^[a-z][a-z0-9_.-]*$")


class Paragraph(Frozen):
    """Text and sentences that run on."""

    content: Inlines


class BulletList(Frozen):
    """Items, each a line."""

    items: tuple[Inlines, ...] = Field(min_length=1)


class Table(Frozen):
    """A head and rows of as many cells."""

    head: tuple[Inlines, ...]
    rows: tuple[tuple[Inlines, ...], ...]


class Figure(Frozen):
    """A picture, and the table of what it shows for readers and formats without pictures."""

    caption: Inlines
    svg: str
    table: Table


class Note(Frozen):
    """What a reader must know first, set apart from the text; a paragraph each."""

    paragraphs: tuple[Inlines, ...] = Field(min_length=1)


Block: TypeAlias = Heading | Paragraph | BulletList | Table | Figure | Note


class NumberedReference(Frozen):
    """A reference as a reader sees it, without its number, and its record."""

    content: Inlines
    record: Reference


class Document(Frozen):
    """A title, blocks and, after the last of them, the references by number."""

    title: Line
    created: datetime
    blocks: tuple[Block, ...]
    references: tuple[NumberedReference, ...] = ()

    @property
    def marks(self) -> Iterator[int]:
        """The number behind each mark of the text, in the order of reading."""
        runs = (run for block in self.blocks for run in _list_runs(block))
        return (number for run in runs for mark in _list_marks(run) for number in mark.numbers)


def record_text(text: str, style: Style = Style.PLAIN) -> Text:
    """Text that comes from a record or a user, without blanks at its ends."""
    return Text(text=one_line(text).strip(), style=style)


def make_heading(text: str, anchor: str, level: int = 2) -> Heading:
    """A heading of one piece of text."""
    return Heading(level=level, content=(record_text(text),), anchor=anchor)


def to_inlines(*parts: str | Inline | Inlines) -> Inlines:
    """One run of all of them; a string is text."""
    return tuple(piece for part in parts for piece in _to_pieces(part))


def join_inlines(separator: str, parts: Iterable[Inlines]) -> Inlines:
    """The parts with the separator between them."""
    return tuple(piece for n, part in enumerate(parts) for piece in (to_inlines(separator) if n else ()) + part)


def join_texts(separator: str, texts: Iterable[str]) -> Inlines:
    """Texts of records with the separator between them."""
    return join_inlines(separator, ((record_text(text),) for text in texts))


def make_cells(*values: str | Inline | Inlines) -> tuple[Inlines, ...]:
    """A row of a table; a string is a record's text."""
    return tuple(to_inlines(record_text(value) if isinstance(value, str) else value) for value in values)


def fill_template(template: str, **values: str | Inline | Inlines) -> Inlines:
    """A sentence with its places filled; a string is a record's text, and a piece of its own."""
    content: Inlines = ()
    for literal, name, _, _ in Formatter().parse(template):
        content += to_inlines(literal)
        if name:
            value = values[name]
            content += to_inlines(record_text(value) if isinstance(value, str) else value)
    return content


def _to_pieces(part: str | Inline | Inlines) -> Inlines:
    if isinstance(part, tuple):
        return part
    return ((Text(text=part),) if part else ()) if isinstance(part, str) else (part,)


def _list_runs(block: Block) -> Iterator[Inlines]:
    """Each run of text of a block."""
    match block:
        case Heading(content=content) | Paragraph(content=content):
            yield content
        case BulletList(items=runs) | Note(paragraphs=runs):
            yield from runs
        case Table(head=head, rows=rows):
            yield from (cell for row in (head, *rows) for cell in row)
        case Figure(caption=caption, table=table):
            yield caption
            yield from _list_runs(table)


def _list_marks(run: Inlines) -> Iterator[Mark]:
    for piece in run:
        if isinstance(piece, Mark):
            yield piece
        elif isinstance(piece, Sentence):
            yield from _list_marks(piece.content)
