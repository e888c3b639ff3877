"""In which order the records of one question come."""

from __future__ import annotations

import random

from storm.models import Question
from storm.ranking.bm25 import count_terms
from storm.ranking.records import RankedRecord, rank_records, weigh_words

WEIGHTS = {"survival": 2.5, "trastuzumab": 0.8}


def record(key: str, text: str = "trastuzumab", strength: float = 0.5, year: int | None = 2010) -> RankedRecord:
    return RankedRecord(key, count_terms(text.split(), WEIGHTS), strength, year)


def test_among_equals_the_better_rank_in_the_searches_decides() -> None:
    assert rank_records([record("a"), record("b")], [["b", "a"]], WEIGHTS) == ["b", "a"]


def test_what_several_searches_found_comes_before_what_one_found() -> None:
    assert rank_records([record("a"), record("b")], [["a", "b"], ["b"]], WEIGHTS) == ["b", "a"]


def test_among_equals_the_words_of_the_question_decide() -> None:
    assert rank_records([record("a"), record("b", "trastuzumab survival")], [["a"], ["b"]], WEIGHTS) == ["b", "a"]


def test_among_equals_the_stronger_then_the_newer_comes_first() -> None:
    found = [["a"], ["b"]]
    assert rank_records([record("a"), record("b", strength=0.9)], found, WEIGHTS) == ["b", "a"]
    assert rank_records([record("a", year=1990), record("b")], found, WEIGHTS) == ["b", "a"]
    assert rank_records([record("a", year=None), record("b")], found, WEIGHTS) == ["b", "a"]


def test_ties_go_by_key_in_whatever_order_the_records_come() -> None:
    records = [record(key) for key in "dbac"]
    for seed in range(10):
        random.Random(seed).shuffle(records)
        assert rank_records(records, [[*"abcd"], [*"dcba"]], WEIGHTS)[:2] == ["a", "d"]
        assert rank_records(records, [], WEIGHTS) == [*"abcd"]


def test_no_records_have_no_order() -> None:
    assert rank_records([], [["a"]], WEIGHTS) == []


def test_the_words_asked_for_weigh_most_and_words_without_meaning_nothing() -> None:
    question = Question(key="own", label="The harms", description="What goes wrong", min_sources=1, focus=("toxicity",))
    weights = weigh_words(question, ["Herceptin"], ["the", "what"])
    assert weights["toxicity"] > weights["harm"] == weights["herceptin"] == weights["wrong"] > 0
    assert weights.keys().isdisjoint(("the", "what"))
