"""The dossier's page in a browser: by mouse and keyboard, wide and narrow, light and dark, without a script, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from dossiers import OTHER, SUPPORTED, WHOLE, dossier, reference
from long_parameters import mark_long
from researched import report, research

from storm.export import to_html
from storm.models import (
    Answer,
    ApprovalFact,
    Conflict,
    Dossier,
    QuestionText,
    RecordRow,
    RecordTable,
    ReportPreferences,
    Verdict,
)
from storm.models.dossier import AtAGlance
from storm.models.record_table import TableName
from storm.reports.table_columns import COLUMNS

Open = Callable[..., Any]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
PARAGRAPH = "Before it some text. It harms all. After it some more."
LONG = "averylongwordwithoutanyblank" * 20


def rich_dossier() -> Dossier:
    """A dossier with every kind of block, two databases, two levels, a table to sort and hostile text."""
    located = SUPPORTED.model_copy(update={"paragraph": PARAGRAPH, "section": "Results: Survival"})
    refused = OTHER.model_copy(
        update={"text": '</script><img src="x" onerror="alert(1)">', "verdict": Verdict.UNSUPPORTED}
    )
    conflict = Conflict(trial="NCT1", endpoint="survival", statements=(located, OTHER))
    approvals = tuple(
        ApprovalFact(agency="FDA", date=f"20{n}-01-02", product=LONG[:60], source_id="src_001") for n in (10, 12, 15)
    )
    return dossier(
        drug="trastuzumab",
        questions=(
            QuestionText(key="harm.x", label="Harm", description="What harm?"),
            QuestionText(key="good.y", label="Good", description="What good?"),
        ),
        answers=(
            Answer(question="harm.x", statements=(located, refused), conflicts=(conflict,), gaps=(LONG,)),
            Answer(question="good.y", statements=(OTHER,)),
        ),
        references=(
            reference(1).model_copy(update={"level_efficacy": 2, "level_safety": 2, "title": LONG}),
            reference(2).model_copy(update={"source_type": "clinicaltrials"}),
        ),
        at_a_glance=AtAGlance(approvals=approvals),
        tables=(effects("0.9", "10", "not stated", "2"),),
        flow=WHOLE,
    )  # fmt: skip


def effects(*values: str) -> RecordTable:
    rows = tuple(
        RecordRow(
            source_id="src_001", places=("Table 1",),
            cells=(f"NCT{n}", "survival", "hazard ratio", value, None, "95% CI 0.1 to 9", None, "vs placebo", None, ""),
        )
        for n, value in enumerate(values)
    )  # fmt: skip
    return RecordTable(name=TableName.EFFECT_SIZES, columns=COLUMNS[TableName.EFFECT_SIZES], rows=rows)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "dossier.html"
    path.write_text(to_html(rich_dossier()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a report whose sections are running text."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    shown = report(research=research(ReportPreferences(format="prose")))
    path.write_text(to_html(shown), encoding="utf-8")
    return path


def violations(page: Any) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def card_of(mark: Any) -> Any:
    return mark.page.locator(f"#{mark.get_attribute('aria-describedby')}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "scheme"), mark_long([(1280, "light"), (1280, "dark"), (390, "light")], but=[(390, "light")])
)
def test_the_page_is_accessible_with_a_card_on_it(open_page: Open, file: Path, width: int, scheme: str) -> None:
    page = open_page(file, width, color_scheme=scheme)
    mark = page.locator("a.mark").first
    mark.hover()
    card_of(mark).wait_for()
    assert violations(page) == []


@pytest.mark.slow
def test_an_open_quote_is_accessible(open_page: Open, file: Path) -> None:
    page = open_page(file, 390, color_scheme="dark")
    page.locator("a.mark").first.click()
    page.locator("dialog[open]").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window_and_what_is_scrolls_by_itself(
    open_page: Open, file: Path, width: int
) -> None:
    page = open_page(file, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        region = page.locator(".wide:has(svg)").first
        assert region.evaluate("wide => wide.scrollWidth > wide.clientWidth")
        region.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("wide => wide.scrollLeft > 0", arg=region.element_handle())


@pytest.mark.slow
@pytest.mark.parametrize("has_script", [True, False])
def test_a_card_shows_over_its_mark_and_stays_while_the_mouse_is_on_it(
    open_page: Open, file: Path, has_script: bool
) -> None:
    page = open_page(file, java_script_enabled=has_script)
    mark = page.locator("a.mark").first
    card = card_of(mark)
    assert not card.is_visible()
    mark.hover()
    card.wait_for()
    assert "It harms all." in card.inner_text() and "Results: Survival" in card.inner_text()
    assert "[2]" in card.inner_text()
    card.hover()
    assert card.is_visible()
    page.locator("h1").hover()
    card.wait_for(state="hidden")


@pytest.mark.slow
def test_a_card_shows_at_the_keyboards_focus_and_escape_hides_it(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    mark = page.locator("a.mark").first
    while not mark.evaluate("mark => mark === document.activeElement"):
        page.keyboard.press("Tab")
    card_of(mark).wait_for()
    page.keyboard.press("Escape")
    card_of(mark).wait_for(state="hidden")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    card_of(mark).wait_for()


@pytest.mark.slow
def test_a_mark_in_a_table_shows_the_reference_that_it_names(open_page: Open, file: Path) -> None:
    page = open_page(file, 390)
    link, card = page.locator("td .marks a").first, page.locator("#source-card")
    link.focus()
    card.wait_for()
    assert card.inner_text().startswith(f"{link.inner_text()}. Doe J.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")


def test_the_first_stop_of_the_keyboard_leads_past_the_contents(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.slow
def test_a_press_on_a_mark_shows_the_quote_in_its_paragraph_and_escape_leads_back(open_page: Open, file: Path) -> None:
    page = open_page(file)
    mark = page.locator("a.mark").first
    mark.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog[open]")
    assert dialog.locator("mark").inner_text() == "It harms all."
    assert dialog.locator("blockquote").inner_text() == PARAGRAPH
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert mark.evaluate("mark => mark === document.activeElement")
    assert page.url.endswith(".html")


@pytest.mark.slow
def test_a_reference_in_a_quote_leads_to_the_list(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.locator("a.mark").first.click()
    page.locator("dialog[open] a[href='#ref-2']").click()
    assert page.url.endswith("#ref-2")
    assert not page.locator("dialog").is_visible()


@pytest.mark.slow
def test_without_a_script_a_mark_leads_to_the_quote_and_no_control_is_shown(open_page: Open, file: Path) -> None:
    page = open_page(file, java_script_enabled=False)
    mark = page.locator("a.mark").first
    mark.click()
    assert page.url.endswith(mark.get_attribute("href"))
    quote = page.locator(":target")
    assert quote.locator("mark").inner_text() == "It harms all."
    assert quote.evaluate("quote => quote.getBoundingClientRect().top < innerHeight")
    assert page.locator("button:visible, select:visible").count() == 0
    assert page.locator("nav a").first.is_visible()


def values(page: Any) -> list[str]:
    return list(page.locator("table:has-text('hazard ratio') tbody tr td:nth-child(4)").all_inner_texts())


@pytest.mark.slow
def test_a_table_sorts_numbers_as_numbers_and_what_is_not_stated_last(open_page: Open, file: Path) -> None:
    page = open_page(file)
    head = page.locator("th", has=page.get_by_role("button", name="Value"))
    assert head.get_attribute("aria-sort") is None
    head.locator("button").press("Enter")
    assert values(page) == ["0.9", "2", "10", "not stated"]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    assert values(page) == ["10", "2", "0.9", "not stated"]
    assert head.get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Study").first.click()
    assert head.get_attribute("aria-sort") is None


def shown(page: Any) -> tuple[int, int, str]:
    counts = (page.locator(f"{items}:visible").count() for items in (".statement", ".references > li"))
    return (*counts, page.get_by_role("status").inner_text())  # type: ignore[return-value]


@pytest.mark.slow
def test_filters_hide_what_does_not_match_and_say_how_much_is_left(open_page: Open, file: Path) -> None:
    page = open_page(file)
    assert shown(page) == (5, 2, "5 of 5 statements, 2 of 2 references")
    page.get_by_label("Question").select_option(label="Good")
    assert shown(page) == (1, 2, "1 of 5 statements, 2 of 2 references")
    assert not page.locator("#question-harm\\.x").is_visible()
    page.get_by_label("Question").select_option(label="all")
    page.get_by_label("Database").select_option(label="PubMed")
    assert shown(page) == (3, 1, "3 of 5 statements, 1 of 2 references")
    page.get_by_label("Level of evidence").select_option(label="no level")
    assert shown(page)[1:] == (0, "3 of 5 statements, 0 of 2 references")
    page.get_by_role("button", name="Show all").click()
    assert shown(page)[:2] == (5, 2)


def test_a_link_to_what_is_filtered_out_shows_it_again(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.get_by_label("Database").select_option(label="ClinicalTrials.gov")
    assert not page.locator("#ref-1").is_visible()
    page.locator(".marks a[href='#ref-1']").first.click()
    page.locator("#ref-1").wait_for()
    assert shown(page)[2] == "5 of 5 statements, 2 of 2 references"


@pytest.mark.slow
def test_what_is_printed_has_the_text_and_no_controls(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.emulate_media(media="print")
    assert not page.locator("nav, form, .card, .back, .skip").locator("visible=true").count()
    assert page.locator("h1").is_visible() and page.locator("blockquote").first.is_visible()
    assert page.locator("svg").first.evaluate("svg => svg.getBoundingClientRect().width <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_card_in_running_text_stands_below_its_line_and_is_as_wide_as_the_text(
    open_page: Open, report_file: Path, width: int
) -> None:
    page = open_page(report_file, width)
    assert violations(page) == []
    mark = page.locator(".prose a.mark").nth(1)
    mark.hover()
    card = card_of(mark)
    card.wait_for()
    line, box, text = mark.bounding_box(), card.bounding_box(), page.locator(".prose").first.bounding_box()
    assert 0 <= box["y"] - (line["y"] + line["height"]) < 12, "the mouse reaches it without leaving the mark"
    assert box["width"] == text["width"] and box["x"] == text["x"]
    card.hover()
    assert card.is_visible() and "Finding 2 holds, they write." in card.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_a_question_that_is_chosen_leaves_its_sentences_of_each_section(open_page: Open, report_file: Path) -> None:
    page = open_page(report_file)
    page.select_option("select[name=question]", "question-harm.x")
    assert page.locator(".prose:visible").all_inner_texts() == ["Finding 3 holds. [3]".replace(" [", "\u00a0[")]
    assert page.locator("#question-harm\\.x").is_visible() and page.locator("#findings").is_visible()
    assert not page.locator("#question-good\\.y").is_visible()
    assert "5 of 7 statements" in page.locator("#shown").inner_text()
    page.locator("#reset").click()
    assert page.locator(".prose:visible").count() == 2
