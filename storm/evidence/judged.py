"""The statements that a hypothesis rests on, each with its study, whom it is of, and its design."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storm.citations.terms import content_keys, read_terms
from storm.evidence.design import design_of
from storm.evidence.modulation import names_target, target_keys
from storm.evidence.narrowing import names_phrase
from storm.evidence.species import HUMAN, is_preclinical, names_animals
from storm.models import (
    Finding,
    Plan,
    Question,
    Source,
    Statement,
    TestedHypothesis,
    index_sources,
    number_of_trial,
)
from storm.models.design import OUTSIDE_BODIES, Design

#: Designs that retell what other studies found.
_RETELLING = (Design.REVIEW, Design.GUIDELINE, Design.EDITORIAL)
_RANDOMISED = (Design.RANDOMISED, Design.META_ANALYSIS, Design.SECONDARY)
_LABORATORY = (Design.ANIMAL, *OUTSIDE_BODIES)


class Piece(NamedTuple):
    """A statement for or against a hypothesis. `study` is the same for all reports of one trial; `subject` is whom it
    is of: people, animals, cells, or empty where that is not stated. A clinical one reports the drug in people."""

    identity: str
    source: Source
    study: str
    subject: str
    is_clinical: bool
    is_randomised: bool
    names_disease: bool
    names_target: bool

    def __hash__(self) -> int:
        return hash(self.identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and other.identity == self.identity


class Judged(NamedTuple):
    """A tested hypothesis with the evidence on it."""

    tested: TestedHypothesis
    supporting: Sequence[Piece]
    contradicting: Sequence[Piece]


def read_pieces(
    tested: Sequence[TestedHypothesis], findings: Sequence[Finding], sources: Sequence[Source], plan: Plan
) -> list[Judged]:
    """Each hypothesis with its statements; those that are not in the findings are left out."""
    by_id = index_sources(sources)
    questions = {question.key: question for question in plan.syllabus.questions}
    placed = {
        statement.identity: (statement, questions[finding.answer.question], source)
        for finding in findings
        if finding.answer.question in questions
        for statement in finding.answer.all_statements
        if (source := next((by_id[name] for name in statement.source_ids if name in by_id), None)) is not None
    }

    def read_side(one: TestedHypothesis, identities: Iterable[str]) -> list[Piece]:
        return [_read_piece(one, *placed[identity], plan) for identity in identities if identity in placed]

    return [Judged(one, read_side(one, one.supporting), read_side(one, one.contradicting)) for one in tested]


def _read_piece(one: TestedHypothesis, statement: Statement, question: Question, source: Source, plan: Plan) -> Piece:
    design = design_of(source.hit)
    subject = _find_subject(statement, source, design)
    names = plan.disease.names if plan.disease else ()
    return Piece(
        identity=statement.identity,
        source=source,
        study=number_of_trial(source.hit.trials) or source.hit.key,
        subject=subject,
        is_clinical=subject == "people" and not question.names and design not in _RETELLING,
        is_randomised=design in _RANDOMISED,
        names_disease=names_phrase(source.hit.title, names),
        names_target=names_target(content_keys(read_terms(statement.text)), [target_keys(one.hypothesis)]),
    )


def _find_subject(statement: Statement, source: Source, design: Design) -> str:
    """People, animals or cells, as the design or the words of the record say; empty where neither does."""
    text = f"{statement.text} {source.hit.title}"
    if names_animals(text) or design is Design.ANIMAL:
        return "animals"
    if design in OUTSIDE_BODIES or is_preclinical(text):
        return "cells"
    if design in (Design.OTHER, Design.NO_STUDY) and not HUMAN.search(f"{text} {source.hit.text}".casefold()):
        return ""
    return "people"
