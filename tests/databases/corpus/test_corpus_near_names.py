"""A name that no record has, and the one that was perhaps meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from storm.databases.corpus.index import CorpusIndex
from storm.databases.corpus.near_names import find_near_name
from storm.databases.corpus.writer import CorpusWriter
from storm.models import Hit


@pytest.fixture
def index(tmp_path: Path) -> CorpusIndex:
    corpus = CorpusIndex(tmp_path / "corpus")
    titled = Hit.of("pubmed", "1", "https://example.org/1", "Zorvimab: a trial in asthma.", text="It helped.", pmid="1")
    listed = Hit.of("chembl", "C1", "https://example.org/2", "A record", text="It binds.", drugs=("Zorvimab Vedotin",))
    with CorpusWriter(corpus) as writer:
        for hit in (titled, listed):
            writer.add_record(hit, "own.csv")
    return corpus


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        (("zorvimb",), "Zorvimab"),
        (("ZROVIMAB",), "Zorvimab"),
        (("zorvimab vedotn",), "Zorvimab Vedotin"),
        (("zorvimab",), ""),
        (("zorvimb", "zorvimab"), ""),
        (("aspirin",), ""),
        (("()",), ""),
        (("a",), ""),  # a word of the title, which no search looks for
    ],
)
def test_the_nearest_name_is_found_unless_a_record_has_the_name_itself(
    index: CorpusIndex, asked: tuple[str, ...], near: str
) -> None:
    assert find_near_name(index, asked) == near


def test_a_word_of_a_title_is_no_name_where_only_drugs_are_looked_for(index: CorpusIndex) -> None:
    found = [find_near_name(index, (asked,), in_titles=False) for asked in ("zorvimb", "zorvimab vedotn")]
    assert found == ["", "Zorvimab Vedotin"]


def test_an_empty_corpus_has_none(tmp_path: Path) -> None:
    assert find_near_name(CorpusIndex(tmp_path / "none"), ("zorvimb",)) == ""
