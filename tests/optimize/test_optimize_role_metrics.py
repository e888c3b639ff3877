"""The metric of each role tells a good result from a bad one, offline."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from storm.models import (
    Hit,
    JobRequest,
    Plan,
    Question,
    RequestKind,
    Review,
    SearchQuery,
    Syllabus,
    Weakness,
    WeaknessKind,
)
from storm.optimize.role_metrics import plan_metric, queries_metric, review_metric

REQUEST = JobRequest(kind=RequestKind.QUESTION, text="How does zorvimab compare in efficacy and safety?")
EFFICACY, SAFETY = "Efficacy of zorvimab", "Safety of zorvimab"


def plan(*labels: str) -> Any:
    questions = [Question(key=f"q{n}", label=label, description=label, min_sources=1) for n, label in enumerate(labels)]
    made = Plan(names=("zorvimab",), syllabus=Syllabus(name="question", questions=tuple(questions)))
    return dspy.Prediction(plan=made)


def hit(number: int, text: str) -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", f"Zorvimab no. {number}", text=text)


def search(*words: str) -> SearchQuery:
    return SearchQuery(names=("zorvimab",), required=tuple((word,) for word in words))


def review(**searches: SearchQuery) -> Any:
    weak = (
        Weakness(question=key, kinds=(WeaknessKind.INCOMPLETE,), searches=(query,)) for key, query in searches.items()
    )
    return dspy.Prediction(review=Review(weak=tuple(weak)))


def test_a_plan_that_covers_each_facet_once_and_nothing_else_scores_most() -> None:
    example = dspy.Example(request=REQUEST, facets=("efficacy response", "safety harms"))
    best = plan_metric(example, plan(EFFICACY, SAFETY))
    assert best == 1.0
    for worse in (plan(EFFICACY), plan(EFFICACY, SAFETY, SAFETY), plan(EFFICACY, SAFETY, "Basketball league")):
        assert 0 < plan_metric(example, worse) < best


def test_without_facets_a_plan_covers_the_words_of_its_request() -> None:
    example = dspy.Example(request=REQUEST)
    assert plan_metric(example, plan(EFFICACY, SAFETY)) > plan_metric(example, plan(EFFICACY))


def test_searches_are_scored_by_the_new_relevant_records_that_they_find() -> None:
    records = [hit(1, "Survival was long."), hit(2, "Response was 22%."), hit(3, "It is known.")]
    example = dspy.Example(records=records, known=[records[2].key])
    scores = [
        queries_metric(example, dspy.Prediction(queries=queries))
        for queries in (
            [search("survival"), search("response")],
            [search("survival"), search("response"), search("league")],
            [search("survival")],
            [search("known")],
            [],
        )
    ]
    assert scores[0] == 1.0 and scores == sorted(scores, reverse=True) and scores[3:] == [0.0, 0.0]


def test_a_search_for_another_name_finds_nothing() -> None:
    example = dspy.Example(records=[hit(1, "Survival was long.")])
    assert queries_metric(example, dspy.Prediction(queries=[SearchQuery(names=("aspirin",), words=("x",))])) == 0.0


def test_a_review_is_scored_by_the_sources_that_its_searches_add() -> None:
    example = dspy.Example(missing={"efficacy": [hit(1, "Survival was long.")], "safety": []})
    right = review_metric(example, review(efficacy=search("survival")))
    assert right == 1.0
    needless = review_metric(example, review(efficacy=search("survival"), safety=search("survival")))
    assert 0 < needless < right
    assert review_metric(example, review()) == review_metric(example, review(safety=search("survival"))) == 0.0


def test_where_nothing_is_missing_the_best_review_searches_nothing() -> None:
    example = dspy.Example(missing={"safety": []})
    assert (review_metric(example, review()), review_metric(example, review(safety=search("harm")))) == (1.0, 0.0)


@pytest.mark.parametrize("metric", [plan_metric, queries_metric, review_metric])
def test_a_prediction_without_a_result_scores_nothing(metric: Any) -> None:
    example = dspy.Example(request=REQUEST, records=[hit(1, "Survival")], missing={"safety": []})
    assert metric(example, dspy.Prediction(), trace=[]) == 0.0
