"""Scores a finished job, with feedback on what was missing: pure functions of its dossier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import NamedTuple

from storm.models import Answer, Dossier, SearchStatus, Spent, database_label
from storm.models.search import NAMES
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

#: Weights of the parts; they add up to 1.
COVERAGE, QUOTES, DATABASES = 0.45, 0.35, 0.20
#: The same for a job that researches question by question.
REPORT_WEIGHTS = {"coverage": 0.25, "quotes": 0.3, "databases": 0.1, "plan": 0.15, "outline": 0.1, "sections": 0.1}
#: The same for a job that puts hypotheses to the test.
REPURPOSING_WEIGHTS = {
    "coverage": 0.2, "quotes": 0.25, "databases": 0.05, "hypotheses": 0.2, "assessment": 0.1, "summary": 0.1,
    "sections": 0.1,
}  # fmt: skip
#: The same for a job that answers one question by a checklist.
DEEP_RESEARCH_WEIGHTS = {
    "coverage": 0.15, "quotes": 0.3, "databases": 0.05, "question": 0.1, "checklist": 0.15, "judgements": 0.15,
    "sections": 0.1,
}  # fmt: skip
#: The maximum penalty for tokens, and the tokens at which it is reached.
COST, MAX_TOKENS = 0.10, 500_000
#: Maximum feedback lines of one kind.
_LINES = 6


class Score(NamedTuple):
    """The parts of the score, each from 0 to 1, and what the job spent; `quotes` is the share of supported
    statements."""

    coverage: float
    quotes: float
    databases: float
    spent: Spent

    @property
    def value(self) -> float:
        """0 to 1."""
        gained = COVERAGE * self.coverage + QUOTES * self.quotes + DATABASES * self.databases
        return _subtract_cost(gained, self.spent)

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts by name."""
        return {"coverage": self.coverage, "quotes": self.quotes, "databases": self.databases}


class ReportScore(NamedTuple):
    """The parts of the score of a job that researches question by question, each from 0 to 1, and what it spent."""

    parts: Mapping[str, float]
    spent: Spent
    weights: Mapping[str, float] = REPORT_WEIGHTS

    @property
    def value(self) -> float:
        """0 to 1."""
        return _subtract_cost(sum(weight * self.parts[name] for name, weight in self.weights.items()), self.spent)


JobScore = Score | ReportScore


def score_job(dossier: Dossier, spent: Spent) -> JobScore:
    """Score a finished job by what its mode does."""
    if dossier.repurposing:
        return score_repurposing(dossier, spent)
    if dossier.deep_research:
        return score_deep_research(dossier, spent)
    return score_report(dossier, spent) if dossier.research else score_dossier(dossier, spent)


def describe_parts(score: JobScore) -> str:
    """The parts in one line."""
    return ", ".join(f"{name} {share:.2f}" for name, share in score.parts.items())


def score_dossier(dossier: Dossier, spent: Spent) -> Score:
    """Score the coverage of the syllabus, the share of supported statements, and the number of databases.

    The share (`quotes`) is averaged over the questions with sources: an unanswered one counts 0, so that writing little
    does not raise the score.
    """
    coverage = dossier.coverage
    answers = {answer.question: answer for answer in dossier.answers}
    sourced = [answers.get(q.question) for q in coverage.questions if q.sources]
    return Score(
        coverage=fmean(min(1.0, q.sources / max(1, q.min_sources)) for q in coverage.questions),
        quotes=fmean(map(_supported_share, sourced)) if sourced else 0.0,
        databases=min(1.0, len(coverage.databases) / coverage.min_databases) if coverage.min_databases else 1.0,
        spent=spent,
    )


def score_report(dossier: Dossier, spent: Spent) -> ReportScore:
    """Score the same as of a dossier, and whether the questions cover the request, the headings fit, and the sections
    place the statements that they can have."""
    shares = {
        **score_dossier(dossier, spent).parts,
        "plan": score_plan(dossier),
        "outline": score_outline(dossier),
        "sections": fmean([*score_sections(dossier).values()] or [0.0]),
    }
    return ReportScore({name: shares[name] for name in REPORT_WEIGHTS}, spent)


def score_repurposing(dossier: Dossier, spent: Spent) -> ReportScore:
    """Score the same as of a dossier, and whether the hypotheses are stated by their quotes, the assessment rests on
    statements, the summary's numbers are right, and the sections place the statements that they can have."""
    shares = {
        **score_dossier(dossier, spent).parts,
        "hypotheses": score_hypotheses(dossier),
        "assessment": score_assessment(dossier),
        "summary": score_summary(dossier),
        "sections": fmean([*score_sections(dossier).values()] or [0.0]),
    }
    return ReportScore({name: shares[name] for name in REPURPOSING_WEIGHTS}, spent, REPURPOSING_WEIGHTS)


def score_deep_research(dossier: Dossier, spent: Spent) -> ReportScore:
    """Score the same as of a dossier, and whether the question is the one asked, the checklist covers it, the
    judgements rest on statements, and the answer places the statements that it can have."""
    shares = {
        **score_dossier(dossier, spent).parts,
        "question": score_refined_question(dossier),
        "checklist": score_checklist(dossier),
        "judgements": score_judgements(dossier),
        "sections": fmean([*score_sections(dossier).values()] or [0.0]),
    }
    return ReportScore({name: shares[name] for name in DEEP_RESEARCH_WEIGHTS}, spent, DEEP_RESEARCH_WEIGHTS)


def gathering_feedback(dossier: Dossier, spent: Spent) -> Iterator[str]:
    """Feedback on the sources, for the agent."""
    coverage = dossier.coverage
    short = [q for q in coverage.questions if not q.sufficient]
    for q in short[:_LINES]:
        yield f"{q.question} ({q.label}) has {q.sources} of the {q.min_sources} sources that it needs."
    if not short:
        yield "Every question has its sources."
    if len(coverage.databases) < coverage.min_databases:
        names = ", ".join(coverage.databases) or "none"
        share = f"{len(coverage.databases)} of at least {coverage.min_databases}"
        yield f"The sources come from {share} databases: {names}."
    failed = [line for line in dossier.search_log if line.status is SearchStatus.FAILED]
    for line in failed[:_LINES]:
        yield f"A search failed: {database_label(line.database)}, {line.query!r} ({line.reason})."
    answered = (line for line in dossier.search_log if line.status is not SearchStatus.FAILED)
    fruitless = [line for line in answered if not line.kept and line.question != NAMES]
    for line in fruitless[:_LINES]:
        yield f"Nothing was kept of a search for {line.question}: {line.query!r} found {line.total}."
    yield f"The work ended with: {dossier.stopped}. It took {spent}."


def writing_feedback(dossier: Dossier) -> Iterator[str]:
    """Feedback on the statements, for writer and composer."""
    sources = {q.question: q.sources for q in dossier.coverage.questions}
    for answer in dossier.answers:
        counts = answer.counts
        if sources.get(answer.question) and not counts.written:
            yield f"{answer.question}: no statement was written from its sources ({sources[answer.question]})."
        elif lost := counts.removed + counts.marked:
            yield (
                f"{answer.question}: {lost} of {counts.written} statements are not supported by their source: each "
                "needs a quote that is there word for word and contains its numbers."
            )
        if counts.unjudged:
            yield (
                f"{answer.question}: {counts.unjudged} of {counts.written} statements "
                f"{'was' if counts.unjudged == 1 else 'were'} not judged, and count as not supported."
            )
        yield from (f"{answer.question}: {gap}" for gap in answer.gaps[:_LINES] if counts.written)
    if dossier.answers and all(map(_is_supported, dossier.answers)):
        yield "Every statement is supported by its source."


def _subtract_cost(gained: float, spent: Spent) -> float:
    return min(1.0, max(0.0, gained - COST * min(1.0, spent.tokens / MAX_TOKENS)))


def _supported_share(answer: Answer | None) -> float:
    """The share of supported statements; unjudged ones do not count, or a failing judge would score best."""
    return answer.counts.supported / answer.counts.written if answer and answer.counts.written else 0.0


def _is_supported(answer: Answer) -> bool:
    return answer.counts.supported == answer.counts.written
