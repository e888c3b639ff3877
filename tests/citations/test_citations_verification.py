"""Statements, references and marks against the sources they name."""

from __future__ import annotations

from typing import Any

import pytest

from storm.citations.verification import (
    build_references,
    list_cited_sources,
    verify_statement,
)
from storm.models import Answer, Conflict, Hit, Reference, Relation, Source, Statement, Verdict
from storm.models.reference import find_reference_problems

FIRST = Hit.of("pubmed", "11", "https://example.org/11", "Zorvimab in stroke", text="Response was 22% (n=40). It rose.")
SECOND = Hit.of("web", "b", "https://example.org/b", "News", text="Zorvimab was approved in 2019.")
SOURCES = {"src_001": FIRST, "src_002": SECOND}


def statement(text: str, quote: str, *source_ids: str) -> Statement:
    return Statement(text=text, quote=quote, source_ids=source_ids)


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        (statement("Response was 22%.", "response was 22% (n=40).", "src_001"), Verdict.SUPPORTED),
        (statement("Approved in 2019.", "approved in 2019", "src_001", "src_002"), Verdict.SUPPORTED),
        (statement("Response was 23%.", "Response was 22% (n=40).", "src_001"), Verdict.UNSUPPORTED),
        (statement("Response was 22%.", "Response was good", "src_001"), Verdict.UNSUPPORTED),
        (statement("Response was 22%.", "Response was 22%", "src_002"), Verdict.UNSUPPORTED),
        (statement("Response was 22%.", "Response was 22%", "src_001", "src_404"), Verdict.UNSUPPORTED),
        (statement("Response was 22%.", "Response was 22%"), Verdict.UNSUPPORTED),
        (statement("Response was good.", " ", "src_001"), Verdict.UNCHECKED),
    ],
)
def test_a_statement_is_supported_by_a_quote_from_a_named_source(made: Statement, verdict: Verdict) -> None:
    verified = verify_statement(made, SOURCES)
    assert verified.verdict is verdict
    assert verified.model_copy(update={"verdict": made.verdict}) == made


@pytest.mark.parametrize(
    ("bracket", "verdict"),
    [
        ("zorvimab 20 mg", Verdict.SUPPORTED),
        ("placebin 5 mg/kg + zorvimab 10 mg", Verdict.SUPPORTED),
        ("zorvimab 300 U/ml", Verdict.SUPPORTED),
        ("zorvimab 30 mg", Verdict.UNSUPPORTED),  # not in the record
        ("hazard ratio 0.66", Verdict.UNSUPPORTED),  # in the record, but no dose
        ("haemoglobin 12 g/dL", Verdict.UNSUPPORTED),
        ("12 g/dL", Verdict.UNSUPPORTED),
    ],
)
def test_a_dose_in_brackets_of_a_copied_sentence_may_stand_elsewhere_in_the_record(
    bracket: str, verdict: Verdict
) -> None:
    methods = "They had zorvimab 20 mg (Z20), zorvimab 300 U/ml or placebin 5 mg/kg + zorvimab 10 mg (PZ)."
    text = f"{methods} The hazard ratio 0.66 was low. They had haemoglobin 12 g/dL. Falls were rarer with Z20."
    hit = Hit.of("pubmed", "12", "https://example.org/12", "Zorvimab and falls", text=text)
    made = statement(f"Falls were rarer with Z20 [{bracket}].", "Falls were rarer with Z20.", "src_001")
    assert verify_statement(made, {"src_001": hit}).verdict is verdict
    reworded = made.model_copy(update={"text": f"Fewer fell with Z20 [{bracket}]."})
    assert verify_statement(reworded, {"src_001": hit}).verdict is Verdict.UNSUPPORTED


def source(number: int, hit: Hit, *aliases: str) -> Source:
    return Source(
        source_id=f"src_{number:03}",
        number=number,
        hit=hit,
        questions=("q",),
        aliases=aliases,
        relation=Relation.COMPARATOR,
    )


def test_only_cited_sources_become_references_numbered_by_first_appearance() -> None:
    third = Hit.of("pubmed", "33", "https://example.org/33", "Never cited")
    sources = [source(1, FIRST), source(2, SECOND, "src_009"), source(3, third)]
    answers = [
        Answer(question="a", statements=(statement("x", "x", "src_009"), statement("y", "y", "src_404"))),
        Answer(
            question="b",
            conflicts=(Conflict(trial="T", endpoint="e", statements=(statement("z", "z", "src_002", "src_001"),)),),
        ),
    ]
    references = build_references(list_cited_sources(answers), sources)
    assert [(r.n, r.source_id, r.title) for r in references] == [
        (1, "src_002", "News"), (2, "src_001", "Zorvimab in stroke"),
    ]  # fmt: skip
    assert references[1].identifiers == ("pmid:11",)
    assert references[1].relation is Relation.COMPARATOR
    assert build_references([], sources) == ()


def reference(n: int = 1, **fields: Any) -> Reference:
    values = {"source_id": "src_001", "source_type": "pubmed", "external_id": "1", "url": "", "title": "T"}
    return Reference.model_validate({"n": n, **values, **fields})


def test_marks_and_references_must_match_both_ways() -> None:
    assert find_reference_problems([1, 2], [reference(1), reference(2)]) == ()
    assert find_reference_problems([1, 4], [reference(1), reference(2), reference(2)]) == (
        "mark [4] has no reference", "reference 2 is not cited", "number 2 is given to 2 references",
    )  # fmt: skip
