"""A model judges hypotheses: its scores stay in their range and rest on statements, and the sides are given."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.repurposing_roles import (
    ASSESSED,
    BENEFIT,
    BETTER,
    DISEASE,
    FINDINGS,
    MECHANISM,
    NULL,
    PLAN,
    SAID,
    SOURCES,
    TARGET,
    Rules,
    finding,
    many,
    played,
    source,
    statement,
    weighed,
)
from agents.research_roles import SETTINGS, TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered
from dspy import lm15

from storm.agents.hypothesis_judge import ModelHypothesisJudge
from storm.errors import ModelError
from storm.models import Assessment, Finding, RepurposingRound, SearchQuery, Source, TestedHypothesis
from storm.optimize.repurposing_metrics import assessment_metric

TESTED = (weighed(),)


def ids_in(prompt: str) -> dict[str, str]:
    """The ids of the statements in a prompt, by their text without kind and side."""
    return {text.partition(") ")[2]: label for label, text in fences(asked(prompt)["findings"])}


def reason(text: str, *ids: str) -> dict[str, Any]:
    return {"text": text, "statements": list(ids)}


def score(value: Any = 5, *reasons: dict[str, Any]) -> dict[str, Any]:
    return {"score": value, "reasons": list(reasons)}


def judging(dialect: str = "chat", **fields: Any) -> Any:
    """A model that judges so; a text of a statement among ids stands for its id."""

    def with_ids(said: Any, ids: dict[str, str]) -> Any:
        if isinstance(said, dict):
            return {key: with_ids(value, ids) for key, value in said.items()}
        return [ids.get(one, one) if isinstance(one, str) else with_ids(one, ids) for one in said] if isinstance(
            said, list
        ) else said  # fmt: skip

    given = {"mechanism": score(), "clinical": score(), "confidence": 0.5, "is_enough": True, "searches": [], **fields}
    return scripted_lm(lambda prompt: DIALECTS[dialect](**with_ids(given, ids_in(prompt))))


def judge(lm: Any = None, dialect: str = "chat", **settings: Any) -> ModelHypothesisJudge:
    return ModelHypothesisJudge(
        lm,
        rule_based=Rules(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter(dialect),
        today=lambda: TODAY,
    )


async def judged(
    lm: Any,
    tested: tuple[TestedHypothesis, ...] = TESTED,
    findings: tuple[Finding, ...] = FINDINGS,
    sources: tuple[Source, ...] = SOURCES,
    rounds: tuple[RepurposingRound, ...] = (),
    **options: Any,
) -> Assessment:
    return await judge(lm, **options).judge(PLAN, tested, findings, sources, rounds)


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_scores_have_reasons_and_the_statements_that_these_name(dialect: str) -> None:
    lm = judging(
        dialect,
        mechanism=score(6, reason(TARGET, TARGET)),
        clinical=score(4.5, reason(BETTER, BETTER), reason(NULL, NULL)),
    )
    made = await judged(lm, dialect=dialect)
    assert (made.mechanism.value, made.mechanism.reasons, made.mechanism.statements) == (6, (TARGET,), ("cit_001",))
    assert (made.clinical.value, made.clinical.statements) == (4.5, ("cit_003", "cit_004"))
    assert (made.confidence, made.is_enough, made.searches, made.note) == (0.5, True, {}, "")


@pytest.mark.parametrize("given", ["high", "NaN", "Infinity", None, True, [7], {"value": 7}, 11, -3, 10.5, 1e300])
async def test_a_score_that_is_no_number_is_asked_for_once_more_and_then_rules_judge(given: Any) -> None:
    lm = judging(mechanism=score(given))
    made = await judged(lm)
    assert made == ASSESSED.model_copy(update={"note": "the model gave no reply that can be used"})
    assert "The mechanism score is not a number" in asked(prompts_of(lm)[1])["problems"]


@pytest.mark.parametrize("given", [7, -1, "NaN"])
async def test_a_confidence_outside_of_0_to_1_is_asked_for_once_more_and_then_rules_judge(given: Any) -> None:
    lm = judging(confidence=given)
    assert await judged(lm) == ASSESSED.model_copy(update={"note": "the model gave no reply that can be used"})
    assert "The confidence is not a number from 0 to 1" in asked(prompts_of(lm)[1])["problems"]


async def test_a_score_without_a_statement_of_its_kind_is_0_and_says_so() -> None:
    made = await judged(judging(clinical=score(9, reason(TARGET, TARGET))), (weighed(SAID[:2], ()),))
    assert (made.clinical.value, made.clinical.statements) == (0, ())
    assert made.clinical.reasons == ("No statement of the clinical kind supports or contradicts a hypothesis.",)
    assert made.mechanism == ASSESSED.mechanism


async def test_null_results_alone_score_0_whatever_the_model_says() -> None:
    made = await judged(judging(clinical=score(9, reason(NULL, NULL))), (weighed(SAID[:2], SAID[3:]),))
    assert (made.clinical.value, made.clinical.statements) == (0, ("cit_004",))
    assert made.clinical.reasons == (
        "Every statement of the clinical kind that bears on a hypothesis speaks against it.",
    )


async def test_animals_give_no_clinical_score() -> None:
    text = "Zorvimab slowed cognitive decline in mice with Blorp disease."
    mice = statement(7, text)
    made = await judged(
        judging(clinical=score(9)), (weighed([mice], ()),), (finding(BENEFIT, mice),), (source(7, text),)
    )
    assert made.clinical.value == 0 and made.mechanism == ASSESSED.mechanism


async def test_a_review_gives_no_clinical_score_as_with_the_rules() -> None:
    text = "Zorvimab slowed cognitive decline in patients with Blorp disease."
    retold, review = statement(7, text), source(7, text)
    review = review.model_copy(update={"hit": review.hit.model_copy(update={"publication_types": ("Review",)})})
    made = await judged(judging(clinical=score(9)), (weighed([retold], ()),), (finding(BENEFIT, retold),), (review,))
    assert made.clinical.value == 0


@pytest.mark.parametrize(
    "said",
    [
        reason("Zorvimab cures Blorp disease.", BETTER),
        reason("Zorvimab slowed cognitive decline in 400 patients with Blorp disease.", BETTER),
        reason("Zorvimab improved memory of 80 patients with Blorp disease.", NULL),
        reason(BETTER, "S99", "src_003", "cit_003"),
        reason(TARGET, TARGET),  # of the other kind
        reason("3 sources support it."),
        reason("No source contradicts it."),
        reason("1 source contradicts 9 hypotheses."),
        reason("Doctors love it."),
        reason("Missing: zorvimab is safe."),
        reason("Larger randomised trials are missing."),
        reason("Zorvimab is needed for all women with Blorp disease."),
        reason("1 source supports zorvimab."),
        reason("2 mechanistic statements support a hypothesis."),
        reason(""),
        reason("It supports zorvimab. " * 99),
    ],
)
async def test_a_reason_that_does_not_hold_is_dropped_and_the_score_of_the_rules_stands(said: dict[str, Any]) -> None:
    made = (await judged(judging(clinical=score(6, said)))).clinical
    assert made == ASSESSED.clinical


@pytest.mark.parametrize(
    "text",
    [
        "1 source supports it and 1 source contradicts it.",
        "Two clinical statements on Blorp disease: one supports the hypothesis, one contradicts it.",
        "One source supports a hypothesis.",
    ],
)
async def test_a_reason_that_counts_right_stands(text: str) -> None:
    made = (await judged(judging(clinical=score(6, reason(text))))).clinical
    assert made.reasons == (text,)
    assert set(made.statements) == {"cit_003", "cit_004"}


async def test_searches_for_what_is_missing_have_the_names_and_none_is_made_again() -> None:
    ran = SearchQuery(names=PLAN.names, required=(DISEASE.names, ("memory",)))
    wanted = [{"question": BENEFIT.key, "words": words} for words in ("memory", "placebo", "NOT x")]
    made = await judged(
        judging(is_enough=False, searches=[*wanted, {"question": "x", "words": "y"}]),
        rounds=(played(searches={BENEFIT.key: (ran,)}),),
    )
    assert made.searches == {BENEFIT.key: (ran.model_copy(update={"required": (DISEASE.names, ("placebo",))}),)}


async def test_the_model_sees_the_sides_and_what_it_says_of_them_changes_nothing() -> None:
    lm = judging(supporting=["cit_004"], contradicting=[])
    made = await judged(lm)
    shown = {text.partition(") ")[2]: text for _, text in fences(asked(prompts_of(lm)[0])["findings"])}
    assert shown[NULL].startswith("(clinical; against H1)") and shown[TARGET].startswith("(mechanism; for H1)")
    assert not hasattr(made, "supporting") and (weighed(),) == TESTED


async def test_without_a_statement_on_a_hypothesis_rules_judge_and_no_model_is_called() -> None:
    assert await judged(scripted_lm([]), (weighed((), ()),)) == ASSESSED
    assert await judged(scripted_lm([]), ()) == ASSESSED


@pytest.mark.parametrize("reply", ["[[ ## mech", chat(mechanism="high", clinical=3), chat(mechanism=score())])
async def test_an_unreadable_reply_is_replaced_by_rules(reply: str) -> None:
    made = await judged(scripted_lm(lambda _: reply))
    assert made.mechanism == ASSESSED.mechanism and made.note.startswith("the model gave no reply")


async def test_without_budget_rules_judge_and_a_failing_model_ends_the_step() -> None:
    assert (await judged(metered([], calls=0))).note == "the budget was spent"
    with pytest.raises(ModelError, match="nobody there"):
        await judged(metered([lm15.AuthError("nobody there")]))


@pytest.mark.long
@pytest.mark.slow
async def test_its_prompt_keeps_its_size_and_shows_both_sides_however_much_was_found() -> None:
    lengths = []
    for number in (20, 200, 1_000):
        findings, sources = many(number)
        said = [one for found in findings for one in found.answer.statements]
        lm = judging()
        await judged(lm, (weighed(said[: number // 2], said[number // 2 :]),) * 3, findings, sources)
        lengths.append(len(prompts_of(lm)[0]))
        shown = asked(prompts_of(lm)[0])["findings"]
        assert shown.count("for H1") == shown.count("against H1") == 10
    assert max(lengths) <= 1.1 * min(lengths)


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_the_evidence_are_not_obeyed(name: str) -> None:
    own = statement(1, HOSTILE[name])
    tested = (weighed([own], ()).model_copy(update={"mechanism": HOSTILE[name]}),)
    lm = judging()
    await judged(lm, tested, (finding(MECHANISM, own),))
    assert not any(map(obeys, prompts_of(lm)))


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    inputs = {"plan": PLAN, "tested": TESTED, "findings": FINDINGS, "sources": SOURCES, "rounds": ()}
    example = dspy.Example(**inputs, by_rules=ASSESSED).with_inputs(*inputs)
    with dspy.context(lm=judging(), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=assessment_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(judge()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["judge_hypotheses"]
    (demo,) = made.judge_hypotheses.demos
    assert demo.mechanism.score == 5
    made.save(tmp_path / "made.json")
    again = judge()
    again.load(tmp_path / "made.json")
    assert again.judge_hypotheses.demos[0]["clinical"]["score"] == 5
