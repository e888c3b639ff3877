"""A dossier as a document: what a renderer finds in it."""

from __future__ import annotations

import pytest
from dossiers import OTHER, SUPPORTED, dossier, reference

from storm.models import SearchStatus
from storm.models.dossier import DatabaseUse
from storm.reports import describe_failures, dossier_document, why_stopped
from storm.reports.document import BulletList, Heading, Note, Paragraph, Sentence, Table


def test_headings_have_anchors_that_follow_from_the_questions_keys() -> None:
    headings = [block for block in dossier_document(dossier()).blocks if isinstance(block, Heading)]
    assert [heading.anchor for heading in headings] == [
        "at-a-glance", "coverage", "question-harm.x", "methodology", "references",
    ]  # fmt: skip


def test_each_statement_can_be_followed_to_its_quote_and_its_references() -> None:
    document = dossier_document(dossier())
    items = [item for block in document.blocks if isinstance(block, BulletList) for item in block.items]
    sentences = [piece for item in items for piece in item if isinstance(piece, Sentence)]
    assert [sentence.statement for sentence in sentences] == [SUPPORTED, SUPPORTED, OTHER]
    assert [sentence.content[-1].model_dump() for sentence in sentences] == [
        {"numbers": (2,)}, {"numbers": (2,)}, {"numbers": (1, 2)},
    ]  # fmt: skip
    assert [entry.record for entry in document.references] == [reference(1), reference(2)]


def test_each_mark_has_a_reference_and_each_reference_a_mark() -> None:
    document = dossier_document(dossier())
    assert set(document.marks) == {entry.record.n for entry in document.references}


def test_notes_come_first_and_only_where_there_are_any() -> None:
    assert not [block for block in dossier_document(dossier()).blocks if isinstance(block, Note)]
    (note,) = (block for block in dossier_document(dossier(notes=("Mind this.",))).blocks if isinstance(block, Note))
    assert [[piece.model_dump()["text"] for piece in paragraph] for paragraph in note.paragraphs] == [["Mind this."]]


def test_a_dossier_without_references_says_so_under_their_heading() -> None:
    *_, heading, last = dossier_document(dossier(answers=(), references=())).blocks
    assert isinstance(heading, Heading) and heading.anchor == "references"
    assert isinstance(last, Paragraph) and last.content[0].model_dump()["text"] == "None."


def test_every_row_of_a_table_is_as_long_as_its_head() -> None:
    tables = [block for block in dossier_document(dossier()).blocks if isinstance(block, Table)]
    assert tables and all(len(row) == len(table.head) for table in tables for row in table.rows)


@pytest.mark.parametrize(
    ("stopped", "told"), [("budget", "its budget was spent"), ("a reason of its own", "a reason of its own")]
)
def test_why_the_gathering_ended_is_reported(stopped: str, told: str) -> None:
    assert why_stopped(dossier(stopped=stopped)) == told


def test_what_was_not_searched_is_distinguished_from_what_was_in_part() -> None:
    failed = DatabaseUse(name="chembl", scope="", searched=1, status=SearchStatus.FAILED, reason="timed out")
    part = DatabaseUse(name="pubmed", scope="", searched=2, status=SearchStatus.FOUND, reason="503", incomplete=True)
    assert describe_failures(dossier(databases=(failed, part))) == (
        "Could not be searched: ChEMBL (timed out)",
        "Searched in part: PubMed (503)",
    )
