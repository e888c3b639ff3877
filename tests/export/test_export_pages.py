"""Sections and columns of formats with pages."""

from __future__ import annotations

import pytest
from documents import document, run, table

from storm.export.pages import LINE, ContentsList, ReferenceList, measure_columns, split_sections
from storm.reports.document import Heading, Paragraph, make_heading

TEXT = Paragraph(content=run("Text."))
WIDE = table(*(f"Column {n}" for n in range(9)))


def test_a_document_without_a_wide_table_is_one_section() -> None:
    one = make_heading("One", "one")
    shown = document(TEXT, one, table("a", "b"), appendix=(TEXT,))
    (section,) = split_sections(shown)
    assert not section.wide
    assert section.blocks == (TEXT, ContentsList((one,)), one, table("a", "b"), ReferenceList(()), TEXT)


def test_a_table_of_long_words_is_wide_even_if_it_has_few_columns() -> None:
    words = table(*("internationalisation",) * 6)
    assert [section.wide for section in split_sections(document(words))] == [True]
    assert [section.wide for section in split_sections(document(table(*("word",) * 6)))] == [False]


def test_wide_tables_that_follow_each_other_share_a_section() -> None:
    blocks = (make_heading("One", "one"), WIDE, make_heading("Two", "two"), WIDE, make_heading("Three", "three"))
    assert [section.wide for section in split_sections(document(TEXT, *blocks))] == [False, True, False]


@pytest.mark.parametrize(("levels", "shown"), [((2, 4, 6, 2), [2, 3, 4, 2]), ((5, 3), [2, 3])])
def test_no_level_of_headings_is_left_out(levels: tuple[int, ...], shown: list[int]) -> None:
    headings = (make_heading("A", f"a{n}", level=level) for n, level in enumerate(levels))
    (section,) = split_sections(document(*headings))
    assert [block.level for block in section.blocks if isinstance(block, Heading)] == shown


def test_a_column_is_as_wide_as_its_longest_word_and_longer_cells_share_the_rest() -> None:
    short, long = measure_columns(table("NCT00000001", "word " * 40), LINE)
    assert short * LINE >= len("NCT00000001")
    assert long > 4 * short
    assert short + long == pytest.approx(1)


def test_columns_that_do_not_fit_are_still_all_of_the_width() -> None:
    widths = measure_columns(table(*("internationalisation",) * 20), LINE)
    assert sum(widths) == pytest.approx(1) and len(set(widths)) == 1
