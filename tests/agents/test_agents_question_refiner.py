"""A model refines a question: in words of the request and its context, or rules do it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.checklist_roles import REFINED, REQUEST, Rules
from agents.hostile import HOSTILE, obeys
from agents.research_roles import TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered
from dspy import lm15

from storm.agents.question_refiner import ModelRefiner
from storm.errors import ModelError
from storm.models import JobRequest, RefinedQuestion
from storm.optimize.checklist_metrics import refined_metric

QUESTION = "Does zorvimab prolong survival in women with asthma?"
NOT_USABLE = REFINED.model_copy(update={"note": "the model gave no reply that can be used"})


def reply(question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    return {"question": question, "scope_in": [], "scope_out": [], "key_terms": [], **fields}


def refiner(lm: Any = None, dialect: str = "chat") -> ModelRefiner:
    return ModelRefiner(lm, rule_based=Rules(), adapter=adapter(dialect), today=lambda: TODAY)


async def refined(lm: Any, request: JobRequest = REQUEST, dialect: str = "chat") -> RefinedQuestion:
    return await refiner(lm, dialect).refine(request)


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_a_question_is_closed_by_what_its_context_names(dialect: str) -> None:
    said = reply(
        scope_in=["women", "overall survival"], scope_out=["children", "women"], key_terms=["asthma", "zorvimab"]
    )
    lm = scripted_lm([DIALECTS[dialect](**said)])
    made = await refined(lm, dialect=dialect)
    assert (made.text, made.note) == (QUESTION, "")
    assert (made.scope_in, made.scope_out) == (("women", "overall survival"), ("children",))
    assert made.key_terms == ("zorvimab", "survival", "asthma")
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23" and REQUEST.text in shown["asked"] and "in asthma" in shown["context"]
    assert REFINED.text in shown["refined_by_rules"]


@pytest.mark.parametrize(
    "question",
    [
        "Does orlimab prolong survival in women?",
        "Does zorvimab prolong survival in women by 7 months?",
        "Zorvimab prolongs survival in women.",
        "Which dose is given to adults?",
        "",
        "?!",
        f"Does zorvimab {'very ' * 200}prolong survival?",
    ],
)
async def test_a_question_that_says_or_asks_something_else_is_asked_for_again_and_then_that_of_the_rules(
    question: str,
) -> None:
    lm = scripted_lm([chat(**reply(question))] * 2)
    assert await refined(lm) == NOT_USABLE
    assert "could not be used" in asked(prompts_of(lm)[1])["problems"]


async def test_a_second_question_that_is_usable_is_taken() -> None:
    lm = scripted_lm([chat(**reply("Does orlimab help?")), chat(**reply())])
    assert (await refined(lm)).text == QUESTION
    assert "neither the request nor its context has: orlimab" in asked(prompts_of(lm)[1])["problems"]


async def test_of_scope_and_terms_what_adds_a_word_or_claims_something_is_left_out() -> None:
    made = await refined(
        scripted_lm(
            [chat(**reply(scope_in=["orlimab", "zorvimab is safe", "women"], key_terms=["ZRV-12", "7", "prolong"]))]
        )
    )
    assert made.scope_in == ("women",)
    assert made.key_terms == ("zorvimab", "survival", "prolong")


@pytest.mark.parametrize("said", [None, 7, {"a": 1}, [[1], {"b": 2}], "women\nchildren"])
async def test_a_scope_of_another_form_does_no_harm(said: Any) -> None:
    made = await refined(scripted_lm(lambda _: chat(**reply(scope_in=said, scope_out=said, key_terms=said))))
    assert made.text in (QUESTION, REFINED.text) and set(made.scope_in) <= {"women", "children"}


async def test_an_unreadable_reply_and_a_spent_budget_leave_it_to_rules_and_a_failing_model_ends_the_step() -> None:
    assert (await refined(scripted_lm(["[[ ## que"] * 3))).note == "the model gave no reply that can be read"
    assert (await refined(metered([], calls=0))).note == "the budget was spent"
    with pytest.raises(ModelError, match="nobody there"):
        await refined(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_a_question_and_in_its_context_are_not_obeyed(name: str) -> None:
    request = REQUEST.model_copy(update={"text": f"{REQUEST.text} {HOSTILE[name]}", "context": HOSTILE[name]})
    lm = scripted_lm(lambda _: chat(**reply()))
    await refined(lm, request)
    assert not any(map(obeys, prompts_of(lm)))


async def test_its_prompt_is_bounded() -> None:
    request = REQUEST.model_copy(update={"text": "survival? " * 1_900, "context": "zorvimab " * 2_000})
    lm = scripted_lm([chat(**reply("Does zorvimab prolong survival?"))] * 2)
    await refined(lm, request)
    assert len(prompts_of(lm)[0]) < 15_000


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    example = dspy.Example(request=REQUEST).with_inputs("request")
    with dspy.context(lm=scripted_lm(lambda _: chat(**reply(key_terms=["asthma"]))), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=refined_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(refiner()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["refine_question"]
    assert [demo.question for demo in made.refine_question.demos] == [QUESTION]
    made.save(tmp_path / "refiner.json")
    again = refiner()
    again.load(tmp_path / "refiner.json")
    assert [demo["question"] for demo in again.refine_question.demos] == [QUESTION]
