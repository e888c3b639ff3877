"""BM25: how well texts match weighted words (Robertson & Zaragoza 2009, The Probabilistic Relevance Framework)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

#: The usual parameters: term saturation and length normalisation.
K1 = 1.2
B = 0.75


class TermCounts(NamedTuple):
    """The length of a text in words, and how often each wanted word occurs in it."""

    length: int
    counts: Mapping[str, int]


def count_terms(terms: Sequence[str], wanted: Container[str]) -> TermCounts:
    """The counts of the wanted words among the words of a text."""
    return TermCounts(len(terms), Counter(term for term in terms if term in wanted))


def score_bm25(texts: Sequence[TermCounts], weights: Mapping[str, float]) -> list[float]:
    """The score of each text among the others, by the weights of the words that were counted."""
    # Summed in the terms' order, so that the last digit of a score does not depend on a set's order.
    return [sum(vector.values()) for vector in weigh_terms(texts, weights)]


def weigh_terms(texts: Sequence[TermCounts], weights: Mapping[str, float]) -> list[dict[str, float]]:
    """What each counted word adds to the score of each text, in the words' order: its vector."""
    if not texts:
        return []
    mean = sum(text.length for text in texts) / len(texts) or 1.0
    having = Counter(term for text in texts for term in text.counts)
    rarity = {term: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for term, n in having.items()}
    vectors = []
    for length, counts in texts:
        norm = K1 * (1 - B + B * length / mean)
        vectors.append(
            {term: weights[term] * rarity[term] * n * (K1 + 1) / (n + norm) for term, n in sorted(counts.items())}
        )
    return vectors
