"""How terms are written for services."""

from __future__ import annotations

import pytest

from storm.databases.services.query_text import bare_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("रोगी, दवा", "रोगी दवा"),
        ("cafe\u0301 (AND) NOT--OR", "cafe\u0301 and not or"),
        ("-anti-TNF' Crohn’s a_b", "anti-TNF Crohn’s a b"),
        ("\u0301 - '", ""),
    ],
)
def test_bare_words_keep_the_marks_that_belong_to_their_letters(text: str, words: str) -> None:
    assert bare_words(text) == words
