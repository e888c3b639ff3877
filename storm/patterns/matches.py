"""Which sentences of a record match which patterns; each word is looked up once for all patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from storm.models.own_patterns import own_pattern
from storm.patterns.alternatives import PIECE, compile_alternatives, compile_lowered, take_apart

#: How many words are cached (those of some hundred full texts), and their greatest length.
_MOST_WORDS = 12_288
_WORD_LENGTH = 60
#: The bit of every text, and that of a text with a longer word, which is matched as a whole.
_ANY, _LONG = 1, 2
#: The words of a sentence are cached while each question looks for its own patterns in it.
_MOST_TEXTS = 16


class Matcher(Protocol):
    """A compiled pattern, of the program or of a user's own."""

    def search(self, text: str, /) -> object:
        """A true value if the pattern is found in the text."""


class Pattern(NamedTuple):
    """A pattern for lower-case text; `place` is its position in a user's own file, if it is from one."""

    text: str
    place: str = ""

    def compile(self) -> Matcher:
        """The compiled pattern; one of a user's own runs in bounded time."""
        return own_pattern(self.text, self.place) if self.place else _compile_lowered(self.text)


class _Parts(NamedTuple):
    """A compiled pattern and its compiled parts, with the bits of words in which `words` or `hints` is found; a text
    with none of the bits in `needed` does not match."""

    whole: Matcher
    words: Matcher | None
    phrases: Matcher | None
    hints: Matcher | None
    word_bit: int
    hint_bit: int
    needed: int

    def is_found(self, text: str, bits: int) -> bool:
        """Whether a text with these bits, one of which is needed, matches the pattern."""
        if bits & _LONG:
            return bool(self.whole.search(text))
        return bool(bits & self.word_bit or (self.phrases and self.phrases.search(text)))


class PatternIndex:
    """Patterns, and a cache of which words match which of them."""

    def __init__(self, patterns: Iterable[Pattern], most_words: int = _MOST_WORDS) -> None:
        self._parts = {pattern: _compile_parts(pattern, number) for number, pattern in enumerate(patterns)}
        parts = self._parts.values()
        in_words = [(words, part.word_bit) for part in parts if (words := part.words)]
        self._of_word = [*in_words, *((hints, part.hint_bit) for part in parts if (hints := part.hints))]
        self._bits_of_word = lru_cache(maxsize=most_words)(self._look_up_word)

    def look_up_words(self, text: str) -> int:
        """The bits of all words of a text, combined."""
        bits = _ANY
        for word in _split_words(text):
            bits |= self._bits_of_word(word) if len(word) <= _WORD_LENGTH else _LONG
        return bits

    def is_found(self, pattern: Pattern, text: str, bits: int) -> bool:
        """Whether a text with these bits matches the pattern."""
        parts = self._parts[pattern]
        return bool(bits & parts.needed) and parts.is_found(text, bits)

    def find_texts(self, pattern: Pattern, texts: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        """The numbers of the texts, each given with its bits, that match the pattern."""
        parts = self._parts[pattern]
        needed, is_found = parts.needed, parts.is_found
        return tuple(n for n, (text, bits) in enumerate(texts) if bits & needed and is_found(text, bits))

    def count_found(self, text: str) -> int:
        """How many of the patterns a text matches."""
        bits = self.look_up_words(text)
        return sum(1 for parts in self._parts.values() if bits & parts.needed and parts.is_found(text, bits))

    def _look_up_word(self, word: str) -> int:
        return sum(bit for matcher, bit in self._of_word if matcher.search(word))


class Matches:
    """The sentences of one record; each pattern of an index is matched on first use."""

    def __init__(self, index: PatternIndex, text: str, sentences: Sequence[str]) -> None:
        self._index = index
        self._text = text
        self._bits = index.look_up_words(text)
        self._sentences = [(sentence, index.look_up_words(sentence)) for sentence in sentences]
        self._found: dict[Pattern, tuple[int, ...]] = {}

    def in_text(self, pattern: Pattern) -> bool:
        """Whether the text matches."""
        return self._index.is_found(pattern, self._text, self._bits)

    def sentences(self, pattern: Pattern) -> tuple[int, ...]:
        """The numbers of the sentences that match."""
        if pattern not in self._found:
            self._found[pattern] = self._index.find_texts(pattern, self._sentences)
        return self._found[pattern]


@lru_cache(maxsize=8)
def pattern_index(patterns: tuple[Pattern, ...]) -> PatternIndex:
    """The index of these patterns, cached with its words."""
    return PatternIndex(dict.fromkeys(patterns))


def _compile_parts(pattern: Pattern, number: int) -> _Parts:
    words, phrases, hints = (
        pattern._replace(text=part).compile() if part else None for part in take_apart(pattern.text)
    )
    word_bit, hint_bit = 4 << (2 * number), 8 << (2 * number)
    in_phrases = (hint_bit if hints else _ANY) if phrases else 0
    return _Parts(pattern.compile(), words, phrases, hints, word_bit, hint_bit, _LONG | word_bit | in_phrases)


@lru_cache(maxsize=_MOST_TEXTS)
def _split_words(text: str) -> frozenset[str]:
    return frozenset(PIECE.findall(text))


@lru_cache(maxsize=1024)
def _compile_lowered(pattern: str) -> re.Pattern[str]:
    """The pattern in lower case, for lower-case text: several times faster than with the flag for case."""
    try:
        return compile_lowered(pattern)
    except re.error:
        return compile_alternatives(pattern, re.IGNORECASE)
