"""DSPy metrics of the roles that work through a checklist: scores from 0 to 1, made without a search or a model.

An example has the inputs of the role, and what its metric names besides. A prediction without a result scores 0. The
searches of an item are scored by `role_metrics.queries_metric`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from storm.agents.sub_questions import find_stems
from storm.models import ChecklistReview, Finding, ItemJudgement, ItemState, Plan, RefinedQuestion, Verdict
from storm.models.deep_research import FEWEST_ITEMS, MOST_ITEMS
from storm.optimize.role_metrics import plan_metric

#: Weights of the parts of a score of a refined question, of a checklist and of a review; each sum is 1.
KEPT, OPEN, TERMS = 0.6, 0.2, 0.2
ITEMS, PLANNED = 0.3, 0.7
GROUNDED, AGREEING, SEARCHING = 0.5, 0.25, 0.25
#: Words that leave open what a question is about.
_OPEN = frozenset(["it", "its", "this", "that", "these", "those", "they", "them", "their"])
#: The states from the worst to the best.
_STATES = (ItemState.UNSATISFIED, ItemState.PARTIAL, ItemState.SATISFIED)


def refined_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.refined` for `example.request`: whether it asks what was asked, leaves nothing open, and has
    terms of the request and its context."""
    refined: RefinedQuestion | None = prediction.get("refined")
    return rate_refined(refined, example.request.text, example.request.context) if refined else 0.0


def checklist_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.plan` for `example.request`: whether it has three to seven items, and as `plan_metric`, to
    which `example.facets` are optional."""
    plan: Plan | None = prediction.get("plan")
    if plan is None:
        return 0.0
    is_right = FEWEST_ITEMS <= len(plan.syllabus.questions) <= MOST_ITEMS
    return ITEMS * is_right + PLANNED * plan_metric(example, prediction)


def judgements_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.review`: whether it rests on statements of `example.findings`, is near that of the rules
    (`example.by_rules`), and searches for what is open alone."""
    review: ChecklistReview | None = prediction.get("review")
    if review is None or not review.items:
        return 0.0
    by_rules = {one.question: one.state for one in example.by_rules.items}
    agreeing = fmean(_agreement(one.state, by_rules.get(one.question, one.state)) for one in review.items)
    searching = fmean(bool(one.searches) is (one.state is not ItemState.SATISFIED) for one in review.items)
    grounded = rate_judgements(review.items, example.findings)
    return GROUNDED * grounded + AGREEING * agreeing + SEARCHING * searching


def rate_refined(refined: RefinedQuestion, asked: str, context: str) -> float:
    """How much of what was asked the refined question asks, whether it leaves nothing open, and whose its terms are."""
    wanted, words = find_stems(asked), find_stems(refined.text)
    kept_share = len(wanted & words) / len(wanted) if wanted else 1.0
    is_closed = not context or _OPEN.isdisjoint(refined.text.casefold().rstrip("?.! ").split())
    known_stems = find_stems(f"{asked} {context}")
    terms = fmean(find_stems(term) <= known_stems for term in refined.key_terms) if refined.key_terms else 0.0
    return KEPT * kept_share + OPEN * is_closed + TERMS * terms


def rate_judgements(items: Sequence[ItemJudgement], findings: Sequence[Finding]) -> float:
    """The share of items whose state is borne out: one that is answered, also in part, rests on statements of its own
    answer, all of which exist."""
    own = _list_statements(findings)
    return fmean(_is_grounded(one, own.get(one.question, ())) for one in items) if items else 0.0


def _list_statements(findings: Sequence[Finding]) -> Mapping[str, Collection[str]]:
    """The statements of each question, by their identities."""
    return {
        finding.answer.question: {
            one.identity for one in finding.answer.all_statements if one.verdict is not Verdict.UNSUPPORTED
        }
        for finding in findings
    }


def _is_grounded(item: ItemJudgement, own: Collection[str]) -> bool:
    if item.state is ItemState.UNSATISFIED:
        return True
    return bool(item.evidence) and all(name in own for name in item.evidence)


def _agreement(own: ItemState, by_rules: ItemState) -> float:
    """1 for the same state, half for the next one, 0 for the opposite."""
    return 1 - abs(_STATES.index(own) - _STATES.index(by_rules)) / 2
