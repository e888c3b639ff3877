"""Says in words what was missing in a finished job, for the predictor that can improve it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from storm.models import Dossier, Spent
from storm.optimize.finished_roles import (
    score_assessment,
    score_checklist,
    score_hypotheses,
    score_judgements,
    score_outline,
    score_plan,
    score_refined_question,
    score_sections,
    score_summary,
)
from storm.optimize.scoring import describe_parts, gathering_feedback, score_job, writing_feedback

#: Maximum sections that are named.
_SECTIONS = 6


class _Finished(NamedTuple):
    """A finished job, what it spent, and the calls of the predictor that is to be explained."""

    dossier: Dossier
    spent: Spent
    trace: Any


def explain_job(dossier: Dossier, spent: Spent, predictor: str | None, trace: Any = None) -> list[str]:
    """The score and what was missing, a line each: what the predictor of that name can improve, or everything.

    `trace` are the predictor's calls as DSPy gives them."""
    score = score_job(dossier, spent)
    job = _Finished(dossier, spent, trace)
    explanations = [_FEEDBACK[predictor]] if predictor else _choose_feedback(dossier)
    lines = [f"Score {score.value:.2f}: {describe_parts(score)}, {spent.tokens:,} tokens."]
    return [*lines, *(line for explain in explanations for line in explain(job))]


def _choose_feedback(dossier: Dossier) -> list[Callable[[_Finished], Iterator[str]]]:
    """What can be said of all that the job's mode does."""
    if dossier.repurposing:
        return [_explain_gathering, _explain_writing, _explain_hypotheses, _explain_assessment, _explain_summary]
    if dossier.deep_research:
        return [_explain_refined, _explain_checklist, _explain_gathering, _explain_writing, _explain_judgements]
    if dossier.research:
        return [*dict.fromkeys(explain for name, explain in _FEEDBACK.items() if name not in _OF_OTHER_MODES)]
    return [_explain_gathering, _explain_writing]


def _explain_gathering(done: _Finished) -> Iterator[str]:
    return gathering_feedback(done.dossier, done.spent)


def _explain_writing(done: _Finished) -> Iterator[str]:
    return writing_feedback(done.dossier)


def _explain_plan(done: _Finished) -> Iterator[str]:
    score = score_plan(done.dossier)
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
    score = score_outline(done.dossier)
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


def _explain_hypotheses(done: _Finished) -> Iterator[str]:
    rounds = done.dossier.repurposing.rounds if done.dossier.repurposing else ()
    score = score_hypotheses(done.dossier)
    yield f"The hypotheses score {score:.2f} of 1: each link in the words of its quotes, each mechanism once."
    for one in rounds[-1].tested if rounds else ():
        yield f"{one.mechanism}: {one.status}, {one.supported} sources for and {one.contradicted} against."
    if not rounds or not rounds[-1].tested:
        yield "No hypothesis was tested."


def _explain_assessment(done: _Finished) -> Iterator[str]:
    score = score_assessment(done.dossier)
    yield f"The assessment scores {score:.2f} of 1: a score has reasons, and rests on statements that exist."
    rounds = done.dossier.repurposing.rounds if done.dossier.repurposing else ()
    for number, one in enumerate(rounds, start=1):
        asked = sum(map(len, one.searches.values()))
        yield f"Round {number}: searches: {asked}; new sources: {one.new_sources}."


def _explain_summary(done: _Finished) -> Iterator[str]:
    score = score_summary(done.dossier)
    yield f"The summary scores {score:.2f} of 1: 100 to 500 characters, each sentence a count or a statement."
    if done.dossier.repurposing and done.dossier.repurposing.summary_note:
        yield f"Rules wrote it, since {done.dossier.repurposing.summary_note}."


def _explain_refined(done: _Finished) -> Iterator[str]:
    score = score_refined_question(done.dossier)
    yield f"The refined question scores {score:.2f} of 1: it asks what was asked, and leaves nothing open."
    if done.dossier.deep_research and done.dossier.deep_research.refined.note:
        yield f"Rules read it, since {done.dossier.deep_research.refined.note}."


def _explain_checklist(done: _Finished) -> Iterator[str]:
    score = score_checklist(done.dossier)
    yield f"The checklist scores {score:.2f} of 1: three to seven items that cover the question and differ."
    for one in done.dossier.coverage.questions:
        if not one.sources:
            yield f"No source answers {one.label}."


def _explain_judgements(done: _Finished) -> Iterator[str]:
    score = score_judgements(done.dossier)
    yield f"The judgements score {score:.2f} of 1: an item is answered by statements of its own that exist."
    iterations = done.dossier.deep_research.iterations if done.dossier.deep_research else ()
    for one in iterations:
        yield (
            f"Round {one.number}: open items: {len(one.review.open_items)}; new sources: {one.new_sources}; new "
            f"statements: {one.new_facts}."
        )
        if one.review.note:
            yield f"Rules judged it, since {one.review.note}."


#: What each predictor can improve.
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
    "hypothesizer": _explain_hypotheses,
    "hypothesis_judge": _explain_assessment,
    "summary": _explain_summary,
    "refiner": _explain_refined,
    "checklist_planner": _explain_checklist,
    "item_query_writer": _explain_gathering,
    "checklist_judge": _explain_judgements,
}
#: Those of the modes that test hypotheses, and that work through a checklist, alone.
_OF_OTHER_MODES = (
    "hypothesizer", "hypothesis_judge", "summary", "refiner", "checklist_planner", "item_query_writer",
    "checklist_judge",
)  # fmt: skip
