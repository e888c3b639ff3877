"""Summarises how a report was researched, for the end of a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pydantic import JsonValue

from storm import planning_wording
from storm.models import DeepResearch, Dossier, HypothesisStatus, Research
from storm.reports import deep_research_wording, repurposing_wording
from storm.reports import research_wording as words
from storm.reports.checklist import cover, describe_state, items_of
from storm.reports.deep_research_blocks import why_ended
from storm.reports.failures import describe_unresearched
from storm.reports.hypotheses import find_last_round
from storm.reports.research_blocks import title_of
from storm.wording import format_large_count


def describe_research(dossier: Dossier, research: Research) -> Iterator[str]:
    """How many questions are answered, which failed, what searching again added, and which sections were left out."""
    yield from describe_unresearched(dossier)
    if dossier.deep_research:
        yield _describe_rounds(dossier, dossier.deep_research)
        return
    questions = format_large_count(len(dossier.questions), "question")
    yield words.ANSWERED.format(answered=_count_answered(dossier), questions=questions)
    if research.rounds:
        rounds = format_large_count(len(research.rounds), "round")
        added = format_large_count(_count_new(research), words.NEW_SOURCE)
        yield words.AGAIN.format(rounds=rounds, sources=added)
    yield from _describe_hypotheses(dossier)
    if left_out := [section.part.heading for section in research.sections if section.left_out]:
        yield words.SECTIONS_LEFT_OUT.format(headings="; ".join(left_out))


def count_research(dossier: Dossier, research: Research) -> dict[str, JsonValue]:
    """What was asked, how it was read, and what became of its questions and sections."""
    return {
        "asked": research.asked,
        "title": title_of(dossier),
        "intent": research.plan.intent.value,
        "complexity": research.plan.complexity.value,
        "is_biomedical": research.plan.is_biomedical,
        "questions": len(dossier.questions),
        "answered": _count_answered(dossier),
        "failed": dict(research.failed),
        "rounds": len(research.rounds),
        "new_sources": _count_new(research),
        "sections": [section.part.heading for section in research.sections if not section.left_out],
        **_count_hypotheses(dossier),
        **_count_items(dossier),
        "left_out": {section.part.heading: section.left_out for section in research.sections if section.left_out},
    }


def describe_items(dossier: Dossier) -> Iterator[str]:
    """Each item of the checklist with its state; nothing for other reports."""
    for item in items_of(dossier):
        yield deep_research_wording.ITEM_LINE.format(state=describe_state(item), item=item.label)


def _describe_rounds(dossier: Dossier, deep_research: DeepResearch) -> str:
    satisfied = len(cover(items_of(dossier)).satisfied)
    return deep_research_wording.ANSWERED.format(
        satisfied=satisfied,
        items=format_large_count(len(dossier.questions), "item"),
        rounds=format_large_count(len(deep_research.iterations), "round"),
        why=why_ended(deep_research),
    )


def _count_items(dossier: Dossier) -> dict[str, JsonValue]:
    if dossier.deep_research is None:
        return {}
    return {
        "refined_question": dossier.deep_research.refined.text,
        "checklist_coverage": cover(items_of(dossier)).model_dump(mode="json"),
        "iterations_used": len(dossier.deep_research.iterations),
        "stop_reason": dossier.deep_research.stop_reason.value,
    }


def _describe_hypotheses(dossier: Dossier) -> Iterator[str]:
    """How many hypotheses have each status, and the scores; nothing for other reports."""
    last = find_last_round(dossier)
    if last is None:
        return
    statuses = planning_wording.describe_statuses(one.status for one in last.tested)
    counted = repurposing_wording.COUNTED.format(number=f"{len(last.tested):,}", statuses=statuses)
    hypotheses = counted if last.tested else planning_wording.NO_HYPOTHESES
    yield repurposing_wording.HYPOTHESES_TESTED.format(hypotheses=hypotheses)
    judged = last.assessment
    yield repurposing_wording.CONFIDENT.format(
        mechanism=planning_wording.format_score(judged.mechanism.value),
        clinical=planning_wording.format_score(judged.clinical.value),
        confidence=planning_wording.format_score(judged.confidence),
    )


def _count_hypotheses(dossier: Dossier) -> dict[str, JsonValue]:
    last = find_last_round(dossier)
    if last is None:
        return {}
    counts = Counter(one.status for one in last.tested)
    return {
        "hypotheses": {status.value: counts[status] for status in HypothesisStatus},
        "confidence": last.assessment.confidence,
    }


def _count_answered(dossier: Dossier) -> int:
    return sum(answer.says_something for answer in dossier.answers)


def _count_new(research: Research) -> int:
    return sum(one.new_sources for one in research.rounds)
