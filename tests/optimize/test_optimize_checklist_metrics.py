"""The scores of the roles that work through a checklist: what is kept, covered and borne out scores more."""

from __future__ import annotations

from typing import Any

import dspy
import pytest
from agents.checklist_roles import EFFECT, FINDINGS, HARMS, PLAN, REFINED, REQUEST, REVIEW, STRENGTH

from storm.models import ChecklistReview, ItemState, Question, RefinedQuestion
from storm.optimize.checklist_metrics import checklist_metric, judgements_metric, refined_metric


def refined(made: RefinedQuestion) -> float:
    return refined_metric(dspy.Example(request=REQUEST), dspy.Prediction(refined=made))


def test_a_question_that_keeps_what_was_asked_and_leaves_nothing_open_scores_1() -> None:
    assert refined(REFINED) == pytest.approx(1.0)


def test_a_question_that_drops_words_or_is_still_open_or_has_foreign_terms_scores_less() -> None:
    assert refined(REFINED.model_copy(update={"text": "Does it prolong survival in women?"})) == pytest.approx(0.8)
    assert refined(REFINED.model_copy(update={"text": "What is zorvimab?"})) == pytest.approx(0.4)
    assert refined(REFINED.model_copy(update={"key_terms": ("orlimab",)})) == pytest.approx(0.8)


def planned(*questions: Question) -> float:
    plan = PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": questions})})
    return checklist_metric(dspy.Example(request=REQUEST, refined=REFINED), dspy.Prediction(plan=plan))


def test_a_checklist_of_three_to_seven_items_scores_more_than_a_shorter_or_longer_one() -> None:
    many = [HARMS.model_copy(update={"key": f"h{n}", "label": f"Outcome no{n}"}) for n in range(8)]
    assert planned(EFFECT, STRENGTH, HARMS) > planned(EFFECT, HARMS)
    assert planned(EFFECT, *many[:6]) > planned(EFFECT, *many)


def judged(**changed: Any) -> float:
    """The score of the rules' review with another judgement of its first item."""
    first = REVIEW.items[0].model_copy(update=changed)
    example = dspy.Example(findings=FINDINGS, by_rules=REVIEW)
    return judgements_metric(example, dspy.Prediction(review=ChecklistReview(items=(first, *REVIEW.items[1:]))))


def test_a_review_near_the_rules_that_rests_on_statements_and_searches_for_what_is_open_scores_1() -> None:
    assert judged() == pytest.approx(1.0)


@pytest.mark.parametrize("evidence", [(), ("cit_999",), ("cit_001", "cit_003")])
def test_a_state_that_rests_on_nothing_or_on_statements_of_another_item_scores_less(evidence: tuple[str, ...]) -> None:
    assert judged(evidence=evidence) == pytest.approx(1 - 0.5 / 3)


def test_another_state_than_that_of_the_rules_and_an_open_item_without_searches_score_less() -> None:
    assert judged(state=ItemState.PARTIAL) == pytest.approx(1 - 0.25 / 6 - 0.25 / 3)
    assert judged(state=ItemState.UNSATISFIED) == pytest.approx(1 - 0.25 / 3 - 0.25 / 3)


def test_without_a_result_the_score_is_0() -> None:
    example = dspy.Example(request=REQUEST, findings=FINDINGS, by_rules=REVIEW)
    assert [score(example, dspy.Prediction()) for score in (refined_metric, checklist_metric, judgements_metric)] == [
        0,
        0,
        0,
    ]
    assert judgements_metric(example, dspy.Prediction(review=ChecklistReview())) == 0
