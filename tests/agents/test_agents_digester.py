"""Digests by a scripted model: bounded, made of whole sentences, and of the rules where the model gives none."""

from __future__ import annotations

from datetime import date
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.reports import EFFICACY, compiling, plan, statement
from agents.scripted import asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered

from storm.agents.digester import ModelDigester
from storm.extractive import RuleDigester
from storm.models import Answer

LONG = Answer(question=EFFICACY.key, statements=tuple(statement(n) for n in range(1, 30)))


def digester(lm: Any, **options: Any) -> ModelDigester:
    return ModelDigester(lm, rule_based=RuleDigester(), today=lambda: date(2026, 11, 23), **options)


async def test_a_long_answer_is_compressed_in_whole_sentences() -> None:
    lm = scripted_lm(compiling(digest="Survival was longer with zorvimab. " * 30))
    made = await digester(lm, words=22).digest(EFFICACY, LONG, plan())
    assert made == " ".join(["Survival was longer with zorvimab."] * 4)
    assert asked(prompts_of(lm)[0])["today"] == "2026-11-23"


async def test_an_answer_that_is_short_enough_needs_no_model() -> None:
    lm = scripted_lm([])
    for count in (0, 2):
        answer = Answer(question=EFFICACY.key, statements=LONG.statements[:count])
        assert await digester(lm).digest(EFFICACY, answer, plan()) == " ".join(s.text for s in answer.statements)
    assert prompts_of(lm) == []


@pytest.mark.parametrize("reply", [chat(digest=""), "nothing that can be read", chat(digest="word " * 500)])
async def test_where_the_model_gives_no_digest_the_rules_do(reply: str) -> None:
    made = await digester(scripted_lm(lambda prompt: reply)).digest(EFFICACY, LONG, plan())
    assert made == await RuleDigester().digest(EFFICACY, LONG, plan())


async def test_when_the_budget_is_spent_the_rules_do() -> None:
    made = await digester(metered(compiling(), calls=0)).digest(EFFICACY, LONG, plan())
    assert made == await RuleDigester().digest(EFFICACY, LONG, plan())


async def test_statements_are_fenced_and_bounded() -> None:
    texts = [*HOSTILE.values(), *("zorvimab " * 60 for _ in range(100))]
    answer = Answer(question=EFFICACY.key, statements=tuple(statement(n, text) for n, text in enumerate(texts, 1)))
    lm = scripted_lm(compiling())
    await digester(lm).digest(EFFICACY, answer, plan())
    prompt = prompts_of(lm)[0]
    assert not obeys(prompt) and len(fences(prompt)) > 10 and len(prompt) < 30_000


@pytest.mark.parametrize("name", HOSTILE)
async def test_orders_in_a_question_are_not_obeyed(name: str) -> None:
    asking = EFFICACY.model_copy(update={"label": HOSTILE[name][:200], "description": HOSTILE[name]})
    lm = scripted_lm(compiling())
    await digester(lm).digest(asking, LONG, plan())
    assert not obeys(prompts_of(lm)[0])


def test_its_predictor_is_optimised() -> None:
    lm = scripted_lm(compiling())
    made = digester(lm)
    assert [name for name, _ in made.named_predictors()] == ["compress"]
    example = dspy.Example(question=EFFICACY, answer=LONG, plan=plan()).with_inputs("question", "answer", "plan")
    with dspy.context(lm=lm):
        optimizer = dspy.BootstrapFewShot(metric=lambda example, prediction, trace=None: bool(prediction.digest))
        assert len(optimizer.compile(made, trainset=[example]).compress.demos) == 1
