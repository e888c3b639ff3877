"""Ranks the statements of an answer by the evidence that they stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from storm.evidence.score import weakness_of
from storm.evidence.species import is_preclinical
from storm.models import Question, Source, Statement, Verdict

S = TypeVar("S", bound=Statement)


def rank_statements(question: Question, statements: Sequence[S], sources: Mapping[str, Source]) -> list[S]:
    """The strongest first: on the drug itself, judged, in people where results are asked for, then by their source.
    Equal ones keep their order, as do those of sources that are not given."""

    def weakness(statement: Statement) -> tuple[bool, bool, bool, tuple[int, int]]:
        source = sources.get(statement.source_ids[0]) if statement.source_ids else None
        return (
            bool(statement.remark),
            statement.verdict is not Verdict.SUPPORTED,
            question.wants_results and is_preclinical(statement.text),
            weakness_of(source, statement.section, question) if source else (0, 0),
        )

    return sorted(statements, key=weakness)
