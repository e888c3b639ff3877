"""Assigns one record to the questions that it answers, by their rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from storm.evidence.candidates import CandidateReader
from storm.evidence.exclusion import find_exclusion
from storm.evidence.narrowing import may_answer
from storm.evidence.own_words import answers_by_words
from storm.evidence.passages import read_passages
from storm.models import Exclusion, Hit, Question, Relation, RelationKind, Source, Subject, database_info
from storm.ranking import rank_for_question
from storm.syllabus.aboutness import subject_of
from storm.syllabus.assignment import assign


class AssignedRecord(NamedTuple):
    """A record, and the questions that it answers, or why it answers none; and what it is about."""

    hit: Hit
    questions: tuple[str, ...]
    exclusion: Exclusion | None = None
    subject: Subject | None = None


class RecordAssigner:
    """Assigns the records of one plan, each text only once for all questions."""

    def __init__(self, reader: CandidateReader) -> None:
        self.reader = reader
        self._known: dict[tuple[str, tuple[str, ...]], tuple[int, AssignedRecord]] = {}

    def assign(self, hit: Hit, found_for: Sequence[str]) -> AssignedRecord:
        """`assign_record`, remembered without the text."""
        key, state = (hit.key, tuple(found_for)), hash(hit)
        known = self._known.get(key)
        if known is None or known[0] != state:
            assigned = assign_record(hit, self.reader, found_for)
            known = self._known[key] = (state, drop_text(assigned))
        return known[1]._replace(hit=hit)


def assign_record(hit: Hit, reader: CandidateReader, found_for: Sequence[str]) -> AssignedRecord:
    """The questions that a record answers, by their rules; none if it does not name the drug, only mentions it, or
    reports no results (an erratum, a protocol, an editorial).

    A question without rules takes records that its own searches found (`found_for`) and that contain its words. A
    record about a relative of the drug is not evidence of the drug's own effects; it counts for questions that take
    relatives. A trial of another drug against this one is evidence of both.
    """
    assigned = reader.readings.assignments.find(
        hit, tuple(found_for), lambda: drop_text(_assign_record(hit, reader, found_for))
    )
    return assigned._replace(hit=hit)


def drop_text(assigned: AssignedRecord) -> AssignedRecord:
    """The assignment without the text of its record, of which there may be many."""
    return assigned._replace(hit=assigned.hit.model_copy(update={"sections": ()}))


def _assign_record(hit: Hit, reader: CandidateReader, found_for: Sequence[str]) -> AssignedRecord:
    plan = reader.plan
    subject = subject_of(hit, plan.names, plan.related_names)
    exclusion = find_exclusion(hit, subject)
    if subject is None or exclusion:
        return AssignedRecord(hit, (), exclusion, subject)
    found = _find_questions(hit, subject, reader, found_for)
    if not found:
        return AssignedRecord(hit, (), Exclusion.NO_QUESTION if hit.text else Exclusion.NO_TEXT, subject)
    if subject.relation is Relation.ITSELF or subject.kind is RelationKind.COMPARATOR:
        return AssignedRecord(hit, tuple(found), None, subject)
    own = [key for key in found if plan.syllabus.question(key).itself_only]
    reported = _reported_together(hit, subject, reader)
    kept = [key for key in found if key not in own or key in reported]
    if own and not any(plan.syllabus.question(key).takes_relatives for key in kept):
        kept += [q.key for q in plan.syllabus.questions if q.takes_relatives][:1]
    return AssignedRecord(hit, tuple(kept), None if kept else Exclusion.ANOTHER_DRUG, subject)


def _reported_together(hit: Hit, subject: Subject, reader: CandidateReader) -> set[str]:
    """The questions on results that an article on a combination with the drug reports on."""
    if subject.kind is not RelationKind.COMBINATION or not database_info(hit.database).is_literature:
        return set()
    questions = map(reader.plan.syllabus.question, _find_reported_questions(hit, subject, reader))
    return {question.key for question in questions if question.wants_results}


def _find_reported_questions(
    hit: Hit, subject: Subject, reader: CandidateReader, found: Sequence[str] = ()
) -> tuple[str, ...]:
    """The questions that a record reports on, of which some were found by its words."""
    relation, kind, questions = subject.relation, subject.kind, tuple(found)
    source = Source(source_id="", number=0, hit=hit, questions=questions, relation=relation, relation_kind=kind)
    return reader.reported_questions(source)


def _find_questions(hit: Hit, subject: Subject, reader: CandidateReader, found_for: Sequence[str]) -> list[str]:
    """The questions that a record about this subject answers, whether or not they take relatives of the drug."""
    plan = reader.plan
    found = [assigned.question for assigned in assign(hit, plan.syllabus, subject.relation, plan.names)]
    searched = (q for q in plan.syllabus.questions if not q.rules and q.key in found_for)
    found += [q.key for q in searched if q.about or answers_by_words(hit, q, plan.names)]
    if database_info(hit.database).is_literature:
        found += [key for key in _find_reported_questions(hit, subject, reader, found) if key not in found]
    return [key for key in found if may_answer(hit, plan.syllabus.question(key))]


def best_excerpt(hit: Hit, question: Question, names: Sequence[str]) -> str | None:
    """The sentence of the record that answers the question best, word for word; None if it has no text."""
    passages = [passage for passage in read_passages(hit) if passage.shown and passage.section.is_prose]
    roles = [passage.section.role for passage in passages]
    ranked = rank_for_question(question, names, [passage.text for passage in passages], roles)
    return ranked[0].text if ranked else None
