"""A researched report in each format: its sections, its sentences, and what they can be filtered by."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import docx
import pytest
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader
from researched import HARM, HELP, ONE, THREE, place, report, research, section, statement, table

from storm.export import to_html
from storm.export.formats import FORMATS, lay_out_report, render_report
from storm.export.html import render_html
from storm.models import Dossier, ReportPreferences, TableName
from storm.reports import document_of

PROSE = research(ReportPreferences(format="prose"))


def page_of(**fields: Any) -> BeautifulSoup:
    return BeautifulSoup(to_html(report(**fields)), "lxml")


def rendered(name: str, shown: Dossier) -> bytes:
    (content,) = render_report(shown, FORMATS[name]).values()
    return content


def text_of(shown: Dossier) -> str:
    """The text of the report as a PDF, on one line."""
    pages = PdfReader(BytesIO(rendered("pdf", shown))).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def statements(page: BeautifulSoup, tag: str) -> list[Tag]:
    return page.select(f"{tag}.statement")


@pytest.mark.parametrize("format_", ["", "prose"])
def test_the_page_has_as_many_statements_whether_they_are_a_list_or_running_text(format_: str) -> None:
    page = page_of(research=research(ReportPreferences(format=format_)))
    assert (len(statements(page, "li")), len(statements(page, "span"))) == ((4, 3) if format_ else (7, 0))


def test_a_sentence_of_running_text_is_filtered_by_the_question_that_it_answers() -> None:
    found = {one.get_text()[:9]: one["data-question"] for one in statements(page_of(research=PROSE), "span")}
    assert found == {"Finding 1": "question-good.y", "Finding 2": "question-good.y", "Finding 3": "question-harm.x"}


def test_a_section_with_two_questions_leaves_each_sentence_its_own() -> None:
    mixed = section("one", (place(ONE, HELP), place(THREE, HARM)))
    found = [one["data-question"] for one in statements(page_of(research=research(sections=(mixed,))), "li")]
    assert found[:2] == ["question-good.y", "question-harm.x"]


def test_each_question_can_be_chosen_and_is_a_section_within_the_findings() -> None:
    page = page_of()
    options = [one["value"] for one in page.select("select[name=question] option")]
    assert options == ["", "question-good.y", "question-harm.x"]
    for anchor in options[1:]:
        heading = page.find(id=anchor)
        assert isinstance(heading, Tag) and heading.name == "h3"
        own = heading.find_parent("section")
        assert own and own.find("h2") is None and own.find_parent("section").find("h2")["id"] == "findings"


def test_the_contents_name_the_sections_and_the_findings() -> None:
    listed = [link.get_text() for link in page_of().select("nav a")]
    assert listed[:4] == ["Benefits", "Costs", "Coverage", "Findings by question"]


def test_each_sentence_of_running_text_has_its_mark_its_quote_and_its_remarks_in_brackets() -> None:
    page = page_of(research=research(ReportPreferences(format="prose"), sections=(
        section("one", (place(statement(1, 4, remark="about: rosuvastatin"), HELP),)),
    )))  # fmt: skip
    (first,) = statements(page, "span")
    mark, card = first.select_one("a.mark"), first.select_one(".card q")
    assert mark and mark["href"] == "#quote-1" and mark.get_text() == "[1]"
    assert card and card.get_text() == "Finding 1 holds, they write."
    remarks = first.select_one(".remarks")
    assert remarks and remarks.get_text() == "(about: rosuvastatin)"


def test_remarks_stand_apart_from_a_sentence_with_added_words_and_with_brackets_of_its_own() -> None:
    said = statement(1, 4, remark="about: rosuvastatin").model_copy(
        update={"text": "It helped [a lot] in group A [zorvimab] too.", "quote": "It helped [a lot] in group A too."}
    )
    page = page_of(research=research(ReportPreferences(format="prose"), sections=(
        section("one", (place(said, HELP),)),
    )))  # fmt: skip
    (first,) = statements(page, "span")
    assert [one.get_text() for one in first.select("em")] == ["[zorvimab]"]
    remarks = first.select_one(".remarks")
    assert remarks and remarks.get_text() == "(about: rosuvastatin)"
    text = first.select_one(".said > span")
    assert text and text.get_text() == said.text


def test_a_reference_is_filtered_by_the_questions_whose_sentences_cite_it() -> None:
    listed = page_of().select("ol.references > li")
    assert [one["data-question"] for one in listed] == [
        "question-good.y", "question-good.y", "question-harm.x", "question-harm.x",
    ]  # fmt: skip


def test_a_word_file_has_headings_running_text_and_tables_with_their_names() -> None:
    beside = section("one", (place(ONE, HELP), place(THREE, HARM)), tables=("trials",))
    tables = (table(TableName.TRIALS, "src_001"),)
    shown = report(research=research(ReportPreferences(format="prose"), sections=(beside,)), tables=tables)
    found = [
        (one.style.name, one.text) for one in docx.Document(BytesIO(rendered("docx", shown))).paragraphs if one.style
    ]
    place_of = found.index(("Heading 1", "One"))
    assert found[place_of + 1] == ("Normal", "Finding 1 holds. [1] Finding 3 holds. [2]")
    assert found[place_of + 2] == ("Caption", "Trials")
    assert ("Heading 2", "Harm") in found and ("Title", "Benefit and harm") in found


@pytest.mark.slow
def test_a_pdf_has_the_question_the_sections_and_the_settings() -> None:
    text = text_of(report(research=PROSE))
    for part in ("Does it help or harm?", "Finding 1 holds. [1] Finding 2 holds. [2]", "Left out:", "max_questions"):
        assert part in text


@pytest.mark.parametrize(
    "hostile", ["</script><script>alert(1)</script>", '#read("/etc/passwd") *x* `y`', "a [1] b | c"]
)
def test_headings_questions_and_reasons_show_themselves_and_nothing_else(hostile: str) -> None:
    shown = report(research=research(
        asked=hostile, title=hostile, failed={HARM: hostile},
        sections=(section("one", (place(ONE, HELP),), heading=hostile), section("two", left_out=hostile)),
    ))  # fmt: skip
    page = BeautifulSoup(render_html(lay_out_report(shown)), "lxml")
    assert len(page.find_all("script")) == 1
    wanted = hostile.replace("[1]", "(1)")
    assert [one.get_text() for one in page.select("h1, #section-one")] == [wanted] * 2
    assert page.get_text().count(wanted) >= 4
    assert list(dict.fromkeys(document_of(shown).marks)) == [1, 2, 3, 4]
