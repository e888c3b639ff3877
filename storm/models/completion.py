"""How much of a job is done, as a number from 0 to 1.

Each stage of a mode is a share of the job. While it gathers, it counts how many of the sources that its questions need
are there; while it answers, how many questions are answered. So it measures work, not time. The store keeps the highest
that was reported, and 1 for a finished job alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from storm.models.syllabus import Question


class StageRange(NamedTuple):
    """Which part of a job a stage is; one that nobody gave a share is none of it."""

    start: float = 0.0
    end: float = 0.0

    def progress_at(self, part: float) -> float:
        """How much of the job is done when so much of the stage is."""
        return self.start + (self.end - self.start) * min(max(part, 0.0), 1.0)


def stage_ranges(shares: Mapping[str, float]) -> Mapping[str, StageRange]:
    """Which part of the job each stage is, by the stages' shares, in order."""
    whole = sum(shares.values())
    ends = accumulate((share / whole for share in shares.values()), initial=0.0)
    return {stage: StageRange(*ends) for stage, ends in zip(shares, pairwise(ends), strict=True)}


def gathered_part(questions: Sequence[Question], counts: Mapping[str, int]) -> float:
    """How many of the sources that the questions need are there, from 0 to 1."""
    needed = sum(question.min_sources for question in questions)
    there = sum(min(counts.get(question.key, 0), question.min_sources) for question in questions)
    return there / needed if needed else 1.0
