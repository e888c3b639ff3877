"""What a sentence says was done to a target."""

from __future__ import annotations

import pytest

from storm.citations.cues import Direction
from storm.evidence.modulation import read_modulation
from storm.evidence.sentence_kinds import REACH

TARGET = frozenset(("her2",))


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("Knockdown of HER2 slowed growth.", Direction.DOWN),
        ("Overexpression of HER2 sped growth up.", Direction.UP),
        ("Growth was slow in cells with HER2.", None),
        ("Inhibition of EGFR slowed growth.", None),
    ],
)
def test_what_stands_beside_the_name_of_the_target_says_what_was_done_to_it(text: str, done: Direction | None) -> None:
    assert read_modulation(text, TARGET) is done


def test_no_more_of_a_text_is_read_than_a_sentence_may_have() -> None:
    assert read_modulation(f"HER2 blockade {'(1' * REACH}", TARGET) is Direction.DOWN
    assert read_modulation(f"{'(1' * REACH} HER2 blockade", TARGET) is None
