"""Summarises how a report was researched, for the end of a job."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from storm.models import Dossier, Research
from storm.reports import research_wording as words
from storm.reports.failures import describe_unresearched
from storm.reports.research_blocks import title_of
from storm.wording import format_large_count


def describe_research(dossier: Dossier, research: Research) -> Iterator[str]:
    """How many questions are answered, which failed, what searching again added, and which sections were left out."""
    yield from describe_unresearched(dossier)
    questions = format_large_count(len(dossier.questions), "question")
    yield words.ANSWERED.format(answered=_count_answered(dossier), questions=questions)
    if research.rounds:
        rounds = format_large_count(len(research.rounds), "round")
        added = format_large_count(_count_new(research), words.NEW_SOURCE)
        yield words.AGAIN.format(rounds=rounds, sources=added)
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
        "left_out": {section.part.heading: section.left_out for section in research.sections if section.left_out},
    }


def _count_answered(dossier: Dossier) -> int:
    return sum(answer.says_something for answer in dossier.answers)


def _count_new(research: Research) -> int:
    return sum(one.new_sources for one in research.rounds)
