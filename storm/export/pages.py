"""How a document is laid out on pages: its paper, its sections in portrait and landscape, and the widths of columns."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeAlias

from storm.models import JobRequest, Paper
from storm.reports.document import (
    Block,
    BulletList,
    Document,
    Heading,
    Inlines,
    NumberedReference,
    Paragraph,
    Table,
    to_text,
)

#: Characters of a table's small type on a line of A4 in portrait and in landscape, and what the margins of a cell take.
LINE, WIDE_LINE, _MARGINS = 105, 158, 3
#: A column is as wide as its longest word, up to so many characters; it needs no more than its longest cell, up to so
#: many. The longest cell of a row that is not divided between pages.
_WORD, _CELL, _WHOLE = 22, 70, 1_200
#: A table with more columns is in landscape, whatever they hold.
_COLUMNS = 7
#: A paragraph of one line, in characters, and the deepest heading in the contents.
_SHORT, _LISTED = 120, 3


class PageSetup(NamedTuple):
    """Options of formats with pages: the paper, and a DOCX file with the styles, headers and footers to use.

    `report_note` gets what the reader of such a file should know, one line each."""

    paper: Paper = Paper.A4
    template: Path | None = None
    report_note: Callable[[str], object] = logging.getLogger("storm").warning

    @classmethod
    def of(cls, request: JobRequest, template: Path | str | None = None) -> PageSetup:
        """What the job was started with; a `template` takes the place of its own."""
        return cls(request.paper, find_template(request.template if template is None else template))


def find_template(named: Path | str | None) -> Path | None:
    """The file of that name; "none" stands for storm's own styles."""
    return Path(named) if named and str(named) != "none" else None


class ReferenceList(NamedTuple):
    """The numbered references, as a block of the document."""

    references: tuple[NumberedReference, ...]


class ContentsList(NamedTuple):
    """The headings of the table of contents, as a block of the document."""

    headings: tuple[Heading, ...]


PageBlock: TypeAlias = Block | ReferenceList | ContentsList


class PageSection(NamedTuple):
    """Blocks on pages of one orientation; `wide` is landscape."""

    wide: bool
    blocks: tuple[PageBlock, ...]

    @property
    def leads(self) -> Iterator[bool]:
        """Of each block, whether it is a line that introduces a list or a table, and stays on one page with it."""
        for block, following in zip(self.blocks, (*self.blocks[1:], None), strict=True):
            is_short = isinstance(block, Paragraph) and len(to_text(block.content)) <= _SHORT
            yield is_short and isinstance(following, BulletList | Table)


def split_sections(document: Document) -> tuple[PageSection, ...]:
    """Split the document into sections: a wide table is in landscape, with the headings above it and the text around it
    up to the next heading. The contents stand before the first heading."""
    blocks = tuple(_close_levels((*document.blocks, ReferenceList(document.references), *document.appendix)))
    passages = _split_passages(_insert_contents(blocks))
    grouped = groupby(passages, key=lambda passage: any(isinstance(one, Table) and _is_wide(one) for one in passage))
    return tuple(PageSection(wide, tuple(block for passage in group for block in passage)) for wide, group in grouped)


def measure_columns(table: Table, line: int) -> tuple[float, ...]:
    """The share of each column in a line of so many characters: at least its longest word, more for longer cells."""
    least, wanted = _measure_least(table), _measure_cells(table)
    spare, missing = line - sum(least), sum(wanted) - sum(least)
    share = min(max(spare / missing, 0.0), 1.0) if missing else 0.0
    widths = [low + share * (high - low) for low, high in zip(least, wanted, strict=True)]
    return tuple(width / sum(widths) for width in widths)


def fit_word(width: float, line: int) -> int:
    """The longest word that fits into a column with this share of the line, in characters."""
    return max(round(width * line) - _MARGINS, 1)


def has_whole_rows(table: Table) -> bool:
    """Whether each row is so short that no page need divide it."""
    return all(len(to_text(cell)) <= _WHOLE for row in (table.head, *table.rows) for cell in row)


def _close_levels(blocks: Iterable[PageBlock]) -> Iterator[PageBlock]:
    """The blocks, with headings that are at most one level below the heading before."""
    level = 1
    for block in blocks:
        if isinstance(block, Heading):
            level = min(block.level, level + 1)
            yield block if block.level == level else block.model_copy(update={"level": level})
        else:
            yield block


def _insert_contents(blocks: tuple[PageBlock, ...]) -> Iterator[PageBlock]:
    listed = tuple(block for block in blocks if isinstance(block, Heading) and block.level <= _LISTED)
    for block in blocks:
        if listed and block is listed[0]:
            yield ContentsList(listed)
        yield block


def _split_passages(blocks: Iterable[PageBlock]) -> Iterator[tuple[PageBlock, ...]]:
    """Each passage begins with its headings, and ends before the next heading."""
    passage: list[PageBlock] = []
    for block in blocks:
        if isinstance(block, Heading) and passage and not isinstance(passage[-1], Heading):
            yield tuple(passage)
            passage = []
        passage.append(block)
    yield tuple(passage)


def _is_wide(table: Table) -> bool:
    return len(table.head) > _COLUMNS or sum(_measure_least(table)) > LINE


def _measure_least(table: Table) -> list[int]:
    """The longest word of each column, in characters."""
    return _measure(table, lambda text: min(max(map(len, text.split()), default=0), _WORD))


def _measure_cells(table: Table) -> list[int]:
    """The longest cell of each column, in characters."""
    return _measure(table, lambda text: min(len(text), _CELL))


def _measure(table: Table, measure: Callable[[str], int]) -> list[int]:
    rows: Sequence[tuple[Inlines, ...]] = (table.head, *table.rows)
    return [max(measure(to_text(cell)) for cell in column) + _MARGINS for column in zip(*rows, strict=True)]
