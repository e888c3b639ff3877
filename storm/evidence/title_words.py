"""Writes words of a title in Title Case as they stand in a sentence."""

from __future__ import annotations

import re

from storm.syllabus.drug_names import DRUG_NAME

#: Words that a title in sentence case writes with a small letter, too short ones excepted.
_LONG_WORD = re.compile(r"\b[A-Za-z][a-z]{3,}\b")
_CAPITALISED = re.compile(r"(?<![^\W_])[A-Z][a-z]+(?![^\W_])(?!['’]s\b)")
#: The share of capitalised words from which a title is in Title Case.
_SHARE = 0.6
#: Characters of the longest preposition at the beginning of a sentence.
_PREPOSITION = 4
_NAMES = frozenset(
    (
        "African", "American", "Asian", "European", "Chinese", "Japanese", "Korean", "Indian", "Hispanic", "Latino",
        "Caucasian", "Alzheimer", "Crohn", "Hodgkin", "Parkinson", "Down", "Turner", "Cushing", "Barrett", "Behcet",
    )
)  # fmt: skip


def write_as_in_sentence(words: str, title: str, abstract: str) -> str:
    """Words of a title in small letters, names excepted, if the title is in Title Case; otherwise the words, of which a
    drug at the beginning gets a small letter."""
    long_words = _LONG_WORD.findall(title)
    if sum(word[0].isupper() for word in long_words) < _SHARE * len(long_words):
        return words[0].lower() + words[1:] if DRUG_NAME.match(words) else words
    written = set(re.findall(r"[A-Za-z]+", abstract))

    def lower_word(match: re.Match[str]) -> str:
        word = match[0]
        is_kept = len(word) > _PREPOSITION and word in written and word.lower() not in written
        return word if is_kept or word in _NAMES else word.lower()

    return _CAPITALISED.sub(lower_word, words)
