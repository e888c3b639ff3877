"""The state and the metrics of a research as traces keep them."""

from __future__ import annotations

import json

from deep_researched import (
    ANSWERS,
    COST,
    DOSE,
    EFFECT,
    HARM,
    LABELS,
    ONE,
    REFINED,
    SEARCHES,
    SOURCES,
    THREE,
    TWO,
    iteration,
    search,
    statement,
)

from storm.models import Answer, ListedSource, RefinedQuestion, Relation, RelationKind, Spending, Verdict
from storm.reports.deep_research_state import describe_metrics, describe_state

LISTED = [
    ListedSource(
        one.source_id, one.hit.database, one.hit.external_id, one.hit.url, one.hit.title, Relation.ITSELF,
        RelationKind.NONE, one.questions, (), "",
    )
    for one in SOURCES
]  # fmt: skip


def test_the_state_after_a_round_has_the_question_the_checklist_what_is_known_and_the_rounds() -> None:
    state = describe_state(REFINED, LABELS, [iteration()], ANSWERS, LISTED)
    assert state == json.loads(json.dumps(state))
    assert set(state) == {"refined_question", "checklist", "knowledge_base", "iterations"}
    assert state["refined_question"] == REFINED.text
    assert state["checklist"] == [
        {"id": EFFECT, "description": "Effect on attacks", "satisfied": True, "evidence": ["cit_1", "cit_2"]},
        {"id": HARM, "description": "Harms", "satisfied": False, "evidence": ["cit_3"]},
        {"id": DOSE, "description": "Dose", "satisfied": False, "evidence": []},
        {"id": COST, "description": "Cost", "satisfied": False, "evidence": []},
    ]
    assert state["iterations"] == [
        {
            "iteration": 1,
            "queries": ['"metformin" + migraine'],
            "results_count": 8,
            "checklist_progress": {"items": 4, "satisfied": 1, "partial": 1, "unsatisfied": 2},
        }
    ]


def test_the_knowledge_base_has_facts_with_their_item_and_sources_and_the_gaps() -> None:
    known = describe_state(REFINED, LABELS, [iteration()], ANSWERS, LISTED)["knowledge_base"]
    assert isinstance(known, dict)
    facts, sources = known["facts"], known["sources"]
    assert isinstance(facts, list) and isinstance(sources, list)
    assert facts[0] == {
        "id": "cit_1", "item": EFFECT, "text": ONE.text, "quote": ONE.quote, "sources": ["src_001"],
    }  # fmt: skip
    assert len(facts) == len((ONE, TWO, THREE))
    assert sources[2] == {
        "id": "src_003", "title": "Work 3", "url": "https://example.org/3", "database": "web",
        "external_id": "1003",
    }  # fmt: skip
    assert known["gaps"] == ["Harms - partial coverage", "Dose", "Cost"]


def test_before_the_first_round_nothing_is_satisfied() -> None:
    state = describe_state(RefinedQuestion(text="What?"), LABELS, [], (), ())
    assert state["knowledge_base"] == {"facts": [], "sources": [], "gaps": list(LABELS.values())}
    assert state["iterations"] == []


def test_items_that_were_not_judged_count_as_unsatisfied() -> None:
    (only,) = describe_state(REFINED, LABELS, [iteration(judged=())], (), ())["iterations"]  # type: ignore[misc]
    assert isinstance(only, dict)
    assert only["checklist_progress"] == {"items": 4, "satisfied": 0, "partial": 0, "unsatisfied": 4}


def test_a_statement_without_support_is_no_fact() -> None:
    answers = (Answer(question=EFFECT, statements=(statement(1, verdict=Verdict.UNSUPPORTED),)),)
    known = describe_state(REFINED, LABELS, [iteration()], answers, LISTED)["knowledge_base"]
    assert isinstance(known, dict) and known["facts"] == []


def test_the_metrics_count_searches_by_database_and_the_models_by_their_calls() -> None:
    names = search(EFFECT).model_copy(update={"question": "names"})
    spending = [
        Spending(role="judge", calls=2, prompt_tokens=300, completion_tokens=20, usd=0.25),
        Spending(role="writer", question=EFFECT, calls=1, prompt_tokens=100, completion_tokens=5, usd=0.5),
    ]
    assert describe_metrics([iteration()], [*SEARCHES, names], 4, spending) == {
        "total_iterations": 1, "pubmed_queries": 3, "web_queries": 1, "sources_processed": 4, "llm_calls": 3,
        "tokens": 425, "cost": 0.75,
    }  # fmt: skip


def test_without_a_model_nothing_was_spent_and_an_unknown_price_is_not_zero() -> None:
    assert describe_metrics([], [], 0, [])["cost"] == 0.0
    unpriced = Spending(role="judge", calls=1, prompt_tokens=1, completion_tokens=1, unpriced_calls=1)
    assert describe_metrics([], [], 0, [unpriced])["cost"] is None
