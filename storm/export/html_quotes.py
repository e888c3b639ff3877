"""The quotes of a document as HTML: a card at each citation mark, and each quote marked in its paragraph at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm.export import page_wording as words
from storm.export.html_text import make_element
from storm.models import Reference, Statement, SummarySentence
from storm.reports.document import (
    QUESTION,
    Block,
    Document,
    Heading,
    Sentence,
    escape_markup,
    list_runs,
    printable_line,
)

#: What stands for left-out words in a quote.
_LEFT_OUT = re.compile(r" ?(?:\[(?:…|\.\.\.)\]|…|\.\.\.) ?")


class Quote(NamedTuple):
    """The quote of a statement, its number on the page, its sources, and the headings under which it is cited."""

    number: int
    statement: Statement
    sources: tuple[Reference, ...]
    anchors: frozenset[str]


class QuoteList:
    """The quotes of a document in reading order; a statement that is repeated has one."""

    def __init__(self, document: Document) -> None:
        self._by_source = {entry.record.source_id: entry.record for entry in document.references}
        self._quotes: dict[tuple[str, ...], Quote] = {}
        for anchor, statement in _list_statements((*document.blocks, *document.appendix)):
            self._add(anchor, statement)

    def __iter__(self) -> Iterator[Quote]:
        return iter(self._quotes.values())

    def find(self, statement: Statement) -> Quote:
        """The quote of a statement of the document."""
        return self._quotes[_key_of(statement)]

    def numbers_of(self, statement: Statement) -> tuple[int, ...]:
        """The numbers of the statement's references, as its own mark has them."""
        known = (self._by_source.get(source_id) for source_id in statement.source_ids)
        return tuple(sorted({record.n for record in known if record}))

    def _add(self, anchor: str, statement: Statement) -> None:
        key = _key_of(statement)
        sources = tuple(self._by_source[name] for name in statement.source_ids if name in self._by_source)
        found = self._quotes.get(key) or Quote(len(self._quotes) + 1, statement, sources, frozenset())
        self._quotes[key] = found._replace(anchors=found.anchors | {anchor})


def write_card(quote: Quote, card_id: str) -> str:
    """What is shown over the page at a citation mark: the quote, its section, and its sources."""
    statement = quote.statement
    parts = (
        make_element("q", escape_markup(statement.quote.strip()), dir="auto"),
        make_element("span", escape_markup(statement.section), class_="where") if statement.section else "",
        *(make_element("span", _name_source(source), class_="source", dir="auto") for source in quote.sources),
    )
    return make_element("span", "".join(parts), class_="card", role="tooltip", id=card_id)


def write_quotes(quotes: Iterable[Quote]) -> str:
    """The section of all quotes; empty if there is none."""
    items = "\n".join(_write_quote(quote) for quote in quotes)
    if not items:
        return ""
    heading = make_element("h2", words.QUOTES, id="quotes")
    intro = make_element("p", words.QUOTES_BASIS)
    return f'{heading}\n{intro}\n<ol class="quotes">\n{items}\n</ol>'


def write_holders() -> str:
    """An empty dialogue in which a script shows one quote, and an empty card in which it shows one reference."""
    heading = make_element("h2", words.QUOTE, id="quote-heading")
    close = make_element("button", words.CLOSE, type="button")
    dialog = make_element("dialog", f"{heading}<div></div>{close}", id="quote-dialog", aria_labelledby="quote-heading")
    return f'{dialog}\n<div class="card" id="source-card" role="tooltip" hidden></div>'


def _write_quote(quote: Quote) -> str:
    statement = quote.statement
    claim = printable_line(statement.text).strip()
    is_copied = claim == printable_line(statement.quote).strip()
    section = f" · {escape_markup(statement.section)}" if statement.section else ""
    sources = " ".join(_name_source(source, linked=True) for source in quote.sources)
    back = make_element("a", words.BACK, class_="back", href=f"#said-{quote.number}")
    parts = (
        "" if is_copied else make_element("p", escape_markup(claim), class_="claim", dir="auto"),
        make_element("blockquote", make_element("p", mark_quote(statement.quote, statement.paragraph), dir="auto")),
        make_element("p", f"{sources}{section} {back}", class_="where"),
    )
    return make_element("li", "".join(parts), id=f"quote-{quote.number}", value=quote.number)


def mark_quote(quote: str, paragraph: str) -> str:
    """The paragraph with the quote marked in it; the quote alone if there is no such paragraph."""
    quote, around = printable_line(quote).strip(), printable_line(paragraph).strip()
    spans = _find_parts(quote, around)
    if not spans:
        return make_element("mark", escape_markup(quote))
    ends = [0, *(end for _, end in spans)]
    pieces = (
        f"{_write_rest(around[after:start])}{make_element('mark', escape_markup(around[start:end]))}"
        for after, (start, end) in zip(ends, spans, strict=False)
    )
    return "".join(pieces) + _write_rest(around[ends[-1] :])


def _write_rest(text: str) -> str:
    return make_element("span", escape_markup(text), class_="around") if text else ""


def _find_parts(quote: str, text: str) -> Sequence[tuple[int, int]]:
    """Where the quote stands in the text: as a whole, or part by part, in order; empty if one of them does not."""
    for parts in ([quote], [part for part in _LEFT_OUT.split(quote) if part]):
        spans: list[tuple[int, int]] = []
        for part in parts:
            start = text.find(part, spans[-1][1] if spans else 0)
            if part and start >= 0:
                spans.append((start, start + len(part)))
        if spans and len(spans) == len(parts):
            return spans
    return ()


def _name_source(source: Reference, *, linked: bool = False) -> str:
    """The number of a reference with its first author, title, container and year."""
    first = source.authors[0] if source.authors else source.agency or ""
    authors = f"{first} et al" if len(source.authors) > 1 else first
    parts = (authors, source.title, source.container or "", str(source.year or ""))
    text = escape_markup(". ".join(part.strip().rstrip(".") for part in parts if part.strip()))
    number = f"[{source.n}]"
    return f"{make_element('a', number, href=f'#ref-{source.n}') if linked else number} {text}."


def _key_of(statement: Statement) -> tuple[str, ...]:
    return (statement.text, statement.quote, *statement.source_ids)


def _list_statements(blocks: Sequence[Block]) -> Iterator[tuple[str, Statement]]:
    """Each statement with the anchor of the question that it answers, or else of the section that it stands in."""
    anchor = ""
    for block in blocks:
        if isinstance(block, Heading) and (block.level == 2 or block.anchor.startswith(QUESTION)):
            anchor = block.anchor
        for run in list_runs(block):
            for said in (piece.statement for piece in run if isinstance(piece, Sentence)):
                yield f"{QUESTION}{said.question}" if isinstance(said, SummarySentence) else anchor, said
