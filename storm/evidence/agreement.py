"""What a result says of an outcome, so that results of different works can be compared."""

from __future__ import annotations

from typing import NamedTuple

from storm.evidence.outcomes import Outcomes
from storm.evidence.result_clauses import read_clauses
from storm.evidence.sides import Side, Subject, read_stated_sides


class StatedResult(NamedTuple):
    """An outcome, by the word that it begins with, and whether the drug helped it or not."""

    outcome: str
    side: Side


def read_stated_results(sentence: str, names: tuple[str, ...]) -> frozenset[StatedResult]:
    """The results on the subject of these names that a sentence states; none if its direction cannot be read."""
    outcomes = Outcomes(())
    sides = read_stated_sides(sentence, Subject(names, outcomes))
    if len(sides) != 1:  # a benefit in one outcome and none in another: which is which is not said here
        return frozenset()
    (side,) = sides
    return frozenset(
        StatedResult(clause.terms[outcome.at].key, side)
        for clause in read_clauses(sentence, outcomes)
        for outcome in clause.outcomes
        if not outcome.is_aside
    )
