"""A document as Markdown: text from records shows itself and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from storm.citations import read_citation_marks
from storm.export.markdown import render_markdown
from storm.models import Reference, Statement
from storm.reports.document import (
    BulletList,
    Document,
    Heading,
    Link,
    Mark,
    Note,
    NumberedReference,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
    make_cells,
    one_line,
    record_text,
    to_inlines,
)

NOW = datetime(2026, 11, 21, tzinfo=UTC)
#: Tables and struck text, which other readers of Markdown know; no autolinks of bare addresses, tried on their own.
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
RECORD = Reference(
    n=1, source_id="src_001", source_type="pubmed", external_id="1", url="https://example.org/1", title="T"
)


def everywhere(text: str) -> Document:
    """A document with the text at each place where text can stand."""
    word, table = record_text(text), Table(head=make_cells(text, "b"), rows=(make_cells(text, (Mark(numbers=(1,)),)),))
    statement = Statement(text=text, quote=text, source_ids=("src_001",))
    styled = to_inlines(*(piece for style in Style for piece in (record_text(text, style), " and ")))
    return Document(
        title=text,
        created=NOW,
        blocks=(
            Heading(level=2, content=(word,), anchor="first"),
            Paragraph(content=(Sentence(content=to_inlines(word, " ", Mark(numbers=(1, 2))), statement=statement),)),
            Paragraph(content=styled),
            Paragraph(content=to_inlines(word, word, ". ", word)),
            Note(paragraphs=((word,), (word,))),
            BulletList(items=((word,), to_inlines(word, " ", Link(url="https://example.org/1")))),
            table,
        ),
        references=(NumberedReference(content=to_inlines(word, ". ", word), record=RECORD),),
    )


def shape(page: str) -> list[str]:
    """What a reader of Markdown makes of the page, without its letters."""
    return list(_shape(page))


def _shape(page: str) -> Iterator[str]:
    for token in PARSER.parse(page):
        yield f"{token.type} {token.tag} {token.attrGet('href') or ''}"
        inner = [child for child in token.children or () if child.type not in ("text", "text_special", "code_inline")]
        yield from (f"{child.type} {child.attrGet('href') or ''}" for child in inner)


def shown(text: str) -> str:
    """The text as a paragraph of its own."""
    return render_markdown(
        Document(title="t", created=NOW, blocks=(Paragraph(content=(record_text(text),)),))
    ).splitlines()[2]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a *bold* claim", r"a \*bold\* claim"),
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        ("P<0.001 and P>0.05", "P<0.001 and P>0.05"),
        ("[177Lu]Lu-PSMA-617", r"\[177Lu\]Lu-PSMA-617"),
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("- not a list", r"\- not a list"),
        ("a | b", r"a \| b"),
        ("a response of 23 [12] in patients [3, 4]", "a response of 23 (12) in patients (3, 4)"),
        ("see https://evil.example/b", r"see https\://evil.example/b"),
        ("see www.evil.example or a@evil.example", r"see www\.evil.example or a\@evil.example"),
        ("two\nlines\x1b[31m", r"two lines \[31m"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("10^9 cells/µL, α-tocopherol", "10^9 cells/µL, α-tocopherol"),
    ],
)
def test_text_is_escaped(written: str, expected: str) -> None:
    assert shown(written) == expected


@given(st.text(max_size=200).filter(lambda text: one_line(text).strip()))
def test_escaped_text_never_holds_a_mark_a_link_a_tag_or_a_line_break(text: str) -> None:
    line = shown(text)
    assert not re.search(r"(?<!\\)\[\d+(?:, \d+)*\]", line.replace("\\\\", ""))
    assert "\n" not in line
    assert not re.search(r"(?<!\\)<[A-Za-z/!?]", line.replace("\\\\", ""))


#: What Markdown is made of, joined at will.
MARKUP = st.lists(
    st.sampled_from(
        ["#", "-", "+", ">", "=", "*", "**", "_", "~~", "`", "```", "|", "---", "1.", "2)", "[", "]", "(", ")", "!",
         "<", "&", ";", "&lt;", "<b>", "<!--", "</", "\\", "\n", " ", "a", "Ü", "^", ":", "www", ".", "://", "@", "[1]",
         "$"]
    ),
    min_size=1, max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.slow
@given((st.text(max_size=60) | MARKUP).filter(lambda text: one_line(text).strip()))
def test_no_text_changes_what_a_document_is_made_of(text: str) -> None:
    page = render_markdown(everywhere(text))
    assert shape(page) == shape(render_markdown(everywhere("word")))
    assert read_citation_marks(page.replace("\\\\", "").replace("\\[", "")) == (1, 2)


def test_each_block_has_its_form() -> None:
    page = render_markdown(everywhere("word"))
    assert page.startswith("# word\n\n## word\n\nword [1, 2]\n\nword and *word* and **word** and `word` and \n\n")
    assert "\n\n> word\n>\n> word\n\n- word\n- word <https://example.org/1>\n\n" in page
    assert "\n\n| word | b |\n| --- | --- |\n| word | [1] |\n\n1. word. word\n" in page
    assert page.endswith("1. word. word\n")


def test_a_piece_of_code_that_could_end_itself_is_shown_as_text() -> None:
    code = Text(text="a`b", style=Style.CODE)
    page = render_markdown(Document(title="t", created=NOW, blocks=(Paragraph(content=(code,)),)))
    assert page == "# t\n\na\\`b\n"
