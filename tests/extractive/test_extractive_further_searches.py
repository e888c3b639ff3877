"""Searches that go beyond those of a question's templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from storm.extractive.further_searches import list_further_searches
from storm.extractive.researcher import queries_for
from storm.models import Plan, Question
from storm.syllabus import bundled_syllabus

DRUG = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=DRUG)
OPEN = Question(key="own", label="The dosing", description="How is the drug given to the old", min_sources=2)


@pytest.mark.parametrize("question", DRUG.questions, ids=lambda question: question.key)
def test_no_search_repeats_a_template_or_another_search(question: Question) -> None:
    further = list(list_further_searches(question, PLAN, ()))
    assert len(set(further)) == len(further) >= 4
    assert set(further).isdisjoint(queries_for(question, PLAN.names, ()))


def test_the_label_comes_first_without_words_of_grammar_and_the_names_alone_last() -> None:
    first, *_, last = list_further_searches(OPEN, PLAN, ("pubmed",))
    assert (first.words, first.names, first.databases) == (("dosing",), PLAN.names, ("pubmed",))
    assert (last.words, last.names) == ((), PLAN.names)


def test_of_what_is_old_every_other_search_is_for_what_came_since() -> None:
    question = OPEN.model_copy(update={"queries": {"default": ("dose",)}})
    first, second, third, fourth, *others = list_further_searches(question, PLAN, (), since=2016)
    assert [(query.words, query.since) for query in (first, second, third)] == [
        (("dosing",), "2016"), (("dosing",), None), (("dose",), "2016"),
    ]  # fmt: skip
    assert {query.since for query in (fourth, *others)} == {None}


def test_an_endpoint_on_which_sources_disagree_is_searched_for_first() -> None:
    first, *_ = list_further_searches(OPEN, PLAN, (), endpoint="overall survival, hazard ratio")
    assert first.words == ("overall", "survival", "hazard", "ratio", "meta-analysis")


def test_names_beyond_those_that_services_take_at_once_are_searched_for() -> None:
    plan = PLAN.model_copy(update={"names": tuple(f"name-{n}" for n in range(20))})
    assert plan.names[16:] in [query.names for query in list_further_searches(OPEN, plan, ())]


def test_a_question_that_is_asked_of_some_databases_is_asked_of_no_others() -> None:
    question = OPEN.model_copy(update={"queries": {"web": ("dose",)}})
    assert {query.databases for query in list_further_searches(question, PLAN, ())} == {("web",)}
    assert {query.databases for query in list_further_searches(question, PLAN, ("pubmed", "web"))} == {("web",)}
    assert list(list_further_searches(question, PLAN, ("pubmed",))) == []


def test_a_question_of_many_words_makes_no_long_search() -> None:
    question = OPEN.model_copy(update={"description": " ".join(f"word{n}" for n in range(2_000))})
    assert max(len(query.words) for query in list_further_searches(question, PLAN, ())) < 20
