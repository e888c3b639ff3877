"""DSPy metrics of single roles of a research job: scores from 0 to 1, made without a search or a model.

An example has the inputs of the role, and what its metric names besides. A prediction without a result scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from storm.agents.sub_questions import find_stems
from storm.databases.search_words import holds_terms
from storm.models import Hit, Plan, Question, Review, SearchQuery

#: Weights of the parts of a plan's score, and of a score of searches; each sum is 1.
COVERAGE, DISTINCT, FITTING = 0.5, 0.25, 0.25
FOUND, FRUITFUL = 0.75, 0.25
#: Two questions that share so many of their words ask the same.
_ALIKE = 0.6


def plan_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Whether the questions of `prediction.plan` cover the facets, ask different things, and fit the request.

    `example.facets` are the facets, each as words of which a question that covers it has one; without them each word of
    `example.request` is one."""
    plan: Plan | None = prediction.get("plan")
    if plan is None:
        return 0.0
    question_stems = [_question_stems(question) for question in plan.syllabus.questions]
    request = find_stems(example.request.text)
    facets = [find_stems(facet) for facet in example.get("facets") or ()] or [frozenset([stem]) for stem in request]
    known_stems = request.union(find_stems(" ".join(plan.names)), *facets)
    covered = _share(any(facet & one for one in question_stems) for facet in facets)
    distinct = _share(not _has_alike(one, question_stems[:n]) for n, one in enumerate(question_stems))
    fitting = _share(bool(known_stems & one) for one in question_stems)
    return COVERAGE * covered + DISTINCT * distinct + FITTING * fitting


def queries_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Whether `prediction.queries` find relevant records that are new, and how many of the searches find any.

    `example.records` are relevant records (`Hit`); `example.known` the keys of those that are found without."""
    queries: Sequence[SearchQuery] | None = prediction.get("queries")
    known_keys = set(example.get("known") or ())
    return _score_searches(queries or (), [hit for hit in example.records if hit.key not in known_keys])


def review_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Whether the searches of `prediction.review` add sources where some are missing, and are made nowhere else.

    `example.missing` are, by question, records (`Hit`) that answer it and are not collected; where nothing is missing,
    a review without searches is the best."""
    review: Review | None = prediction.get("review")
    if review is None:
        return 0.0
    missing: Mapping[str, Sequence[Hit]] = example.missing
    searched = {weak.question: weak.searches for weak in review.weak if weak.searches}
    concerned = dict.fromkeys((*(key for key, hits in missing.items() if hits), *searched))
    if not concerned:
        return 1.0
    return fmean(_score_searches(searched.get(key, ()), missing.get(key, ())) for key in concerned)


def _score_searches(queries: Sequence[SearchQuery], records: Sequence[Hit]) -> float:
    """How many of the records are found, and how many of the searches find one."""
    if not queries or not records:
        return 0.0
    keys_by_query = [{hit.key for hit in records if _matches(query, hit)} for query in queries]
    return FOUND * len(set[str]().union(*keys_by_query)) / len(records) + FRUITFUL * _share(map(bool, keys_by_query))


def _matches(query: SearchQuery, hit: Hit) -> bool:
    """Whether the record has one of the names, and a phrase of each group."""
    return holds_terms(hit, ((query.names,) if query.names else ()) + query.required)


def _question_stems(question: Question) -> frozenset[str]:
    return find_stems(" ".join((question.label, question.description, *question.focus)))


def _has_alike(one: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    return any(one | other and len(one & other) >= _ALIKE * len(one | other) for other in others)


def _share(outcomes: Iterable[bool]) -> float:
    """The share that is true; 0 of none."""
    counted = list(outcomes)
    return sum(counted) / len(counted) if counted else 0.0
