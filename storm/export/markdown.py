"""Renders a document as Markdown. All text is escaped, so markup and bracketed numbers are never from a record."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from storm.reports.document import (
    Block,
    BulletList,
    Document,
    Figure,
    Heading,
    HeadingLink,
    Inline,
    Inlines,
    Link,
    Mark,
    Note,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
)

_SPECIAL = str.maketrans({char: f"\\{char}" for char in r"\`*_[]|~$@"})
_AUTOLINK = re.compile(r"(?<=\w)(?=://)|(?<=www)(?=\.)", re.I)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_BLOCK_START = re.compile(r"^(\s*)([#>+=-]|\d+(?=[.)]))")
_FENCES = {Style.PLAIN: "", Style.EMPHASIS: "*", Style.STRONG: "**"}


def escape_markdown(text: str) -> str:
    """Escape a line of text so that Markdown shows it literally."""
    return _escape_start(_escape_text(text))


def render_markdown(document: Document) -> str:
    """Render the whole document: its blocks, the numbered references, and the appendix."""
    references = ((entry.record.n, entry.content) for entry in document.references)
    return render_parts(document.title, document.blocks, references, document.appendix)


def render_parts(
    title: str, blocks: Iterable[Block], references: Iterable[tuple[int, Inlines]], appendix: Iterable[Block]
) -> str:
    """Render a document from its parts; each reference comes with its number."""
    listed = "\n".join(f"{number}. {_render_line(content)}" for number, content in references)
    parts = [f"# {escape_markdown(title)}", *map(_render_block, blocks), listed, *map(_render_block, appendix)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_render_line(block.content)}"
        case Paragraph():
            return _render_line(block.content)
        case BulletList():
            return "\n".join(f"- {_render_line(item)}" for item in block.items)
        case Note():
            return "\n>\n".join(f"> {_render_line(paragraph)}" for paragraph in block.paragraphs)
        case Table():
            return _render_table(block)
        case Figure():
            return ""  # Markdown has no inline pictures; each shows what tables or lists of the document say
        case _:
            assert_never(block)


def _render_table(table: Table) -> str:
    lines = [map(_render_run, table.head), ["---"] * len(table.head), *(map(_render_run, row) for row in table.rows)]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"**{_escape_text(table.caption)}**\n\n{rows}" if table.caption else rows


def _escape_text(text: str) -> str:
    escaped = text.translate(_SPECIAL)
    escaped = _TAG.sub(r"\\<", escaped) if "<" in escaped else escaped
    escaped = _ENTITY.sub("&amp;", escaped) if "&" in escaped else escaped
    has_address = "://" in escaped or "www." in escaped.lower()
    return _AUTOLINK.sub(r"\\", escaped) if has_address else escaped


def _render_line(content: Inlines) -> str:
    """Render a run at the start of a line, where it could begin a list or heading by accident."""
    return _escape_start(_render_run(content))


def _render_run(content: Iterable[Inline]) -> str:
    return "".join(map(_render_inline, content))


def _render_inline(piece: Inline) -> str:
    match piece:
        case Text(text=text, style=Style.CODE):
            return _escape_text(text) if set(text) & set("`|") else f"`{text}`"
        case Text(text=text, style=style):
            return f"{_FENCES[style]}{_escape_text(text)}{_FENCES[style]}"
        case HeadingLink(text=text):
            return _escape_text(text)
        case Mark(numbers=numbers):
            return f"[{', '.join(map(str, numbers))}]"
        case Link(url=url):
            return f"<{url}>"
        case Sentence(content=content):
            return _render_run(content)
        case _:
            assert_never(piece)


def _escape_start(line: str) -> str:
    return _BLOCK_START.sub(lambda m: f"{m[1]}\\{m[2]}" if not m[2].isdigit() else f"{m[1]}{m[2]}\\", line)
