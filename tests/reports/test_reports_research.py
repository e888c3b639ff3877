"""A researched report as a document: what stands in it, where, and how often."""

from __future__ import annotations

from typing import Any

import pytest
from bibliographies import reference as cited
from dossiers import WHOLE, reference
from researched import (
    ASKED,
    FOUR,
    HARM,
    HELP,
    IDENTITY,
    ONE,
    QUESTIONS,
    ROUNDS,
    SECTIONS,
    THREE,
    TWO,
    place,
    report,
    research,
    section,
    statement,
    table,
    weak,
)

from storm.export import to_json, to_markdown
from storm.models import (
    Answer,
    ApprovalFact,
    Complexity,
    Dossier,
    Intent,
    ReportPreferences,
    ResearchPlan,
    ResearchReport,
    ResearchRound,
    ResearchSettings,
    TableName,
)
from storm.models.dossier import AtAGlance, ProtectionFact
from storm.reports import document_of, summary_of, table_wording, why_stopped
from storm.reports import research_wording as words
from storm.reports.document import BulletList, Document, Heading, Note, Paragraph, Sentence, Table, list_runs, to_text

NO_SECTIONS = research(sections=())


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.anchor) for block in document.blocks if isinstance(block, Heading)]


def printed(shown: Dossier) -> list[str]:
    """The texts of all statements that the document prints."""
    runs = (run for block in document_of(shown).blocks for run in list_runs(block))
    return [piece.statement.text for run in runs for piece in run if isinstance(piece, Sentence)]


def part(text: str, heading: str) -> str:
    """The part of the Markdown below this heading, up to the next."""
    return text.partition(f"# {heading}\n")[2].partition("\n#")[0]


def placed(*sections: Any, **fields: Any) -> Dossier:
    return report(research=research(sections=sections), **fields)


def captions_of(shown: Dossier) -> list[object]:
    return [block.caption for block in document_of(shown).blocks if isinstance(block, Table)]


# The head
def test_a_report_has_its_own_title_and_below_it_the_question_in_full() -> None:
    head = to_markdown(report()).partition("## ")[0]
    assert head.startswith("# Benefit and harm\n\nAsked: **Does it help or harm?**\n\n**And what of children?**\n")
    assert "Read as a comparison (simple), and researched as 2 questions." in head


def test_a_question_that_is_the_title_is_not_repeated() -> None:
    shown = report(drug="Does it?", research=research(title="", asked="Does it?"))
    assert to_markdown(shown).startswith("# Does it?\n\nRead as")


def test_a_dossier_with_sections_is_titled_by_its_drug() -> None:
    shown = report(Dossier, drug="trastuzumab")
    assert document_of(shown).title == "trastuzumab: research dossier"
    assert "Asked:" not in to_markdown(shown)


def test_the_preferences_that_were_applied_are_named() -> None:
    wanted = ReportPreferences(
        audience="lay readers", length="two pages", format="prose", sections=("cost", "children")
    )
    head = to_markdown(report(research=research(wanted), by_model=True)).partition("## ")[0]
    applied = "audience: lay readers; length: two pages; format: prose; sections on: cost, children."
    assert f"The reader's preferences: {applied}" in head
    assert "preferences" not in to_markdown(report()).partition("## ")[0]


def test_preferences_without_an_effect_say_so() -> None:
    wanted = ReportPreferences(audience="nurses", tone="plain", length="exhaustive", format="a table")
    head = to_markdown(report(research=research(wanted))).partition("## ")[0]
    for wish in ("audience: nurses", "tone: plain"):
        assert f"{wish} (no effect without a language model)" in head
    assert "length: exhaustive (not applied)" in head and "format: a table (not applied)" in head


@pytest.mark.parametrize(
    ("outline", "section_notes", "said"),
    [
        ("", ("", ""), "A language model planned the sections and put the statements of the answers into them; a"),
        ("the budget was spent", ("", ""), "Rules planned the sections, and a language model put"),
        ("", ("the budget was spent", ""), "into them, or rules where the model could not; a statement"),
        ("", ("it failed", "it failed"), "A language model planned the sections, and rules put"),
        ("it failed", ("it failed", "it failed"), "Rules planned the sections and put"),
    ],
)
def test_who_planned_and_wrote_the_sections_is_said(outline: str, section_notes: tuple[str, ...], said: str) -> None:
    parts = zip(SECTIONS, section_notes, strict=False)
    sections = tuple(one.model_copy(update={"note": note}) for one, note in parts)
    shown = report(by_model=True, research=research(outline_note=outline, sections=sections))
    assert said in to_markdown(shown)


def test_a_question_that_is_not_biomedical_is_said_to_be_none() -> None:
    shown = report(research=research(plan=ResearchPlan(is_biomedical=False)))
    assert "Read as a survey of a subject (with several sides, not biomedical)" in to_markdown(shown)


def test_questions_that_could_not_be_researched_stand_before_the_notes() -> None:
    shown = report(notes=("Mind this.",), research=research(failed={HARM: "the model failed."}))
    (note,) = (block for block in document_of(shown).blocks if isinstance(block, Note))
    assert [to_text(one) for one in note.paragraphs] == [
        "Could not be researched: Harm (the model failed)", "Mind this.",
    ]  # fmt: skip


# The order
def test_a_report_without_a_drug_has_no_facts_on_one() -> None:
    assert headings(document_of(report())) == [
        (2, "section-benefits"), (3, "section-children"), (2, "section-costs"), (2, "coverage"), (2, "findings"),
        (3, "question-good.y"), (3, "question-harm.x"), (2, "methodology"), (3, "research"), (3, "flow"),
        (2, "references"),
    ]  # fmt: skip


def test_a_report_that_names_a_drug_has_its_facts_under_the_drugs_name() -> None:
    assert "\n## Drug at a glance\n" in to_markdown(report(identity=IDENTITY))
    assert "\n## At a glance\n" in to_markdown(report(Dossier))
    unstated = "| Target | no drug, label or registry record is cited |"
    assert unstated in to_markdown(report(Dossier)) and unstated not in to_markdown(report(identity=IDENTITY))


def test_sub_headings_are_one_level_below_their_parents_and_never_below_the_last() -> None:
    names = [f"s{n}" for n in range(7)]
    sections = [section(name, parent=before) for name, before in zip(names, ["", *names], strict=False)]
    assert [level for level, anchor in headings(document_of(placed(*sections))) if anchor.startswith("section-")] == [
        2, 3, 4, 5, 6, 6, 6,
    ]  # fmt: skip


def test_an_anchor_of_a_section_cannot_be_that_of_another_part() -> None:
    anchors = [anchor for _, anchor in headings(document_of(placed(section("references"), section("findings"))))]
    assert len(anchors) == len(set(anchors))


# Sections
@pytest.mark.parametrize(
    ("by_model", "wanted", "is_list"),
    [
        (False, "", True), (True, "", False), (True, "as bullet points", True), (True, "a list", True),
        (False, "prose", False), (False, "Paragraphs", False), (True, "something else", False),
    ],
)  # fmt: skip
def test_a_model_writes_prose_and_rules_a_list_unless_the_reader_wants_another(
    by_model: bool, wanted: str, is_list: bool
) -> None:
    shown = report(by_model=by_model, research=research(ReportPreferences(format=wanted)))
    blocks = document_of(shown).blocks
    first = blocks[next(n for n, one in enumerate(blocks) if isinstance(one, Heading)) + 1]
    assert isinstance(first, BulletList if is_list else Paragraph)
    assert to_text([piece for run in list_runs(first) for piece in run]).count("holds.") == 2


def test_sentences_of_a_paragraph_are_parted_by_a_blank() -> None:
    text = part(to_markdown(report(by_model=True)), "Benefits")
    assert text.strip() == "Finding 1 holds. [1] Finding 2 holds. [2]"


def test_a_section_that_was_left_out_is_said_where_it_would_stand() -> None:
    assert part(to_markdown(report()), "Costs").strip() == "*Left out:* its text came back empty twice."


def test_a_section_in_which_nothing_stands_says_so_unless_others_are_below_it() -> None:
    shown = to_markdown(
        placed(section("empty"), section("above"), section("below", (place(ONE, HELP),), parent="above"))
    )
    assert part(shown, "Empty").strip() == "*Left out:* no statement stands here."
    assert part(shown, "Above").strip() == ""


def test_running_text_describes_a_study_once_and_names_no_section() -> None:
    study = reference(1).model_copy(update={"design": "cohort", "participants": 60})
    same = (place(FOUR, HARM), place(statement(5, 1), HARM))
    for by_model, described, named in ((True, 1, 0), (False, 2, 2)):
        shown = placed(section("one", same), by_model=by_model, references=(study, *map(reference, (2, 3, 4))))
        text = part(to_markdown(shown), "One")
        assert (text.count("cohort, 60 participants"), text.count("Results")) == (described, named)


def test_a_statement_on_animals_says_so_in_a_section() -> None:
    mice = reference(4).model_copy(update={"animals": True})
    shown = report(by_model=True, references=(*map(reference, (1, 2, 3)), mice))
    assert "Finding 1 holds. (preclinical, in animals or cells) [1]" in part(to_markdown(shown), "Benefits")


# Each once
def test_a_statement_is_printed_once_and_one_in_a_conflict_also_there() -> None:
    texts = printed(report())
    assert {text: texts.count(text) for text in sorted(set(texts))} == {
        "Finding 1 holds.": 1, "Finding 2 holds.": 1, "Finding 3 holds.": 2, "Finding 4 holds.": 2,
        "Finding 5 holds.": 1,
    }  # fmt: skip
    assert "Above: 2 statements, under “Benefits”." in part(to_markdown(report()), "Benefit")


def test_a_statement_that_a_section_words_otherwise_is_not_repeated() -> None:
    shown = placed(section("one", (place(ONE, HELP, text="In short, the first holds."),)))
    assert "In short, the first holds." in printed(shown)
    assert "Finding 1 holds." not in printed(shown)


def test_a_statement_in_two_sections_stands_in_the_first() -> None:
    twice = placed(section("one", (place(ONE, HELP),)), section("two", (place(ONE, HELP), place(TWO, HELP))))
    assert [text for text in printed(twice) if text in (ONE.text, TWO.text)] == [ONE.text, TWO.text]


def test_a_statement_that_answers_two_questions_stands_under_the_first() -> None:
    answers = tuple(Answer(question=key, statements=(ONE,)) for key in (HELP, HARM))
    shown = report(answers=answers, references=(reference(4),), research=NO_SECTIONS)
    assert printed(shown) == [ONE.text]
    assert "Above: 1 statement, under “Benefit”." in part(to_markdown(shown), "Harm")


def test_statements_without_a_citation_are_distinguished_by_their_text() -> None:
    both = tuple(statement(n, citation_id="", quote="They write.") for n in (1, 2))
    shown = placed(
        section("one", (place(both[0], HELP),)),
        answers=(Answer(question=HELP, statements=both),), references=(reference(1),),
    )  # fmt: skip
    assert printed(shown) == ["Finding 1 holds.", "Finding 2 holds."]


def test_an_answer_whose_statements_stand_above_is_not_said_to_have_no_source() -> None:
    answers = (Answer(question=HELP, statements=(ONE, TWO)), Answer(question=HARM))
    shown = to_markdown(placed(section("one", (place(ONE, HELP), place(TWO, HELP))), answers=answers,
                               references=(reference(3), reference(4))))  # fmt: skip
    assert "No source" not in part(shown, "Benefit")
    assert "No source answers this question." in part(shown, "Harm")


# Tables
def test_a_table_stands_beside_the_first_section_that_names_it_and_nowhere_else() -> None:
    tables = tuple(table(name, "src_001", "src_002") for name in (TableName.TRIALS, TableName.PATENTS))
    first = section("one", (place(ONE, HELP),), tables=("trials", "comparisons"))
    shown = placed(first, section("two", (place(TWO, HELP),), tables=("trials",)), tables=tables)
    text = to_markdown(shown)
    assert "**Trials**\n\n| Trial |" in part(text, "One")
    assert text.count("Primary endpoint of 1") == 1
    assert [anchor for _, anchor in headings(document_of(shown)) if "table" in anchor] == ["tables", "table-patents"]


def test_tables_that_all_stand_beside_sections_leave_no_heading_for_others() -> None:
    shown = placed(section("one", tables=("trials",)), tables=(table(TableName.TRIALS, "src_001"),))
    assert "tables" not in [anchor for _, anchor in headings(document_of(shown))]
    assert "no statement stands here" not in to_markdown(shown)


def test_approvals_beside_a_section_are_not_listed_at_a_glance() -> None:
    glance = AtAGlance(
        approvals=(ApprovalFact(agency="FDA", date="2001-02-03", source_id="src_001"),),
        designs={one.key: {} for one in QUESTIONS},
    )
    fields: dict[str, Any] = {
        "identity": IDENTITY, "at_a_glance": glance, "tables": (table(TableName.APPROVALS, "src_001"),),
    }  # fmt: skip
    beside, without = placed(section("one", tables=("approvals",)), **fields), placed(**fields)
    assert captions_of(beside).count("Approvals") == 1 and "Agency of 1" in part(to_markdown(beside), "One")
    assert "2001-02-03" in part(to_markdown(without), "Drug at a glance")


def test_patents_beside_a_section_are_not_listed_at_a_glance() -> None:
    protection = ProtectionFact(text="US 1", expiry="2031-01-01", source_id="src_001")
    glance = AtAGlance(protections=(protection,), designs={one.key: {} for one in QUESTIONS})
    fields: dict[str, Any] = {
        "identity": IDENTITY, "at_a_glance": glance, "tables": (table(TableName.PATENTS, "src_001"),),
    }  # fmt: skip
    beside, without = placed(section("one", tables=("patents",)), **fields), placed(**fields)
    assert table_wording.PROTECTIONS not in captions_of(beside) + captions_of(without)
    counted = "expiry date: 1, of which 0 had expired by 2026-11-21; the last date is 2031-01-01 "
    assert counted in part(to_markdown(without), "Drug at a glance") and counted not in to_markdown(beside)
    assert table_wording.PROTECTIONS in captions_of(placed(**fields | {"tables": ()}))


def test_approvals_in_a_report_without_a_drug_are_a_table_like_others() -> None:
    text = to_markdown(placed(tables=(table(TableName.APPROVALS, "src_001"),)))
    assert "Agency of 1" in part(text, "Approvals")
    assert "at a glance" not in text


# References
@pytest.mark.parametrize("kind", [Dossier, ResearchReport])
def test_references_are_numbered_in_the_order_in_which_the_document_mentions_them(kind: type[Dossier]) -> None:
    beside = section("one", (place(TWO, HELP),), tables=("trials",))
    shown = report(
        kind, research=research(sections=(beside,)), tables=(table(TableName.TRIALS, "src_004", "src_001"),)
    )  # fmt: skip
    first = list(dict.fromkeys(document_of(shown).marks))
    assert first == [1, 2, 3, 4]
    assert [one.source_id for one in shown.references] == ["src_003", "src_004", "src_001", "src_002"]
    assert [one.n for one in shown.references] == first


# How it was made
def test_the_questions_stand_with_their_importance_and_the_settings_with_their_values() -> None:
    text = part(to_markdown(report(research=research(settings=ResearchSettings(max_questions=6)))), words.PLANNED)
    assert "| Harm | What harm does it do? | 0.45 |" in text
    assert "| max\\_questions | 6 | the most questions" in text
    assert "| chars\\_per\\_source | 12,000 |" in text and "| temperature | 0.1 |" in text


def test_each_round_says_what_was_weak_why_what_was_searched_for_and_what_it_added() -> None:
    text = part(to_markdown(report()), words.PLANNED)
    assert "Searched again, round 1: 3 new sources added." in text
    assert "| Harm | one source only, old sources only: its paper is of 1999 | cardiac elderly |" in text
    assert "| Benefit | one source only, old sources only | *nothing* |" in text
    assert text.rstrip().endswith("It ended there: searching again found no new source.")


@pytest.mark.parametrize(
    ("rounds", "most", "why"),
    [
        (ROUNDS, 2, words.NOTHING_NEW),
        (ROUNDS[:1], 1, "it was to search again at most 1 time"),
        (ROUNDS[:1], 2, words.NONE_WEAK),
        ((), 2, words.NONE_WEAK),
        ((), 0, words.ONCE_ONLY),
        ((ResearchRound(weak=(weak(),), new_sources=1),) * 2, 2, "it was to search again at most 2 times"),
    ],
)
def test_why_it_searched_no_further_is_said(rounds: tuple[ResearchRound, ...], most: int, why: str) -> None:
    shown = report(research=research(rounds=rounds, settings=ResearchSettings(max_iterations=most)))
    assert why_stopped(shown) == why
    assert part(to_markdown(shown), words.PLANNED).rstrip().endswith(f": {why}.")


def test_a_report_that_a_failed_model_ended_says_that() -> None:
    assert why_stopped(report(stopped="model_error")) == "its language model failed"


def test_every_field_has_words() -> None:
    assert words.SETTINGS.keys() == ResearchSettings.model_fields.keys()
    assert words.PREFERENCES.keys() == ReportPreferences.model_fields.keys()
    assert words.INTENTS.keys() == set(Intent) and words.COMPLEXITIES.keys() == set(Complexity)


# Its own name
def test_a_report_speaks_of_itself_as_a_report_and_of_its_subject() -> None:
    mentioned = cited(1, source_id="src_001", relation_kind="mentioned")
    shown = report(
        by_model=True, references=(mentioned, *map(reference, (2, 3, 4))),
        summary={"not_known": "Not known: all."}, flow=WHOLE,
    )  # fmt: skip
    text = to_markdown(shown)
    assert "dossier" not in text.lower()
    assert "report.html and report.json" in text and "No statement of this report" in text
    assert "only mentions the subject" in text and "does not name the subject (500)" in text
    assert "the drug" not in text


# The end of a job
def test_the_last_lines_of_a_job_say_what_was_answered_and_what_searching_again_added() -> None:
    lines = summary_of(report(research=research(failed={HARM: "all searches failed"}))).lines
    assert "Could not be researched: Harm (all searches failed)" in lines
    assert "Answered: 2 of 2 questions." in lines
    assert "Searched again: 2 rounds, 3 new sources." in lines
    assert "Sections left out: Costs" in lines
    assert any(line.startswith("4 sources, 4 of them cited; the report is complete.") for line in lines)


def test_programs_are_given_what_became_of_the_questions() -> None:
    summary = summary_of(report(exit_code=3, research=research(failed={HARM: "all searches failed"})))
    assert summary.fields["research"] == {
        "asked": ASKED, "title": "Benefit and harm", "intent": "comparison", "complexity": "simple",
        "is_biomedical": True, "questions": 2, "answered": 2, "failed": {HARM: "all searches failed"}, "rounds": 2,
        "new_sources": 3, "sections": ["Benefits", "Children"],
        "left_out": {"Costs": "its text came back empty twice."},
    }  # fmt: skip
    assert summary.warning.startswith("Could not be researched: Harm (all searches failed).")


def test_the_json_of_a_report_has_all_that_was_researched() -> None:
    assert ResearchReport.model_validate_json(to_json(report())) == report()
    assert THREE.text in to_json(report())
