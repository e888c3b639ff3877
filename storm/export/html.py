"""Renders a document as one HTML file that requests nothing: its style and script stand in it.

All text is escaped, and the page's policy allows no script but its own, so nothing of a record is ever run.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from storm import wording
from storm.export import page_wording as words
from storm.export.html_blocks import BlockWriter
from storm.export.html_filters import write_filters
from storm.export.html_quotes import QuoteList, write_holders, write_quotes
from storm.export.html_text import make_element, open_tag
from storm.reports.document import QUESTION, Block, Document, Heading, escape_markup, to_text

_HERE = Path(__file__).parent
#: The level of the headings of sections.
_SECTION = 2
_POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"


def render_html(document: Document) -> str:
    """Render the whole document: contents, blocks, the numbered references, all quotes, and the appendix."""
    quotes = QuoteList(document)
    writer = BlockWriter(quotes)
    head, *sections = _split_sections(document.blocks)
    title = make_element("h1", escape_markup(document.title), dir="auto")
    body = (
        make_element("a", words.SKIP, class_="skip", href="#main"),
        make_element("header", f"\n{title}\n{_write_blocks(writer, head)}\n"),
        make_element("div", f"\n{_write_contents(document, quotes)}\n{write_filters(document)}\n", class_="side"),
        make_element("main", f"\n{_write_main(writer, document, sections, quotes)}\n", id="main", tabindex=-1),
        write_holders() if document.references else "",
        make_element("script", _read_asset("page.js")),
    )
    return "\n".join((*_list_head(document), "<body>", *filter(None, body), "</body>", "</html>")) + "\n"


def _list_head(document: Document) -> Iterator[str]:
    policy = _POLICY.format(style=_hash_asset("page.css"), script=_hash_asset("page.js"))
    yield "<!doctype html>"
    yield open_tag("html", lang=words.LANGUAGE, data_not_stated=wording.NOT_STATED)
    yield '<head>\n<meta charset="utf-8">'
    yield make_element("title", escape_markup(document.title))
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield make_element("style", _read_asset("page.css"))
    yield "</head>"


def _write_main(writer: BlockWriter, document: Document, sections: Sequence[Sequence[Block]], quotes: QuoteList) -> str:
    """The sections; the references stand at the end of the last one, and the quotes before the appendix."""
    written = [_write_section(writer, section) for section in sections]
    cited = "\n".join((*written[-1:], _write_references(writer, document, quotes)))
    appendix = [_write_blocks(writer, section) for section in _split_sections(document.appendix)]
    parts = (*written[:-1], cited, write_quotes(quotes), *appendix)
    return "\n".join(make_element("section", f"\n{part}\n") for part in parts if part)


def _split_sections(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks before the first heading of level 2, then those of each section."""
    sections: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading) and block.level == _SECTION:
            sections.append([])
        sections[-1].append(block)
    return sections


def _write_section(writer: BlockWriter, blocks: Sequence[Block]) -> str:
    """The blocks of a section; each question below its heading is a section of its own."""
    starts = [n for n, block in enumerate(blocks) if isinstance(block, Heading) and _is_of_question(block)]
    ends = (*starts, len(blocks))
    questions = (blocks[start:end] for start, end in zip(starts, ends[1:], strict=True))
    written = (make_element("section", f"\n{_write_blocks(writer, part)}\n") for part in questions)
    return "\n".join((_write_blocks(writer, blocks[: ends[0]]), *written))


def _is_of_question(heading: Heading) -> bool:
    return heading.level > _SECTION and heading.anchor.startswith(QUESTION)


def _write_blocks(writer: BlockWriter, blocks: Sequence[Block]) -> str:
    return "\n".join(map(writer.write, blocks))


def _write_references(writer: BlockWriter, document: Document, quotes: QuoteList) -> str:
    """The list of references; empty if there is none."""
    anchors: dict[int, set[str]] = {}
    for quote in quotes:
        for source in quote.sources:
            anchors.setdefault(source.n, set()).update(quote.anchors)
    items = "\n".join(writer.write_reference(entry, anchors.get(entry.record.n, ())) for entry in document.references)
    return f'<ol class="references">\n{items}\n</ol>' if items else ""


def _write_contents(document: Document, quotes: QuoteList) -> str:
    own = [("quotes", words.QUOTES)] if any(quotes) else []
    listed = (*_list_headings(document.blocks), *own, *_list_headings(document.appendix))
    items = "\n".join(
        make_element("li", make_element("a", escape_markup(text), href=f"#{anchor}")) for anchor, text in listed
    )
    summary = make_element("summary", words.CONTENTS)
    return f'<nav aria-label="{words.CONTENTS}"><details open>{summary}\n<ol>\n{items}\n</ol></details></nav>'


def _list_headings(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        if isinstance(block, Heading) and block.level == _SECTION:
            yield block.anchor, to_text(block.content)


@cache
def _read_asset(name: str) -> str:
    return f"\n{(_HERE / name).read_text(encoding='utf-8')}"


def _hash_asset(name: str) -> str:
    """The hash by which the page's policy allows this style or script, and no other."""
    return f"sha256-{b64encode(sha256(_read_asset(name).encode()).digest()).decode()}"
