"""The blocks of a document as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import assert_never

from storm.export import page_wording as words
from storm.export.html_filters import make_filter_attributes
from storm.export.html_quotes import QuoteList, write_card
from storm.export.html_text import make_element
from storm.reports.document import (
    Block,
    BulletList,
    Figure,
    Heading,
    HeadingLink,
    Inline,
    Inlines,
    Link,
    Mark,
    Note,
    NumberedReference,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
    escape_markup,
    printable_line,
    to_text,
)

#: Characters of a cell that stands on one line, such as a date or a number, and of one that needs a wide column.
_SHORT, _LONG = 16, 50
_TAGS = {Style.EMPHASIS: "em", Style.STRONG: "strong", Style.CODE: "code"}


class BlockWriter:
    """Writes the blocks of one document: it numbers the cards, and names tables by the heading before them."""

    def __init__(self, quotes: QuoteList) -> None:
        self._quotes = quotes
        self._cards = count(1)
        self._marked: set[int] = set()
        self._heading = ""

    def write(self, block: Block) -> str:
        """The block as HTML."""
        match block:
            case Heading():
                self._heading = to_text(block.content)
                return make_element(f"h{block.level}", self.write_run(block.content), id=block.anchor)
            case Paragraph():
                return self._write_paragraph(block.content)
            case BulletList():
                return make_element("ul", "\n".join(map(self._write_item, block.items)))
            case Note():
                paragraphs = (make_element("p", self.write_run(run), dir="auto") for run in block.paragraphs)
                return make_element("div", "".join(paragraphs), class_="note", role="note")
            case Table():
                return self._write_table(block)
            case Figure():
                return _write_figure(block)
            case _:
                assert_never(block)

    def write_run(self, run: Iterable[Inline]) -> str:
        """A run of text as HTML."""
        return "".join(map(self._write_inline, run))

    def write_reference(self, entry: NumberedReference, anchors: Iterable[str]) -> str:
        """An item of the list of references; `anchors` are of the sections that cite it."""
        attributes = make_filter_attributes([entry.record], anchors)
        number = make_element("span", f"{entry.record.n}.", class_="number")
        content = f"{number} {self.write_run(entry.content)}"
        return make_element("li", content, id=f"ref-{entry.record.n}", value=entry.record.n, dir="auto", **attributes)

    def _write_paragraph(self, run: Inlines) -> str:
        if not any(isinstance(piece, Sentence) for piece in run):
            return make_element("p", self.write_run(run), dir="auto")
        return make_element("p", "".join(map(self._write_piece, run)), class_="prose", dir="auto")

    def _write_piece(self, piece: Inline) -> str:
        """A piece of running text; each sentence is filtered by itself."""
        if not isinstance(piece, Sentence):
            return self._write_inline(piece)
        return make_element("span", self._write_sentence(piece, in_text=True), **self._describe_statement(piece))

    def _write_item(self, item: Inlines) -> str:
        sentence = next((piece for piece in item if isinstance(piece, Sentence)), None)
        if sentence is None:
            return make_element("li", self.write_run(item), dir="auto")
        return make_element("li", self.write_run(item), **self._describe_statement(sentence))

    def _describe_statement(self, sentence: Sentence) -> dict[str, str]:
        """The attributes of an element that holds the sentence."""
        quote = self._quotes.find(sentence.statement)
        return {"class_": "statement", **make_filter_attributes(quote.sources, quote.anchors)}

    def _write_inline(self, piece: Inline) -> str:
        match piece:
            case Text(text=text, style=Style.PLAIN):
                return escape_markup(text)
            case Text(text=text, style=style):
                return make_element(_TAGS[style], escape_markup(text))
            case Mark(numbers=numbers):
                links = (make_element("a", str(n), href=f"#ref-{n}") for n in numbers)
                return make_element("span", f"[{', '.join(links)}]", class_="marks")
            case HeadingLink(text=text, anchor=anchor):
                return make_element("a", escape_markup(text), href=f"#{anchor}")
            case Link(url=url):
                return make_element("a", escape_markup(url), href=url, rel="noopener noreferrer")
            case Sentence():
                return self._write_sentence(piece)
            case _:
                assert_never(piece)

    def _write_sentence(self, sentence: Sentence, *, in_text: bool = False) -> str:
        """The sentence with its own mark, which has a card, and after them the remarks on it, in brackets where text
        runs on."""
        statement = sentence.statement
        own = self._quotes.numbers_of(statement)
        content = sentence.content
        if not (statement.quote and isinstance(content[-1], Mark) and content[-1].numbers == own):
            return self.write_run(content)
        text, remarks = _split_remarks(content[:-1], statement.text)
        said = make_element("span", self.write_run(text).rstrip(), dir="auto")
        shown = f"{said}&nbsp;{self._write_own_mark(sentence, own)}"  # the mark never begins a line
        noted = self.write_run(remarks).strip()
        noted = noted if in_text else noted.removeprefix("(").removesuffix(")")
        return make_element("span", shown, class_="said") + (
            f" {make_element('span', noted, class_='remarks')}" if noted else ""
        )

    def _write_own_mark(self, sentence: Sentence, numbers: Sequence[int]) -> str:
        quote, card_id = self._quotes.find(sentence.statement), f"card-{next(self._cards)}"
        first = quote.number not in self._marked
        self._marked.add(quote.number)
        label = f"[{', '.join(map(str, numbers))}]"
        link = make_element(
            "a", label, class_="mark", id=f"said-{quote.number}" if first else "", href=f"#quote-{quote.number}",
            aria_describedby=card_id,
        )  # fmt: skip
        return link + write_card(quote, card_id)

    def _write_table(self, table: Table) -> str:
        caption = table.caption or self._heading
        hidden = "" if table.caption else "unseen"
        head = "".join(_write_head(self.write_run(cell)) for cell in table.head)
        rows = "\n".join(self._write_row(row) for row in table.rows)
        inner = (
            f"{make_element('caption', escape_markup(caption), class_=hidden)}\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
        )
        return _make_scrollable(make_element("table", inner), words.SCROLLS.format(caption=caption))

    def _write_row(self, row: Sequence[Inlines]) -> str:
        first, *others = zip(map(self.write_run, row), map(_measure_cell, row), strict=True)
        cells = (make_element("td", content, class_=kind, dir="auto") for content, kind in others)
        head = make_element("th", first[0], class_=first[1], scope="row", dir="auto")
        return f"<tr>{head}{''.join(cells)}</tr>"


def _measure_cell(cell: Inlines) -> str:
    length = len(to_text(cell))
    return "short" if length <= _SHORT else "long" if length > _LONG else ""


def _write_head(content: str) -> str:
    return make_element("th", content, scope="col") if content else "<td></td>"


def _write_figure(figure: Figure) -> str:
    picture = _make_scrollable(figure.svg, figure.title)
    caption = f"{make_element('strong', escape_markup(figure.title))} {escape_markup(figure.description)}"
    return make_element("figure", f"{picture}{make_element('figcaption', caption)}")


def _make_scrollable(content: str, label: str) -> str:
    """A region that scrolls by itself, also with the keyboard, where the page is too narrow for it."""
    return make_element("div", content, class_="wide", role="region", tabindex=0, aria_label=label)


def _split_remarks(content: Inlines, text: str) -> tuple[Inlines, Inlines]:
    """Split a sentence behind its own text, which remarks follow."""
    wanted = printable_line(text).strip()
    pieces = [piece.text if isinstance(piece, Text) else "" for piece in content]
    starts = (n for n, piece in enumerate(pieces) if piece and wanted.startswith(piece.strip()))
    spans = ((start, end) for start in starts for end in range(start + 1, len(pieces) + 1))
    end = next((end for start, end in spans if "".join(pieces[start:end]).strip() == wanted), len(content))
    return content[:end], content[end:]
