"""Finds what makes an answer weak, by counting its sources and comparing it with the other answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.citations.conflicts import find_conflicts
from storm.models import Answer, Finding, Question, Source, Verdict, WeaknessKind
from storm.wording import format_count

#: Sources older than this are old: most guidelines are rewritten sooner, and reviews of drugs are repeated.
OLD_YEARS = 10


class Fault(NamedTuple):
    """Why an answer is weak, as a kind and in words; `endpoint` names what another answer contradicts."""

    kind: WeaknessKind
    reason: str
    endpoint: str = ""


class Contradiction(NamedTuple):
    """Statements that contradict each other on an endpoint, each by what identifies it."""

    endpoint: str
    sides: frozenset[str]


def find_faults(
    question: Question,
    answer: Answer,
    sources: Mapping[str, Source],
    contradictions: Sequence[Contradiction],
    year: int,
) -> Iterator[Fault]:
    """What makes the answer weak in this year. `sources` are those of the job by every id."""
    if fault := _count_sources(question, answer, sources):
        yield fault
    newest = _find_newest_year(answer, sources)
    if newest and newest < year - OLD_YEARS:
        yield Fault(WeaknessKind.OLD, f"the newest source that it cites is of {newest}")
    if answer.cut_short:
        yield Fault(WeaknessKind.CUT_OFF, "it was cut off before it was finished")
    own = {statement.identity for statement in answer.all_statements}
    for contradiction in contradictions:
        if contradiction.sides & own and not contradiction.sides <= own:
            reason = f"another answer contradicts it on {contradiction.endpoint}"
            yield Fault(WeaknessKind.CONTRADICTED, reason, contradiction.endpoint)
            return


def _count_sources(question: Question, answer: Answer, sources: Mapping[str, Source]) -> Fault | None:
    filed = {
        source.source_id
        for source in sources.values()
        if question.key in source.questions and source.relation_kind.is_evidence
    }
    answering, needed = len(answer.answering), question.min_sources
    if not filed and not answering:
        return Fault(WeaknessKind.NO_SOURCE, "no source was found")
    if not answer.says_something:
        return Fault(WeaknessKind.UNCITED, f"nothing is cited of its {format_count(len(filed), 'source')}")
    if answering == 1:
        return Fault(WeaknessKind.ONE_SOURCE, "it stands on one source only")
    if answering < needed:
        return Fault(WeaknessKind.INCOMPLETE, f"{answering} of the {needed} sources that it needs answer it")
    return None


def _find_newest_year(answer: Answer, sources: Mapping[str, Source]) -> int | None:
    """The year of the newest source that the answer cites; None if one has no year."""
    years = [sources[name].hit.year if name in sources else None for name in answer.answering]
    return max((year for year in years if year), default=None) if all(years) else None


def find_contradictions(findings: Sequence[Finding], sources: Mapping[str, Source]) -> list[Contradiction]:
    """The contradictions between statements of all answers, and those that an answer states itself, sorted."""
    said = {
        statement.identity: (statement, sources[statement.source_ids[0]].hit)
        for finding in findings
        for statement in finding.answer.all_statements
        if statement.verdict is not Verdict.UNSUPPORTED and statement.source_ids and statement.source_ids[0] in sources
    }
    stated = [conflict for finding in findings for conflict in finding.answer.conflicts]
    found = {
        Contradiction(conflict.endpoint, frozenset(side.identity for side in conflict.statements))
        for conflict in (*stated, *find_conflicts(said.values()))
    }
    return sorted(found, key=lambda one: (one.endpoint, sorted(one.sides)))
