"""The progress of a job, from 0 to 1.

Each stage of a mode is a share of the job. While gathering, progress counts the sources that the questions need; while
answering, the answered questions. So it measures work, not time. The store keeps the highest reported value, and 1 for
finished jobs only.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from storm.models.syllabus import Question


class StageRange(NamedTuple):
    """The part of a job's progress that a stage covers; empty for a stage without a share."""

    start: float = 0.0
    end: float = 0.0

    def progress_at(self, part: float) -> float:
        """The progress of the job when `part` of the stage is done."""
        return self.start + (self.end - self.start) * min(max(part, 0.0), 1.0)


def stage_ranges(shares: Mapping[str, float]) -> Mapping[str, StageRange]:
    """The part of the job that each stage covers, from the stages' shares in order."""
    whole = sum(shares.values())
    ends = accumulate((share / whole for share in shares.values()), initial=0.0)
    return {stage: StageRange(*ends) for stage, ends in zip(shares, pairwise(ends), strict=True)}


def gathered_part(questions: Sequence[Question], counts: Mapping[str, int]) -> float:
    """The share of the needed sources that the questions have, from 0 to 1."""
    needed = sum(question.min_sources for question in questions)
    there = sum(min(counts.get(question.key, 0), question.min_sources) for question in questions)
    return there / needed if needed else 1.0
