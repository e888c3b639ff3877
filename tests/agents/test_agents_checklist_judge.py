"""A model judges a checklist: by statements that it was shown, or rules do."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.checklist_roles import (
    BY_RULES,
    EFFECT,
    FINDINGS,
    HARMS,
    PLAN,
    REVIEW,
    SAID,
    SOURCES,
    STRENGTH,
    Rules,
    finding,
    many,
    played,
    search,
    statement,
)
from agents.hostile import HOSTILE, obeys
from agents.research_roles import TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered
from dspy import lm15

from storm.agents.checklist_judge import ModelChecklistJudge
from storm.errors import ModelError
from storm.models import ChecklistReview, Finding, ItemJudgement, ItemState, SearchIteration, Source, Verdict
from storm.optimize.checklist_metrics import judgements_metric

KEYS = (EFFECT.key, STRENGTH.key, HARMS.key)
NOT_USABLE = REVIEW.model_copy(update={"note": "the model gave no reply that can be used"})
SATISFIED, PARTIAL, UNSATISFIED = ItemState.SATISFIED, ItemState.PARTIAL, ItemState.UNSATISFIED


def said(item: str, state: str = "satisfied", *statements: Any, **fields: Any) -> dict[str, Any]:
    return {"item": item, "state": state, "statements": list(statements), **fields}


def reply(*judgements: Any) -> str:
    return chat(judgements=list(judgements))


def judge(lm: Any = None, dialect: str = "chat", **options: Any) -> ModelChecklistJudge:
    given = {"available": ("pubmed", "web"), **options}
    return ModelChecklistJudge(lm, rule_based=Rules(), adapter=adapter(dialect), today=lambda: TODAY, **given)


async def judged(
    lm: Any,
    findings: tuple[Finding, ...] = FINDINGS,
    iterations: tuple[SearchIteration, ...] = (),
    sources: tuple[Source, ...] = SOURCES,
    **options: Any,
) -> ChecklistReview:
    return await judge(lm, **options).judge(PLAN, findings, sources, iterations)


async def judged_item(given: dict[str, Any], **options: Any) -> ItemJudgement:
    review = await judged(scripted_lm(lambda _: reply(given)), **options)
    return next(one for one in review.items if one.question == given["item"])


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_each_item_has_a_state_that_its_statements_bear_out(dialect: str) -> None:
    lm = scripted_lm(
        [
            DIALECTS[dialect](
                judgements=[
                    said(HARMS.key, "Unsatisfied", pubmed_searches=["harm rate"], web_searches=["safety alert"]),
                    said(EFFECT.key, "satisfied", "S2", "S1"),
                    said(STRENGTH.key, "partial", 3, missing="how certain it is"),
                ]
            )
        ]
    )
    made = await judged(lm, dialect=dialect)
    assert made.note == "" and [one.question for one in made.items] == list(KEYS)
    effect, strength, harms = made.items
    assert (effect.state, effect.evidence, effect.searches) == (SATISFIED, ("cit_002", "cit_001"), ())
    assert effect.reason == "It is answered by 2 statements from 2 sources."
    assert (strength.state, strength.evidence) == (PARTIAL, ("cit_003",))
    assert strength.reason == "It is answered in part by 1 statement from 1 source. Missing: how certain it is."
    assert (harms.state, harms.evidence, harms.reason) == (UNSATISFIED, (), "No statement answers it.")
    assert harms.searches == (search("harm rate"), search("safety alert", "web"))
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23"
    assert dict(fences(shown["checklist"]))[STRENGTH.key].endswith("1 statements from 1 sources; shown: S3")
    assert "strength: partial. One source." in shown["judged_by_rules"]
    assert dict(fences(shown["statements"])) == {f"S{n}": one.text for n, one in enumerate(SAID, start=1)}


@pytest.mark.parametrize("state", ["satisfied", "partial"])
async def test_an_item_without_a_statement_is_never_answered(state: str) -> None:
    made = await judged_item(said(HARMS.key, state, "S1", "S3"))
    assert (made.state, made.evidence, made.reason) == (UNSATISFIED, (), "No statement answers it.")
    assert made.searches == (BY_RULES,), "the model gave none, so the rules' are run"
    unsupported = finding(HARMS, statement(9, verdict=Verdict.UNSUPPORTED))
    again = await judged_item(said(HARMS.key, state, "S4"), findings=(*FINDINGS[:2], unsupported))
    assert again.state is UNSATISFIED


async def test_numbers_that_are_not_of_the_item_are_dropped_and_what_rests_on_none_is_left_to_rules() -> None:
    made = await judged_item(said(EFFECT.key, "satisfied", "S99", "S3", "cit_002", "S1", "s1", "src_001", "0", "-1"))
    assert made.evidence == ("cit_001",)
    review = await judged(
        scripted_lm([reply(said(EFFECT.key, "satisfied", "S3"), said(STRENGTH.key, "partial", "S3"))])
    )
    assert review.items[0] == REVIEW.items[0] and review.items[1].evidence == ("cit_003",)


async def test_a_model_that_is_always_satisfied_satisfies_what_has_statements() -> None:
    made = await judged(scripted_lm([reply(*(said(key, "satisfied", "S1", "S2", "S3") for key in KEYS))]))
    assert [one.state for one in made.items] == [SATISFIED, SATISFIED, UNSATISFIED]


async def test_a_model_that_is_never_satisfied_searches_for_everything() -> None:
    lm = scripted_lm([reply(*(said(key, "unsatisfied", "S1", pubmed_searches=["dose"]) for key in KEYS))])
    made = await judged(lm)
    assert made.open_items == made.items
    assert all(one.searches == (search("dose"),) and not one.evidence for one in made.items)


@pytest.mark.parametrize(
    "judgements",
    [
        [],
        [said("nowhere", "satisfied", "S1")],
        [said(EFFECT.key, "done", "S1")],
        [said(EFFECT.key, "satisfied")],
        ["satisfied", 7, None],
    ],
)
async def test_without_a_usable_judgement_the_model_is_asked_once_more_and_then_rules_judge(judgements: Any) -> None:
    lm = scripted_lm([reply(*judgements)] * 2)
    assert await judged(lm) == NOT_USABLE
    assert "could not be used" in asked(prompts_of(lm)[1])["problems"]


async def test_an_item_that_the_model_leaves_out_is_judged_by_rules_and_one_judged_twice_counts_once() -> None:
    lm = scripted_lm([reply(said(EFFECT.key, "partial", "S1"), said(EFFECT.key, "satisfied", "S1"))])
    made = await judged(lm)
    assert made.items[0].state is PARTIAL and made.items[1:] == REVIEW.items[1:]


async def test_searches_are_at_most_two_of_each_place_and_none_that_a_round_ran() -> None:
    given = said(
        HARMS.key, "unsatisfied", pubmed_searches=["Rate harm", "a1", "NOT x", "b1", "c1"], web_searches=["a1"]
    )
    ran = played(**{HARMS.key: (search("harm rate"),)})
    made = await judged_item(given, iterations=(ran,))
    assert made.searches == (search("a1"), search("b1"), search("a1", "web"))
    offline = await judged_item(given, iterations=(ran,), available=("sample",))
    assert [query.databases for query in offline.searches] == [(), ()]


@pytest.mark.parametrize(
    "missing", ["zorvimab is unsafe", "the trial of orlimab", "7 months", "harm " * 60, "", "no harms were found"]
)
async def test_what_is_missing_is_said_only_where_it_adds_nothing(missing: str) -> None:
    made = await judged_item(said(EFFECT.key, "partial", "S1", missing=missing))
    assert made.reason == "It is answered in part by 1 statement from 1 source."


async def test_an_unreadable_reply_and_a_spent_budget_leave_it_to_rules_and_a_failing_model_ends_the_step() -> None:
    assert (await judged(scripted_lm(["[[ ## jud"] * 3))).note == "the model gave no reply that can be read"
    assert await judged(metered([], calls=0)) == REVIEW.model_copy(update={"note": "the budget was spent"})
    with pytest.raises(ModelError, match="nobody there"):
        await judged(metered([lm15.AuthError("nobody there")]))


@pytest.mark.slow
async def test_its_prompt_keeps_its_size_however_many_sources_and_rounds_there_are() -> None:
    lengths = []
    for number in (20, 200, 1_000):
        findings, sources = many(number)
        for rounds in (1, 3, 10):
            before = [
                played(n, **{key: tuple(search(f"word{n} outcome{m}") for m in range(4)) for key in KEYS})
                for n in range(1, rounds + 1)
            ]
            lm = scripted_lm([reply(said(EFFECT.key, "satisfied", "S1"))])
            await judged(lm, findings, tuple(before), sources)
            lengths.append(len(prompts_of(lm)[0]))
    assert max(lengths) <= 1.1 * min(lengths)


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_statements_and_items_are_not_obeyed(name: str) -> None:
    lm = scripted_lm([reply(said(EFFECT.key, "unsatisfied"))])
    item = EFFECT.model_copy(update={"description": HOSTILE[name]})
    plan = PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": (item, STRENGTH, HARMS)})})
    findings = (finding(EFFECT, statement(1, HOSTILE[name])), *FINDINGS[1:])
    await judge(lm).judge(plan, findings, SOURCES, ())
    assert not any(map(obeys, prompts_of(lm)))


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    example = dspy.Example(plan=PLAN, findings=FINDINGS, sources=SOURCES, iterations=(), by_rules=REVIEW).with_inputs(
        "plan", "findings", "sources", "iterations"
    )
    replied = reply(
        said(EFFECT.key, "satisfied", "S1"), said(STRENGTH.key, "partial", "S3"), said(HARMS.key, "unsatisfied")
    )
    with dspy.context(lm=scripted_lm(lambda _: replied), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=judgements_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(judge()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["judge_checklist"]
    assert len(made.judge_checklist.demos) == 1
    made.save(tmp_path / "judge.json")
    again = judge()
    again.load(tmp_path / "judge.json")
    assert len(again.judge_checklist.demos) == 1
