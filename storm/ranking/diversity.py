"""Choosing pieces of text that are relevant and differ from each other (maximal marginal relevance)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from storm.ranking.sentences import Scored, split_terms

#: The share of relevance against novelty (Carbonell & Goldstein 1998).
RELEVANCE_SHARE = 0.7


def word_overlap(first: str, second: str) -> float:
    """The word overlap of two pieces, 0..1: common words over the words of both (Jaccard)."""
    a, b = frozenset(split_terms(first)), frozenset(split_terms(second))
    return len(a & b) / len(a | b) if a or b else 0.0


def select_diverse(
    scored: Sequence[Scored], limit: int, similarity: Callable[[str, str], float] = word_overlap
) -> list[Scored]:
    """At most `limit` pieces, best first, each weighed against its similarity to those already chosen.

    Ties go to the better score, then to the lower index, so the order of `scored` does not matter.
    """
    left = sorted(scored, key=lambda piece: (-piece.score, piece.index))
    top = max((piece.score for piece in left), default=0.0) or 1.0
    closest = dict.fromkeys((piece.index for piece in left), 0.0)
    chosen: list[Scored] = []
    while left and len(chosen) < limit:
        best = max(left, key=lambda p: RELEVANCE_SHARE * p.score / top - (1 - RELEVANCE_SHARE) * closest[p.index])
        left.remove(best)
        chosen.append(best)
        for piece in left:
            closest[piece.index] = max(closest[piece.index], similarity(piece.text, best.text))
    return chosen
