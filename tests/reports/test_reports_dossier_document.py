"""A dossier as a document: what a renderer finds in it."""

from __future__ import annotations

import pytest
from dossiers import OTHER, SUPPORTED, dossier, reference

from storm.export import to_markdown
from storm.models import SearchStatus
from storm.models.dossier import DatabaseUse
from storm.reports import describe_failures, document_of, why_stopped
from storm.reports.document import BulletList, Heading, Note, Paragraph, Sentence, Table


def test_headings_have_anchors_that_follow_from_the_questions_keys() -> None:
    headings = [block for block in document_of(dossier()).blocks if isinstance(block, Heading)]
    assert [heading.anchor for heading in headings] == [
        "at-a-glance", "coverage", "question-harm.x", "methodology", "flow", "references",
    ]  # fmt: skip


def test_what_a_reviewer_asks_of_the_searches_stands_after_the_references() -> None:
    headings = [block for block in document_of(dossier()).appendix if isinstance(block, Heading)]
    assert [heading.anchor for heading in headings] == ["search-log", "prisma-s"]


def test_each_statement_can_be_followed_to_its_quote_and_its_references() -> None:
    document = document_of(dossier())
    items = [item for block in document.blocks if isinstance(block, BulletList) for item in block.items]
    sentences = [piece for item in items for piece in item if isinstance(piece, Sentence)]
    assert [sentence.statement for sentence in sentences] == [SUPPORTED, SUPPORTED, OTHER]
    assert [sentence.content[-1].model_dump() for sentence in sentences] == [
        {"numbers": (2,)}, {"numbers": (2,)}, {"numbers": (1, 2)},
    ]  # fmt: skip
    assert [entry.record for entry in document.references] == [reference(1), reference(2)]


def test_a_dossier_without_statements_does_not_speak_of_its_sentences() -> None:
    empty = to_markdown(dossier(answers=(), references=()))
    assert "Each sentence below" not in empty
    assert "No statement was copied from a source." in empty
    assert "Each sentence below stands, word for word" in to_markdown(dossier())


def test_each_mark_has_a_reference_and_each_reference_a_mark() -> None:
    document = document_of(dossier())
    assert set(document.marks) == {entry.record.n for entry in document.references}


def test_notes_come_first_and_only_where_there_are_any() -> None:
    assert not [block for block in document_of(dossier()).blocks if isinstance(block, Note)]
    (note,) = (block for block in document_of(dossier(notes=("Mind this.",))).blocks if isinstance(block, Note))
    assert [[piece.model_dump()["text"] for piece in paragraph] for paragraph in note.paragraphs] == [["Mind this."]]


def test_a_dossier_without_references_says_so_under_their_heading() -> None:
    *_, heading, last = document_of(dossier(answers=(), references=())).blocks
    assert isinstance(heading, Heading) and heading.anchor == "references"
    assert isinstance(last, Paragraph) and last.content[0].model_dump()["text"] == "None."


def test_every_row_of_a_table_is_as_long_as_its_head() -> None:
    tables = [block for block in document_of(dossier()).blocks if isinstance(block, Table)]
    assert tables and all(len(row) == len(table.head) for table in tables for row in table.rows)


@pytest.mark.parametrize(
    ("stopped", "expected"), [("budget", "its budget was spent"), ("a reason of its own", "a reason of its own")]
)
def test_why_the_gathering_ended_is_reported(stopped: str, expected: str) -> None:
    assert why_stopped(dossier(stopped=stopped)) == expected


def test_what_was_not_searched_is_distinguished_from_what_was_in_part() -> None:
    failed = DatabaseUse(name="chembl", scope="", searched=1, status=SearchStatus.FAILED, reason="timed out")
    part = DatabaseUse(name="pubmed", scope="", searched=2, status=SearchStatus.FOUND, reason="503", incomplete=True)
    assert describe_failures(dossier(databases=(failed, part))) == (
        "Could not be searched: ChEMBL (timed out)",
        "Searched in part: PubMed (503)",
    )


def test_the_list_of_sources_says_at_which_level_the_evidence_of_each_starts() -> None:
    def shown(**fields: object) -> str:
        rated = reference(1).model_copy(update={"level_reason": "cohort", "text_read": "full text", **fields})
        return to_markdown(dossier(references=(rated, reference(2)))).partition("## References")[2]

    rated = {"design": "cohort", "score": 50}
    assert "(level 2 (cohort), full text; `src_001`)" in shown(**rated, level_efficacy=2, level_safety=2)
    assert "(level 4 for efficacy, 3 for harms (cohort), full text" in shown(**rated, level_efficacy=4, level_safety=3)
    assert "(no level (cohort), full text" in shown(**rated)
    no_study = shown(score=3, score_parts={"design": 3, "other product": -15, "at least 0": 15})
    assert "(full text; score 3: design 3, other product -15, minimum of 0 adds 15; `src_001`)" in no_study
    assert "cohort)" not in shown(design="cohort"), "it was stored before there were levels"
    assert "(protocol; `src_001`)" in shown(design="protocol")


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ("Results: Harms", "Results: Harms"),
        ("Results: Safety analyses: AEs reported by elderly patients (65 years)",
         "Results: AEs reported by elderly patients (65 years)"),
        ("Results: Safety: AEs that were reported by elderly patients of sixty-five years", "Results"),
    ],
)  # fmt: skip
def test_a_long_section_name_keeps_the_heading_that_says_whose_result_it_is(section: str, shown: str) -> None:
    said = SUPPORTED.model_copy(update={"section": section})
    (answer,) = dossier().answers
    text = to_markdown(dossier(answers=(answer.model_copy(update={"statements": (said,), "conflicts": ()}),)))
    (line,) = {one for one in text.splitlines() if one.startswith("- It harms.")}
    assert line.startswith(f"- It harms. ({shown}) [")
