"""The nearest of the questions that were asked before, where it asks for the same.

Measured with `scripts/bench ask --parts similar`. A question that another only resembles is never similar: the words
that make the meaning must be the same, and their subjects in the same order, so that another drug, number, negation,
population or direction is another question. How alike the rest is, is a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from storm.ranking.bm25 import count_terms, score_bm25
from storm.ranking.question_words import list_content, list_parts, list_subjects

#: How alike two questions must be, of 1, besides asking for the same.
THRESHOLD = 0.6
#: How many of the questions that share most words are compared.
_COMPARED = 50


class SimilarText(NamedTuple):
    """The place of a question in a list, and how alike it is, from the threshold to 1."""

    place: int
    score: float


def list_similar(question: str, earlier: Sequence[str]) -> list[SimilarText]:
    """The earlier questions that are similar, the most similar first; of those that are alike, in their order."""
    scored = (
        SimilarText(place, score_similarity(question, earlier[place])) for place in _share_words(question, earlier)
    )
    return sorted((one for one in scored if one.score >= THRESHOLD), key=lambda one: (-one.score, one.place))


def score_similarity(first: str, second: str) -> float:
    """How alike two questions are, 0..1: 0 if they do not ask for the same, 1 if they have the same words."""
    one, other = list_parts(first), list_parts(second)
    if one == other:
        return 1.0
    meant, also_meant = list_content(one), list_content(other)
    if sorted(meant) != sorted(also_meant) or list_subjects(meant) != list_subjects(also_meant) or not meant:
        return 0.0
    return fuzz.token_sort_ratio(" ".join(one), " ".join(other)) / 100


def is_same_question(first: str, second: str) -> bool:
    """Whether two questions have the same words, numbers and signs in the same order."""
    return list_parts(first) == list_parts(second)


def _share_words(question: str, earlier: Sequence[str]) -> list[int]:
    """The places of the questions that share the most words, by BM25."""
    wanted = dict.fromkeys(list_content(list_parts(question)), 1.0)
    texts = [count_terms(list_content(list_parts(text)), wanted) for text in earlier]
    scores = score_bm25(texts, wanted)
    places = sorted((place for place, text in enumerate(texts) if text.counts), key=lambda place: -scores[place])
    return places[:_COMPARED]
