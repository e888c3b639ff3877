"""DOCX files as python-docx finds them."""

from __future__ import annotations

import sys
from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from documents import HOSTILE_TEXTS, SVG, document, document_of_text, numbered, run, table
from docx.document import Document as Docx
from docx.enum.section import WD_ORIENT
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph as DocxParagraph
from dossiers import NOW

from storm.export.docx import render_docx
from storm.export.pages import PageSetup
from storm.models import Paper
from storm.reports.document import (
    BulletList,
    Document,
    Figure,
    Heading,
    Link,
    Mark,
    Note,
    Paragraph,
    Style,
    Text,
    make_heading,
    record_text,
    to_inlines,
)
from storm.version import __version__

FIGURE = Figure(title="The flow", description="57 of 1,740 records are cited.", svg=SVG)


def written(shown: Document, pages: PageSetup | None = None) -> Docx:
    return docx.Document(BytesIO(render_docx(shown, pages or PageSetup())))


def paragraphs(found: Docx, style: str) -> list[str]:
    return [paragraph.text for paragraph in found.paragraphs if paragraph.style and paragraph.style.name == style]


def bookmarks(found: Docx) -> dict[str, str]:
    """The text of the paragraph that each bookmark is in."""
    starts = found.element.iter(qn("w:bookmarkStart"))
    return {start.get(qn("w:name")): DocxParagraph(start.getparent(), found).text for start in starts}


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_texts_are_found_again_wherever_they_stand(text: str) -> None:
    found, same = written(document_of_text(text)), record_text(text).text
    assert paragraphs(found, "Title") == [same]
    assert paragraphs(found, "Heading 1") == paragraphs(found, "List Bullet") == paragraphs(found, "Dossier Note")
    assert paragraphs(found, "List Bullet") == [same]
    assert [cell.text for row in found.tables[0].rows for cell in row.cells] == [same, same]
    assert paragraphs(found, "Dossier Reference") == [f"1.\t{same}"]
    assert paragraphs(found, "Normal").count(same) >= 2
    assert found.core_properties.title == same[:255]


def test_headings_lists_and_emphasis_are_real() -> None:
    styled = (Text(text="a"), Text(text="b", style=Style.STRONG), Text(text="c", style=Style.CODE))
    nested = Heading(level=4, content=styled, anchor="nested")
    found = written(document(make_heading("One", "one"), nested, BulletList(items=(run("x"), run("y")))))
    assert paragraphs(found, "Heading 1") == ["One"]
    (under,) = (one for one in found.paragraphs if one.style and one.style.name == "Heading 2")  # no level is left out
    assert [one.bold for one in under.runs] == [None, True, None]
    assert under.runs[2].style.name == "Dossier Code"
    (bullet,) = found.part.numbering_part.element.findall(qn("w:num"))
    items = [paragraph for paragraph in found.paragraphs if paragraph.text in ("x", "y")]
    assert [item._p.pPr.numPr.numId.val for item in items] == [int(bullet.get(qn("w:numId")))] * 2


def test_each_mark_links_to_its_reference_and_each_address_to_itself() -> None:
    text = Paragraph(content=(Mark(numbers=(1, 2)), Link(url="https://example.org/a?b=c&d")))
    found = written(document(text, references=(numbered(1, run("One.")), numbered(2, run("Two.")))))
    links = [link for paragraph in found.paragraphs for link in paragraph.hyperlinks]
    assert [(link.text, link.fragment or link.address) for link in links] == [
        ("1", "ref_1"), ("2", "ref_2"), ("https://example.org/a?b=c&d", "https://example.org/a?b=c&d"),
    ]  # fmt: skip
    assert bookmarks(found) == {"ref_1": "1.\tOne.", "ref_2": "2.\tTwo."}


def test_the_contents_link_to_their_headings() -> None:
    deep = make_heading("Deep", "deep", level=4)
    found = written(document(make_heading("One", "one"), make_heading("Two", "two", level=3), deep))
    (begin,) = (code.text for code in found.element.iter(qn("w:instrText")) if "TOC" in code.text)
    assert begin == 'TOC \\o "1-2" \\h \\z \\u'
    listed = {link.fragment: link.text for p in found.paragraphs for link in p.hyperlinks}
    assert list(listed.values()) == ["One", "Two"]
    assert listed.items() <= bookmarks(found).items()


def test_head_rows_are_repeated_and_no_row_is_divided() -> None:
    found = written(document(table("Trial", "Participants", rows=400)))
    rows = found.tables[0].rows
    assert len(rows) == 401
    heads = [row._tr.trPr.find(qn("w:tblHeader")) is not None for row in rows]
    assert heads == [True] + [False] * 400
    assert all(row._tr.trPr.find(qn("w:cantSplit")) is not None for row in rows)


def test_a_wide_table_is_in_landscape_with_its_heading_and_what_follows_is_not() -> None:
    wide = table(*(f"Column {n}" for n in range(9)))
    blocks = (make_heading("One", "one"), make_heading("Two", "two"), wide, make_heading("Three", "three"))
    found = written(document(Paragraph(content=run("Before.")), *blocks, Paragraph(content=run("After."))))
    assert [section.orientation for section in found.sections] == [
        WD_ORIENT.PORTRAIT, WD_ORIENT.LANDSCAPE, WD_ORIENT.PORTRAIT,
    ]  # fmt: skip
    texts = ["".join(getattr(one, "text", "") for one in section.iter_inner_content()) for section in found.sections]
    assert ["Two" in text for text in texts] == [True, True, False]  # the contents name it, too
    assert texts[2] == "ThreeAfter."
    assert found.sections[1].page_width == found.sections[0].page_height


@pytest.mark.parametrize(("paper", "width"), [(Paper.A4, 11_906), (Paper.LETTER, 12_240)])
def test_the_paper_is_the_readers(paper: Paper, width: int) -> None:
    found = written(document(), PageSetup(paper=paper))
    assert found.sections[0].page_width is not None and found.sections[0].page_width.twips == width


def test_pages_are_numbered_in_the_footer() -> None:
    footer = written(document()).sections[0].footer
    assert [code.text for code in footer._element.iter(qn("w:instrText"))] == ["PAGE", "NUMPAGES"]


def test_the_properties_are_the_jobs() -> None:
    properties = written(document(title="x: research dossier")).core_properties
    assert (properties.title, properties.language) == ("x: research dossier", "en-GB")
    assert properties.created == properties.modified == NOW
    assert properties.author == properties.last_modified_by == f"storm {__version__}"


def test_the_same_document_gives_the_same_bytes_whose_dates_are_the_jobs() -> None:
    shown = document(make_heading("One", "one"), table("a", "Source"), FIGURE, references=(numbered(1, run("One.")),))
    content = render_docx(shown, PageSetup())
    assert content == render_docx(shown, PageSetup())
    with ZipFile(BytesIO(content)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 11, 21, 9, 30, 0)}


def test_a_figure_is_a_picture_that_is_described() -> None:
    found = written(document(FIGURE))
    (picture,) = found.inline_shapes
    assert picture._inline.docPr.get("descr") == "57 of 1,740 records are cited."
    assert paragraphs(found, "Caption") == ["The flow"]


def test_without_typst_a_figure_is_its_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    found = written(document(FIGURE))
    assert len(found.inline_shapes) == 0
    assert paragraphs(found, "Caption") == ["The flow. 57 of 1,740 records are cited."]


@pytest.mark.slow
def test_a_thousand_references_are_all_there() -> None:
    contents = (to_inlines(f"Paper {n}. ", Link(url=f"https://example.org/{n}")) for n in range(1, 1_001))
    listed = tuple(numbered(n, content) for n, content in enumerate(contents, 1))
    found = written(document(Note(paragraphs=(run("Note."),)), references=listed))
    assert [text.partition(".")[0] for text in paragraphs(found, "Dossier Reference")] == [
        str(n) for n in range(1, 1_001)
    ]


def test_a_line_that_introduces_a_list_stays_with_it() -> None:
    blocks = (Paragraph(content=run("In animals:")), BulletList(items=(run("x"),)), Paragraph(content=run("End.")))
    found = {paragraph.text: paragraph for paragraph in written(document(*blocks)).paragraphs}
    assert found["In animals:"].paragraph_format.keep_with_next is True
    assert found["End."].paragraph_format.keep_with_next is None


def test_a_document_without_anything_has_its_title() -> None:
    assert [paragraph.text for paragraph in written(document(title="Nothing")).paragraphs] == ["Nothing"]
