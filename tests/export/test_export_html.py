"""A document as HTML: one file without requests, in which text from records shows itself and nothing else."""

from __future__ import annotations

import itertools
import re
from base64 import b64encode
from hashlib import sha256

import pytest
from bs4 import BeautifulSoup, Tag
from dossiers import dossier, reference

from storm.export.html import render_html
from storm.export.markdown import render_markdown
from storm.models import Answer, Statement, Verdict
from storm.reports import document_of
from storm.reports.document import (
    Document,
    Figure,
    Heading,
    Link,
    Mark,
    NumberedReference,
    Paragraph,
    Sentence,
    Table,
    make_cells,
    make_heading,
    printable_line,
    record_text,
    to_inlines,
)

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "a\x00b\x07c\x1b[31md\x85e",
    "half \ud800 a surrogate \udfff",
    "right \u202eto left \u05d0\u05d1 مرحبا",
    "王伟 10⁹ α-β",
    '#read("/etc/passwd") $x$ *b* @cite',
    "<!-- --> <![CDATA[ ]]> &amp; &#60; &lt;b&gt;",
    "{shown} %s ${x} `y` {{ z }}",
    "long " * 120,
)
PARAGRAPH = "Before it some text. It harms all. After it some more."


def parse(page: str) -> BeautifulSoup:
    return BeautifulSoup(page, "lxml")


def page_of(**fields: object) -> BeautifulSoup:
    """The page of the dossier, with these fields instead of its own."""
    return parse(render_html(document_of(dossier(**fields))))


def said(statement: Statement) -> BeautifulSoup:
    """The page of a dossier whose only statement is this one."""
    return page_of(answers=(Answer(question="harm.x", statements=(statement,)),), references=(reference(1),))


def statement(**fields: object) -> Statement:
    values: dict[str, object] = {
        "text": "It harms.", "quote": "It harms all.", "source_ids": ("src_001",), "verdict": Verdict.SUPPORTED,
        "section": "Results", "paragraph": PARAGRAPH,
    }  # fmt: skip
    return Statement.model_validate(values | fields)


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    (found,) = page.select(selector)
    return found


def words_of(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def shape(page: BeautifulSoup) -> list[tuple[str, ...]]:
    """The elements with the names of their attributes; short cells have a class."""
    return [(tag.name, *sorted(set(tag.attrs) - {"class"})) for tag in page.find_all(True)]


def everywhere(text: str) -> Document:
    """A document with the text at each place where text can stand."""
    word = record_text(text)
    record = reference(1).model_copy(update={"title": text, "authors": (text, text), "container": text})
    own = statement(text=text, quote=text, section=text, paragraph=f"{text} more")
    return Document(
        title=text,
        created=dossier().created,
        blocks=(
            Heading(level=2, content=(word,), anchor="first"),
            Paragraph(content=(Sentence(content=to_inlines(word, " ", Mark(numbers=(1,))), statement=own),)),
            Table(caption=text, head=make_cells(text, "b"), rows=(make_cells(text, (Mark(numbers=(1,)),)),)),
            Figure(title=text, description=text, svg="<svg></svg>"),
        ),
        references=(NumberedReference(content=to_inlines(word, ". ", word), record=record),),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_a_record_is_found_again_and_is_never_markup(text: str) -> None:
    page, plain = parse(render_html(everywhere(text))), parse(render_html(everywhere("plain")))
    wanted = " ".join(printable_line(text).split())
    for selector in ("title", "h1", "h2#first", ".said", ".card q", "mark", "caption", "figcaption", "th[scope=col]"):
        assert any(wanted in words_of(tag) for tag in page.select(selector)), selector
    assert shape(page) == shape(plain)


def test_the_page_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = page_of()
    policy = one(page, "meta[http-equiv=Content-Security-Policy]")["content"]
    assert str(policy).startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        digest = b64encode(sha256(one(page, kind).encode_contents(formatter=None)).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not page.select("[style], [src], link, img, iframe, object, [onclick], [onerror], base")


def test_links_lead_to_a_place_of_the_page_or_to_a_web_address() -> None:
    page = page_of()
    anchors = {str(tag["id"]) for tag in page.select("[id]")}
    links = [str(tag["href"]) for tag in page.select("[href]")]
    assert len(anchors) == len(page.select("[id]"))
    assert "https://example.org/1" in links
    assert all(link.removeprefix("#") in anchors for link in links if link.startswith("#"))
    assert all(link.startswith(("#", "https://")) for link in links)


def test_an_address_that_could_run_something_is_no_link() -> None:
    record = reference(1).model_copy(update={"url": "javascript:alert(1)"})
    page = page_of(references=(record, reference(2)))
    assert not page.select("[href^=javascript]")
    with pytest.raises(ValueError, match="not an http"):
        Link(url="javascript:alert(1)")


def test_a_citation_mark_leads_to_the_quote_and_shows_its_section_and_source() -> None:
    page = said(statement())
    mark = one(page, "a.mark")
    card = one(page, f"#{mark['aria-describedby']}")
    assert words_of(mark) == "[1]"
    assert words_of(card) == "It harms all. Results [1] Doe J. Paper 1. 2001."
    quote = one(page, str(mark["href"]))
    assert words_of(one(quote, "mark")) == "It harms all."
    assert words_of(one(quote, "blockquote")) == PARAGRAPH
    assert one(quote, ".where a[href='#ref-1']")
    assert one(quote, f".back[href='#{mark['id']}']")


def test_a_quote_without_a_paragraph_is_shown_alone() -> None:
    assert words_of(one(said(statement(paragraph="")), "blockquote")) == "It harms all."


def test_a_quote_that_is_not_in_its_paragraph_is_shown_alone() -> None:
    assert words_of(one(said(statement(paragraph="Another text.")), "blockquote")) == "It harms all."


@pytest.mark.parametrize("gap", ["…", " … ", " ... ", " […] "])
def test_each_part_of_a_quote_with_words_left_out_is_marked(gap: str) -> None:
    page = said(statement(quote=f"some text.{gap}After it"))
    assert [words_of(mark) for mark in page.select("mark")] == ["some text.", "After it"]
    assert words_of(one(page, "blockquote")) == PARAGRAPH


def test_a_statement_that_is_repeated_has_one_quote() -> None:
    page = page_of()  # one of its statements is repeated in a conflict
    texts = [words_of(claim) for claim in page.select(".claim")]
    assert texts == ["It harms.", "It helps."]
    assert len(page.select(".statement")) == 3


def test_contents_name_every_section() -> None:
    page = page_of()
    listed = [str(link["href"]).removeprefix("#") for link in page.select("nav a")]
    assert listed == [str(heading["id"]) for heading in page.select("main h2")]
    assert "quotes" in listed


def test_the_page_has_a_language_landmarks_and_a_way_past_the_contents() -> None:
    page = page_of()
    assert one(page, "html")["lang"] == "en-GB"
    assert one(page, "a.skip")["href"] == "#main"
    assert one(page, "main#main") and one(page, "body > header h1") and one(page, "nav[aria-label]")
    levels = [int(heading.name[1]) for heading in page.select("h1, h2, h3")]
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_each_table_has_a_caption_heads_with_a_scope_and_a_region_that_scrolls() -> None:
    page = page_of()
    assert page.select("table")
    for table in page.select("table"):
        assert words_of(one(table, "caption"))
        assert all(head["scope"] == "col" for head in table.select("thead th"))
        assert all(head["scope"] == "row" for head in table.select("tbody th"))
        region = table.parent
        assert region is not None and region["tabindex"] == "0" and region["role"] == "region"


def test_a_statement_names_what_it_can_be_filtered_by() -> None:
    levels = {"level_efficacy": 2, "level_safety": 3}
    rated = reference(1).model_copy(update=levels | {"source_type": "clinicaltrials"})
    page = page_of(references=(rated, reference(2)))
    helps = next(item for item in page.select(".statement") if "It helps." in item.get_text())
    assert helps["data-question"] == "question-harm.x"
    assert helps["data-database"] == "clinicaltrials pubmed"
    assert helps["data-level"] == "2 3 none"
    assert one(page, "#filters").has_attr("hidden")  # until the script shows it
    assert [option["value"] for option in page.select("[name=level] option")] == ["", "2", "3", "none"]


def test_an_unsupported_statement_is_marked_before_its_text() -> None:
    page = said(statement(verdict=Verdict.UNSUPPORTED))
    assert words_of(one(page, ".said > span[dir]")).startswith("⚠ NOT SUPPORTED by its source: It harms.")


def test_a_dossier_without_statements_and_references_has_neither_quotes_nor_filters() -> None:
    page = page_of(answers=(), references=())
    assert not page.select("#quotes, #filters, dialog, .references, .mark")


@pytest.mark.slow
def test_a_thousand_references_and_a_table_of_four_hundred_rows_are_all_there() -> None:
    references = tuple(NumberedReference(content=to_inlines(f"Paper {n}"), record=reference(n)) for n in range(1, 1001))
    rows = tuple(make_cells(f"row {n}", "b") for n in range(400))
    document = Document(
        title="t", created=dossier().created, references=references,
        blocks=(make_heading("Big", "big"), Table(head=make_cells("a", "b"), rows=rows)),
    )  # fmt: skip
    page = parse(render_html(document))
    assert len(page.select(".references > li")) == 1000
    assert len(page.select("tbody tr")) == 400


def test_the_same_dossier_gives_the_same_bytes() -> None:
    assert render_html(document_of(dossier())) == render_html(document_of(dossier()))


def test_everything_that_the_dossier_says_is_on_the_page() -> None:
    written = render_markdown(document_of(dossier())).replace("\\", "")
    assert set(re.findall(r"\w+", written)) <= set(re.findall(r"\w+", words_of(page_of())))
