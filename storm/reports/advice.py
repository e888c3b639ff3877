"""Questions that ask what one should do oneself."""

from __future__ import annotations

from itertools import pairwise

from storm.models.names import split_words

#: Words of somebody who asks for himself.
_OWN = frozenset(("my", "myself", "mine"))
#: What "I" stands beside there; elsewhere it may be a numeral, as in "phase I".
_VERBS = frozenset((
    "should", "can", "could", "may", "must", "shall", "would", "do", "did", "if", "when", "am", "have", "take", "stop",
    "start", "use", "need", "want",
))  # fmt: skip


def asks_advice(question: str) -> bool:
    """Whether somebody asks for himself: "Should I take metformin?"."""
    words = split_words(question)
    return not _OWN.isdisjoint(words) or any(_means_oneself(*pair) for pair in pairwise((*words, "")))


def _means_oneself(word: str, following: str) -> bool:
    """Whether one of two words is the first person; ME/CFS is a disease."""
    if word == "me":
        return following != "cfs"
    return (word == "i" and following in _VERBS) or (following == "i" and word in _VERBS)
