"""A model writes searches as plain words; queries are made of them here, with the names that databases gave."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.research_roles import BY_RULES, EFFICACY, PLAN, SETTINGS, TODAY, RuleQueryWriter
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered
from dspy import lm15

from storm.agents.query_writer import ModelQueryWriter
from storm.errors import ModelError
from storm.models import Hit, Plan, Question, ResearchPlan, SearchQuery
from storm.optimize.role_metrics import queries_metric


def writer(lm: Any = None, dialect: str = "chat", **settings: Any) -> ModelQueryWriter:
    return ModelQueryWriter(
        lm,
        rule_based=RuleQueryWriter(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter(dialect),
        today=lambda: TODAY,
    )


async def written(lm: Any, question: Question = EFFICACY, plan: Plan = PLAN, **options: Any) -> list[SearchQuery]:
    return list(await writer(lm, **options).write_queries(question, plan))


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_words_become_required_terms_and_the_names_are_added(dialect: str) -> None:
    lm = scripted_lm([DIALECTS[dialect](searches=['"overall survival" placebo', "response OR remission"])])
    assert await written(lm, dialect=dialect) == [
        SearchQuery(names=PLAN.names, required=(("overall survival",), ("placebo",))),
        SearchQuery(names=PLAN.names, required=(("response", "remission"),)),
    ]
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23" and "Clinical efficacy" in shown["question"]


async def test_at_most_as_many_as_are_wanted_are_made_each_once() -> None:
    searches = ["survival", "Zorvi survival", *(f"outcome{n}" for n in range(40))]
    queries = await written(scripted_lm([chat(searches=searches)]), queries_per_question=3)
    assert [query.terms for query in queries] == ["survival", "outcome0", "outcome1"]


async def test_of_a_long_search_the_first_terms_must_match_and_the_others_rank() -> None:
    (query,) = await written(scripted_lm([chat(searches=["one1 two2 three3 four4 five5 six6"])]))
    assert (len(query.required), query.words) == (4, ("five5", "six6"))


async def test_a_question_that_is_not_biomedical_is_searched_on_the_web_alone() -> None:
    plan = PLAN.model_copy(update={"research": ResearchPlan(is_biomedical=False)})
    (query,) = await written(scripted_lm([chat(searches=["player"])]), plan=plan)
    assert query.databases == ("web",)


async def test_what_cannot_be_searched_is_left_out() -> None:
    searches = ["NOT children", "zorvimab", "Zorvi", "  ", "x" * 900, "(heart lung) OR liver", "survival"]
    assert [query.terms for query in await written(scripted_lm([chat(searches=searches)]))] == ["survival"]


@pytest.mark.parametrize(
    ("databases", "is_biomedical", "searched"),
    [
        (("pubmed",), True, ("pubmed",)),
        (("pubmed", "web"), False, ("web",)),
        (("pubmed",), False, ("pubmed",)),
        ((), False, ("web",)),
    ],
)
async def test_only_the_databases_of_the_job_are_searched(
    databases: tuple[str, ...], is_biomedical: bool, searched: tuple[str, ...]
) -> None:
    plan = PLAN.model_copy(update={"research": ResearchPlan(is_biomedical=is_biomedical)})
    made = ModelQueryWriter(
        scripted_lm([chat(searches=["survival"])]), rule_based=RuleQueryWriter(), settings=SETTINGS, databases=databases
    )
    assert [query.databases for query in await made.write_queries(EFFICACY, plan)] == [searched]


@pytest.mark.parametrize("searches", [[], ["zorvimab"], ["NOT children"], ["?!"]])
async def test_without_a_usable_search_the_model_is_asked_once_more_and_then_rules_search(searches: list[str]) -> None:
    lm = scripted_lm([chat(searches=searches)] * 2)
    made = writer(lm)
    assert await made.write_queries(EFFICACY, PLAN) == (BY_RULES,)
    assert "could not be used" in asked(prompts_of(lm)[1])["problems"]
    assert made.refusals == {EFFICACY.key: "the model gave no reply that can be used"}


async def test_a_second_reply_that_is_usable_is_taken() -> None:
    lm = scripted_lm([chat(searches=["NOT children"]), chat(searches=["children"])])
    assert [query.terms for query in await written(lm)] == ["children"]
    assert "NOT is not supported" in asked(prompts_of(lm)[1])["problems"]


async def test_an_unreadable_reply_is_replaced_by_rules() -> None:
    assert await written(scripted_lm(["[[ ## sear"] * 3)) == [BY_RULES]


async def test_without_budget_rules_search() -> None:
    made = writer(metered([], calls=0))
    assert await made.write_queries(EFFICACY, PLAN) == (BY_RULES,)
    assert made.refusals == {EFFICACY.key: "the budget was spent"}


async def test_a_failing_model_fails_the_question_so_that_the_job_can_be_resumed() -> None:
    with pytest.raises(ModelError, match="nobody there"):
        await written(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_a_question_are_not_obeyed(name: str) -> None:
    question = EFFICACY.model_copy(update={"description": HOSTILE[name], "focus": (HOSTILE[name],)})
    lm = scripted_lm([chat(searches=["survival"])])
    await written(lm, question)
    assert not obeys(prompts_of(lm)[0])


async def test_its_prompt_is_bounded() -> None:
    question = EFFICACY.model_copy(update={"description": "very " * 9_000, "focus": ("long",) * 9_000})
    lm = scripted_lm([chat(searches=["survival"])])
    await written(lm, question)
    assert len(prompts_of(lm)[0]) < 6_500


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    relevant = Hit.of("pubmed", "1", "https://example.org/1", "Survival with zorvimab", text="Survival was 25 months.")
    example = dspy.Example(question=EFFICACY, plan=PLAN, records=[relevant]).with_inputs("question", "plan")
    with dspy.context(lm=scripted_lm(lambda _: chat(searches=["survival"])), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=queries_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(writer()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["write"]
    assert [demo.searches for demo in made.write.demos] == [["survival"]]
    made.save(tmp_path / "writer.json")
    again = writer()
    again.load(tmp_path / "writer.json")
    assert [demo["searches"] for demo in again.write.demos] == [["survival"]]
