"""Choosing the pieces of evidence that a prompt has room for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.errors import StormError
from storm.models import EvidencePiece, ReportReference
from storm.ranking.evidence import choose_diverse, cut_content

#: What a text is about, as a vector.
TOPICS = ("memory", "kinase", "diarrhoea")


def piece(content: str, title: str = "A paper") -> EvidencePiece:
    return EvidencePiece(content=content, citation=ReportReference(title=title))


def contents(pieces: Sequence[EvidencePiece]) -> list[str]:
    return [one.content for one in pieces]


def embed(texts: list[str]) -> list[list[float]]:
    return [[float(topic in text) for topic in TOPICS] for text in texts]


MEMORY = piece("Memory improved with metformin in patients.")
AGAIN = piece("Memory improved with metformin in patients again.")
KINASE = piece("Metformin activates a kinase, which memory needs.")
FARMING = piece("Wheat grows.")


def test_the_most_relevant_comes_first_and_a_repetition_gives_way_to_something_else() -> None:
    chosen = choose_diverse([AGAIN, FARMING, KINASE, MEMORY], "memory and metformin", 2)
    assert contents(chosen) == [MEMORY.content, KINASE.content]


def test_of_two_sources_with_the_same_words_both_are_chosen_and_of_one_source_once() -> None:
    twin = piece(MEMORY.content, "Another paper")
    assert choose_diverse([MEMORY, twin, MEMORY], "memory") == (MEMORY, twin)


def test_there_are_no_more_than_are_wanted() -> None:
    assert choose_diverse([], "memory") == choose_diverse([MEMORY], "memory", 0) == ()
    many = [piece(f"Finding {n} on memory.") for n in range(30)]
    assert len(choose_diverse(many, "memory")) == 20
    assert len(choose_diverse(many, "nothing of it", 5)) == 5


def test_the_embedder_of_dspy_is_taken_as_it_is() -> None:
    embedder = dspy.Embedder(embed, batch_size=2, caching=False)
    pieces = [piece("the kinase"), piece("memory"), piece("memory, too"), piece("diarrhoea"), piece("wheat")]
    chosen = choose_diverse(pieces, "memory and kinase", 3, embed=embedder)
    assert contents(chosen) == ["memory", "the kinase", "memory, too"]
    assert choose_diverse(pieces[::-1], "memory and kinase", 3, embed=embedder) == chosen


def test_vectors_that_point_away_from_the_query_are_not_relevant() -> None:
    vectors = {"q": [1.0, 0.0], "for": [0.5, 0.5], "against": [-1.0, 0.0], "none": [0.0, 0.0]}
    pieces = [piece("against"), piece("for"), piece("none")]
    chosen = choose_diverse(pieces, "q", embed=lambda texts: [vectors[text] for text in texts])
    assert chosen[0].content == "for" and len(chosen) == 3


@pytest.mark.parametrize(
    "vectors", [[], [[1.0]], [[1.0], [1.0, 2.0]], [[1.0], [float("nan")]], [[1.0], [float("inf")]]]
)
def test_an_embedder_that_gives_something_else_is_an_error(vectors: list[list[float]]) -> None:
    with pytest.raises(StormError, match="for each of 2 texts"):
        choose_diverse([MEMORY], "memory", embed=lambda texts: vectors)


def test_a_long_content_is_cut_before_it_is_chosen() -> None:
    long = piece("It helps memory. " * 200)
    assert contents(choose_diverse([long], "memory", most_characters=49)) == ["It helps memory. It helps memory."]
    assert len(choose_diverse([long], "memory")[0].content) <= 1_000


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("It helps. It harms.", 19, "It helps. It harms."),
        ("  It helps. It harms.  ", 19, "It helps. It harms."),
        ("It helps. It harms.", 18, "It helps."),
        ("It helps 1.5 times. It harms.", 19, "It helps 1.5 times."),
        ("It helps 1.5 times.", 12, "It helps…"),
        ("It helps some of them", 8, "It…"),
        ("It helps some of them", 9, "It helps…"),
        ("It\nhelps some", 6, "It…"),
        ("It. A " + "word " * 60, 206, "It. A " + "word " * 39 + "word…"),
        ("It. A " + "word " * 60, 202, "It."),
        ("x" * 300, 250, "x" * 249 + "…"),
        ("It " + "x" * 300, 250, "It " + "x" * 246 + "…"),
        ("It helps.", 1, "…"),
        ("It helps.", 0, ""),
    ],
)
def test_a_content_ends_with_a_sentence_within_200_characters_of_the_limit_or_with_a_word(
    text: str, limit: int, expected: str
) -> None:
    assert cut_content(text, limit) == expected


@given(st.text(), st.integers(0, 60))
def test_a_cut_content_is_the_beginning_of_the_whole(text: str, limit: int) -> None:
    cut = cut_content(text, limit)
    assert len(cut) <= limit and text.strip().startswith(cut.removesuffix("…"))


_CONTENTS = st.sampled_from([*TOPICS, "memory kinase", "a memory.", ""])
_PIECES = st.lists(st.builds(piece, _CONTENTS, st.sampled_from("AB")))


@given(_PIECES, st.sampled_from([*TOPICS, ""]), st.integers(0, 9), st.sampled_from([None, embed]), st.randoms())
def test_the_order_given_changes_nothing(
    pieces: list[EvidencePiece], query: str, n: int, embedder: Any, chance: random.Random
) -> None:
    chosen = choose_diverse(pieces, query, n, embed=embedder)
    shuffled = pieces[:]
    chance.shuffle(shuffled)
    assert choose_diverse(shuffled, query, n, embed=embedder) == chosen
    assert len(chosen) == min(n, len({*pieces})) and {*chosen} <= {*pieces}


def test_a_long_content_ends_with_the_last_sentence_before_the_limit() -> None:
    text = "Of 40 men 36% had less pain. " * 200
    cut = cut_content(text, 4_000)
    assert 3_800 < len(cut) <= 4_000
    assert text.startswith(cut) and cut.endswith("pain.")
