"""Reads the words of a question: which name its subject, and which may be the name of a drug."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import NamedTuple

from storm.extractive.biomedical_words import (
    FOREIGN,
    is_biomedical,
    is_common,
    is_condition,
    is_everyday,
    is_grammar,
    is_reporting,
)
from storm.extractive.facets import fold_spaced
from storm.models.normal_forms import normal_form
from storm.syllabus.drug_names import DRUG_NAME

#: Characters of a question that are read, and most words of a phrase.
MOST_READ = 5_000
_LONGEST_PHRASE = 5
#: At most so many phrases and names are taken from a question.
MOST_PHRASES, MOST_CANDIDATES = 12, 8
_WORD = re.compile(r"[^\W_]+(?:[-'’.+][^\W_]+)*", re.A | re.I)
_ANY_WORD = re.compile(r"[^\W_]+(?:[-'’.+][^\W_]+)*")
_SENTENCE = re.compile(r"[^.?!\n]*(?:[.?!](?!\s|$)[^.?!\n]*)*[.?!\n]?")
_DISEASES = frozenset(("disease", "diseases", "disorder", "disorders", "syndrome", "injury", "failure", "infarction"))
#: Words that begin no phrase of their own, but may end one: "sickle cell disease".
_TAILS = frozenset((
    "disease", "diseases", "disorder", "disorders", "syndrome", "therapy", "injury", "training", "exposure", "loss",
    "states", "kingdom", "gain", "replacement", "control", "cell", "cells", "rate", "rates", "score",
))  # fmt: skip
#: Words that a phrase may begin or have within, common as they are: "old age", "type 2 diabetes".
_WITHIN = frozenset(("type", "low", "high", "long", "short", "early", "late", "term", "older", "old"))
#: Words of asking that are part of a name before these: "alcohol use disorder", "major depression".
_BEFORE = {
    "use": ("disorder", "disorders"), "major": ("depression", "depressive"), "common": ("cold", "variable"),
    "eating": ("disorder", "disorders"), "system": ("atrophy",), "contrast": ("media", "medium", "dye", "dyes"),
}  # fmt: skip
#: What may be slowed, although the words are common in studies.
_PROCESSES = frozenset(("ageing", "aging"))
#: Words that ask for a facet and say which: of several harms, of several outcomes.
_OWN_FACETS = frozenset((
    "biosimilar", "biosimilars", "generic", "generics", "addiction", "overdose", "withdrawal", "dependence", "survival",
    "remission", "resistance",
))  # fmt: skip
#: What a question whether something is so begins with, and words that may begin its subject.
_BE, _DETERMINERS = frozenset(("is", "are", "was", "were")), frozenset(("the", "a", "an", "its", "my", "her", "his"))
#: How adjectives end that are said of a subject, whatever follows.
_ABLE = ("able", "ible")
#: Words of a drug's name that are words of chemistry: "valproic acid".
_SECOND_NAMES = frozenset(("acid", "sodium", "mofetil", "alfa", "beta", "gamma", "d", "b12", "c", "k", "e", "a"))


class Word(NamedTuple):
    """A word of a text, folded and as written; `joined` to the one before by white space only."""

    folded: str
    text: str
    start: int
    joined: bool
    begins_sentence: bool

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


#: Most characters of a question's label, and of its description.
MOST_LABEL, MOST_DESCRIPTION = 100, 600


class Phrase(NamedTuple):
    """Words that stand together and name something."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The phrase as it is written."""
        return " ".join(word.text for word in self.words)

    @property
    def names_condition(self) -> bool:
        """Whether it names a disease or symptom."""
        last = self.words[-1].folded
        return any(map(is_condition, self._parts)) or (len(self.words) > 1 and last in _DISEASES)

    @property
    def is_biomedical(self) -> bool:
        """Whether it has a word of medicine or biology."""
        return any(map(is_biomedical, self._parts))

    @property
    def names_drug(self) -> bool:
        """Whether it is written like a drug or a class of drugs."""
        return bool(DRUG_NAME.search(" ".join(word.folded for word in self.words)))

    @property
    def is_proper(self) -> bool:
        """Whether it is written like the name of someone or something."""
        return any(word.text[:1].isupper() and not word.begins_sentence for word in self.words)

    @property
    def _parts(self) -> Iterator[str]:
        for word in self.words:
            yield word.folded
            yield from word.folded.split("-")


class Candidate(NamedTuple):
    """A word that may be a drug's name, and the names to look up: it and the pairs of words with it."""

    word: Word
    names: tuple[str, ...]
    rank: int


def clean_question(text: str) -> str:
    """The question in composed characters, without control characters, cut to what is read."""
    plain = normal_form("NFC", text[: 2 * MOST_READ])
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zs") and c != "\n" else c for c in plain)[:MOST_READ]


def split_questions(text: str) -> Sequence[str]:
    """The sentences of a text that ask; the whole text if none ends with a question mark."""
    sentences = (" ".join(match[0].split()) for match in _SENTENCE.finditer(text))
    asking = [sentence for sentence in sentences if sentence.endswith(("?", "？", "؟")) and len(sentence) > 1]
    return asking or [" ".join(text.split())]


@lru_cache(maxsize=32)  # a question's words are asked for by each of its readers
def read_words(text: str) -> Sequence[Word]:
    """The words of a text, in order."""
    folded = fold_spaced(text)
    words: list[Word] = []
    end = 0
    for match in _ANY_WORD.finditer(text):
        between = text[end : match.start()]
        begins = not words or any(mark in between for mark in ".?!\n:")
        start, end = match.span()
        words.append(Word(folded[start:end], match[0], start, bool(words) and between.isspace(), begins))
    return tuple(words)


def find_candidates(words: Sequence[Word], facets: Collection[tuple[int, int]]) -> Sequence[Candidate]:
    """The words that may be names of drugs, the likeliest first, without those of the facets asked for."""
    found: dict[str, Candidate] = {}
    asking = _cover(facets)
    for at, word in enumerate(words):
        rank = _rank_candidate(word, asking)
        if rank is not None and word.folded not in found:
            found[word.folded] = Candidate(word, tuple(_names_around(words, at)), rank)
    return sorted(found.values(), key=lambda one: (one.rank, one.word.start))[:MOST_CANDIDATES]


def _rank_candidate(word: Word, asking: Collection[int]) -> int | None:
    """How likely a word is a drug's name, 0 most; None if it is none."""
    if len(word.text) < 2 or word.text.isdigit() or is_grammar(word.folded) or word.start in asking:
        return None
    if DRUG_NAME.fullmatch(word.folded):
        return 0
    if is_condition(word.folded) or is_everyday(word.folded):
        return None
    if any(character.isdigit() for character in word.text) or (word.text[0].isupper() and not word.begins_sentence):
        return 1 if not is_biomedical(word.folded) else 3
    return 3 if is_biomedical(word.folded) else 2


def _names_around(words: Sequence[Word], at: int) -> Iterator[str]:
    """The pairs of words that a name may be, then the word itself."""
    own = words[at]
    if at + 1 < len(words) and words[at + 1].joined and _may_follow(words[at + 1]):
        yield f"{own.text} {words[at + 1].text}"
    if own.joined and not is_common(words[at - 1].folded):
        yield f"{words[at - 1].text} {own.text}"
    yield own.text
    if own.text.casefold().endswith(("'s", "’s")):
        yield own.text[:-2]


def _may_follow(word: Word) -> bool:
    return word.folded in _SECOND_NAMES or not is_common(word.folded)


def find_phrases(
    words: Sequence[Word],
    facets: Collection[tuple[int, int]],
    people: Collection[tuple[int, int]] = (),
    without: Collection[int] = (),
) -> Sequence[Phrase]:
    """The phrases that name what a question is about, in its order, each once: not the words that ask for `facets`, but
    those that name `people`; `without` are places of words that name something else."""
    phrases: dict[str, Phrase] = {}
    run: list[Word] = []
    asking, named, predicates = _cover(facets), _cover(people), frozenset(_find_predicates(words))
    for word, after in zip_longest(words, words[1:]):
        is_named = _names_something(word, asking, named, bool(run and word.joined)) or _begins_name(word, after)
        names = word.start not in without and is_named
        if run and (word.start in predicates or not (names and word.joined)):
            _add_phrase(phrases, run)
            run = []
        run += [word] * names
    _add_phrase(phrases, run)
    return list(phrases.values())[:MOST_PHRASES]


def _find_predicates(words: Sequence[Word]) -> Iterator[int]:
    """Where the words stand that a question says of its subject: "is the heart failure reversible?" """
    for at, word in enumerate(words, 1):
        if word.begins_sentence and word.folded in _BE:
            start = at + (at < len(words) and words[at].folded in _DETERMINERS)
            named = list(takewhile(_goes_on, words[start:]))
            rest = words[start + len(named) :]
            ends = not rest or rest[0].begins_sentence
            if len(named) > 1 and _is_predicate(named[-1], ends_sentence=ends):
                yield named[-1].start
            last = [*takewhile(lambda one: not one.begins_sentence, words[at:])][-1:]
            yield from (one.start for one in last if one.folded.endswith(_ABLE))


def _is_predicate(word: Word, *, ends_sentence: bool) -> bool:
    is_plural = word.folded.endswith("s") and not word.folded.endswith("ous")
    return word.folded.endswith(_ABLE) or (ends_sentence and not is_plural)


def _goes_on(word: Word) -> bool:
    """Whether a word may belong to the subject of a question and to what follows it, before any preposition."""
    return word.joined and not is_grammar(word.folded)


def _begins_name(word: Word, after: Word | None) -> bool:
    """Whether a word of asking is part of a name with the next one."""
    return after is not None and after.joined and after.folded in _BEFORE.get(word.folded, ())


def _names_something(word: Word, asking: Collection[int], people: Collection[int], goes_on: bool) -> bool:
    if word.start in people:
        return not is_reporting(word.folded)
    if word.start in asking:
        return word.folded in _OWN_FACETS or word.folded.endswith(("toxic", "toxicity"))
    if word.folded in _PROCESSES or word.folded in _WITHIN or (goes_on and word.folded in _TAILS):
        return True
    if is_biomedical(word.folded):
        return not is_reporting(word.folded)
    return not is_common(word.folded)


def _add_phrase(phrases: dict[str, Phrase], run: Sequence[Word]) -> None:
    if trimmed := _trim_run(run[-_LONGEST_PHRASE:]):
        phrases.setdefault(" ".join(word.folded for word in trimmed), Phrase(tuple(trimmed)))


def _trim_run(run: Sequence[Word]) -> Sequence[Word]:
    """The words without those that name nothing where they stand: adverbs, "type" at the end, a number alone."""
    while run and (run[-1].folded in _WITHIN or run[-1].folded.endswith("ly")):
        run = run[:-1]
    while run and run[0].folded.endswith("ly"):
        run = run[1:]
    alone = len(run) == 1 and (len(run[0].text) < 2 or run[0].text.isdigit())
    return () if alone else run


def _cover(spans: Collection[tuple[int, int]]) -> frozenset[int]:
    """All places in these spans."""
    return frozenset(index for start, end in spans for index in range(start, end))


def is_readable(words: Sequence[Word]) -> bool:
    """Whether most words are in Latin letters and of English, as far as its grammar shows."""
    letters = [word for word in words if any(map(str.isalpha, word.text))]
    latin = sum(1 for word in letters if _WORD.fullmatch(fold_spaced(word.text)))
    foreign = sum(1 for word in letters if word.folded in FOREIGN)
    return 2 * latin > len(letters) and (foreign < 2 or 4 * foreign < len(letters))


def cut_at_word(text: str, most: int) -> str:
    """The text on one line, cut at a word if it is longer."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut}…"
