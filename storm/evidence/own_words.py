"""Matches records to a question without rules, by the words of the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storm.citations.terms import stem_word
from storm.citations.vocabulary import GRAMMAR, NEUTRAL, words_of
from storm.evidence.passages import read_passages
from storm.models import Hit, Question
from storm.models.names import split_words
from storm.syllabus.assignment import NO_FACTS

#: Words that occur in any paper, and words of asking.
_COMMON = NEUTRAL | words_of(
    """
    disease disorder syndrome problem change changed risk function known often daily clinical
    ask asked question answer harm harmful cause help work works safe safely good bad better best effective long new
    """
)
#: A sentence answers with so many words of the question if one is of its label or focus. Otherwise it needs half of the
#: words, within these bounds.
_WITH_LEADING, _WITHOUT = 2, 3


class _Words(NamedTuple):
    """The stems of a question: of its label, of its label and focus, and all."""

    label: frozenset[str]
    leading: frozenset[str]
    all: frozenset[str]


def answers_by_words(hit: Hit, question: Question, names: Sequence[str]) -> bool:
    """Whether the title or a sentence has the words of the question's label, or enough of all its words.

    Names of the drug are ignored. General words of studies ("patients", "treatment") count only if a question has no
    others. Every record answers a question without any words.
    """
    words = _read_question_words(question, names)
    if not words.all or _has_enough_words(words, _stem_words(split_words(hit.title))):
        return True
    opening = tuple({stem[:2] for stem in words.all})
    passages = (p for p in read_passages(hit) if p.section.role not in NO_FACTS)
    return any(
        _has_enough_words(words, _stem_words(t for t in split_words(p.text) if t.startswith(opening))) for p in passages
    )


def has_words_of(sentence: str, question: Question, names: Sequence[str]) -> bool:
    """Whether one sentence has the words of the question's label, or enough of all its words."""
    words = _read_question_words(question, names)
    return not words.all or _has_enough_words(words, _stem_words(split_words(sentence)))


def _has_enough_words(words: _Words, found: frozenset[str]) -> bool:
    if words.label and words.label <= found:
        return True
    half = (len(words.all) + 1) // 2
    needed = _WITH_LEADING if words.leading & found else min(_WITHOUT, max(_WITH_LEADING, half))
    return len(words.all & found) >= min(needed, len(words.all))


def _read_question_words(question: Question, names: Sequence[str]) -> _Words:
    said_anyway = GRAMMAR.union(*map(split_words, names))
    parts = (question.label, " ".join(question.focus), question.description)
    label, focus, rest = (
        _stem_words(w for w in split_words(text) if w not in said_anyway and len(w) > 1) for text in parts
    )
    words = label | focus | rest
    specific = words - _stem_words(_COMMON)
    if not specific:  # what the question is narrowed to tells more than general words
        return _Words(frozenset(), frozenset(), frozenset() if question.about else words)
    return _Words(label & specific, (label | focus) & specific, specific)


def _stem_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem_word, words))
