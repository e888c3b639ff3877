"""Which questions a record answers so plainly that no model need judge it."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Hit, Plan, Relation, RelationKind
from storm.syllabus.aboutness import subject_of
from storm.syllabus.assignment import assign
from storm.syllabus.relation import names_drug

#: By so much of a question's threshold its rules must exceed it.
_MARGIN = 0.45


def select_plain_questions(hit: Hit, questions: Sequence[str], plan: Plan) -> tuple[str, ...]:
    """Those of the questions that the record answers plainly: it is about the drug itself, names it in its title or as
    its own drug, and meets the question's rules with a margin. No record plainly answers a question without rules, or
    one on the drug's relatives."""
    subject = subject_of(hit, plan.names, plan.related_names)
    if subject is None or (subject.relation, subject.kind) != (Relation.ITSELF, RelationKind.ITSELF):
        return ()
    if not any(names_drug(text, plan.names) for text in (hit.title, *hit.drugs)):
        return ()
    scores = {one.question: one.score for one in assign(hit, plan.syllabus, subject.relation, plan.names)}
    plain = {q.key for q in plan.syllabus.questions if scores.get(q.key, -1.0) >= _MARGIN * q.threshold}
    return tuple(key for key in questions if key in plain and not plan.syllabus.question(key).takes_relatives)
