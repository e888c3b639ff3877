"""The statements for and against a hypothesis, by the direction that each sentence itself states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.evidence.bearing import Tested, find_sides, reports_result
from storm.evidence.modulation import find_action, target_keys
from storm.evidence.sides import Side
from storm.models import Answer, Plan, ProposedHypothesis, Question, Source, Statement, TestedHypothesis


def find_evidence(
    proposed: Sequence[ProposedHypothesis], answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> tuple[TestedHypothesis, ...]:
    """Each hypothesis with its statements for and against, in the order of the answers; null results are against."""
    results = list(_find_results(answers, sources, plan))
    return tuple(_test(one, proposed, results, sources, plan) for one in proposed)


def _find_results(
    answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> Iterator[tuple[Statement, Question, Source]]:
    """The statements that report a result in the disease, each with its question and its first source."""
    by_id = {name: source for source in sources for name in (source.source_id, *source.aliases)}
    questions = {question.key: question for question in plan.syllabus.questions}
    for answer in answers:
        question = questions.get(answer.question)
        for statement in answer.all_statements if question and plan.disease else ():
            source = next((by_id[name] for name in statement.source_ids if name in by_id), None)
            if question and plan.disease and source and reports_result(statement, source, plan.disease):
                yield statement, question, source


def _test(
    one: ProposedHypothesis,
    proposed: Sequence[ProposedHypothesis],
    results: Sequence[tuple[Statement, Question, Source]],
    sources: Sequence[Source],
    plan: Plan,
) -> TestedHypothesis:
    own = target_keys(one.hypothesis)
    others = [keys for other in proposed if (keys := target_keys(other.hypothesis)) and keys != own]
    tested = Tested(one.hypothesis, others, find_action(one, sources))
    sides: dict[Side, list[Statement]] = {side: [] for side in Side}
    for statement, question, source in results if plan.disease else ():
        names = tuple(plan.names)
        found = find_sides(statement, question, source, tested, names, plan.disease) if plan.disease else ()
        for side in found:
            sides[side].append(statement)
    return TestedHypothesis.of(one, sides[Side.FOR], sides[Side.AGAINST])
