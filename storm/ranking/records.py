"""Ranking the records that the searches of one question found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from storm.models import Question
from storm.ranking.bm25 import TermCounts, score_bm25
from storm.ranking.fusion import score_rankings
from storm.ranking.sentences import CONTEXT_WEIGHT, FOCUS_WEIGHT, split_terms

#: The shares of a score. Measured on 60 labelled articles: rank and words together are better than either; strength and
#: date decide between records that these rank alike.
FOUND_SHARE = 0.4
WORDS_SHARE = 0.4
STRENGTH_SHARE = 0.15
DATE_SHARE = 0.05
#: A record that is so many years older than the newest gets nothing for its date.
SPAN = 30


class RankedRecord(NamedTuple):
    """What a record is ranked by besides the searches: the question's words in it, the `strength` of its evidence from
    0 to 1, and its year."""

    key: str
    words: TermCounts
    strength: float = 0.0
    year: int | None = None


def weigh_words(question: Question, names: Sequence[str], ignored: Iterable[str] = ()) -> dict[str, float]:
    """The words that records are ranked by: those that the question asks for weigh most; then the other words of its
    label and description, and the drug's names. Words without meaning are `ignored`."""
    skipped = frozenset(ignored)
    context = (question.label, question.description, *names)
    weights = dict.fromkeys((term for phrase in context for term in split_terms(phrase)), CONTEXT_WEIGHT)
    weights |= dict.fromkeys((term for phrase in question.asked_for for term in split_terms(phrase)), FOCUS_WEIGHT)
    return {term: weight for term, weight in weights.items() if term not in skipped}


def rank_records(
    records: Sequence[RankedRecord], rankings: Sequence[Sequence[str]], weights: Mapping[str, float]
) -> list[str]:
    """The keys of the records, best first; ties by key. `rankings` are the keys that each search found, best first.

    A score is the sum of four parts, each from 0 to 1 times its share: the fused rank in the searches and BM25, both as
    a share of the best record's, the strength of the evidence, and the date.
    """
    found = score_rankings(rankings)
    best_found = max((found.get(record.key, 0.0) for record in records), default=0.0) or 1.0
    relevance = score_bm25([record.words for record in records], weights)
    most_relevant = max(relevance, default=0.0) or 1.0
    newest = max((record.year for record in records if record.year), default=0)
    scores = {
        record.key: FOUND_SHARE * found.get(record.key, 0.0) / best_found
        + WORDS_SHARE * words / most_relevant
        + STRENGTH_SHARE * record.strength
        + DATE_SHARE * _score_date(record.year, newest)
        for record, words in zip(records, relevance, strict=True)
    }
    return sorted(scores, key=lambda key: (-round(scores[key], 9), key))


def _score_date(year: int | None, newest: int) -> float:
    return max(0.0, 1 - (newest - year) / SPAN) if year else 0.0
