"""Choosing pieces that differ."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from storm.ranking import Scored, select_diverse, word_overlap


def test_a_repetition_gives_way_to_something_else() -> None:
    pieces = [
        Scored(0, "Overall survival was longer with zorvimab.", 3.0),
        Scored(1, "Overall survival was longer with zorvimab again.", 2.9),
        Scored(2, "Diarrhoea occurred in 12% of patients.", 2.0),
    ]
    assert [piece.index for piece in select_diverse(pieces, 2)] == [0, 2]


def test_the_best_comes_first_and_the_limit_holds() -> None:
    pieces = [Scored(n, f"word{n}", float(n)) for n in range(5)]
    assert [piece.index for piece in select_diverse(pieces, 3)] == [4, 3, 2]
    assert select_diverse(pieces, 0) == select_diverse([], 3) == []


def test_a_similarity_of_ones_own_is_used() -> None:
    pieces = [Scored(0, "a", 1.0), Scored(1, "b", 0.9), Scored(2, "c", 0.8)]
    chosen = select_diverse(pieces, 2, lambda one, other: float({one, other} == {"a", "b"}))
    assert [piece.index for piece in chosen] == [0, 2]


def test_overlap_is_one_for_the_same_words_and_nothing_for_none_in_common() -> None:
    assert word_overlap("Cats sleep", "sleep cat") == 1.0
    assert word_overlap("cats", "dogs") == word_overlap("", "") == 0.0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=8), st.integers(0, 9), st.randoms())
def test_the_order_given_changes_nothing(pairs: list[tuple[str, int]], limit: int, chance: random.Random) -> None:
    pieces = [Scored(n, text, float(score)) for n, (text, score) in enumerate(pairs)]
    shuffled = pieces[:]
    chance.shuffle(shuffled)
    assert select_diverse(pieces, limit) == select_diverse(shuffled, limit)
