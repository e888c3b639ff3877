"""The statements for and against a hypothesis, by the direction that each sentence itself states."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Answer, Plan, ProposedHypothesis, Source, TestedHypothesis


def find_evidence(
    proposed: Sequence[ProposedHypothesis], answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> tuple[TestedHypothesis, ...]:
    """Each hypothesis with its statements for and against, in the order of the answers; null results are against."""
    raise NotImplementedError
