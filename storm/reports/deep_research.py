"""The answer to a question that was researched in rounds, with its sources and what it covers."""

from __future__ import annotations

from storm.models import (
    AnswerSource,
    ChecklistCoverage,
    DeepResearch,
    DeepResearchResult,
    ItemState,
    ResearchReport,
    ResearchStatus,
    SearchStatus,
    StopReason,
)
from storm.reports.failures import describe_failures

_NOTHING_FOUND = "Nothing that answers the question was found."


def make_result(report: ResearchReport) -> DeepResearchResult:
    """The report's answer, in which [n] is the n-th of its sources."""
    research = report.deep_research
    assert research is not None
    has_failed = all(use.status is SearchStatus.FAILED for use in report.databases)
    if has_failed and not report.references:
        status, answer = ResearchStatus.ERROR, ""
    else:
        ended = research.stop_reason in (StopReason.COMPLETE, StopReason.NO_PROGRESS)
        status = ResearchStatus.COMPLETED if ended else ResearchStatus.MAX_ITERATIONS
        answer = _write_answer(report) or _NOTHING_FOUND
    return DeepResearchResult(
        trace_id=report.job_id,
        answer=answer,
        sources=_list_sources(report),
        checklist_coverage=_cover(report, research),
        iterations_used=len(research.iterations),
        status=status,
        stop_reason=research.stop_reason.value,
        error=" ".join(describe_failures(report)) if status is ResearchStatus.ERROR else "",
    )


def _order(report: ResearchReport) -> list[str]:
    sections = report.research.sections if report.research else ()
    said = (one for section in sections for paragraph in section.paragraphs for one in paragraph)
    return list(dict.fromkeys(source for one in said for source in one.source_ids))


def _write_answer(report: ResearchReport) -> str:
    numbers = {source: number for number, source in enumerate(_order(report), 1)}
    sections = report.research.sections if report.research else ()
    said = [one for section in sections for paragraph in section.paragraphs for one in paragraph]
    return " ".join(f"{one.text} {''.join(f'[{numbers[source]}]' for source in one.source_ids)}" for one in said)


def _list_sources(report: ResearchReport) -> tuple[AnswerSource, ...]:
    sections = report.research.sections if report.research else ()
    quotes = {
        source: one.quote
        for section in sections
        for paragraph in section.paragraphs
        for one in paragraph
        for source in one.source_ids
    }
    found = {reference.source_id: reference for reference in report.references}
    return tuple(
        AnswerSource(
            id=f"src_{number}",
            type="pubmed" if (pmid := _find_pmid(found[source].identifiers)) else "web",
            title=found[source].title,
            url=found[source].url,
            snippet=quotes[source],
            source_id=source,
            pmid=pmid,
            database=found[source].source_type,
        )
        for number, source in enumerate(_order(report), 1)
    )


def _find_pmid(identifiers: tuple[str, ...]) -> str | None:
    return next((one.removeprefix("pmid:") for one in identifiers if one.startswith("pmid:")), None)


def _cover(report: ResearchReport, research: DeepResearch) -> ChecklistCoverage:
    states = {item.question: item.state for item in research.judgements}
    satisfied = [one.label for one in report.questions if states.get(one.key) is ItemState.SATISFIED]
    open_items = [one for one in report.questions if one.label not in satisfied]
    return ChecklistCoverage(
        satisfied=tuple(satisfied),
        gaps=tuple(
            f"{one.label} - partial coverage" if states.get(one.key) is ItemState.PARTIAL else one.label
            for one in open_items
        ),
    )
