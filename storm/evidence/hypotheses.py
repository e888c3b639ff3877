"""The statements for and against a hypothesis, by the direction that each sentence itself states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm.evidence.bearing import Result, Tested, find_sides, has_control, reports_result
from storm.evidence.modulation import find_action, target_keys
from storm.evidence.sides import Side
from storm.models import Answer, Disease, Plan, ProposedHypothesis, Retraction, Source, Statement, TestedHypothesis


def find_evidence(
    proposed: Sequence[ProposedHypothesis], answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> tuple[TestedHypothesis, ...]:
    """Each hypothesis with its statements for and against, in the order of the answers; null results are against.

    A source that was merged from several counts once, a retracted one never."""
    if plan.disease is None:
        return tuple(TestedHypothesis.of(one, (), ()) for one in proposed)
    by_id = {name: source for source in sources for name in (source.source_id, *source.aliases)}
    results = list(_find_results(answers, by_id, plan, plan.disease))
    counted = {name: one.source_id for name, one in by_id.items() if one.hit.retraction is not Retraction.RETRACTED}
    keys = [target_keys(one.hypothesis) for one in proposed]
    tested: list[TestedHypothesis] = []
    for one, own in zip(proposed, keys, strict=True):
        others = [other for other in keys if other and other != own]
        sides = _find_sides(Tested(one.hypothesis, others, find_action(one, sources)), results, plan, plan.disease)
        tested.append(TestedHypothesis.of(one, sides[Side.FOR], sides[Side.AGAINST], counted))
    return tuple(tested)


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


def _find_sides(
    tested: Tested, results: Sequence[Result], plan: Plan, disease: Disease
) -> Mapping[Side, Sequence[Statement]]:
    found = [(one.statement, find_sides(one, tested, tuple(plan.names), disease)) for one in results]
    return {side: [statement for statement, sides in found if side in sides] for side in Side}
