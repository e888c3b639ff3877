"""The report on hypotheses, made from the compiled document: what it takes over, computes and leaves out."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import timedelta

import pytest
from repurposed import (
    AGAINST,
    ANSWERS,
    ASKED,
    ASSESSMENT,
    BENEFIT,
    DRUG,
    FOR,
    MIXED,
    NOW,
    OF_DISEASE,
    ON_DRUG,
    ON_TARGET,
    PLAN,
    SOURCES,
    SUMMARY,
    UNTESTED,
    one_round,
    report,
    repurposing,
    search,
    section,
    source,
    statement,
)
from repurposed import (
    tested as hypothesis,
)

from storm.export import repurposing_markdown, to_markdown
from storm.models import (
    Answer,
    Assessment,
    Dossier,
    Hit,
    HypothesisStatus,
    Publication,
    RecordFacts,
    RemovedReference,
    ReportReference,
    RepurposingReport,
    Research,
    ResearchPlan,
    ResearchSettings,
    SearchStatus,
    StopReason,
)
from storm.reports import summary_of
from storm.reports.repurposing_limitations import list_limitations

#: Text that would be markup, a citation or a line of its own.
HOSTILE = "tau](http://evil.example) <script>alert(1)</script> | [1]\n# Heading `x` *y*"


def findings_of(shown: Dossier) -> RepurposingReport:
    assert shown.repurposing is not None and shown.repurposing.report is not None
    return shown.repurposing.report


def limits(shown: Dossier) -> str:
    return "\n".join(findings_of(shown).limitations)


# What it takes over
def test_it_has_the_question_the_summary_the_last_round_and_its_assessment() -> None:
    first = one_round(hypothesis(target="old"), assessment=Assessment(confidence=0.1))
    made = findings_of(report(repurposing(first, one_round(MIXED, UNTESTED))))
    assert made.title == "Metformin for Alzheimer's disease: hypotheses and evidence"
    assert (made.research_question, made.executive_summary) == (ASKED, SUMMARY)
    assert made.hypotheses_tested == (MIXED, UNTESTED)
    assert (made.assessment, made.confidence_score) == (ASSESSMENT, 0.4)
    assert (made.search_iterations, made.total_papers_reviewed) == (3, 4)
    assert made.sources_searched == ("pubmed",)


def test_its_references_have_the_numbers_of_the_document() -> None:
    shown = report()
    made = findings_of(shown)
    assert [(one.title, one.url, one.identifiers) for one in made.references] == [
        (one.title, one.url, one.identifiers) for one in shown.references
    ]
    assert [one.n for one in shown.references] == [1, 2, 3, 4]


def test_its_findings_are_the_sentences_of_the_sections_with_their_marks() -> None:
    shown = report()
    number = {one.source_id: one.n for one in shown.references}
    made = findings_of(shown)
    assert [(one.title, one.content) for one in made.mechanistic_findings] == [
        ("Targets of the drug", f"Metformin activates AMPK. [{number['src_001']}]"),
        ("Targets in the disease", f"AMPK phosphorylates tau in Alzheimer's disease. [{number['src_002']}]"),
    ]
    (benefit,) = made.clinical_findings
    assert re.findall(r"\[(\d)\]", benefit.content) == [str(number["src_003"]), str(number["src_004"])]
    assert [made.references.index(one) + 1 for one in benefit.citations] == sorted(
        (number["src_003"], number["src_004"])
    )


def test_a_bracketed_number_of_a_source_is_no_mark_of_a_finding() -> None:
    odd = statement(3, "Recall rose [7] in all.\nA second line.")
    answers = (*ANSWERS[:2], Answer(question=BENEFIT, statements=(odd,)))
    research = Research(
        asked=ASKED, plan=ResearchPlan(), settings=ResearchSettings(), sections=(section("clinical", BENEFIT, odd),)
    )
    (found,) = findings_of(report(answers=answers, research=research)).clinical_findings
    assert re.fullmatch(r"Recall rose \(7\) in all\. A second line\. \[\d\]", found.content)


def test_the_methodology_names_databases_days_counts_and_engine() -> None:
    searches = (search(), search("chembl", SearchStatus.NONE, at=NOW + timedelta(days=1)))
    text = findings_of(report(searches=searches)).methodology
    assert text.startswith("Searched on 2026-11-21 to 2026-11-22: ChEMBL, PubMed.")
    assert "The searches returned 4 records, of which 0 repeat others; 4 were screened, 4 read and 4 cited." in text
    assert "Engine: none." in text


# Candidates
def test_a_drug_is_a_candidate_by_its_best_hypothesis_alone() -> None:
    better = hypothesis((FOR, ON_TARGET), (AGAINST,), target="mTOR")
    (candidate,) = findings_of(report(repurposing(one_round(MIXED, better)))).drug_candidates
    assert (candidate.name, candidate.mechanism, candidate.status) == (
        "metformin", better.mechanism, HypothesisStatus.SUPPORTED,
    )  # fmt: skip


@pytest.mark.parametrize(
    "tested", [UNTESTED, hypothesis((), (AGAINST,), target="AMPK"), hypothesis((FOR,), drug="rosuvastatin")]
)
def test_without_a_supported_or_mixed_hypothesis_on_the_drug_there_is_no_candidate(tested: object) -> None:
    assert findings_of(report(repurposing(one_round(tested)))).drug_candidates == ()  # type: ignore[arg-type]


# Limitations
def test_languages_are_reported_where_records_state_them() -> None:
    assert "Not in English, of 4 sources whose records state a language: 1 (ger)." in limits(report())
    english = [one.model_copy(update={"hit": _with(one.hit, publication=Publication(language="en-US"))})
               for one in SOURCES]  # fmt: skip
    assert "Not in English" not in limits(report(sources=english))
    silent = [one.model_copy(update={"hit": _with(one.hit, publication=Publication())}) for one in SOURCES]
    assert "English" not in limits(report(sources=silent))


def _with(hit: Hit, **fields: object) -> Hit:
    return hit.model_copy(update=fields)


def test_abstracts_failed_databases_and_missing_links_are_reported() -> None:
    shown = limits(report(searches=(search(), search("chembl", SearchStatus.FAILED, reason="timed out"))))
    assert "Read as abstracts only: 3 of 4 sources (75%)." in shown
    assert "Could not be searched: ChEMBL (timed out)." in shown
    assert "Links for which no stating record or sentence was found: hypothesis 1 (pathway)." in shown
    assert "Not tested by any source that was found: hypothesis 2." in shown


def test_questions_on_which_nothing_was_found_are_limitations_and_leave_the_report_complete() -> None:
    without = [*ANSWERS[:1], Answer(question=OF_DISEASE), Answer(question=BENEFIT)]
    unplaced = Research(asked=ASKED, plan=ResearchPlan(), settings=ResearchSettings())
    shown = report(repurposing(one_round()), sources=SOURCES[:2], answers=without, research=unplaced)
    assert shown.exit_code == 0 and shown.notes == ()
    assert "No source was found on: Benefit in patients." in limits(shown)
    assert "Sources were found, but no sentence in them that answers: Targets in the disease." in limits(shown)
    assert "No source was found" not in limits(report()) and "no sentence" not in limits(report())


def test_an_answer_that_was_cut_short_leaves_the_report_partial() -> None:
    cut = [*ANSWERS[:2], ANSWERS[2].model_copy(update={"cut_short": True})]
    shown = report(answers=cut)
    assert shown.exit_code == 3 and "Benefit in patients" in shown.notes[0]


def test_hypotheses_on_one_study_or_on_animals_alone_are_reported() -> None:
    shown = report(repurposing(one_round(MIXED, hypothesis((FOR,), target="mTOR"))))
    assert "On one study alone: hypothesis 2." in limits(shown) and "animals" not in limits(shown)
    animals = [one.model_copy(update={"animals": one.source_id == "src_003"}) for one in shown.references]
    assert shown.repurposing is not None
    lines = list_limitations(
        shown.model_copy(update={"references": tuple(animals)}), shown.repurposing.rounds[-1].tested
    )
    assert "On animals or cells alone: hypothesis 2." in list(lines)


# The conclusion
def test_the_conclusion_counts_in_one_sentence_and_advises_nothing() -> None:
    assert findings_of(report()).conclusion == (
        "Of 2 hypotheses on how metformin could act on Alzheimer's disease, by the sources that were read: 1 mixed, 1 "
        "untested; this says what sources state, and nothing of how anyone should be treated."
    )


def test_evidence_without_a_hypothesis_still_gives_a_report() -> None:
    shown = report(repurposing(one_round()))
    assert findings_of(shown).conclusion.startswith("No hypotheses generated: the sources on metformin")
    assert (shown.exit_code, findings_of(shown).hypotheses_tested) == (0, ())
    assert "Hypotheses: No hypotheses generated" in summary_of(shown).lines


# Nothing found
def test_without_evidence_there_is_no_prose_and_no_reference_and_the_exit_code_is_4() -> None:
    shown = report(repurposing(), sources=SOURCES[:1])
    assert shown.repurposing == repurposing() and shown.exit_code == 4
    assert (shown.references, shown.statements.written, shown.notes) == ((), 0, ())
    assert all(not one.all_statements and not one.gaps for one in shown.answers)
    assert shown.research and shown.research.sections == ()
    assert shown.summary.sentences == () and shown.at_a_glance.targets == ()
    assert all(not table.rows for table in shown.tables) and shown.search_log
    assert summary_of(shown).warning.startswith("Cannot generate report: No evidence collected.")
    assert "No hypotheses generated" not in str(summary_of(shown))


def test_a_report_without_a_single_source_says_the_same() -> None:
    shown = report(repurposing(), sources=(), answers=[Answer(question=key) for key in (DRUG, OF_DISEASE, BENEFIT)])
    assert shown.exit_code == 4 and shown.notes == ()
    assert "Cannot generate report: No evidence collected." in summary_of(shown).warning


@pytest.mark.parametrize("stopped", [StopReason.COMPLETE, StopReason.MODEL_ERROR])
def test_without_evidence_a_search_or_a_question_that_failed_leaves_it_partial(stopped: StopReason) -> None:
    searches = () if stopped is StopReason.MODEL_ERROR else (search("chembl", SearchStatus.FAILED, reason="down"),)
    assert report(repurposing(), sources=SOURCES[:1], searches=searches, stopped=stopped).exit_code == 3
    failed = Research(asked=ASKED, plan=ResearchPlan(), settings=ResearchSettings(), failed={BENEFIT: "it failed"})
    assert report(repurposing(), sources=SOURCES[:1], research=failed).exit_code == 3


# Sources that are not about the drug
def test_sources_on_the_disease_alone_are_no_facts_on_the_drug() -> None:
    facts = RecordFacts(targets=("tau",))
    trial = source(5, OF_DISEASE, database="clinicaltrials", facts=facts)
    shared = source(6, OF_DISEASE, BENEFIT, database="clinicaltrials")
    shown = report(sources=(*SOURCES, trial, shared))
    assert [fact.text for fact in shown.at_a_glance.targets] == ["AMPK"] and not shown.at_a_glance.drug_class
    assert [study.source_id for study in shown.at_a_glance.studies] == ["src_006"]
    rows = [row.source_id for table in shown.tables for row in table.rows]
    assert "src_006" in rows and "src_005" not in rows
    assert shown.at_a_glance.designs[OF_DISEASE], "the designs of a question are those of all its sources"


def test_in_plans_whose_questions_are_all_on_the_drug_each_source_counts() -> None:
    shown = report(plan=PLAN.model_copy(update={"syllabus": _without_names()}))
    assert {fact.text for fact in shown.at_a_glance.targets} == {"AMPK", "tau"}


def _without_names() -> object:
    questions = tuple(one.model_copy(update={"names": ()}) for one in PLAN.syllabus.questions)
    return PLAN.syllabus.model_copy(update={"questions": questions})


# The end of a job
def test_the_end_of_a_job_counts_the_hypotheses() -> None:
    summary = summary_of(report())
    assert "Hypotheses: 2 (1 mixed, 1 untested)" in summary.lines
    assert "Evidence: 6 of 10 on mechanisms, 2.5 of 10 in patients; confidence 0.4" in summary.lines
    counted = summary.fields["research"]
    assert isinstance(counted, dict)
    assert counted["hypotheses"] == {"supported": 0, "contradicted": 0, "mixed": 1, "untested": 1}


# As Markdown
def test_the_markdown_marks_each_hypothesis_numbers_references_and_closes_with_the_counts() -> None:
    text = findings_of(report()).to_markdown()
    assert "- **mixed** (1 for, 1 against): metformin → AMPK → not stated → better memory\n" in text
    assert "- **untested** (0 for, 0 against): metformin → mTOR → autophagy → fewer plaques\n" in text
    assert re.search(r"^1\. Work \d\. \w+\. <https://example\.org/\d>$", text, re.M)
    assert text.endswith("\n\nPapers reviewed: 4. Search iterations: 2. Confidence: 0.4.\n")
    assert f"{ON_DRUG.text} [1]" in text


def test_hostile_text_in_a_report_is_escaped_in_its_markdown() -> None:
    evil = ReportReference(title=HOSTILE, authors=(HOSTILE,), source="pubmed", date=HOSTILE, url="javascript:alert(1)")
    made = findings_of(report(repurposing(one_round(hypothesis((FOR,), target=HOSTILE)))))
    removed = RemovedReference(title=HOSTILE, place=HOSTILE, reason=HOSTILE)
    shown = made.model_copy(
        update={
            "title": HOSTILE, "conclusion": HOSTILE, "limitations": (HOSTILE,), "references": (evil,),
            "research_question": HOSTILE, "removed_references": (removed,),
        }
    ).to_markdown()  # fmt: skip
    assert "<script" not in shown.replace("\\<script", "") and "](http" not in shown.replace("\\](http", "")
    assert "javascript" not in shown and "\n# Heading" not in shown
    assert "**supported** (1 for, 0 against): metformin → tau\\]" in shown


def test_a_mark_in_a_finding_that_has_no_reference_is_shown_as_text() -> None:
    made = findings_of(report())
    (benefit,) = made.clinical_findings
    odd = benefit.model_copy(update={"content": "It helped [1, 2] and [9] and [1, 99]."})
    shown = made.model_copy(update={"clinical_findings": (odd,)}).to_markdown()
    assert "It helped [1, 2] and (9) and (1, 99)." in shown


def test_an_empty_report_says_what_it_lacks() -> None:
    made = RepurposingReport(
        title="T", executive_summary=SUMMARY, research_question="Q", methodology="M", conclusion="C"
    )
    assert [line for line in made.to_markdown().splitlines() if line.startswith(("No", "None"))] == [
        "No hypotheses generated.", "None.", "None.", "None: no hypothesis is supported or mixed.",
        "None of those that are computed.", "None.",
    ]  # fmt: skip


def test_the_method_and_the_function_of_the_exports_write_the_same() -> None:
    made = findings_of(report())
    assert made.to_markdown() == repurposing_markdown(made) == to_markdown(made)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["RepurposingReport", "ResearchReport", "Dossier"])
def test_a_type_that_the_package_hands_out_has_the_method(name: str) -> None:
    code = (
        f"import storm; storm.{name}; from storm.models import RepurposingReport as R; "
        "print(R(title='Metformin', executive_summary='x' * 100, research_question='', methodology='', "
        "conclusion='').to_markdown())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("# Metformin") and not ran.stderr


def test_without_the_exports_the_method_says_what_to_import() -> None:
    code = "from storm.models import RepurposingReport as R; R.model_construct().to_markdown()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "StormError: nothing is loaded that writes Markdown" in ran.stderr


def test_it_is_read_back_from_json_as_it_was_written() -> None:
    made = findings_of(report())
    assert RepurposingReport.model_validate_json(made.model_dump_json()) == made
