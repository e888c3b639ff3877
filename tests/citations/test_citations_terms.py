"""Words by meaning."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from storm.citations.terms import stem_word

STEMS = ["treat", "random", "administ", "survive", "recover", "hospital", "progress", "tolerab"]
ENDINGS = ["ment", "ization", "ration", "al", "ed", "ing", "ness", "ility", "ations", "fulness"]
WORDS = [f"{chr(97 + n)}{start}{end}" for n, (start, end) in product(range(12), product(STEMS, ENDINGS))]


@pytest.fixture
def threads_that_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_words_that_are_stemmed_in_many_threads_get_the_stems_of_one(threads_that_take_turns_often: None) -> None:
    stem_word.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(stem_word, WORDS))

    stem_word.cache_clear()
    assert together == [stem_word(word) for word in WORDS]
