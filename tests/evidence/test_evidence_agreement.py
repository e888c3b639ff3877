"""What a result says of an outcome: the same result in other words is the same, and what cannot be read is none."""

from __future__ import annotations

import pytest

from storm.evidence.agreement import StatedResult, read_stated_results
from storm.evidence.sides import Side

NAMES = ("metformin",)


@pytest.mark.parametrize(
    ("sentence", "outcome", "side"),
    [
        ("Metformin reduced mortality compared with placebo.", "mortality", Side.FOR),
        ("Mortality was lower with metformin than with placebo.", "mortality", Side.FOR),
        ("Metformin did not reduce mortality compared with placebo.", "mortality", Side.AGAINST),
        ("Metformin prolonged survival compared with placebo.", "survival", Side.FOR),
    ],
)
def test_a_result_is_its_outcome_and_its_side(sentence: str, outcome: str, side: Side) -> None:
    (found,) = read_stated_results(sentence, NAMES)
    (same,) = read_stated_results(f"Metformin reduced {outcome} compared with placebo.", NAMES)
    assert found == StatedResult(same.outcome, side)


@pytest.mark.parametrize(
    "sentence",
    [
        "Mortality was recorded in 40 patients on metformin.",
        "Metformin caused nausea more often than placebo.",
        "Metformin was as effective as insulin.",
        "Metformin was given twice a day.",
    ],
)
def test_a_sentence_whose_direction_cannot_be_read_states_no_result(sentence: str) -> None:
    assert not read_stated_results(sentence, NAMES)
