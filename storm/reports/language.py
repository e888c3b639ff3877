"""Questions in another language than English, which are not understood without a language model."""

from __future__ import annotations

from storm.models.names import split_words

#: Words that hardly a question of the language does without.
_ENGLISH = frozenset((
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "compared", "did", "do", "does", "for",
    "from", "has", "have", "how", "in", "is", "it", "of", "on", "or", "should", "than", "that", "the", "there",
    "to", "versus", "was", "were", "what", "when", "which", "who", "why", "will", "with", "without",
))  # fmt: skip
_OTHERS = frozenset((
    "avec", "bei", "che", "chez", "com", "come", "comment", "con", "cuales", "cuáles", "cómo", "da", "das",
    "del", "della", "dem", "den", "der", "des", "di", "die", "du", "ein", "eine", "el", "en", "es", "est", "et",
    "gegen", "gibt", "gli", "il", "ist", "kann", "la", "las", "le", "les", "los", "mit", "nel", "oder", "os",
    "ou", "para", "peut", "por", "pour", "pourquoi", "quais", "quali", "quel", "quelle", "quelles", "quels",
    "qué", "sur", "uma", "una", "und", "warum", "welche", "welchen", "wie", "wird", "zur",
))  # fmt: skip
#: The letters of Latin scripts end before this one.
_LAST_LATIN = "\u024f"
_FEW = 3


def is_not_english(question: str) -> bool:
    """Whether it is plainly in another language: it has a word of one and none of English, or is in another script."""
    letters = [letter for letter in question if letter.isalpha()]
    if sum(letter > _LAST_LATIN for letter in letters) > len(letters) / 2:
        return True
    words = [word.casefold() for word in split_words(question)]
    return len(words) >= _FEW and _ENGLISH.isdisjoint(words) and not _OTHERS.isdisjoint(words)
