"""Fusing the ranked lists of different searches into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

#: The constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009).
RRF_K = 60


def fuse_rankings(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Every key once, best first, by its score (`score_rankings`); ties by key."""
    scores = score_rankings(rankings)
    return sorted(scores, key=lambda key: (-scores[key], key))


def score_rankings(rankings: Sequence[Sequence[str]]) -> Mapping[str, float]:
    """For every key the sum of 1 / (60 + rank) over the lists that contain it.

    A key that a list repeats counts at its first place there.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            scores[key] += 1 / (RRF_K + rank)
    # Rounded, since the same addends in another order may differ in the last digit.
    return {key: round(score, 12) for key, score in scores.items()}
