"""PDF files as pypdf finds them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest
from documents import HOSTILE_TEXTS, SVG, document, document_of_text, numbered, run, table
from dossiers import dossier
from pypdf import PdfReader
from pypdf.generic import PdfObject

from storm.errors import FormatUnavailable
from storm.export import write_report
from storm.export.missing_letters import replace_letters
from storm.export.pages import PageSetup
from storm.export.pdf import render_pdf
from storm.models import Answer, Paper
from storm.reports.document import (
    Document,
    Figure,
    Link,
    Mark,
    Paragraph,
    make_heading,
    record_text,
    to_inlines,
)
from storm.version import __version__

#: Letters of the hostile texts that the fonts lack.
MISSING = frozenset("王伟トラスツマブ研究ズ🧬")
RIGHT_TO_LEFT = ("زورفيماب والدواء", "מחקר קליני")


def written(shown: Document, pages: PageSetup | None = None) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(shown, pages or PageSetup(report_note=pytest.fail))))


def text_of(found: PdfReader) -> str:
    """The text of all pages without their numbers."""
    return "".join(
        page.extract_text().removesuffix(f"{n} / {len(found.pages)}") for n, page in enumerate(found.pages, 1)
    )


def squeeze(text: str) -> str:
    """The text without blanks, as lines end anywhere."""
    return "".join(text.replace("\u200b", "").split())


def count_divisions(found: PdfReader) -> int:
    """The invisible characters at which words may be divided, which readers copy with the text; pypdf skips most."""
    contents = (page.get_contents() for page in found.pages)
    return sum(one.get_data().count(b"200B") for one in contents if one is not None)


def annotations(found: PdfReader) -> Iterator[dict[str, PdfObject]]:
    for page in found.pages:
        for one in page.get("/Annots", ()):
            yield one.get_object()["/A" if "/A" in one.get_object() else "/Dest"]


def is_accessible(found: PdfReader) -> bool:
    """Whether the file says that it is PDF/UA-1, which typst checks."""
    return b"<pdfuaid:part>1</pdfuaid:part>" in found.root_object["/Metadata"].get_data()  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [text for text in HOSTILE_TEXTS if text not in RIGHT_TO_LEFT])
def test_hostile_texts_are_found_again_wherever_they_stand(text: str) -> None:
    found = written(document_of_text(text), PageSetup(report_note=str))
    same = squeeze(replace_letters(record_text(text).text, MISSING))
    assert squeeze(text_of(found)).count(same) >= 9
    assert found.metadata is not None and found.metadata.title == (record_text(text).text or None)
    assert is_accessible(found) == bool(same)  # without a title no file is


@pytest.mark.parametrize("text", RIGHT_TO_LEFT)
def test_words_that_are_read_from_right_to_left_are_found_again(text: str) -> None:
    found = text_of(written(document_of_text(text)))
    assert all(found.count(word) >= 9 for word in text.split())


def test_letters_that_the_fonts_lack_are_in_latin_letters_and_named() -> None:
    notes: list[str] = []
    greek = "α-tocopherol, 10⁹ cells/µL"
    authors = Paragraph(content=run(f"王伟 and 李; {greek}"))
    found = text_of(written(document(authors, make_heading("One", "one")), PageSetup(report_note=notes.append)))
    assert f"⟨WangWei⟩ and ⟨Li⟩; {greek}" in found
    assert "They are U+4F1F (Wei), U+674E (Li), U+738B (Wang)." in " ".join(found.split())
    (note,) = notes
    assert "lack 3 letters" in note and "王 (U+738B)" in note


def test_letters_of_a_picture_that_the_fonts_lack_are_in_latin_letters_too() -> None:
    notes: list[str] = []
    figure = Figure(title="F", description="Described.", svg=SVG.replace("Drawn", "王<tspan>〈</tspan>"))
    found = written(document(figure), PageSetup(report_note=notes.append))
    assert "⟨Wang⟩" in text_of(found)
    assert len(notes) == 1
    assert is_accessible(found)


def test_the_file_is_tagged_and_says_what_it_is() -> None:
    shown = document(
        make_heading("One", "one"), Figure(title="F", description="Described.", svg=SVG), title="x: dossier"
    )
    found = written(shown)
    catalogue = found.root_object
    assert catalogue["/MarkInfo"]["/Marked"].value is True  # type: ignore[index]
    assert str(catalogue["/Lang"]) == "en-GB"
    assert is_accessible(found)
    assert found.metadata is not None
    assert (found.metadata.title, found.metadata.author) == ("x: dossier", f"storm {__version__}")
    assert found.metadata.creation_date_raw == "D:20261121093000Z"
    assert [str(one["/Title"]) for one in found.outline] == ["One"]  # type: ignore[index]


def test_the_same_document_gives_the_same_bytes() -> None:
    shown = document(make_heading("One", "one"), table("a", "Source"), references=(numbered(1, run("One.")),))
    assert render_pdf(shown, PageSetup()) == render_pdf(shown, PageSetup())


def test_each_mark_links_to_its_reference_and_each_address_to_itself() -> None:
    text = Paragraph(content=(Mark(numbers=(1, 2)), Link(url="https://example.org/a?b=c&d"), Mark(numbers=(9,))))
    shown = document(text, references=(numbered(1, run("One.")), numbered(2, run("Two."))))
    found = list(annotations(written(shown)))
    assert [str(one["/URI"]) for one in found if "/URI" in one] == ["https://example.org/a?b=c&d"]
    assert len([one for one in found if "/URI" not in one]) == 2


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, (595, 842)), (Paper.LETTER, (612, 792))])
def test_the_paper_is_the_readers_and_a_wide_table_is_in_landscape(paper: Paper, size: tuple[int, int]) -> None:
    wide = table(*(f"Column {n}" for n in range(9)))
    blocks = (make_heading("One", "one"), make_heading("Two", "two"), wide, make_heading("Three", "three"))
    found = written(document(Paragraph(content=run("Before.")), *blocks), PageSetup(paper=paper))
    sizes = [(round(page.mediabox.width), round(page.mediabox.height)) for page in found.pages]
    assert sizes == [size, size[::-1], size]
    assert "Two" in found.pages[1].extract_text()


def test_the_head_of_a_table_of_400_rows_is_on_each_of_its_pages() -> None:
    found = written(document(table("Trial", "Participants", rows=400)))
    pages = [page.extract_text() for page in found.pages]
    assert len(pages) > 5
    assert all("Participants" in page for page in pages)
    assert sum(page.count("value") for page in pages) == 800


def test_a_cell_that_is_higher_than_a_page_loses_nothing() -> None:
    words = [f"word{n}" for n in range(3_000)]
    found = text_of(written(document(table("Long", value=" ".join(words), rows=1)))).split()
    assert [word for word in found if word.startswith("word")] == words


@pytest.mark.slow
def test_a_thousand_references_are_all_there() -> None:
    contents = (to_inlines(f"Paper {n}. ", Link(url=f"https://example.org/{n}")) for n in range(1, 1_001))
    found = text_of(written(document(references=tuple(numbered(n, one) for n, one in enumerate(contents, 1)))))
    assert all(f"Paper {n}." in found for n in range(1, 1_001))


def test_a_long_word_does_not_leave_the_page() -> None:
    found = text_of(written(document(Paragraph(content=run("a" * 600)), table("b" * 300, "c", "d"))))
    assert found.count("a") >= 600 and found.count("b") >= 300
    assert max(map(len, found.splitlines())) < 120


def test_each_identifier_of_the_sample_can_be_copied_and_searched() -> None:
    sample = (files("storm.databases.corpus") / "sample" / "pubmed.xml").read_text(encoding="utf-8")
    dois = sorted(set(re.findall(r'IdType="doi">([^<]+)<', sample)))
    assert len(dois) > 20
    listed = tuple(numbered(n, run(f"A paper. doi: {doi}. PubMed PMID: {n}")) for n, doi in enumerate(dois, 1))
    found = written(document(references=listed))
    assert count_divisions(found) == 0
    text = text_of(found).replace("\n", "")
    assert [doi for doi in dois if doi not in text] == []


def test_an_identifier_in_a_table_is_whole_where_it_fits_and_in_a_narrow_column_leaves_nothing_out() -> None:
    doi = "10.1002/14651858.cd006243.pub2"
    found = written(document(table("Study", "Source", value=doi)))
    assert count_divisions(found) == 0 and doi in text_of(found)
    narrow = written(document(table(*(f"Column {n}" for n in range(12)), value=doi, rows=1)))
    assert count_divisions(narrow) > 0 and squeeze(text_of(narrow)).count(doi) == 12


def test_without_typst_the_other_files_are_written_and_the_error_says_what_to_install(
    tmp_path: Path, without_typst: None
) -> None:
    with pytest.raises(
        FormatUnavailable, match=r"not written, as typst is not installed: pip install 'storm-research\[pdf\]'"
    ) as found:
        write_report(dossier(), tmp_path, ["md", "pdf", "json"])
    assert found.value.exit_code == 3
    assert [path.name for path in found.value.files] == ["dossier.md", "dossier.json"]
    assert sorted(tmp_path.iterdir()) == sorted(found.value.files)


@pytest.fixture
def without_typst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "storm.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)


@pytest.mark.parametrize("name", ["docx", "pdf"])
def test_a_dossier_without_a_statement_or_a_reference_is_written(name: str, tmp_path: Path) -> None:
    empty = dossier(answers=(Answer(question="harm.x"),), references=())
    (path,) = write_report(empty, tmp_path, [name])
    assert path.stat().st_size > 5_000
