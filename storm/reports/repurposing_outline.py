"""The headings of a repurposing report, which are always the same two, with a sub-heading for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.models import Finding, Outline, OutlinePart, Plan

#: How the keys of questions on mechanisms begin; the other questions are clinical.
MECHANISTIC = "mechanism."
#: The anchors of the two headings.
MECHANISTIC_ANCHOR, CLINICAL_ANCHOR = "mechanistic", "clinical"


def make_outline(plan: Plan, findings: Sequence[Finding]) -> Outline:
    """The headings, without those of questions on which nothing is said."""
    says = {finding.answer.question for finding in findings if finding.answer.says_something}
    return Outline(parts=tuple(_list_parts(plan, says)))


def _list_parts(plan: Plan, says: set[str]) -> Iterator[OutlinePart]:
    for anchor, heading, is_mechanistic in (
        (MECHANISTIC_ANCHOR, planning_wording.MECHANISTIC_FINDINGS, True),
        (CLINICAL_ANCHOR, planning_wording.CLINICAL_FINDINGS, False),
    ):
        yield OutlinePart(anchor=anchor, heading=heading)
        for question in plan.syllabus.questions:
            if question.key in says and question.key.startswith(MECHANISTIC) is is_mechanistic:
                yield OutlinePart(
                    anchor=f"{anchor}-{question.key}", heading=question.label, questions=(question.key,), parent=anchor
                )
