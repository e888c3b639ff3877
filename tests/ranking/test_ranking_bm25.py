"""BM25 over counted words."""

from __future__ import annotations

import pytest

from storm.ranking.bm25 import count_terms, score_bm25


def test_rare_words_and_short_texts_weigh_more_and_words_that_nobody_asked_for_nothing() -> None:
    wanted = {"survival": 1.0, "trial": 1.0}
    texts = [["survival", "of", "a", "few"], ["trial", "of", "a", "few"], ["trial", "of", "a", "few", *"abcdefgh"]]
    survival, trial, long = score_bm25([count_terms(text, wanted) for text in texts], wanted)
    assert survival > trial > long > 0


def test_the_score_is_that_of_the_formula() -> None:
    (score, nothing) = score_bm25([count_terms(["kd", "kd"], {"kd"}), count_terms(["x", "y"], {"kd"})], {"kd": 2.0})
    # ln(1 + (2 - 1 + .5) / (1 + .5)) = ln 2; both texts have the mean length
    assert score == pytest.approx(2.0 * 0.693147 * 2 * 2.2 / (2 + 1.2), rel=1e-5)
    assert nothing == 0


def test_no_texts_and_empty_texts_have_no_score() -> None:
    assert score_bm25([], {"kd": 1.0}) == []
    assert score_bm25([count_terms([], {"kd"})], {"kd": 1.0}) == [0]
