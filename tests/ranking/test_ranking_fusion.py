"""Joining ranked lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storm.ranking import fuse_rankings

RANKINGS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=5)


def test_what_several_lists_hold_comes_before_what_one_holds() -> None:
    assert fuse_rankings([["a", "b", "c"], ["b", "d"]]) == ["b", "a", "d", "c"]


def test_ties_are_ordered_by_key() -> None:
    assert fuse_rankings([["b"], ["a"]]) == ["a", "b"]


def test_a_repetition_in_one_list_counts_once() -> None:
    assert fuse_rankings([["a", "b", "a", "a"], ["b"]]) == ["b", "a"]


def test_nothing_fuses_to_nothing() -> None:
    assert fuse_rankings([]) == fuse_rankings([[], []]) == []


@given(RANKINGS)
def test_every_key_comes_once_and_the_order_of_the_lists_changes_nothing(rankings: list[list[str]]) -> None:
    fused = fuse_rankings(rankings)
    assert sorted(fused) == sorted({key for ranking in rankings for key in ranking})
    assert fused == fuse_rankings(rankings[::-1])
