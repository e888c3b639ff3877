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
        own = [one for one in plan.syllabus.questions if one.key.startswith(MECHANISTIC) is is_mechanistic]
        parts = [
            OutlinePart(anchor=f"{anchor}-{one.key}", heading=one.label, questions=(one.key,), parent=anchor)
            for one in own
            if one.key in says
        ]
        # Without sub-headings it is on its questions itself, so that the reader sees that nothing was found on them.
        yield OutlinePart(anchor=anchor, heading=heading, questions=() if parts else tuple(one.key for one in own))
        yield from parts
