"""Counts which questions of a syllabus have enough sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm.models import Coverage, QuestionCoverage, Syllabus


def coverage(syllabus: Syllabus, counts: Mapping[str, int], databases: Sequence[str], total: int) -> Coverage:
    """The coverage of the syllabus, given the number of sources per question and their databases.

    It is ready when every question has its minimum and the sources come from enough different databases.
    """
    questions = tuple(
        QuestionCoverage(question=q.key, label=q.label, sources=counts.get(q.key, 0), min_sources=q.min_sources)
        for q in syllabus.questions
    )
    different = tuple(sorted(set(databases)))
    return Coverage(
        questions=questions,
        databases=different,
        min_databases=syllabus.min_databases,
        total=total,
        ready=all(q.sufficient for q in questions) and len(different) >= syllabus.min_databases,
    )


def neediest_first(state: Coverage) -> list[QuestionCoverage]:
    """All questions, sorted by missing sources (most first), then by share of the minimum, then in the given order."""
    return sorted(state.questions, key=lambda q: (min(0, q.sources - q.min_sources), q.sources / q.min_sources))
