"""English words by meaning, from WordNet 3.1 (`WORDNET-LICENSE`); `scripts/thesaurus.py` writes the table."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("wordnet.txt.gz")
#: Endings of inflected words with those of their base form.
_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("ier", "y"), ("iest", "y"), ("ves", "f"), ("ses", "s"), ("xes", "x"), ("zes", "z"),
    ("ches", "ch"), ("shes", "sh"), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""),
    ("er", "e"), ("est", ""), ("est", "e"),
)  # fmt: skip
#: Irregular forms of frequent words, the base form first.
_IRREGULAR = """
arise arose arisen, bear bore borne, become became, begin began begun, bind bound, break broke broken, bring brought,
build built, buy bought, catch caught, choose chose chosen, come came, deal dealt, draw drew drawn, drink drank drunk,
drive drove driven, eat ate eaten, fall fell fallen, feel felt, fight fought, find found, forget forgot forgotten, get
got gotten, give gave given, go went gone, grow grew grown, hear heard, hold held, keep kept, know knew known, lead
led, leave left, lend lent, lose lost, make made, mean meant, meet met, overcome overcame, pay paid, rise rose risen,
run ran, say said, see saw seen, seek sought, sell sold, send sent, shake shook, show shown, shrink shrank shrunk,
sleep slept, speak spoke spoken, spend spent, stand stood, strike struck, take took taken, teach taught, tell told,
think thought, undergo underwent undergone, understand understood, wake woke, wear wore worn, win won, withdraw
withdrew withdrawn, write wrote written, man men, woman women, foot feet, tooth teeth, good better best, bad worse
worst
"""


class Entry(NamedTuple):
    """A word: its kinds (noun.act, verb.change …), the numbers of its meanings and of more general ones, and its
    opposites."""

    kinds: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    general: frozenset[str] = frozenset()
    opposites: frozenset[str] = frozenset()


class Meanings(NamedTuple):
    """What the words of a text mean: their base forms, meanings, more general meanings, and those of adjectives."""

    bases: frozenset[str]
    own: frozenset[str]
    general: frozenset[str]
    adjectives: frozenset[str]


def means_as_much(word: str, others: frozenset[str]) -> bool:
    """Whether the word can say what one of the others says, or less: a synonym, of the same root, or more general.

    An adjective may also be one that WordNet calls similar.
    """
    meanings = _read_meanings(others)
    return any(
        entry.own & (meanings.own | meanings.general) or ("adj" in entry.kinds and entry.general & meanings.adjectives)
        for entry in _read_entries(word)
    )


def has_opposite(word: str, others: frozenset[str]) -> bool:
    """Whether one of the others is an antonym of the word: active and inactive."""
    return any(entry.opposites & _read_meanings(others).bases for entry in _read_entries(word))


def list_kinds(word: str) -> frozenset[str]:
    """What kinds of words it may be, each in its most frequent meaning; empty for an unknown word."""
    return frozenset(kind for entry in _read_entries(word) for kind in entry.kinds)


@lru_cache(maxsize=64)
def _read_meanings(words: frozenset[str]) -> Meanings:
    entries = [entry for word in words for entry in _read_entries(word)]
    none = frozenset[str]()
    return Meanings(
        none.union(*map(_list_bases, words)),
        none.union(*(entry.own for entry in entries)),
        none.union(*(entry.general for entry in entries)),
        none.union(*(entry.own for entry in entries if "adj" in entry.kinds)),
    )


@lru_cache(maxsize=4_096)
def _read_entries(word: str) -> tuple[Entry, ...]:
    return tuple(_parse_entry(_lines()[base]) for base in _list_bases(word))


def _parse_entry(line: str) -> Entry:
    kinds, own, general, opposites = (column.split() for column in line.split("\t"))
    return Entry(tuple(kinds), frozenset(own), frozenset(general), frozenset(opposites))


@lru_cache(maxsize=4_096)
def _list_bases(word: str) -> tuple[str, ...]:
    """The word and its base forms, as far as they are known."""
    return tuple(dict.fromkeys(form for form in _list_forms(word) if form in _lines()))


def _list_forms(word: str) -> Iterator[str]:
    yield word
    if base := _irregular_forms().get(word):
        yield base
    for ending, plain in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            yield stem + plain
            if not plain and len(stem) > 3 and stem[-1] == stem[-2]:  # stopped, bigger
                yield stem[:-1]


@cache
def _irregular_forms() -> dict[str, str]:
    groups: Iterable[list[str]] = (group.split() for group in _IRREGULAR.replace("\n", " ").split(","))
    return {form: base for base, *forms in groups for form in forms}


@cache
def _lines() -> dict[str, str]:
    """The lines of the table by word; about 20 MB, read when the first unknown word is looked up."""
    text = gzip.decompress(TABLE.read_bytes()).decode("ascii")
    return dict(line.split("\t", 1) for line in text.splitlines())
