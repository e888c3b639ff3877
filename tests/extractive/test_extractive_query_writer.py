"""The searches of a question without a model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from storm.extractive import TemplateQueryWriter
from storm.models import Plan, Question, ResearchSettings, Syllabus
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=SYLLABUS)
PLAIN = Question(key="own", label="Heart failure", description="Does it harm the heart?", min_sources=1)


@pytest.mark.parametrize("most", [1, 2, 4, 20])
@pytest.mark.parametrize("question", SYLLABUS.questions, ids=lambda question: question.key)
async def test_no_database_gets_more_searches_than_the_settings_say(question: Question, most: int) -> None:
    queries = await TemplateQueryWriter(ResearchSettings(queries_per_question=most)).write_queries(question, PLAN)
    places = Counter(query.databases for query in queries)
    assert 1 <= places[()] + max([places[own] for own in places if own] or [0]) <= most


async def test_templates_of_one_database_are_kept_beside_the_first_for_all() -> None:
    queries = await TemplateQueryWriter(ResearchSettings()).write_queries(SYLLABUS.question("ip.patents"), PLAN)
    assert [(" ".join(query.words), query.databases) for query in queries] == [
        ("patent expiry", ()),
        ("patent litigation settlement", ()),
        ("formulation", ("patents",)),
        ("dosage method of treatment", ("patents",)),
        ("patent exclusivity", ("orangebook",)),
    ]
    assert {query.names for query in queries} == {PLAN.names}


async def test_a_job_of_few_databases_searches_no_other() -> None:
    writer = TemplateQueryWriter(ResearchSettings(), ["pubmed", "orangebook"])
    queries = await writer.write_queries(SYLLABUS.question("ip.patents"), PLAN)
    assert {query.databases for query in queries} == {("pubmed", "orangebook"), ("orangebook",)}


async def test_a_question_without_templates_is_searched_by_its_words() -> None:
    plan = PLAN.model_copy(update={"syllabus": Syllabus(name="own", questions=(PLAIN,))})
    (query,) = await TemplateQueryWriter(ResearchSettings()).write_queries(PLAIN, plan)
    assert query.words[:2] == ("Heart", "failure")


async def test_a_question_for_a_database_that_is_not_searched_has_no_query() -> None:
    question = PLAIN.model_copy(update={"queries": {"web": ("heart",)}})
    assert not await TemplateQueryWriter(ResearchSettings(), ["pubmed"]).write_queries(question, PLAN)
