"""Pure functions that rank sentences and hits."""

from storm.ranking.cues import count_cues
from storm.ranking.diversity import select_diverse, word_overlap
from storm.ranking.fusion import fuse_rankings
from storm.ranking.sentences import Scored, rank_for_question, rank_sentences, split_sentences, split_terms

__all__ = [
    "Scored", "count_cues", "fuse_rankings", "rank_for_question", "rank_sentences", "select_diverse", "split_sentences",
    "split_terms", "word_overlap",
]  # fmt: skip
