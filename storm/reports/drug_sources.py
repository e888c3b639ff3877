"""Which sources of a job are about its drug, and not filed under questions on something else alone."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Plan, Source


def list_on_drug(plan: Plan, sources: Sequence[Source]) -> Sequence[Source]:
    """The sources without those that only questions with names of their own have."""
    others = {question.key for question in plan.syllabus.questions if question.names}
    return [source for source in sources if not source.questions or not others.issuperset(source.questions)]
