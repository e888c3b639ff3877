"""What rules did in place of a language model, for the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from storm import planning_wording
from storm.models import Hypotheses, Outline, Plan, ReportSection, Repurposing, Review


def describe_rules(
    plan: Plan,
    searches: Mapping[str, str],
    reviews: Sequence[Review],
    outline: Outline | None,
    sections: Sequence[ReportSection],
) -> Iterator[str]:
    """A sentence for each kind of work and reason, in the order of questions, reviews and sections. `searches` has the
    reasons by the keys of questions."""
    labels = [(q.label, searches.get(q.key, "")) for q in plan.syllabus.questions]
    yield from _name_each(planning_wording.SEARCHES_BY_RULES, labels)
    rounds = [(str(number), review.note) for number, review in enumerate(reviews, start=1)]
    for reason, numbers in _group_by_reason(rounds):
        yield planning_wording.REVIEWED_BY_RULES.format(rounds=", ".join(numbers), reason=reason)
    if outline and outline.note:
        yield planning_wording.OUTLINED_BY_RULES.format(reason=outline.note)
    yield from _name_each(planning_wording.WRITTEN_BY_RULES, [(one.part.heading, one.note) for one in sections])


def describe_rules_of_hypotheses(proposals: Sequence[Hypotheses], repurposing: Repurposing) -> Iterator[str]:
    """A sentence for each kind of work on hypotheses and reason."""
    proposed = [(str(number), one.note) for number, one in enumerate(proposals, start=1)]
    for reason, numbers in _group_by_reason(proposed):
        yield planning_wording.PROPOSED_BY_RULES.format(rounds=", ".join(numbers), reason=reason)
    yield from dict.fromkeys(one.remark for one in proposals if one.remark)
    judged = [(str(number), one.assessment.note) for number, one in enumerate(repurposing.rounds, start=1)]
    for reason, numbers in _group_by_reason(judged):
        yield planning_wording.JUDGED_BY_RULES.format(rounds=", ".join(numbers), reason=reason)
    if repurposing.summary_note:
        yield planning_wording.SUMMARY_BY_RULES.format(reason=repurposing.summary_note)


def _name_each(template: str, noted: Iterable[tuple[str, str]]) -> Iterator[str]:
    for reason, names in _group_by_reason(noted):
        yield template.format(names=", ".join(f"“{name}”" for name in names), reason=reason)


def _group_by_reason(noted: Iterable[tuple[str, str]]) -> Iterable[tuple[str, Sequence[str]]]:
    """The names under each reason, in their order; none that has no reason."""
    named: dict[str, list[str]] = {}
    for name, reason in noted:
        if reason:
            named.setdefault(reason, []).append(name)
    return named.items()
