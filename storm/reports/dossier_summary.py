"""Summarises a dossier in a few lines, shown when a job has ended."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from storm import wording
from storm.models import Dossier, SearchStatus, sum_amounts
from storm.models.changes import Change, Changes, count_kinds
from storm.reports import change_wording as words
from storm.reports.change_blocks import describe_record, sum_up_changes
from storm.reports.deep_research_blocks import describe_limits
from storm.reports.failures import describe_failures, describe_unresearched
from storm.reports.hypotheses import has_no_evidence
from storm.reports.methodology import why_stopped
from storm.reports.report import Summary, summary_of
from storm.reports.repurposing_wording import NO_EVIDENCE
from storm.reports.research_summary import count_research, describe_items, describe_research
from storm.wording import format_large_count


@summary_of.register
def summarize_dossier(dossier: Dossier) -> Summary:
    """The coverage of each question, what was searched, and the notes."""
    return Summary(
        tuple(_summary_lines(dossier)), _summary_fields(dossier), _make_warning(dossier) if dossier.exit_code else ""
    )


def _make_warning(dossier: Dossier) -> str:
    """Why the exit code is not 0, in one line."""
    return " ".join(f"{reason.rstrip('.')}." for reason in _list_problems(dossier))


def _list_problems(dossier: Dossier) -> Iterator[str]:
    """What failed, then what is incomplete besides."""
    if not dossier.deep_research or not dossier.coverage.total:  # its limits name them
        yield from describe_failures(dossier)
        yield from describe_unresearched(dossier)
    yield from _list_shortcomings(dossier)


def _list_shortcomings(dossier: Dossier) -> Iterator[str]:
    """Why the dossier is incomplete, apart from failed searches."""
    state = dossier.coverage
    if not state.total or has_no_evidence(dossier):
        yield _describe_outcome(dossier)
        return
    if dossier.deep_research:
        yield describe_limits(dossier)
        yield from (lack.note for lack in dossier.lacks)
        return
    if short := [q for q in state.questions if not q.sufficient]:
        yield f"Too few sources: {', '.join(f'{q.label} ({q.sources} of {q.min_sources})' for q in short)}"
    yield from _note_few_databases(dossier)
    if dossier.stopped != "complete":
        yield f"Gathering stopped because {why_stopped(dossier)}"
    yield from (lack.note for lack in dossier.lacks)


def _summary_fields(dossier: Dossier) -> dict[str, JsonValue]:
    return {
        "job_id": dossier.job_id,
        "drug": dossier.drug,
        "exit_code": dossier.exit_code,
        "stopped": dossier.stopped,
        "engine": dossier.engine,
        "mode": dossier.mode,
        "statements": dossier.statements.model_dump(mode="json"),
        "spent": sum_amounts(row.amounts for row in dossier.spending)._asdict() if dossier.spending else None,
        "coverage": dossier.coverage.model_dump(mode="json"),
        "not_searched": {use.name: use.reason for use in dossier.databases if use.status is SearchStatus.FAILED},
        "searched_in_part": {use.name: use.reason for use in dossier.databases if use.incomplete},
        "changes": _count_changes(dossier.changes) if dossier.changes else None,
        **({"research": count_research(dossier, dossier.research)} if dossier.research else {}),
    }


def _count_changes(changes: Changes) -> dict[str, JsonValue]:
    return {
        "update_of": changes.update_of,
        "records": {kind.value: number for kind, number in count_kinds(changes.records).items()},
        "statements": {kind.value: number for kind, number in count_kinds(changes.statements).items()},
        "rows": {kind.value: number for kind, number in count_kinds(changes.rows).items()},
        "unchecked": sum(one.records for one in changes.unchecked),
    }


def _summary_lines(dossier: Dossier) -> Iterator[str]:
    yield from describe_items(dossier) if dossier.deep_research else _describe_coverage(dossier)
    yield from describe_failures(dossier)
    if dossier.research:
        yield from describe_research(dossier, dossier.research)
    yield _describe_outcome(dossier)
    if dossier.changes:
        yield from _describe_changes(dossier.changes)
    yield _describe_identity(dossier)
    for use in dossier.searched_databases:
        yield f"Searched: {use.scope}"
    for note in dossier.notes if dossier.coverage.total or dossier.repurposing else dossier.notes[:-1]:
        yield f"Note: {note}"
    if dossier.statements.marked:
        yield f"Marked as not supported by their sources: {format_large_count(dossier.statements.marked, 'statement')}"
    if dossier.spending:
        yield f"Language models: {sum_amounts(row.amounts for row in dossier.spending)}"


def _describe_coverage(dossier: Dossier) -> Iterator[str]:
    for question in dossier.coverage.questions if dossier.coverage.total else ():
        mark = "✓" if question.answered else "⚠"
        answering = "" if question.answering is None else f" ({question.answering} in its answer)"
        sources = format_large_count(question.sources, "source")
        yield f"{mark} {question.label}: {sources}{answering}, {question.min_sources} needed"
    yield from _note_few_databases(dossier) if dossier.coverage.total else ()
    few = _list_thin_answers(dossier)
    if few and not has_no_evidence(dossier):
        yield wording.FEW_IN_ANSWER.format(questions=", ".join(few), report=dossier.file_name)


def _note_few_databases(dossier: Dossier) -> Iterator[str]:
    state = dossier.coverage
    if len(state.databases) < state.min_databases:
        yield f"Too few databases: {len(state.databases)} of {state.min_databases}"


def _list_thin_answers(dossier: Dossier) -> list[str]:
    """The questions with enough sources, of which too few are in their answers."""
    return [question.label for question in dossier.coverage.questions if question.sufficient and not question.answered]


def _describe_outcome(dossier: Dossier) -> str:
    total, cited = dossier.coverage.total, len(dossier.references)
    if not total or has_no_evidence(dossier):
        tried = format_large_count(len(dossier.search_log), "query that was", "queries that were")
        why = " ".join((*([NO_EVIDENCE] if has_no_evidence(dossier) else []), *dossier.notes[-1:]))
        return f"{why} The {dossier.file_name} lists the {tried} tried."
    complete = "complete" if dossier.exit_code == 0 else "partial"
    if dossier.exit_code == 0 and (few := _list_thin_answers(dossier)):
        complete += f" but for {len(few)} of {len(dossier.coverage.questions)} questions"
    sources = format_large_count(total, "source")
    found = f"{sources}, {cited} of them cited; the {dossier.file_name} is {complete}. Engine: {dossier.engine}."
    return found if dossier.stopped == "complete" else f"{found} It stopped because {why_stopped(dossier)}."


def _describe_changes(changes: Changes) -> Iterator[str]:
    """How much changed since the job that is updated, and which records were retracted."""
    summed_up = " ".join(sum_up_changes(changes))
    yield words.SINCE.format(job=changes.update_of, changes=summed_up[0].lower() + summed_up[1:])
    for change in changes.records:
        if change.kind is Change.RETRACTED:
            yield words.RETRACTED.format(record=describe_record(change))


def _describe_identity(dossier: Dossier) -> str:
    names = f"Search terms: {', '.join(dossier.names)}"
    found = dossier.identity
    return f"{names} ({found.inn}, {found.chembl})" if found and found.inn and found.chembl else names
