"""Says in words what was missing in a finished job, for the predictor that can mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from storm.models import Dossier, Spent
from storm.optimize.finished_roles import score_headings, score_questions, score_sections
from storm.optimize.metric import describe_parts, gathering_feedback, score_job, writing_feedback

#: Maximum sections that are named.
_SECTIONS = 6


class _Finished(NamedTuple):
    """A finished job, what it spent, and the calls of the predictor that is to be explained."""

    dossier: Dossier
    spent: Spent
    trace: Any


def explain_job(dossier: Dossier, spent: Spent, predictor: str | None, trace: Any = None) -> list[str]:
    """The score and what was missing, a line each: what the predictor of that name can mend, or everything.

    `trace` are the predictor's calls as DSPy gives them."""
    found = score_job(dossier, spent)
    done = _Finished(dossier, spent, trace)
    if predictor:
        chosen = [_FEEDBACK[predictor]]
    else:
        chosen = list(dict.fromkeys(_FEEDBACK.values())) if dossier.research else [_explain_gathering, _explain_writing]
    lines = [f"Score {found.value:.2f}: {describe_parts(found)}, {spent.tokens:,} tokens."]
    return [*lines, *(line for explain in chosen for line in explain(done))]


def _explain_gathering(done: _Finished) -> Iterator[str]:
    return gathering_feedback(done.dossier, done.spent)


def _explain_writing(done: _Finished) -> Iterator[str]:
    return writing_feedback(done.dossier)


def _explain_plan(done: _Finished) -> Iterator[str]:
    score = score_questions(done.dossier)
    yield f"The questions score {score:.2f} of 1 for covering the request, asking different things and fitting it."
    for one in done.dossier.coverage.questions:
        if not one.sources:
            yield f"No source answers {one.label}."


def _explain_review(done: _Finished) -> Iterator[str]:
    rounds = done.dossier.research.rounds if done.dossier.research else ()
    for number, one in enumerate(rounds, start=1):
        yield f"Review {number}: answers searched for again: {len(one.weak)}; new sources: {one.new_sources}."
    if not rounds:
        yield "No answer was searched for again."
    for answer in done.dossier.answers:
        if not answer.answering:
            yield f"{answer.question} ended without a cited source."


def _explain_outline(done: _Finished) -> Iterator[str]:
    score = score_headings(done.dossier)
    yield f"The headings score {score:.2f} of 1: each once, every answer under one, fit for the kind of question."


def _explain_sections(done: _Finished) -> Iterator[str]:
    sections = done.dossier.research.sections if done.dossier.research else ()
    reasons = {section.part.heading: section.left_out for section in sections}
    scores = score_sections(done.dossier)
    for heading in sorted(scores, key=lambda name: scores[name])[:_SECTIONS]:
        why = f" {reasons[heading]}" if reasons[heading] else ""
        yield f"The section {heading!r} scores {scores[heading]:.2f} of 1 for the statements that it places.{why}"


def _explain_digests(done: _Finished) -> Iterator[str]:
    for _, inputs, reply in done.trace or ():
        written = len(str(reply.get("digest") or "").split())
        if written > inputs["words"]:
            yield f"The digest has {written} words, {inputs['words']} are allowed: the sentences beyond were cut off."
        elif not written:
            yield "There was no digest."


#: What each predictor can mend.
_FEEDBACK: Mapping[str, Callable[[_Finished], Iterator[str]]] = {
    "agent": _explain_gathering,
    "query_writer": _explain_gathering,
    "planner": _explain_plan,
    "reflector": _explain_review,
    "writer": _explain_writing,
    "composer": _explain_writing,
    "digester": _explain_digests,
    "outline": _explain_outline,
    "section": _explain_sections,
}
