"""Which works of an answer are confirmed by independent others in it: a part of their score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.evidence.agreement import StatedResult, read_stated_results
from storm.models import Answer, Plan, Reference, Retraction, Verdict
from storm.models.design import Design
from storm.models.dossier import CONFIRMATION
from storm.models.hit import ET_AL
from storm.reports.studies import papers_by_trial

#: The points by the number of independent works that agree, and how many the parts other than the design may have
#: together: none of them lifts a source over one of a higher level.
_POINTS = (0, 2, 4)
_BESIDE_DESIGN, _MOST_BESIDE_DESIGN = ("text", "size", "date"), 17
#: Works with results of their own. A review repeats those of others, and a secondary analysis those of its trials.
_OWN_RESULTS = frozenset(
    (
        Design.RANDOMISED, Design.NON_RANDOMISED, Design.INTERVENTIONAL, Design.PHARMACOKINETIC, Design.COHORT,
        Design.CASE_CONTROL, Design.CROSS_SECTIONAL, Design.CASE_REPORT, Design.ANIMAL, Design.IN_VITRO,
        Design.IN_SILICO, Design.SPONTANEOUS_REPORTS,
    )
)  # fmt: skip
_DOUBTED = (Retraction.RETRACTED, Retraction.CONCERN)


class _Topic(NamedTuple):
    """What works can agree on: a result on one item, in animals or cells, or in people."""

    question: str
    result: StatedResult
    preclinical: bool


def add_confirmations(references: Sequence[Reference], answers: Sequence[Answer], plan: Plan) -> tuple[Reference, ...]:
    """The references, with points for each that independent works of this answer confirm: they state the same result
    on the same item, and share neither a trial nor an author with it."""
    confirmed = _count_confirmations(references, answers, plan)
    return tuple(_add_points(one, confirmed.get(one.source_id, 0)) for one in references)


def _count_confirmations(references: Sequence[Reference], answers: Sequence[Answer], plan: Plan) -> Mapping[str, int]:
    """How many independent works agree with each source, on the item on which most do."""
    topics: defaultdict[_Topic, dict[str, Reference]] = defaultdict(dict)
    for topic, reference in _list_results(references, answers, plan):
        topics[topic][reference.source_id] = reference
    found: dict[str, int] = {}
    for works in topics.values():
        groups = _group_dependent(list(works.values()))
        found |= {one: max(found.get(one, 0), len(groups) - 1) for one in works}
    return found


def _list_results(
    references: Sequence[Reference], answers: Sequence[Answer], plan: Plan
) -> Iterator[tuple[_Topic, Reference]]:
    """The results that each work states of its own. Where sources contradict each other, none confirms another."""
    by_id = {reference.source_id: reference for reference in references if _has_own_results(reference)}
    for answer in answers:
        names = plan.of_question(plan.syllabus.question(answer.question)).names
        for statement in answer.statements:
            reference = by_id.get(statement.source_ids[0])
            if reference is None or statement.verdict is not Verdict.SUPPORTED or statement.remark:
                continue
            for result in read_stated_results(statement.quote or statement.text, names):
                yield _Topic(answer.question, result, reference.animals), reference


def _has_own_results(reference: Reference) -> bool:
    """Whether it reports a study whose authors or trial are known, of the subject itself and not in doubt."""
    is_known = bool(_authors_of(reference) or reference.trials)
    is_in_doubt = reference.retraction in _DOUBTED or not reference.relation_kind.is_evidence
    return is_known and not is_in_doubt and reference.design in _OWN_RESULTS


def _group_dependent(works: Sequence[Reference]) -> Sequence[Sequence[Reference]]:
    """The works in groups that share a trial or an author, directly or through others."""
    groups: list[list[Reference]] = []
    for papers in papers_by_trial(works):
        authors = set[str]().union(*map(_authors_of, papers))
        joined = [group for group in groups if authors & set[str]().union(*map(_authors_of, group))]
        groups = [group for group in groups if group not in joined]
        groups.append([*papers, *(paper for group in joined for paper in group)])
    return groups


def _authors_of(reference: Reference) -> frozenset[str]:
    return frozenset(name.casefold() for name in reference.authors if name.casefold() != ET_AL)


def _add_points(reference: Reference, works: int) -> Reference:
    if not works or reference.score is None:
        return reference
    room = _MOST_BESIDE_DESIGN - sum(reference.score_parts.get(name, 0) for name in _BESIDE_DESIGN)
    points = max(0, min(room, _POINTS[min(works, len(_POINTS) - 1)]))
    parts = {**reference.score_parts, CONFIRMATION: points}
    return reference.model_copy(update={"score": reference.score + points, "score_parts": parts})
