"""Checks that a user's pattern does not take too long, on texts that are hard for patterns with its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.models.own_patterns import OwnPattern

#: Time limit for each text: hundreds of times what a pattern of linear time takes.
SECONDS = 0.5
#: Letters, and words, of the pattern that are repeated to make the texts.
_MOST = 8
_USUAL = ("a", "1", " ", "-", "a ", "1 ", "a1")


def try_pattern(text: str, place: str, length: int) -> None:
    """SyllabusError that names `place` if the pattern takes too long on a text of that length."""
    pattern = OwnPattern(text, place)
    for piece in _collect_pieces(text):
        # A character that the pattern does not repeat ends the run, so that every way to split it is tried. The
        # characters of the pattern follow, because a text without the required ones is rejected at once.
        pattern.search(f"{(piece * length)[:length]}\0{text.lower()}", seconds=SECONDS)


def _collect_pieces(text: str) -> Iterator[str]:
    plain = re.sub(r"\\[A-Za-z]", " ", text.lower())
    words = list(dict.fromkeys(re.findall(r"[^\W_]+", plain)))
    letters = list(dict.fromkeys(letter for word in words for letter in word))
    yield from dict.fromkeys((*_USUAL, *letters[:_MOST], *words[:_MOST], *(f"{word} " for word in words[:_MOST])))
