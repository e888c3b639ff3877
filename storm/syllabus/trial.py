"""Whether a pattern of a user's own takes too long: tried on texts that are hard for patterns with its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.models.own_patterns import OwnPattern

#: Seconds for each text: hundreds of times what a pattern in proportion to its text takes.
SECONDS = 0.5
#: So many of a pattern's own letters and words are repeated.
_MOST = 8
_USUAL = ("a", "1", " ", "-", "a ", "1 ", "a1")


def try_pattern(text: str, place: str, length: int) -> None:
    """SyllabusError if the pattern, which stands at that place, takes too long for a text of that length."""
    pattern = OwnPattern(text, place)
    for piece in _collect_pieces(text):
        # What it repeats is ended by a character that it does not, so that each way to share the text out is tried; its
        # own characters follow, as a text without those that it needs is given up at once.
        pattern.search(f"{(piece * length)[:length]}\0{text.lower()}", seconds=SECONDS)


def _collect_pieces(text: str) -> Iterator[str]:
    plain = re.sub(r"\\[A-Za-z]", " ", text.lower())
    words = list(dict.fromkeys(re.findall(r"[^\W_]+", plain)))
    letters = list(dict.fromkeys(letter for word in words for letter in word))
    yield from dict.fromkeys((*_USUAL, *letters[:_MOST], *words[:_MOST], *(f"{word} " for word in words[:_MOST])))
