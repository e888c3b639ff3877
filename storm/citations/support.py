"""Which words of a claim a thesaurus may excuse, and which only carry a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from storm.citations import vocabulary
from storm.citations.cues import is_direction
from storm.citations.positions import word_at
from storm.citations.terms import Term, stem_word, table_keys
from storm.citations.thesaurus import has_opposite, list_kinds, means_as_much
from storm.citations.vocabulary import words_of

#: Kinds of verbs of saying, thinking, being, having and dealing; what happens to somebody is of other kinds.
_CARRYING = frozenset(
    ("verb.communication", "verb.cognition", "verb.stative", "verb.perception", "verb.possession", "verb.social")
)
_BEFORE_VERBS = words_of("to can could may might would will did does do not which who")
_AFTER_VERBS = words_of("the a an those these that its their all each every both")


def supports_word(word: str, quoted: frozenset[str]) -> bool:
    """Whether a word of the quote means as much, outside the words whose meaning is fixed by lists."""
    if is_fixed(word):
        return False
    others = _select_open_words(quoted)
    return means_as_much(word, others) and not has_opposite(word, others)


@lru_cache(maxsize=64)
def _select_open_words(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if not is_fixed(word))


def is_carrier(terms: Sequence[Term], n: int) -> bool:
    """Whether the word only carries the sentence: a verb of saying, thinking, having or being."""
    word = terms[n].word
    kinds = list_kinds(word)
    if is_fixed(word):
        return False
    if word.endswith(("ed", "ing")) or _is_led_as_verb(terms, n):
        kinds = frozenset(kind for kind in kinds if kind.startswith("verb"))
    return bool(kinds) and kinds <= _CARRYING


def _is_led_as_verb(terms: Sequence[Term], n: int) -> bool:
    return word_at(terms, n - 1) in _BEFORE_VERBS or word_at(terms, n + 1) in _AFTER_VERBS


@lru_cache(maxsize=4_096)
def is_fixed(word: str) -> bool:
    """Whether the word tells a direction, doubt, degree, people, a decision or the like."""
    fixed = _fixed_keys()
    return stem_word(word) in fixed or not fixed.isdisjoint(table_keys(word)) or is_direction(Term(word, word, "word"))


@cache
def _fixed_keys() -> frozenset[str]:
    tables = (
        vocabulary.UP, vocabulary.DOWN, vocabulary.BETTER, vocabulary.WORSE, vocabulary.EQUAL, vocabulary.HEDGES,
        vocabulary.NONHUMAN, vocabulary.DEMOGRAPHICS, vocabulary.GRADES, vocabulary.FIXED,
        *(name for line in vocabulary.CONTRASTS for name in line if " " not in name),
    )  # fmt: skip
    words = " ".join(tables)
    return table_keys(words) | {stem_word(word) for word in words.split()}
