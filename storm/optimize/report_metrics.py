"""DSPy metrics of what a compiler makes, an outline and a section: scores from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Any

from storm.citations.quotes import normalize_text
from storm.citations.sections import list_placed
from storm.models import Finding, Intent, Outline, Plan

#: Weights of a section's parts; they add up to 1.
PLACED, REWORDED = 0.7, 0.3
#: Words by which a heading says that it compares.
_COMPARING = ("compar", "versus", " vs", " and ", " or ", "differ", "than ", "relative to")
#: The most top headings of a report on a fact.
_FEW = 3


def outline_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.outline` for `example.plan` and `example.findings`: whether each heading stands once, every
    question with statements is under one, and the headings fit the intent. 0 without an outline."""
    outline: Outline | None = prediction.outline
    if outline is None or not outline.parts:
        return 0.0
    headings = [part.heading.casefold() for part in outline.parts]
    unique = len(set(headings)) / len(headings)
    return fmean((unique, _share_covered(outline, example.findings), _fit_intent(outline, example.plan)))


def section_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.section` for the statements that it could have (`example.section`): the share placed, and of
    these the share that was reworded and found supported. 0 if one is repeated or not among them."""
    candidates = {one.identity: one for one in list_placed([example.section])}
    statements = list(list_placed([prediction.section]))
    names = [one.identity for one in statements]
    earlier_names = {one.identity for one in list_placed(example.before)}
    if not names or len(set(names)) < len(names):
        return 0.0
    if not candidates.keys() >= set(names) or not earlier_names.isdisjoint(names):
        return 0.0
    reworded = fmean(normalize_text(one.text) != normalize_text(candidates[one.identity].text) for one in statements)
    return PLACED * len(names) / len(candidates) + REWORDED * reworded


def _share_covered(outline: Outline, findings: list[Finding]) -> float:
    """The share of the questions with statements that are under a heading."""
    answered = {finding.answer.question for finding in findings if finding.answer.statements}
    outlined = {key for part in outline.parts for key in part.questions}
    return len(answered & outlined) / len(answered) if answered else 1.0


def _fit_intent(outline: Outline, plan: Plan) -> float:
    """How well the headings fit what is asked for, and the share of the reader's sections that are there."""
    return fmean(_list_fits(outline, plan))


def _list_fits(outline: Outline, plan: Plan) -> Iterator[float]:
    tops = [part.heading.casefold() for part in outline.parts if not part.parent]
    intent = plan.research.intent if plan.research else Intent.SURVEY
    if intent is Intent.FACT:
        yield min(1.0, _FEW / len(tops))
    elif intent is Intent.COMPARISON:
        yield fmean(any(word in heading for word in _COMPARING) for heading in tops)
    else:
        yield min(1.0, len(tops) / min(2, len(plan.syllabus.questions)))
    wanted = [section.casefold() for section in plan.research.preferences.sections] if plan.research else []
    if wanted:
        yield fmean(any(one in heading for heading in tops) for one in wanted)
