"""The answer to one question in each format: what stands where, and nothing that an answer does not need."""

from __future__ import annotations

import json
from io import BytesIO

import bibtexparser
import docx
import pytest
from bs4 import BeautifulSoup
from deep_researched import (
    EFFECT,
    LABELS,
    deep_research,
    iteration,
    judgement,
    report,
    research,
    search,
    section,
)
from pypdf import PdfReader

from storm.export import to_html, to_json, to_markdown
from storm.export.formats import FORMATS, lay_out_report, render_report
from storm.models import Answer, Dossier, ItemState, RefinedQuestion, ResearchReport, SearchStatus
from storm.reports import document_of
from storm.reports.document import Heading

HOSTILE = "tau](http://evil.example) <script>alert(1)</script> | [1]\n# Heading `x` *y* {drug}"
SENTENCE = "Metformin reduced attacks in cohort 2."


def rendered(name: str, shown: Dossier) -> bytes:
    (content,) = render_report(shown, FORMATS[name]).values()
    return content


def nothing(status: SearchStatus) -> Dossier:
    """A report on searches that all ended so."""
    return report(
        deep_research(iteration(judged=[judgement(key, ItemState.UNSATISFIED) for key in LABELS])),
        answers=tuple(Answer(question=key) for key in LABELS), sources=(), research=research(section()),
        searches=tuple(search(key, status, reason="HTTP 503") for key in LABELS),
    )  # fmt: skip


def headings(shown: Dossier) -> list[str]:
    return [one.anchor for one in document_of(shown).blocks if isinstance(one, Heading) and one.level == 2]


def test_the_answer_comes_first_and_what_a_dossier_has_besides_is_left_out() -> None:
    assert headings(report()) == ["section-answer", "coverage", "limits", "methodology", "findings", "references"]
    made = report()
    assert not made.tables and not made.summary.sentences and not made.at_a_glance.names


def test_the_title_is_the_question_as_it_is_understood_and_the_question_that_was_asked_stands_below() -> None:
    text = to_markdown(report(deep_research(context="I take it  for diabetes.")))
    assert text.startswith("# Does metformin prevent attacks of migraine in adults?\n\nAsked: **does metformin help")
    head = text.partition("## ")[0]
    assert "Said before it: I take it for diabetes." in head
    assert "It covers: adults. It leaves out: children. Key terms: metformin; migraine." in head


def test_a_long_context_is_cut() -> None:
    text = to_markdown(report(deep_research(context="a b " * 5_000)))
    assert len(next(line for line in text.splitlines() if line.startswith("Said before it"))) < 350


def test_the_coverage_has_each_item_with_its_state_reason_and_sources() -> None:
    text = to_markdown(report())
    assert "| Effect on attacks | ✓ answered | for a reason | [1, 2] |" in text
    assert "| Harms | ◐ in part | for a reason | [3] |" in text
    assert "| Cost | ⚠ not answered | its searches failed: PubMed (timed out); this is not an empty result |  |" in text


def test_each_round_says_what_it_searched_for_and_what_that_found() -> None:
    shown = report(deep_research(iteration(1), iteration(2, searches={}, results_count=0, new_sources=0, new_facts=0)))
    text = to_markdown(shown)
    assert "| 1 | Effect on attacks: migraine | 8 | 4 | 3 | 1 answered, 1 in part, 2 not |" in text
    assert "| 2 | *nothing* | 0 | 0 | 0 |" in text
    assert text.count("there was nothing left to search for") >= 2


def test_a_round_is_a_setting_that_is_described() -> None:
    assert "in how many rounds it searches for what is open, at most" in to_markdown(report())


def test_no_search_that_succeeded_leaves_one_sentence_and_what_was_tried() -> None:
    answer = to_markdown(nothing(SearchStatus.FAILED)).partition("## Answer\n")[2].partition("\n## ")[0]
    assert answer.strip() == "No search succeeded, so there is no answer. Tried: PubMed (HTTP 503)."


def test_searches_that_found_nothing_leave_one_sentence() -> None:
    answer = to_markdown(nothing(SearchStatus.NONE)).partition("## Answer\n")[2].partition("\n## ")[0]
    assert answer.strip() == "Nothing that answers this question was found in what was searched (PubMed)."


def test_where_a_model_wrote_the_answer_is_running_text() -> None:
    text = to_markdown(report(by_model=True))
    answer = text.partition("## Answer\n")[2].partition("\n## ")[0]
    assert f"{SENTENCE} (randomised trial, 2015) [1] Metformin reduced attacks in cohort 1." in answer
    assert "**Effect on attacks:**" not in answer


def test_each_statement_of_the_page_has_its_quote_and_its_question() -> None:
    page = BeautifulSoup(to_html(report()), "lxml")
    statements = page.select("li.statement")
    assert [one["data-question"] for one in statements] == [f"question-{EFFECT}"] * 2 + ["question-harm"]
    quote = statements[0].select_one(".card q")
    assert quote and quote.get_text() == SENTENCE


@pytest.mark.parametrize("name", ["html", "md"])
def test_the_text_formats_have_the_answer(name: str) -> None:
    assert SENTENCE in rendered(name, report()).decode()


@pytest.mark.slow
def test_the_formats_with_pages_have_the_answer_before_the_coverage() -> None:
    sheets = PdfReader(BytesIO(rendered("pdf", report()))).pages
    pages = " ".join(" ".join(sheet.extract_text() for sheet in sheets).split())
    words = "\n".join(one.text for one in docx.Document(BytesIO(rendered("docx", report()))).paragraphs)
    assert 0 < pages.index(SENTENCE) < pages.index("Answered in part: Harms")
    assert 0 < words.index(SENTENCE) < words.index("Answered in part: Harms")


def test_the_bibliographies_have_the_sources_of_the_answer() -> None:
    assert len(bibtexparser.parse_string(rendered("bib", report()).decode()).entries) == 3
    assert rendered("ris", report()).decode().count("ER  -") == 3
    assert [one["title"] for one in json.loads(rendered("csl", report()))] == ["Work 2", "Work 1", "Work 3"]


def test_the_json_is_read_again_as_the_same_report() -> None:
    made = report()
    assert ResearchReport.model_validate_json(to_json(made)) == made


@pytest.mark.parametrize("made", [report(), nothing(SearchStatus.NONE), nothing(SearchStatus.FAILED)])
def test_every_mark_has_its_reference_and_every_reference_its_mark(made: Dossier) -> None:
    assert lay_out_report(made) == document_of(made)


def test_hostile_words_of_a_model_stay_words() -> None:
    refined = RefinedQuestion(text=HOSTILE, scope_in=(HOSTILE,), key_terms=(HOSTILE,))
    judged = [judgement(key, ItemState.PARTIAL, reason=HOSTILE) for key in LABELS]
    shown = report(deep_research(iteration(judged=judged), refined=refined, context=HOSTILE))
    page = BeautifulSoup(to_html(shown), "lxml")
    assert not any("alert(1)" in script.get_text() for script in page.select("script"))
    assert not page.select('a[href*="evil"]')
    assert to_markdown(shown).count("\n# Heading") == 0
