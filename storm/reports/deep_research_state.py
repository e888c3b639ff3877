"""What is known of a question while it is researched, as traces keep it: its state after a round, and its metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from storm.models import (
    Answer,
    ChecklistReview,
    ItemState,
    ListedSource,
    RefinedQuestion,
    SearchIteration,
    SearchStatus,
    Spending,
    Verdict,
    sum_amounts,
)
from storm.models.search import LOOK_UPS, PUBMED, WEB, SearchRecord
from storm.reports.checklist import ChecklistItem, cover, list_items


def describe_state(
    refined: RefinedQuestion,
    labels: Mapping[str, str],
    iterations: Sequence[SearchIteration],
    answers: Sequence[Answer],
    sources: Iterable[ListedSource],
) -> dict[str, JsonValue]:
    """The state of a research after these rounds. `labels` are the items of the checklist by their keys. The `evidence`
    of an item names facts by their ids, and a fact names its item and sources by theirs."""
    items = list_items(labels, iterations[-1].review.items if iterations else (), answers)
    return {
        "refined_question": refined.text,
        "checklist": [_describe_item(item) for item in items],
        "knowledge_base": {
            "facts": [fact for answer in answers for fact in _list_facts(answer)],
            "sources": [_describe_source(source) for source in sources],
            "gaps": list(cover(items).gaps),
        },
        "iterations": [_describe_iteration(one, len(labels)) for one in iterations],
    }


def describe_metrics(
    iterations: Sequence[SearchIteration],
    searches: Iterable[SearchRecord],
    sources: int,
    spending: Iterable[Spending],
) -> dict[str, JsonValue]:
    """What a research took so far; `cost` is in dollars, None if no price is known."""
    ran = (one for one in searches if one.question not in LOOK_UPS and one.status is not SearchStatus.NOT_APPLICABLE)
    searched = Counter(one.database for one in ran)
    spent = sum_amounts(one.amounts for one in spending)
    return {
        "total_iterations": len(iterations),
        "pubmed_queries": searched[PUBMED],
        "web_queries": searched[WEB],
        "sources_processed": sources,
        "llm_calls": spent.calls,
        "tokens": spent.tokens,
        "cost": spent.usd if spent.calls else 0.0,
    }


def _describe_item(item: ChecklistItem) -> dict[str, JsonValue]:
    return {
        "id": item.key,
        "description": item.label,
        "satisfied": item.state is ItemState.SATISFIED,
        "evidence": [statement.identity for statement in item.evidence],
    }


def _list_facts(answer: Answer) -> Iterator[dict[str, JsonValue]]:
    """The statements that count, without those that their sources do not support."""
    for one in answer.all_statements:
        if one.verdict is not Verdict.UNSUPPORTED:
            yield {
                "id": one.identity, "item": answer.question, "text": one.text, "quote": one.quote,
                "sources": [*one.source_ids],
            }  # fmt: skip


def _describe_source(source: ListedSource) -> dict[str, JsonValue]:
    return {
        "id": source.source_id, "title": source.title, "url": source.url, "database": source.database,
        "external_id": source.external_id,
    }  # fmt: skip


def _describe_iteration(one: SearchIteration, items: int) -> dict[str, JsonValue]:
    return {
        "iteration": one.number,
        "queries": [str(query) for queries in one.searches.values() for query in queries],
        "results_count": one.results_count,
        "checklist_progress": _count_states(one.review, items),
    }


def _count_states(review: ChecklistReview, items: int) -> dict[str, JsonValue]:
    """How many items have each state; those that were not judged are not satisfied."""
    states = Counter(item.state for item in review.items)
    states[ItemState.UNSATISFIED] += items - len(review.items)
    return {"items": items, **{state.value: states[state] for state in ItemState}}
