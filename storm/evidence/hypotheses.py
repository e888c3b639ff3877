"""The statements for and against a hypothesis, by the direction that each sentence itself states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm.evidence.modulation import find_action, target_keys
from storm.evidence.relevance import Result, Tested, find_sides, has_control, reports_result
from storm.evidence.sides import Side
from storm.models import (
    Answer,
    Disease,
    Plan,
    ProposedHypothesis,
    Retraction,
    Source,
    Statement,
    TestedHypothesis,
    index_sources,
)


def find_evidence(
    proposed: Sequence[ProposedHypothesis], answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> tuple[TestedHypothesis, ...]:
    """Each hypothesis with its statements for and against, in the order of the answers; null results are against.

    A source that was merged from several counts once, a retracted one never."""
    if plan.disease is None:
        return tuple(TestedHypothesis.of(one, (), ()) for one in proposed)
    by_id = index_sources(sources)
    results = list(_find_results(answers, by_id, plan, plan.disease))
    counted = {name: one.source_id for name, one in by_id.items() if one.hit.retraction is not Retraction.RETRACTED}
    tested = list(_prepare(proposed, sources))
    found = [[find_sides(one, hypothesis, tuple(plan.names), plan.disease) for hypothesis in tested] for one in results]

    def on(side: Side, number: int) -> list[Statement]:
        return [one.statement for one, sides in zip(results, found, strict=True) if side in sides[number]]

    return tuple(
        TestedHypothesis.of(one, on(Side.FOR, number), on(Side.AGAINST, number), counted)
        for number, one in enumerate(proposed)
    )


def _prepare(proposed: Sequence[ProposedHypothesis], sources: Sequence[Source]) -> Iterator[Tested]:
    keys = [target_keys(one.hypothesis) for one in proposed]
    for one, own in zip(proposed, keys, strict=True):
        yield Tested(one.hypothesis, [other for other in keys if other and other != own], find_action(one, sources))


def _find_results(
    answers: Sequence[Answer], by_id: Mapping[str, Source], plan: Plan, disease: Disease
) -> Iterator[Result]:
    """The statements that report a result in the disease, each with its question and its first source."""
    questions = {question.key: question for question in plan.syllabus.questions}
    for answer in answers:
        question = questions.get(answer.question)
        for statement in answer.all_statements if question else ():
            source = next((by_id[name] for name in statement.source_ids if name in by_id), None)
            if question and source and reports_result(statement, source, disease):
                yield Result(statement, question, has_control(source.hit, tuple(plan.names)))
