"""A report as blocks: what every format can rely on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from storm.citations import read_citation_marks
from storm.models import Statement
from storm.reports.document import (
    BulletList,
    Document,
    Heading,
    Link,
    Mark,
    Note,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
    fill_template,
    is_web_address,
    join_inlines,
    make_cells,
    one_line,
    record_text,
    to_inlines,
)


@given(st.text(max_size=200))
def test_text_is_one_printable_line_without_a_mark(text: str) -> None:
    shown = Text(text=text).text
    assert shown.isprintable() and "  " not in shown and read_citation_marks(shown) == ()
    assert one_line(shown) == shown


def test_a_soft_hyphen_parts_no_word_and_a_mark_of_direction_is_a_blank() -> None:
    assert Text(text="trastu\u00adzumab\u200b, o\u202ene").text == "trastuzumab, o ne"


def test_a_bracketed_number_of_a_record_gets_parentheses() -> None:
    assert Text(text="as shown [3, 4]").text == "as shown (3, 4)"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "www.example.org", "http://[", ""])
def test_only_web_addresses_are_links(url: str) -> None:
    assert not is_web_address(url)
    with pytest.raises(ValidationError):
        Link(url=url)


def test_a_link_holds_no_character_that_could_end_it() -> None:
    assert Link(url='https://example.org/a b>"<c>`').url == "https://example.org/a%20b%3E%22%3Cc%3E%60"


def test_a_sentence_is_filled_with_pieces_and_text_of_records_is_trimmed() -> None:
    filled = fill_template("By {who}, in {where}.", who=" a {drug} ", where=record_text("x", Style.CODE))
    assert [(piece.text, piece.style) for piece in filled if isinstance(piece, Text)] == [
        ("By ", Style.PLAIN), ("a {drug}", Style.PLAIN), (", in ", Style.PLAIN), ("x", Style.CODE), (".", Style.PLAIN),
    ]  # fmt: skip


def test_runs_are_joined_by_what_stands_between_them() -> None:
    assert join_inlines("; ", [to_inlines("a"), (), to_inlines("b", "")]) == to_inlines("a", "; ", "; ", "b")


def test_the_marks_of_all_blocks_are_given_in_the_order_of_reading() -> None:
    def mark(*numbers: int) -> tuple[Mark]:
        return (Mark(numbers=numbers),)

    table = Table(head=make_cells("a", mark(4)), rows=(make_cells("b", mark(5)),))
    statement = Statement(text="t", quote="q", source_ids=("src_001",))
    document = Document(
        title="t",
        created=datetime(2026, 11, 21, tzinfo=UTC),
        blocks=(
            Heading(level=2, content=mark(1), anchor="a"),
            Paragraph(content=(Sentence(content=to_inlines("t ", *mark(2, 3)), statement=statement),)),
            table,
            BulletList(items=(mark(6),)),
            Note(paragraphs=(mark(7),)),
        ),
    )
    assert list(document.marks) == [1, 2, 3, 4, 5, 6, 7]
