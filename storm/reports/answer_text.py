"""The answer to a question as plain text, for a terminal, a chat or a language model."""

from __future__ import annotations

from collections.abc import Iterator

from storm.models import AnswerSource, DeepResearchResult, ResearchStatus, StopReason, database_label
from storm.reports.deep_research_wording import LIMITS, WHY_ENDED_BEGINS
from storm.wording import ET_AL, format_large_count

#: Why the rounds ended.
_ENDED = {
    StopReason.COMPLETE: "no item of the checklist is left open",
    StopReason.NO_PROGRESS: "nothing more was found or left to search for",
    StopReason.BUDGET: "the limit of time or cost was reached",
    StopReason.MAX_ITERS: "the limit of rounds was reached",
    StopReason.MODEL_ERROR: "the language model failed",
}


def write_answer(result: DeepResearchResult) -> str:
    """The answer, its numbered sources with their addresses, what it covers, and why the rounds ended."""
    parts = (result.answer, result.error, _list_sources(result), "\n".join(_describe_coverage(result)))
    return "\n\n".join(filter(None, parts))


def describe_end(result: DeepResearchResult) -> str:
    """How many rounds there were, and why they ended, unless the answer says so."""
    if WHY_ENDED_BEGINS in result.answer:
        return format_large_count(result.iterations_used, "iteration")
    reason = _ENDED.get(result.stop_reason, result.stop_reason)  # type: ignore[call-overload]
    rounds = format_large_count(result.iterations_used, "iteration")
    return f"{rounds}: {reason}" if reason else rounds


def _list_sources(result: DeepResearchResult) -> str:
    lines = [f"[{number}] {_describe_source(one)}" for number, one in enumerate(result.sources, 1)]
    return "\n".join(("Sources:", *lines)) if lines else ""


def _describe_source(source: AnswerSource) -> str:
    first = "".join(source.authors[:1]).rstrip(".")
    by = f"{first} {ET_AL}" if len(source.authors) > 1 else first
    published = " ".join(filter(None, (source.journal.rstrip("."), str(source.year or ""))))
    name = f"PubMed {source.pmid}" if source.pmid else database_label(source.database) if source.database else ""
    parts = (by, source.title.rstrip("."), published, name)
    return " ".join((*(f"{part}." for part in parts if part), source.url))


def _describe_coverage(result: DeepResearchResult) -> Iterator[str]:
    coverage = result.checklist_coverage
    if coverage.satisfied:
        yield f"Answered: {'; '.join(coverage.satisfied)}"
    if coverage.none_recognised and LIMITS not in result.answer:  # which name them
        yield f"Looked for, none recognised: {'; '.join(coverage.none_recognised)}"
    if coverage.gaps and LIMITS not in result.answer:  # which name them
        yield f"Not answered, or only in part: {'; '.join(coverage.gaps)}"
    if result.status is not ResearchStatus.ERROR:
        yield f"Ended after {describe_end(result)}"
