"""Hypotheses as a document: what stands where, whose marks it has, and the same in each format."""

from __future__ import annotations

import json
import re
from io import BytesIO

import docx
import pytest
from bs4 import BeautifulSoup, Tag
from documents import document
from pypdf import PdfReader
from repurposed import (
    AGAINST,
    ANSWERS,
    ASKED,
    BENEFIT,
    FOR,
    MIXED,
    ON_DRUG,
    ON_TARGET,
    SOURCES,
    SUMMARY,
    UNTESTED,
    one_round,
    report,
    repurposing,
    search,
)
from repurposed import tested as hypothesis

from storm.export import to_html, to_json, to_markdown
from storm.export.docx import render_docx
from storm.export.formats import FORMATS, lay_out_report, render_report
from storm.export.markdown import render_markdown
from storm.export.pages import PageSetup
from storm.export.pdf import render_pdf
from storm.models import (
    Answer,
    Assessment,
    Conflict,
    Dossier,
    HypothesisLink,
    Research,
    ResearchPlan,
    ResearchReport,
    ResearchSettings,
    Score,
    SearchStatus,
)
from storm.models.reference import find_reference_problems
from storm.reports import document_of, why_stopped
from storm.reports.document import Document, Heading, HeadingLink, Paragraph, Sentence, list_runs

HOSTILE = "tau](http://evil.example) <script>alert(1)</script> | [1]\n# Heading `x` *y* {drug}"
#: The searches that a round ran, and two more.
NOTHING = "Cannot generate report: No evidence collected."


def rendered(name: str, shown: Dossier) -> bytes:
    (content,) = render_report(shown, FORMATS[name]).values()
    return content


def part(text: str, heading: str) -> str:
    """The part of the Markdown below this heading, up to the next."""
    return text.partition(f"# {heading}\n")[2].partition("\n#")[0]


def anchors(document: Document) -> list[str]:
    return [block.anchor for block in (*document.blocks, *document.appendix) if isinstance(block, Heading)]


# The document
def test_the_summary_the_hypotheses_and_the_scores_come_first_and_the_conclusion_after_the_findings() -> None:
    found = anchors(document_of(report()))
    assert found[: found.index("coverage")] == [
        "summary", "hypotheses", "hypothesis-1", "hypothesis-2", "scores", "section-mechanistic",
        "section-mechanistic-mechanism.drug", "section-mechanistic-mechanism.disease", "section-clinical",
        "section-clinical-clinical.benefit", "candidates", "limitations", "conclusion", "at-a-glance",
    ]  # fmt: skip
    assert len(found) == len(set(found))


def test_the_summary_stands_in_place_of_the_one_of_a_dossier() -> None:
    text = to_markdown(report())
    assert part(text, "Executive summary").strip() == SUMMARY and "## Summary" not in text


def test_the_table_has_each_chain_with_its_status_its_counts_and_where_its_statements_stand() -> None:
    rows = part(to_markdown(report()), "Hypotheses").splitlines()
    assert rows[-2:] == [
        "| Hypothesis 1 | metformin → AMPK → not stated → better memory | mixed | 1 | 1 | Benefit in patients |",
        "| Hypothesis 2 | metformin → mTOR → autophagy → fewer plaques | untested | 0 | 0 |  |",
    ]


def test_a_hypothesis_has_what_states_each_link_and_the_statements_for_and_against_it() -> None:
    shown = report()
    number = {one.source_id: one.n for one in shown.references}
    text = part(to_markdown(shown), "Hypothesis 1")
    assert "Mixed: 1 source for it, 1 source against it." in text
    assert f"| Target | AMPK | a field of its record [{number['src_001']}] |" in text
    assert "| Pathway | not stated |  |" in text
    assert f"| Effect | better memory | “Metformin improved recall.” [{number['src_003']}] |" in text
    before, _, after = text.partition("*Against it:*")
    assert f"{FOR.text} (randomised trial) [{number['src_003']}]" in before.partition("*For it:*")[2]
    assert f"{AGAINST.text} [{number['src_004']}]" in after
    assert "no source is named" in part(to_markdown(shown), "Hypothesis 2")


def test_the_method_says_that_the_quotes_were_checked() -> None:
    text = part(to_markdown(report()), "How this was made")
    assert "The quote of each statement was checked against its record's text, word for word. Retractions" in text


def test_statements_that_two_hypotheses_share_stand_once() -> None:
    again = hypothesis((FOR,), (AGAINST,), target="mTOR")
    text = to_markdown(report(repurposing(one_round(MIXED, UNTESTED, again, hypothesis((FOR,), target="LKB1")))))
    third = part(text, "Hypothesis 3")
    assert "The same statements are for and against it as for hypothesis 1." in third and FOR.text not in third
    assert FOR.text in part(text, "Hypothesis 4") and "The same" not in part(text, "Hypothesis 2")


def test_the_scores_have_their_reasons_and_the_sources_that_they_rest_on() -> None:
    text = part(to_markdown(report()), "How strong the evidence is")
    assert re.search(r"\| On mechanisms \| 6 \| two works agree \| \[\d, \d\] \|", text)
    assert re.search(r"\| In patients \| 2\.5 \| one small trial; one null result \| \[\d, \d\] \|", text)
    assert "Confidence: 0.4 (0 to 1)." in text


def test_a_score_on_statements_that_no_answer_has_has_no_mark() -> None:
    odd = Assessment(mechanism=Score(value=1, statements=("cit_unknown",)))
    text = to_markdown(report(repurposing(one_round(MIXED, assessment=odd))))
    assert "| On mechanisms | 1 |  |  |" in text


def test_evidence_without_a_hypothesis_says_so_and_has_its_findings() -> None:
    text = to_markdown(report(repurposing(one_round(searches={}))))
    assert part(text, "Hypotheses").strip() == "No hypotheses generated."
    assert "None: no hypothesis is supported or mixed." in text and ON_DRUG.text in text
    assert "Round 1: No hypotheses generated; nothing further was searched for." in text


def test_the_method_has_the_rounds_and_claims_no_review_of_weak_answers() -> None:
    enough = one_round(MIXED, searches={}, assessment=Assessment(is_enough=True))
    shown = report(repurposing(one_round(MIXED, new_sources=1), enough))
    text = part(to_markdown(shown), "How it was planned and researched")
    assert "Round 1: 1 hypothesis; the searches below added 1 new source." in text
    assert "| Benefit in patients | memory AMPK |" in text
    assert "It ended there: the evidence was judged to be enough." in text
    assert "weak" not in text and "eview" not in text
    assert "in how many rounds hypotheses are tested, at most" in text
    assert "the headings" in text.lower() and "planned the sections" not in text


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        ((), "no source on the disease was found"),
        ((one_round(MIXED),), "a further round would have searched for nothing new"),
        ((one_round(MIXED), one_round(MIXED)), "round 2 changed nothing"),
        ((one_round(MIXED), one_round(UNTESTED)), "it was to end after 2 rounds at most"),
        ((one_round(MIXED, assessment=Assessment(is_enough=True)),), "the evidence was judged to be enough"),
    ],
)
def test_why_the_rounds_ended_is_said(rounds: tuple[object, ...], why: str) -> None:
    assert why_stopped(report(repurposing(*rounds))) == why  # type: ignore[arg-type]


def test_who_wrote_what_stands_besides_the_statements_is_said() -> None:
    assert "are drawn up by rules from these sentences" in to_markdown(report())
    written = to_markdown(report(by_model=True))
    assert "the scores were written by a language model" in written and "drawn up by rules" not in written
    assert "a language model put the statements of the answers under them" in written


# Marks and references
def test_each_mark_has_a_reference_and_each_reference_a_mark() -> None:
    for shown in (report(), report(repurposing()), report(repurposing(one_round()))):
        document = lay_out_report(shown)
        assert find_reference_problems(document.marks, shown.references) == ()
        assert list(dict.fromkeys(document.marks)) == [one.n for one in shown.references]


def test_a_source_that_only_states_a_link_is_a_reference() -> None:
    basis = (HypothesisLink(link="target", source_id="src_001", quote="AMPK"),)
    answers = (Answer(question=one.question) for one in ANSWERS)
    research = Research(asked=ASKED, plan=ResearchPlan(), settings=ResearchSettings())
    tested = repurposing(one_round(hypothesis(target="AMPK", basis=basis)))
    shown = report(tested, answers=tuple(answers), research=research)
    assert "src_001" in {one.source_id for one in shown.references}
    assert "| Target | AMPK | “AMPK” [1] |" in to_markdown(shown)


def test_a_statement_of_a_conflict_is_evidence_too() -> None:
    conflict = Conflict(trial="", endpoint="memory", statements=(FOR, AGAINST))
    answers = (*ANSWERS[:2], Answer(question=BENEFIT, conflicts=(conflict,)))
    shown = report(answers=answers)
    assert FOR.text in part(to_markdown(shown), "Hypothesis 1") and lay_out_report(shown)


# The formats
def test_the_page_has_a_section_for_each_hypothesis_with_its_statements() -> None:
    page = BeautifulSoup(to_html(report()), "lxml")
    heading = page.find(id="hypothesis-1")
    assert isinstance(heading, Tag) and heading.name == "h3"
    ids = [one["id"] for one in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    targets = {one["href"][1:] for one in page.select("a[href^='#']")}
    assert targets <= set(ids)
    said = [one.get("data-question") for one in page.select("li.statement")]
    assert said[:2] == [f"question-{BENEFIT}", f"question-{BENEFIT}"]


@pytest.mark.parametrize("placed", [True, False])
def test_the_table_links_to_where_the_statements_stand(placed: bool) -> None:
    research = Research(asked=ASKED, plan=ResearchPlan(), settings=ResearchSettings())
    page = BeautifulSoup(to_html(report() if placed else report(research=research)), "lxml")
    links = [one["href"] for one in page.select("th a, td a") if "ref-" not in one["href"]]
    where = f"#section-clinical-{BENEFIT}" if placed else f"#question-{BENEFIT}"
    assert links == ["#hypothesis-1", where, "#hypothesis-2"]


@pytest.mark.slow
def test_links_to_headings_work_in_files_with_pages() -> None:
    xml = docx.Document(BytesIO(rendered("docx", report()))).element
    (target,) = xml.xpath("//w:tbl//w:hyperlink[.//w:t='Benefit in patients']/@w:anchor")
    (named,) = xml.xpath(f"//w:p[.//w:bookmarkStart[@w:name='{target}']]")
    assert "".join(one.text for one in named.xpath(".//w:t")) == "Benefit in patients"
    pages = PdfReader(BytesIO(rendered("pdf", report()))).pages
    led = str([note.get_object() for page in pages for note in page.get("/Annots", ())])
    assert "heading-hypothesis-1" in led and f"heading-section-clinical-{BENEFIT}" in led


def test_a_link_to_a_heading_that_is_not_there_is_text() -> None:
    shown = document(Paragraph(content=(HeadingLink(text="there", anchor="nowhere"),)))
    body = docx.Document(BytesIO(render_docx(shown, PageSetup()))).element
    assert not body.xpath("//w:hyperlink") and body.xpath("//w:t[.='there']") and render_pdf(shown, PageSetup())
    assert render_markdown(shown).endswith("there\n")


def test_the_json_has_the_rounds_and_the_report() -> None:
    shown = report()
    read = json.loads(to_json(shown))["repurposing"]
    assert read["disease"] == "Alzheimer's disease" and len(read["rounds"]) == 1
    (first, second) = read["report"]["hypotheses_tested"]
    assert (first["mechanism"], first["supported"], first["contradicted"], first["status"]) == (
        "metformin → AMPK → not stated → better memory", 1, 1, "mixed",
    )  # fmt: skip
    assert second["status"] == "untested"
    assert ResearchReport.model_validate_json(to_json(shown)) == shown


@pytest.mark.slow
@pytest.mark.parametrize("name", ["docx", "pdf"])
def test_files_with_pages_have_the_hypotheses_and_the_conclusion(name: str) -> None:
    content = BytesIO(rendered(name, report()))
    if name == "docx":
        read = docx.Document(content)
        cells = (cell.text for table in read.tables for row in table.rows for cell in row.cells)
        text = " ".join((*(one.text for one in read.paragraphs), *cells))
    else:
        text = " ".join(" ".join(page.extract_text() for page in PdfReader(content).pages).split())
    for wanted in ("Hypothesis 1", "mixed", "Limitations", "Confidence: 0.4", "by the sources that were read"):
        assert wanted in text


@pytest.mark.parametrize("name", ["bib", "ris", "csl"])
def test_the_bibliographies_have_every_reference(name: str) -> None:
    text = rendered(name, report()).decode()
    assert all(one.hit.title in text for one in SOURCES)


@pytest.mark.slow
def test_hostile_text_is_text_in_every_format() -> None:
    basis = (HypothesisLink(link="target", source_id="src_001", quote=HOSTILE),)
    odd = hypothesis((FOR,), (AGAINST,), target=HOSTILE, effect=HOSTILE, basis=basis)
    judged = Assessment(mechanism=Score(value=1, reasons=(HOSTILE,)))
    shown = report(repurposing(one_round(odd, assessment=judged), disease=HOSTILE))
    text = to_markdown(shown)
    assert "\n# Heading" not in text and "<script" not in text.replace("\\<script", "")
    assert "](http://evil" not in text.replace("\\](http\\://evil", "").replace("\\](http", "")
    page = BeautifulSoup(to_html(shown), "lxml")
    assert not [one for one in page.find_all("script") if "alert" in one.get_text()]
    assert not page.select("a[href*='evil']")
    assert find_reference_problems(lay_out_report(shown).marks, shown.references) == ()
    assert rendered("docx", shown) and rendered("pdf", shown)


# Nothing found
def test_without_evidence_one_sentence_stands_in_place_of_all_prose_and_the_searches_stay() -> None:
    shown = report(repurposing(), sources=SOURCES[:2])
    document = lay_out_report(shown)
    found = anchors(document)
    assert found[:4] == ["coverage", "methodology", "research", "flow"] and "search-log" in found
    runs = (run for block in document.blocks for run in list_runs(block))
    assert not [piece for run in runs for piece in run if isinstance(piece, Sentence)]
    text = to_markdown(shown)
    assert text.count(NOTHING) == 1 and f"\n**{NOTHING}**\n" in text
    assert ON_DRUG.text not in text and ON_TARGET.text not in text
    assert "No statement was copied from a source." in text
    written = to_markdown(report(repurposing(), by_model=True))
    assert "No statement was copied from a source." in written and "wrote nothing" not in written


def test_without_a_disease_neither_title_nor_text_speaks_of_one() -> None:
    shown = to_markdown(report(repurposing(disease=""), answers=(), sources=()))
    head = shown.partition("## ")[0]
    assert head.startswith("# Metformin: hypotheses and evidence\n")
    assert "Read as a request on metformin that names no disease, and researched as" in head
    assert "the disease" not in head


def test_without_evidence_a_search_that_failed_is_said() -> None:
    failed = search("chembl", SearchStatus.FAILED, reason="timed out")
    text = to_markdown(report(repurposing(), sources=(), searches=(failed,)))
    assert "Could not be searched: ChEMBL (timed out)" in text and NOTHING in text


def test_a_report_with_untested_hypotheses_alone_has_no_list_of_statements() -> None:
    text = part(to_markdown(report(repurposing(one_round(UNTESTED)))), "Hypothesis 1")
    assert "For it:" not in text and "Against it:" not in text
