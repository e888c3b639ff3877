"""Words that a statement pairs otherwise than its quote."""

from __future__ import annotations

import pytest

from storm.citations.pairings import Pair, find_mismatch

QUOTED = [("rash", "grade 3"), ("rash", "grade 4"), ("fever", "grade 2")]


@pytest.mark.parametrize(
    ("said", "mismatch"),
    [
        ([("rash", "grade 4"), ("fever", "grade 2")], None),
        ([("cough", "grade 2")], None),
        ([("rash", "grade 3"), ("fever", "grade 3"), ("rash", "grade 2")], ("fever", "grade 3")),
        ([], None),
    ],
    ids=["the pairs of the quote", "a word that the quote does not have", "the first of two", "nothing"],
)
def test_the_first_pair_whose_word_the_quote_pairs_only_with_others_is_found(
    said: list[Pair], mismatch: Pair | None
) -> None:
    assert find_mismatch(said, QUOTED) == mismatch
