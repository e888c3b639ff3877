"""Pure functions that rank sentences and hits."""

from storm.ranking.bm25 import count_terms
from storm.ranking.cues import count_cues
from storm.ranking.diversity import select_diverse, word_overlap
from storm.ranking.evidence import choose_diverse
from storm.ranking.fusion import fuse_rankings
from storm.ranking.records import RankedRecord, rank_records, weigh_words
from storm.ranking.sentences import Scored, rank_for_question, rank_sentences, split_sentences, split_terms

__all__ = [
    "RankedRecord", "Scored", "choose_diverse", "count_cues", "count_terms", "fuse_rankings", "rank_for_question",
    "rank_records", "rank_sentences", "select_diverse", "split_sentences", "split_terms", "weigh_words",
    "word_overlap",
]  # fmt: skip
