"""Finds the statements that a section of a report may have: each statement stands in one section at most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from storm.models import Finding, Outline, OutlinePart, ReportSection, SummarySentence, Verdict


def list_own_questions(part: OutlinePart, outline: Outline) -> tuple[str, ...]:
    """The questions of a part that none of its sub-headings has."""
    below = {key for other in outline.parts if other.parent == part.anchor for key in other.questions}
    return tuple(key for key in part.questions if key not in below)


def list_placed(sections: Iterable[ReportSection]) -> Iterator[SummarySentence]:
    """The sentences of these sections."""
    return (sentence for section in sections for paragraph in section.paragraphs for sentence in paragraph)


def list_free(
    part: OutlinePart, outline: Outline, findings: Sequence[Finding], before: Sequence[ReportSection] = ()
) -> list[SummarySentence]:
    """The statements on a part's own questions that no section `before` has, in the order of its questions.

    Statements that their source does not support, or that other sources contradict, stay among the findings."""
    answers = {finding.answer.question: finding.answer for finding in findings}
    contradicted = (s for answer in answers.values() for conflict in answer.conflicts for s in conflict.statements)
    taken = {statement.identity for statement in (*contradicted, *list_placed(before))}
    free: dict[str, SummarySentence] = {}
    for key in list_own_questions(part, outline):
        for statement in answers[key].statements if key in answers else ():
            name = statement.identity
            if statement.verdict is not Verdict.UNSUPPORTED and name not in taken:
                free.setdefault(name, SummarySentence.place(statement, key))
    return list(free.values())
