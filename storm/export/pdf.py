"""Renders a document as PDF with typst. Every text is data of its template, never markup."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Set
from datetime import UTC
from importlib.resources import files
from typing import Any, TypeAlias, assert_never

import typst

from storm import wording
from storm.errors import StormError
from storm.export import page_wording as words
from storm.export.missing_letters import (
    name_letter,
    read_missing_letters,
    replace_in_svg,
    replace_letters,
    write_in_latin,
)
from storm.export.pages import (
    LINE,
    WIDE_LINE,
    ContentsList,
    PageBlock,
    PageSetup,
    ReferenceList,
    fit_word,
    has_whole_rows,
    measure_columns,
    split_sections,
)
from storm.models import Paper
from storm.reports.document import (
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
    Table,
    Text,
    make_heading,
    to_inlines,
)
from storm.version import __version__

Fields: TypeAlias = dict[str, Any]

_PAPERS = {Paper.A4: "a4", Paper.LETTER: "us-letter"}
#: Missing letters that are named on the terminal; the PDF names all.
_NAMED = 5
#: The longest word that fits on a line of text, and parts into which longer ones may be divided at its end.
_LONGEST, _PART = 60, 20
_WORD = re.compile(r"\S+")


def render_pdf(document: Document, pages: PageSetup) -> bytes:
    """Render the whole document, tagged; the same document gives the same bytes.

    Letters that the fonts lack are in Latin letters, and named at the end and to `pages.report_note`."""
    missing: set[str] = set()
    while True:
        content, found = _compile(document, pages.paper, missing)
        if content is not None:
            break
        missing |= found
    if missing:
        pages.report_note(_describe_missing(missing))
    return content


def _compile(document: Document, paper: Paper, missing: Set[str]) -> tuple[bytes | None, set[str]]:
    """The PDF; or, instead of it, more letters that its fonts lack."""
    inputs = _collect_inputs(document, paper, missing)
    try:
        return _run_typst(document, inputs, standards=["ua-1"]), set()
    except typst.TypstError as error:
        if found := read_missing_letters(error.diagnostic) - missing:
            return None, found
    try:
        return _run_typst(document, inputs, standards=[]), set()
    except typst.TypstError as exc:
        raise StormError(f"the PDF could not be made: {exc.message}", hint="report this") from exc


def _run_typst(document: Document, inputs: dict[str, str], standards: list[Any]) -> bytes:
    template = (files("storm.export") / "pdf.typ").read_bytes()
    content = typst.compile(
        template,
        sys_inputs=inputs,
        pdf_standards=standards,
        timestamp=document.created.astimezone(UTC).replace(microsecond=0),
        ignore_system_fonts=True,
    )
    if not isinstance(content, bytes):
        raise StormError("the PDF could not be made: typst gave no file", hint="report this")
    return content


def _collect_inputs(document: Document, paper: Paper, missing: Set[str]) -> dict[str, str]:
    """The texts of the document for the template, and its pictures."""
    if missing:
        document = document.model_copy(update={"appendix": (*document.appendix, *_list_missing(missing))})
    collector = _Collector(document, missing)
    fields = {
        "title": document.title,
        "shown_title": collector.write_text(document.title),
        "subject": words.DOCUMENT_SUBJECT,
        "author": f"storm {__version__}",
        "contents": words.CONTENTS,
        "paper": _PAPERS[paper],
        "sections": collector.collect_sections(),
    }
    return {"document": json.dumps(fields), "pictures": json.dumps(collector.pictures)}


def _list_missing(missing: Set[str]) -> Iterator[Heading | Paragraph]:
    yield make_heading(words.MISSING_LETTERS, "missing-letters")
    named = ", ".join(f"{name_letter(letter)} ({write_in_latin(letter)})" for letter in sorted(missing))
    yield Paragraph(content=to_inlines(words.LIST_OF_MISSING.format(letters=named)))


def _describe_missing(missing: Set[str]) -> str:
    named = [f"{letter} ({name_letter(letter)})" for letter in sorted(missing)[:_NAMED]]
    more = ["…"] if len(missing) > _NAMED else []
    letters = wording.format_count(len(missing), "letter")
    return words.MISSING_NOTE.format(letters=letters, named=", ".join([*named, *more]))


class _Collector:
    """Collects the fields of one document for the template; `pictures` are its figures as SVG."""

    def __init__(self, document: Document, missing: Set[str]) -> None:
        self._document = document
        self._missing = missing
        self._numbers = {entry.record.n for entry in document.references}
        blocks = (*document.blocks, *document.appendix)
        self._anchors = {block.anchor for block in blocks if isinstance(block, Heading)}
        self.pictures: list[str] = []

    def collect_sections(self) -> list[Fields]:
        """The sections with their blocks."""
        return [
            {
                "wide": section.wide,
                "blocks": [
                    self._collect_block(block, wide=section.wide) | {"lead": is_lead}
                    for block, is_lead in zip(section.blocks, section.leads, strict=True)
                ],
            }
            for section in split_sections(self._document)
        ]

    def write_text(self, text: str, longest: int = _LONGEST) -> str:
        """The text in letters that the fonts have; only words longer than fits have places where they may be divided,
        since these are copied with the text."""
        return _WORD.sub(lambda word: _divide_word(word[0], longest), replace_letters(text, self._missing))

    def _collect_block(self, block: PageBlock, *, wide: bool) -> Fields:
        match block:
            case Heading(level=level, content=content, anchor=anchor):
                return {
                    "kind": "heading",
                    "level": level - 1,
                    "anchor": anchor,
                    "content": self._collect_run(content),
                }
            case Paragraph(content=content):
                return {"kind": "paragraph", "content": self._collect_run(content)}
            case BulletList(items=items):
                return {"kind": "list", "items": self._collect_runs(items)}
            case Note(paragraphs=paragraphs):
                return {"kind": "note", "paragraphs": self._collect_runs(paragraphs)}
            case Table():
                return self._collect_table(block, wide=wide)
            case Figure():
                return self._collect_figure(block)
            case ContentsList():
                return {"kind": "contents"}
            case ReferenceList(references=references):
                listed = [{"n": one.record.n, "content": self._collect_run(one.content)} for one in references]
                return {"kind": "references", "references": listed}
            case _:
                assert_never(block)

    def _collect_table(self, table: Table, *, wide: bool) -> Fields:
        line = WIDE_LINE if wide else LINE
        widths = measure_columns(table, line)
        longest = [fit_word(width, line) for width in widths]
        head, *rows = (
            [self._collect_run(*cell) for cell in zip(row, longest, strict=True)] for row in (table.head, *table.rows)
        )
        return {
            "kind": "table",
            "caption": self.write_text(table.caption),
            "widths": widths,
            "whole": has_whole_rows(table),
            "head": head,
            "rows": rows,
        }

    def _collect_figure(self, figure: Figure) -> Fields:
        self.pictures.append(replace_in_svg(figure.svg, self._missing))
        return {
            "kind": "figure",
            "picture": len(self.pictures) - 1,
            "title": self.write_text(figure.title),
            "description": self.write_text(figure.description),
        }

    def _collect_runs(self, runs: Iterable[Inlines]) -> list[list[Fields]]:
        return [self._collect_run(run) for run in runs]

    def _collect_run(self, content: Iterable[Inline], longest: int = _LONGEST) -> list[Fields]:
        return [field for piece in content for field in self._collect_piece(piece, longest)]

    def _collect_piece(self, piece: Inline, longest: int) -> list[Fields]:
        match piece:
            case Text(text=text, style=style):
                return [{"text": self.write_text(text, longest), "style": style}]
            case HeadingLink(text=text, anchor=anchor):
                shown = self.write_text(text, longest)
                return [{"heading": shown, "anchor": anchor, "known": anchor in self._anchors}]
            case Link(url=url):
                return [{"url": url}]
            case Mark(numbers=numbers):
                return [{"marks": [{"n": n, "known": n in self._numbers} for n in numbers]}]
            case Sentence(content=content):
                return self._collect_run(content, longest)
            case _:
                assert_never(piece)


def _divide_word(word: str, longest: int) -> str:
    if len(word) <= longest:
        return word
    return "\u200b".join(textwrap.wrap(word, min(longest, _PART)))
