"""What makes an answer weak."""

from __future__ import annotations

from typing import Any

from storm.extractive.weak_answers import Contradiction, find_contradictions, find_faults
from storm.models import (
    Answer,
    Conflict,
    Finding,
    Hit,
    Question,
    RelationKind,
    Source,
    Statement,
    Verdict,
    WeaknessKind,
)

QUESTION = Question(key="own", label="Dosing", description="How it is given", min_sources=3)
YEAR = 2026


def source(number: int, year: int | None = 2020, **fields: Any) -> Source:
    hit = Hit.of("pubmed", str(number), "https://example.org", f"Trial {number}", pmid=str(number), year=year)
    return Source(**{"source_id": f"src_{number}", "number": number, "hit": hit, "questions": ("own",), **fields})


def statement(number: int, text: str = "It works.", **fields: Any) -> Statement:
    return Statement(
        **{"text": text, "quote": text, "source_ids": (f"src_{number}",), "verdict": Verdict.SUPPORTED, **fields}
    )


def kinds(
    *statements: Statement,
    sources: tuple[Source, ...],
    contradictions: tuple[Contradiction, ...] = (),
    **fields: Any,
) -> list[WeaknessKind]:
    answer = Answer(question="own", statements=statements, **fields)
    by_id = {one.source_id: one for one in sources}
    return [fault.kind for fault in find_faults(QUESTION, answer, by_id, contradictions, YEAR)]


def test_an_answer_from_enough_sources_of_late_is_not_weak() -> None:
    assert kinds(*map(statement, (1, 2, 3)), sources=tuple(map(source, (1, 2, 3)))) == []


def test_a_question_without_sources_on_the_drug_has_no_source() -> None:
    assert kinds(sources=()) == [WeaknessKind.NO_SOURCE]
    assert kinds(sources=(source(1, questions=("other",)),)) == [WeaknessKind.NO_SOURCE]
    assert kinds(sources=(source(1, relation_kind=RelationKind.MENTIONED),)) == [WeaknessKind.NO_SOURCE]


def test_an_answer_that_cites_none_of_its_sources_is_uncited() -> None:
    assert kinds(sources=(source(1),)) == [WeaknessKind.UNCITED]
    refused = statement(1, verdict=Verdict.UNSUPPORTED)
    assert kinds(refused, sources=(source(1),)) == [WeaknessKind.UNCITED]


def test_fewer_answering_sources_than_wanted_are_incomplete_and_one_is_one() -> None:
    sources = tuple(map(source, (1, 2, 3)))
    assert kinds(statement(1), statement(2), sources=sources) == [WeaknessKind.INCOMPLETE]
    assert kinds(statement(1), sources=sources) == [WeaknessKind.ONE_SOURCE]
    assert kinds(*(statement(n, remark="about: rosuvastatin") for n in (1, 2)), sources=sources) == [
        WeaknessKind.INCOMPLETE
    ]


def test_an_answer_is_old_where_every_cited_source_is() -> None:
    said = [*map(statement, (1, 2, 3))]
    assert kinds(*said, sources=(source(1, 2015), source(2, 2010), source(3, 2001))) == [WeaknessKind.OLD]
    assert kinds(*said, sources=(source(1, 2016), source(2, 2010), source(3, 2001))) == []
    assert kinds(*said, sources=(source(1, None), source(2, 2010), source(3, 2001))) == []


def test_an_answer_that_was_cut_off_says_so_whatever_else_is_wrong() -> None:
    assert kinds(sources=(), cut_short=True) == [WeaknessKind.NO_SOURCE, WeaknessKind.CUT_OFF]


def test_only_what_another_answer_says_contradicts_an_answer() -> None:
    said = [*map(statement, (1, 2, 3))]
    sources = tuple(map(source, (1, 2, 3)))
    own, other = said[0].identity, statement(9, "It does not.").identity
    elsewhere = Contradiction("survival", frozenset((own, other)))
    inside = Contradiction("survival", frozenset((own, said[1].identity)))
    foreign = Contradiction("survival", frozenset((other, statement(8, "It may.").identity)))
    assert kinds(*said, sources=sources, contradictions=(inside, foreign)) == []
    assert kinds(*said, sources=sources, contradictions=(inside, elsewhere)) == [WeaknessKind.CONTRADICTED]


def test_different_values_of_one_trial_in_two_answers_are_a_contradiction() -> None:
    text = "In NCT00000001 the hazard ratio for overall survival was {} (95% CI {}; P<0.001)."
    first, second = text.format("0.60", "0.50-0.70"), text.format("1.60", "1.50-1.70")
    findings = [
        Finding(answer=Answer(question="a", statements=(statement(1, first),))),
        Finding(answer=Answer(question="b", statements=(statement(2, second), statement(7, first)))),
    ]
    (found,) = find_contradictions(findings, {one.source_id: one for one in (source(1), source(2))})
    assert found.sides == {statement(1, first).identity, statement(2, second).identity}
    assert "overall survival" in found.endpoint
    refused = statement(2, second, verdict=Verdict.UNSUPPORTED)
    findings[1] = Finding(answer=Answer(question="b", statements=(refused,)))
    assert find_contradictions(findings, {one.source_id: one for one in (source(1), source(2))}) == []


def test_a_conflict_that_an_answer_states_counts_for_the_others() -> None:
    conflict = Conflict(trial="", endpoint="pain", statements=(statement(1, "More."), statement(2, "Less.")))
    (found,) = find_contradictions([Finding(answer=Answer(question="a", conflicts=(conflict,)))], {})
    assert found == Contradiction("pain", frozenset(side.identity for side in conflict.statements))
