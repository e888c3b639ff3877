"""How good a finished job is, as one number, and in words what was missing: a pure function of its dossier."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from storm.models import Answer, Dossier, SearchStatus, Spent, database_label

#: What each part counts; the first three come to 1.
COVERAGE, QUOTES, DATABASES = 0.45, 0.35, 0.20
#: What the tokens of a job take off at most, and from how many tokens on.
COST, MOST_TOKENS = 0.10, 500_000
#: Lines of one kind that are told.
_TOLD = 6


class Score(NamedTuple):
    """The parts, each from 0 to 1: of the syllabus, of the quotes, of the databases; and what it cost."""

    coverage: float
    quotes: float
    databases: float
    spent: Spent

    @property
    def value(self) -> float:
        """0 to 1."""
        gained = COVERAGE * self.coverage + QUOTES * self.quotes + DATABASES * self.databases
        return min(1.0, max(0.0, gained - COST * min(1.0, self.spent.tokens / MOST_TOKENS)))


def score_dossier(dossier: Dossier, spent: Spent) -> Score:
    """How much of the syllabus is covered, how much of what was written is carried, from how many databases.

    The quotes are counted question by question, among those that have sources: one that was left unanswered counts 0,
    so that nothing is gained by writing little.
    """
    state = dossier.coverage
    answers = {answer.question: answer for answer in dossier.answers}
    sourced = [answers.get(q.question) for q in state.questions if q.sources]
    return Score(
        coverage=fmean(min(1.0, q.sources / max(1, q.min_sources)) for q in state.questions),
        quotes=fmean(map(_supported_share, sourced)) if sourced else 0.0,
        databases=min(1.0, len(state.databases) / state.min_databases) if state.min_databases else 1.0,
        spent=spent,
    )


def gathering_feedback(dossier: Dossier, spent: Spent) -> Iterator[str]:
    """What is missing of the sources, for who searched and saved."""
    state = dossier.coverage
    short = [q for q in state.questions if not q.sufficient]
    for q in short[:_TOLD]:
        yield f"{q.question} ({q.label}) has {q.sources} of the {q.min_sources} sources that it needs."
    if not short:
        yield "Every question has its sources."
    if len(state.databases) < state.min_databases:
        found = ", ".join(state.databases) or "none"
        yield f"The sources come from {len(state.databases)} of at least {state.min_databases} databases: {found}."
    failed = [line for line in dossier.search_log if line.status is SearchStatus.FAILED]
    for line in failed[:_TOLD]:
        yield f"A search failed: {database_label(line.database)}, {line.query!r} ({line.reason})."
    fruitless = [line for line in dossier.search_log if line.status is not SearchStatus.FAILED and not line.kept]
    for line in fruitless[:_TOLD]:
        yield f"Nothing was kept of a search for {line.question}: {line.query!r} found {line.total}."
    yield f"The work ended with: {dossier.stopped}. It took {spent}."


def writing_feedback(dossier: Dossier) -> Iterator[str]:
    """What became of the statements, for who wrote and chose them."""
    sources = {q.question: q.sources for q in dossier.coverage.questions}
    for answer in dossier.answers:
        counts = answer.counts
        if sources.get(answer.question) and not counts.written:
            yield f"{answer.question}: no statement was written from its sources ({sources[answer.question]})."
        elif lost := counts.removed + counts.marked:
            yield (
                f"{answer.question}: {lost} of {counts.written} statements are not carried by their source: each needs "
                "a quote that stands there word for word and holds its numbers."
            )
        if counts.unjudged:
            yield (
                f"{answer.question}: {counts.unjudged} of {counts.written} statements "
                f"{'was' if counts.unjudged == 1 else 'were'} not judged, and count as not carried."
            )
        yield from (f"{answer.question}: {gap}" for gap in answer.gaps[:_TOLD] if counts.written)
    if dossier.answers and all(map(_is_supported, dossier.answers)):
        yield "Every statement that was written is carried by its source."


def _supported_share(answer: Answer | None) -> float:
    """The share of what was written; what nobody judged is no part of it, or a judge that fails would be the best."""
    return answer.counts.supported / answer.counts.written if answer and answer.counts.written else 0.0


def _is_supported(answer: Answer) -> bool:
    return answer.counts.supported == answer.counts.written
