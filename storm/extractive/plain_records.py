"""Which questions a record answers so plainly that no model need judge it."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Hit, Plan, Question, Relation, RelationKind, Subject
from storm.models.names import fold_text
from storm.syllabus.aboutness import subject_of
from storm.syllabus.assignment import assign
from storm.syllabus.relation import name_pattern

#: By so much of a question's threshold its rules must exceed it.
_MARGIN = 0.7


def select_plain_questions(hit: Hit, questions: Sequence[str], plan: Plan) -> tuple[str, ...]:
    """Those of the questions that the record answers plainly: it names the drug in its title or as its own drug, it is
    about the drug itself, or about a relative where the question takes them, and it meets the rules with a margin.

    No record plainly answers a question without rules."""
    subject = subject_of(hit, plan.names, plan.related_names)
    if subject is None or not _is_named_first_hand(hit, plan):
        return ()
    scores = {one.question: one.score for one in assign(hit, plan.syllabus, subject.relation, plan.names)}
    asked = [plan.syllabus.question(key) for key in questions]
    return tuple(q.key for q in asked if _suits(q, subject) and scores.get(q.key, -1.0) >= _MARGIN * q.threshold)


def _is_named_first_hand(hit: Hit, plan: Plan) -> bool:
    pattern = name_pattern(tuple(plan.names), tuple(plan.related_names))
    return any(pattern.search(fold_text(text)) for text in (hit.title, *hit.drugs))


def _suits(question: Question, subject: Subject) -> bool:
    """Whether the question asks for records about this subject."""
    if subject.relation is Relation.ITSELF:
        return subject.kind is RelationKind.ITSELF and not question.takes_relatives
    return subject.kind.is_evidence and not question.itself_only
