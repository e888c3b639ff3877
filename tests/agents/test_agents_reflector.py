"""A model reviews answers by their digests and counts; only searches that can be made again come of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.research_roles import (
    EFFICACY,
    FINDINGS,
    ONE,
    PLAN,
    REVIEW,
    SAFETY,
    SETTINGS,
    TODAY,
    TWO,
    RuleReflector,
    finding,
)
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered, source
from dspy import lm15

from storm.agents.reflector import ModelReflector
from storm.errors import ModelError
from storm.models import Finding, Hit, Question, Review, Syllabus, Weakness, WeaknessKind
from storm.optimize.role_metrics import review_metric

SOURCES = (ONE, TWO)


def weak(question: str = SAFETY.key, *searches: str, kinds: Any = ("incomplete",), reason: str = "") -> dict[str, Any]:
    """A weak answer as a model names it."""
    return {"question": question, "kinds": list(kinds), "reason": reason, "searches": list(searches or ("heart",))}


def reflector(lm: Any = None, dialect: str = "chat", **settings: Any) -> ModelReflector:
    return ModelReflector(
        lm,
        rule_based=RuleReflector(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter(dialect),
        today=lambda: TODAY,
    )


async def reviewed(
    lm: Any, findings: tuple[Finding, ...] = FINDINGS, earlier: tuple[Review, ...] = (), **options: Any
) -> tuple[Weakness, ...]:
    return (await reflector(lm, **options).review(PLAN, findings, SOURCES, earlier)).weak


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_a_weak_answer_has_its_kinds_and_searches_with_the_names(dialect: str) -> None:
    lm = scripted_lm([DIALECTS[dialect](weak=[weak(SAFETY.key, "heart failure", kinds=["Incomplete", "cut off"])])])
    (found,) = await reviewed(lm, dialect=dialect)
    assert (found.question, found.kinds) == (SAFETY.key, (WeaknessKind.INCOMPLETE,))
    assert [str(query) for query in found.searches] == ['("zorvimab" OR "Zorvi") AND heart AND failure']


async def test_the_model_sees_digests_counts_and_what_rules_found() -> None:
    lm = scripted_lm([chat(weak=[])])
    assert await reviewed(lm) == ()
    shown = asked(prompts_of(lm)[0])
    answers = dict(fences(shown["answers"]))
    assert "1 statements from 1 sources, the newest of 2011" in answers[EFFICACY.key]
    assert "Rules found: one source only. It stands on one source." in answers[EFFICACY.key]
    assert "Harms were rare." in answers[SAFETY.key] and "the newest of 2024" in answers[SAFETY.key]
    assert shown["today"] == "2026-11-23"


async def test_its_prompt_does_not_grow_with_the_sources() -> None:
    lengths = []
    for number in (10, 500):
        sources = [source(n, f"Response to zorvimab was {n}%.", year=2011) for n in range(1, number + 1)]
        lm = scripted_lm([chat(weak=[])])
        await reflector(lm).review(PLAN, [finding(EFFICACY, *sources, digest="d " * number)], sources, ())
        lengths.append(len(prompts_of(lm)[0]))
    assert lengths[1] - lengths[0] < 1_500


async def test_its_prompt_is_bounded_for_forty_questions_and_many_earlier_searches() -> None:
    questions = [EFFICACY.model_copy(update={"key": f"q{n}", "description": "very " * 500}) for n in range(40)]
    plan = PLAN.model_copy(update={"syllabus": Syllabus(name="many", questions=tuple(questions))})
    earlier = [Review(weak=REVIEW.weak * 400)]
    lm = scripted_lm([chat(weak=[])])
    found = [finding(q, ONE, digest="d " * 9_000, gaps=("gap " * 900,) * 9) for q in questions]
    await reflector(lm).review(plan, found, SOURCES, earlier)
    assert len(prompts_of(lm)[0]) < 40_000


async def test_questions_that_do_not_exist_are_dropped_and_one_that_is_named_twice_counts_once() -> None:
    lm = scripted_lm([chat(weak=[weak("clinical.beauty"), weak(SAFETY.key, "heart"), weak(SAFETY.key, "lung")])])
    (found,) = await reviewed(lm)
    assert [query.terms for query in found.searches] == ["heart"]


async def test_searches_of_an_earlier_review_are_dropped_whatever_their_order_and_capitals() -> None:
    first = await reviewed(scripted_lm([chat(weak=[weak(SAFETY.key, "heart failure")])]))
    lm = scripted_lm([chat(weak=[weak(SAFETY.key, "Failure heart", "lung"), weak(EFFICACY.key, "heart failure")])])
    (again,) = await reviewed(lm, earlier=(Review(weak=first),))
    assert [query.terms for query in again.searches] == ["lung"]
    assert "heart AND failure" in asked(prompts_of(lm)[0])["earlier_searches"]


async def test_a_review_of_nothing_but_earlier_searches_is_empty_and_not_asked_for_again() -> None:
    lm = scripted_lm([chat(weak=[weak(EFFICACY.key, "survival")])])
    assert await reviewed(lm, earlier=(REVIEW,)) == ()


async def test_kinds_that_the_counts_contradict_are_dropped() -> None:
    said = ["no source", "one source only", "cut off", "fancy", "old sources only"]
    lm = scripted_lm([chat(weak=[weak(SAFETY.key, kinds=said), weak(EFFICACY.key, "response", kinds=["no source"])])])
    found = {one.question: one.kinds for one in await reviewed(lm)}
    assert found == {SAFETY.key: (WeaknessKind.OLD,), EFFICACY.key: (WeaknessKind.ONE_SOURCE,)}


async def test_the_reason_why_an_answer_is_weak_is_that_of_the_rules_whatever_the_model_says() -> None:
    said = [
        weak(EFFICACY.key, "response", reason="Zorvimab does not improve survival and response."),
        weak(SAFETY.key, "heart", reason="Harms of few women only."),
    ]
    assert [one.reason for one in await reviewed(scripted_lm([chat(weak=said)]))] == ["It stands on one source.", ""]


async def test_only_the_databases_of_the_job_are_searched() -> None:
    lm = scripted_lm([chat(weak=[weak(SAFETY.key, "heart")])])
    made = ModelReflector(lm, rule_based=RuleReflector(), settings=SETTINGS, databases=("pubmed",))
    (found,) = (await made.review(PLAN, FINDINGS, SOURCES, ())).weak
    assert [query.databases for query in found.searches] == [("pubmed",)]


async def test_at_most_as_many_searches_as_are_wanted_are_kept() -> None:
    lm = scripted_lm([chat(weak=[weak(SAFETY.key, *(f"organ{n}" for n in range(40)))])])
    (found,) = await reviewed(lm, queries_per_question=2)
    assert [query.terms for query in found.searches] == ["organ0", "organ1"]


@pytest.mark.parametrize(
    "unusable", [weak("clinical.beauty"), weak(SAFETY.key, "NOT heart"), "nonsense", {"question": 7}]
)
async def test_an_unusable_review_is_asked_for_once_more_and_then_that_of_the_rules(unusable: Any) -> None:
    lm = scripted_lm([chat(weak=[unusable])] * 2)
    made = reflector(lm)
    noted = REVIEW.model_copy(update={"note": "the model gave no reply that can be used"})
    assert await made.review(PLAN, FINDINGS, SOURCES, ()) == noted
    assert "could not be used" in asked(prompts_of(lm)[1])["problems"]


async def test_an_unreadable_reply_is_replaced_by_rules() -> None:
    assert await reviewed(scripted_lm(["[[ ## we"] * 3)) == REVIEW.weak


async def test_without_budget_rules_review() -> None:
    made = reflector(metered([], calls=0))
    noted = REVIEW.model_copy(update={"note": "the budget was spent"})
    assert await made.review(PLAN, FINDINGS, SOURCES, ()) == noted


async def test_without_answers_no_model_is_called() -> None:
    assert await reviewed(scripted_lm([]), findings=()) == REVIEW.weak


async def test_a_failing_model_ends_the_step_so_that_the_job_can_be_resumed() -> None:
    with pytest.raises(ModelError, match="nobody there"):
        await reviewed(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_answers_are_not_obeyed(name: str) -> None:
    text = HOSTILE[name]
    asking = Question(key="q", label=text[:200], description=text, min_sources=1)
    plan = PLAN.model_copy(update={"syllabus": Syllabus(name="one", questions=(asking,))})
    lm = scripted_lm([chat(weak=[])])
    await reflector(lm).review(plan, [finding(asking, ONE, digest=text, gaps=(text,))], SOURCES, ())
    assert not obeys(prompts_of(lm)[0])


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    missing = Hit.of("pubmed", "9", "https://example.org/9", "Heart failure with zorvimab", text="Two hearts failed.")
    example = dspy.Example(
        plan=PLAN, findings=FINDINGS, sources=SOURCES, earlier=(), missing={SAFETY.key: [missing]}
    ).with_inputs("plan", "findings", "sources", "earlier")
    with dspy.context(lm=scripted_lm(lambda _: chat(weak=[weak()])), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=review_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(reflector()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["reflect"]
    (demo,) = made.reflect.demos
    assert [one.question for one in demo.weak] == [SAFETY.key]
    made.save(tmp_path / "reflector.json")
    again = reflector()
    again.load(tmp_path / "reflector.json")
    assert again.reflect.demos[0]["weak"][0]["question"] == SAFETY.key
