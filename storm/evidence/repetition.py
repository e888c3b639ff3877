"""Recognizes sentences of a source that repeat another sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from storm.citations.cues import Direction, read_cues
from storm.citations.denials import find_contradiction
from storm.citations.directions import find_direction_faults
from storm.citations.endpoints import find_endpoints
from storm.citations.numbers import read_numbers
from storm.citations.quotes import normalize_text
from storm.citations.terms import Term, is_content, is_neutral, read_terms, table_keys
from storm.citations.vocabulary import words_of
from storm.evidence.grave_results import is_serious
from storm.ranking import split_terms

#: The share of its words that the shorter sentence has in common with the other, and a number of words below which it
#: needs all.
_SHARED = 0.7
_SHORT = 8
#: Values that identify a result, with decimals or a percent sign; and how many two sentences must share.
_VALUE = re.compile(r"(?<![\w.·])\d+[.·]\d+|(?<![\w.·])\d+(?=\s?%)")
_SHARED_VALUES = 2
#: With so many in common they are one result, in whatever words.
_MANY_VALUES = 4
#: At most so many words in a row are replaced if the same sentence names another arm or endpoint.
_SWAPPED = 3
#: "[Table 2]", "(Fig. 1)": where a result stands is no part of it.
_PLACE = re.compile(r" ?[\[(](?:see )?(?:supplement\w* )?(?:table|fig(?:ure)?s?|online)\b[^\])]{0,30}[\])]", re.I)
#: How a sentence leads to a result that may be told again.
_LEAD = re.compile(
    r"^(?:(?:in (?:summary|conclusion|short|brief)|to summari[sz]e|taken together|importantly|notably|"
    r"in (?:this|our|the (?:present|current)) (?:study|trial|analysis)),? )?"
    r"(?:(?:we|our (?:study|results|data)|the (?:study|results|data)) (?:also )?(?:found|showed?|demonstrated?|"
    r"observed|confirm(?:ed)?|indicated?) that )?",
    re.I,
)
_DENYING = words_of("no not nor neither never none without fail failed lack lacked")
_DENYING_KEYS = table_keys(" ".join(_DENYING))


def is_repetition(sentence: str, other: str) -> bool:
    """Whether the sentence adds nothing to the other sentence of its source.

    Other values, another endpoint or arm, a denial in only one of the two, or a direction that the other does not have
    are additions.
    """
    sentence, other = (_LEAD.sub("", _PLACE.sub("", text)) for text in (sentence, other))
    if normalize_text(sentence) == normalize_text(other):
        return True
    if _is_same_result(sentence, other):
        return True
    if not (_has_same_values(sentence, other) or _has_same_words(sentence, other)):
        return False
    return not _adds_information(sentence, other)


def _is_same_result(sentence: str, other: str) -> bool:
    """Whether the values of the sentence are the first of the other, so many that they are one result, and neither
    alone tells of a serious harm."""
    values, others = _VALUE.findall(sentence), _VALUE.findall(other)
    if len(values) < _MANY_VALUES or values != others[: len(values)] or is_serious(sentence) != is_serious(other):
        return False
    return not find_contradiction(sentence, other)


def _has_same_values(sentence: str, other: str) -> bool:
    """Whether the sentence with fewer values has all of them in common with the other, and enough of them."""
    values, others = set(_VALUE.findall(sentence)), set(_VALUE.findall(other))
    return min(len(values), len(others)) >= _SHARED_VALUES and (values <= others or others <= values)


def _has_same_words(sentence: str, other: str) -> bool:
    words, others = set(split_terms(sentence)), set(split_terms(other))
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
    return frozenset(name for name, _ in find_endpoints(normalize_text(sentence)))


def _read_directions(said: Sequence[Term]) -> frozenset[tuple[Direction, bool]]:
    return frozenset((cue.direction, cue.negated) for cue in read_cues(said))


def _find_swapped_words(said: Sequence[Term], known: Sequence[Term]) -> Iterator[Sequence[str]]:
    """Words that replace words of the other sentence and are new: "improved sleep", "improved mood"."""
    own, others = _select_content_keys(said), _select_content_keys(known)
    for tag, start, end, other_start, other_end in SequenceMatcher(None, own, others, autojunk=False).get_opcodes():
        instead, before = own[start:end], others[other_start:other_end]
        is_new = not (set(instead) & set(others) or set(before) & set(own))
        if tag == "replace" and is_new and max(len(instead), len(before)) <= _SWAPPED:
            yield instead


def _contains_clause(known: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the other sentence contains these words in a row, without a denial before them."""
    starts = (start for start in range(len(known) - len(said) + 1) if known[start : start + len(said)] == said)
    return any(not _DENYING_KEYS.intersection(known[:start]) for start in starts)


def _select_content_keys(said: Sequence[Term]) -> list[str]:
    denying = (term.word in _DENYING for term in said)
    return [term.key for term, denies in zip(said, denying, strict=True) if denies or _is_informative(term)]


def _is_informative(term: Term) -> bool:
    return term.kind == "number" or (is_content(term) and not is_neutral(term))
