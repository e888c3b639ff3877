"""The scores of the roles that work on hypotheses: what is stated, grounded and counted right scores more."""

from __future__ import annotations

from typing import Any

import dspy
import pytest
from agents.repurposing_roles import ASSESSED, BY_RULES, CHAIN, FINDINGS, PLAN, SAID, played

from storm.models import Assessment, Hypotheses, HypothesisLink, MechanismHypothesis, ProposedHypothesis, SummaryText
from storm.models.repurposing import LinkName
from storm.optimize.repurposing_metrics import assessment_metric, hypotheses_metric, summary_metric

LINKS: tuple[LinkName, ...] = ("target", "pathway", "effect")
BASIS = tuple(
    HypothesisLink(link=link, source_id=said.source_ids[0], quote=said.quote)
    for link, said in zip(LINKS, SAID[:3], strict=True)
)


def hypotheses(*made: ProposedHypothesis) -> float:
    example = dspy.Example(plan=PLAN)
    return hypotheses_metric(example, dspy.Prediction(hypotheses=Hypotheses(proposed=made)))


def proposed(basis: tuple[HypothesisLink, ...] = BASIS, **fields: Any) -> ProposedHypothesis:
    return ProposedHypothesis(hypothesis=CHAIN.model_copy(update=fields), basis=basis)


def test_a_chain_that_is_stated_in_full_for_the_drug_scores_1() -> None:
    assert hypotheses(proposed()) == pytest.approx(1.0)


def test_links_that_their_quotes_do_not_state_take_off_their_share() -> None:
    assert hypotheses(proposed(BASIS[:2])) == pytest.approx(0.8)
    assert hypotheses(proposed(pathway="amyloid clearance")) == pytest.approx(0.8)
    assert hypotheses(proposed(effect="not stated")) == pytest.approx(0.8)
    assert hypotheses(proposed(())) == pytest.approx(0.4)


def test_a_mechanism_twice_and_another_drug_score_less() -> None:
    assert hypotheses(proposed(), proposed(target="zrk1")) == pytest.approx(0.9)
    assert hypotheses(proposed(drug="aspirin")) == pytest.approx(0.8)
    assert hypotheses(proposed(drug="ZORVI")) == pytest.approx(1.0)


def test_a_field_of_a_record_states_its_link() -> None:
    one = MechanismHypothesis(drug="zorvimab", target="Zorv kinase 1")
    assert hypotheses(ProposedHypothesis(hypothesis=one, basis=BY_RULES.proposed[0].basis)) == pytest.approx(0.6)


def assessed(**fields: Any) -> float:
    made = ASSESSED.model_copy(update=fields)
    example = dspy.Example(findings=FINDINGS, by_rules=ASSESSED)
    return assessment_metric(example, dspy.Prediction(assessment=made))


def test_scores_near_those_of_the_rules_agree_and_far_ones_do_not() -> None:
    near, far = (ASSESSED.mechanism.model_copy(update={"value": value}) for value in (7, 10))
    assert assessed() == assessed(mechanism=near) == pytest.approx(1.0)
    assert assessed(mechanism=far) == pytest.approx(0.75)


@pytest.mark.parametrize("fields", [{"statements": ("cit_999",)}, {"statements": ()}, {"reasons": ()}])
def test_a_score_that_rests_on_nothing_scores_less(fields: dict[str, Any]) -> None:
    assert assessed(clinical=ASSESSED.clinical.model_copy(update=fields)) == pytest.approx(0.75)


def test_a_score_of_0_needs_no_statement() -> None:
    example = dspy.Example(findings=FINDINGS, by_rules=Assessment())
    assert assessment_metric(example, dspy.Prediction(assessment=Assessment())) == pytest.approx(1.0)


COUNTS = "1 hypothesis on zorvimab for Blorp disease was tested: 1 is supported."
SCORES = "The mechanism score is 4 of 10, and the clinical score is 3 of 10."


def summed(text: str) -> float:
    example = dspy.Example(plan=PLAN, last=played(), findings=FINDINGS)
    return summary_metric(example, dspy.Prediction(summary=SummaryText(text=text)))


def test_a_summary_of_the_right_length_with_right_numbers_scores_1() -> None:
    assert summed(f"{COUNTS} {SAID[2].text} {SCORES}") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        (COUNTS, 0.7),
        (f"{COUNTS}\n\n{SCORES}", 0.7),
        (f"{COUNTS} The clinical score is 8 of 10, and the mechanism score is 2.", 0.75),
        (f"{COUNTS} {SCORES} And then {{name}}.", 0.633),
        (f"{COUNTS} {SCORES} And then", 0.633),
    ],
)
def test_what_is_wrong_with_a_summary_takes_off_its_part(text: str, score: float) -> None:
    assert summed(text) == pytest.approx(score, abs=0.001)


def test_a_sentence_without_numbers_is_right_only_if_a_statement_says_it() -> None:
    said = "Zorvimab inhibits ZRK1 in neurons."
    assert summed(f"{COUNTS} {said} {SCORES}") == pytest.approx(1.0)
    claimed = "Zorvimab is the drug for all women with Blorp disease."
    assert summed(f"{COUNTS} {claimed} {SCORES}") == pytest.approx(0.833, abs=0.001)


@pytest.mark.parametrize(("name", "whole"), [("the S1P receptor", True), ("the H1 receptor", True), ("(S1)", False)])
def test_labels_of_a_prompt_are_left_over_and_names_of_molecules_are_not(name: str, whole: bool) -> None:
    text = f"{COUNTS} {SCORES} Zorvimab inhibits {name}."
    assert summed(text) == pytest.approx(0.833 if whole else 0.633, abs=0.001)


@pytest.mark.parametrize(
    ("metric", "name"),
    [(hypotheses_metric, "hypotheses"), (assessment_metric, "assessment"), (summary_metric, "summary")],
)
def test_a_prediction_without_a_result_scores_0(metric: Any, name: str) -> None:
    assert metric(dspy.Example(), dspy.Prediction(unfit="too long")) == 0.0
