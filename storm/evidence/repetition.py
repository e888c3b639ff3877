"""Whether one sentence of a source says again what another one says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from storm.citations.cues import Direction, read_cues
from storm.citations.denials import find_contradiction
from storm.citations.directions import find_direction_faults
from storm.citations.endpoints import find_endpoints
from storm.citations.numbers import read_numbers
from storm.citations.quotes import normalize
from storm.citations.terms import Term, is_content, is_neutral, read_terms, table_keys
from storm.citations.vocabulary import words_of
from storm.ranking import terms

#: The shorter sentence shares so many of its words with the other; one of fewer words than that shares all.
_SHARED = 0.7
_SHORT = 8
#: Values that tell one result from another: with decimals or a percent sign; and how many they must share.
_VALUE = re.compile(r"(?<![\w.·])\d+[.·]\d+|(?<![\w.·])\d+(?=\s?%)")
_SHARED_VALUES = 2
#: As many words in a row take the place of others where another arm or endpoint is named in the same sentence.
_SWAPPED = 3
_DENYING = words_of("no not nor neither never none without fail failed lack lacked")
_DENYING_KEYS = table_keys(" ".join(_DENYING))


def is_repetition(sentence: str, other: str) -> bool:
    """Whether the sentence says nothing that the other one of its source does not say.

    It does say something else with other values, another endpoint or arm, a denial that only one of the two has, or a
    direction that the other one has not.
    """
    if normalize(sentence) == normalize(other):
        return True
    if not (_has_same_values(sentence, other) or _has_same_words(sentence, other)):
        return False
    return not _adds_information(sentence, other)


def _has_same_values(sentence: str, other: str) -> bool:
    """Whether all values of the sentence with fewer stand in the other, and are too many for chance."""
    values, others = set(_VALUE.findall(sentence)), set(_VALUE.findall(other))
    return min(len(values), len(others)) >= _SHARED_VALUES and (values <= others or others <= values)


def _has_same_words(sentence: str, other: str) -> bool:
    words, others = set(terms(sentence)), set(terms(other))
    shorter = min(len(words), len(others))
    return len(words & others) >= (_SHARED if shorter >= _SHORT else 1) * shorter


def _adds_information(sentence: str, other: str) -> bool:
    values, others = set(read_numbers(sentence)), set(read_numbers(other))
    if not (values <= others or others <= values) or not _read_endpoints(sentence) <= _read_endpoints(other):
        return True
    said, known = read_terms(sentence), read_terms(other)
    if _contains_clause(_select_content_keys(known), _select_content_keys(said)):
        return False
    if find_contradiction(sentence, other) or not _read_directions(said) <= _read_directions(known):
        return True
    return any(find_direction_faults(said, known)) or any(_find_swapped_words(said, known))


def _read_endpoints(sentence: str) -> frozenset[str]:
    return frozenset(name for name, _ in find_endpoints(normalize(sentence)))


def _read_directions(said: Sequence[Term]) -> frozenset[tuple[Direction, bool]]:
    return frozenset((cue.direction, cue.negated) for cue in read_cues(said))


def _find_swapped_words(said: Sequence[Term], known: Sequence[Term]) -> Iterator[Sequence[str]]:
    """Words of the one that stand where the other has others that it does not hold: "improved sleep", "… mood"."""
    own, others = _select_content_keys(said), _select_content_keys(known)
    for tag, start, end, other_start, other_end in SequenceMatcher(None, own, others, autojunk=False).get_opcodes():
        instead, before = own[start:end], others[other_start:other_end]
        is_new = not (set(instead) & set(others) or set(before) & set(own))
        if tag == "replace" and is_new and max(len(instead), len(before)) <= _SWAPPED:
            yield instead


def _contains_clause(known: Sequence[str], said: Sequence[str]) -> bool:
    """Whether these words stand in the other sentence in a row, as a clause of it that nothing before denies."""
    starts = (start for start in range(len(known) - len(said) + 1) if known[start : start + len(said)] == said)
    return any(not _DENYING_KEYS.intersection(known[:start]) for start in starts)


def _select_content_keys(said: Sequence[Term]) -> list[str]:
    denying = (term.word in _DENYING for term in said)
    return [term.key for term, denies in zip(said, denying, strict=True) if denies or _is_informative(term)]


def _is_informative(term: Term) -> bool:
    return term.kind == "number" or (is_content(term) and not is_neutral(term))
