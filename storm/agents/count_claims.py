"""Checks sentences of a model that state counts and scores: their numbers must be those counted, and all other words
from a short list, so that nothing else is claimed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from storm.citations.numbers import find_numbers, flatten_text
from storm.citations.vocabulary import words_of
from storm.models.names import phrases_of, plain_words, split_words

#: Words of a sentence on counts, besides names.
_WORDS = words_of(
    """
    a an the of in on for from and or but with to as at its it they is are was were has have had been each all both per
    that this these those which while only so far overall out there by
    hypothesis hypotheses mechanism mechanisms mechanistic clinical evidence source sources statement statements
    tested proposed examined support supports supported supporting contradict contradicts contradicted contradicting
    mixed untested against favour favours favor favors speak speaks speaking score scores scored scoring confidence
    judged rated hypothesised drug disease no none neither zero
    """
)
#: Words that say that something is missing, and what can be missing.
_LACKING = words_of("missing lacking lacks needed")
_MISSING = words_of(
    """
    trial trials randomised randomized controlled study studies larger longer further more other independent human
    humans animal animals cell cells data results evidence placebo follow up women men children older replication
    direct head
    """
)
_SUPPORTING = words_of("support supports supported supporting favour favours favor favors")
_CONTRADICTING = words_of("contradict contradicts contradicted contradicting against")
_MECHANISTIC = words_of("mechanism mechanisms mechanistic")
_SCORES = words_of("score scores scored scoring rated")
_NONE = words_of("no none neither")
_WORD = re.compile(r"[^\W_]+")
#: Where a clause ends.
_BORDER = re.compile(r"[,;:()]|\.(?=\s|$)|\b(?:and|but|while|which)\b", re.IGNORECASE)
#: The most a score can be, which may stand after "of".
_FULL = "10"
#: Characters of a sentence.
_LONGEST = 500


class Counts(NamedTuple):
    """What can be counted of one thing: how many there are, and how many of each side."""

    total: frozenset[str] = frozenset()
    supporting: frozenset[str] = frozenset()
    contradicting: frozenset[str] = frozenset()
    mixed: frozenset[str] = frozenset()
    untested: frozenset[str] = frozenset()


class Tally(NamedTuple):
    """What a sentence may state: counts of hypotheses, sources and statements, and scores by their names."""

    hypotheses: Counts
    sources: Counts
    statements: Counts
    scores: Mapping[str, frozenset[str]]
    names: tuple[str, ...]


def as_tokens(*numbers: float) -> frozenset[str]:
    """The numbers as `find_numbers` gives them."""
    return frozenset(number.token for one in numbers for number in find_numbers(flatten_text(f"{one:g}")))


def find_count_fault(text: str, tally: Tally) -> str:
    """What is wrong with a sentence on counts; empty if it states a number, and each number is right."""
    if len(text) > _LONGEST:
        return f"it has more than {_LONGEST} characters"
    bare = _remove_names(text, tally.names)
    if unknown := [word for word in split_words(bare) if word not in _WORDS and not _is_number(word)]:
        return f"it gives no statement, and {unknown[0]!r} is no word of counts and scores"
    clauses = [clause for clause in _BORDER.split(bare) if clause.strip()]
    if not any(map(_read_values, clauses)):
        return "it gives no statement and states no number"
    counted = tally.hypotheses
    for clause in clauses:
        words = set(split_words(clause))
        counted = _choose_counted(words, tally) or counted
        if not _is_right(clause, words, counted, tally):
            return f"this was not counted: {clause.strip()!r}"
    return ""


def states_what_is_missing(text: str, names: Iterable[str]) -> bool:
    """Whether a sentence says, without a number, that something would be needed, and nothing else."""
    words = split_words(_remove_names(text, names)) if len(text) <= _LONGEST else []
    known = _WORDS - _NONE - _SUPPORTING - _CONTRADICTING | _LACKING | _MISSING
    return not _LACKING.isdisjoint(words) and known.issuperset(words)


def _remove_names(text: str, names: Iterable[str]) -> str:
    """The text without these names, the longest first, as whole words."""
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(phrases_of(names), key=len, reverse=True):
        phrases.setdefault(phrase[0], []).append(phrase)
    found = list(_WORD.finditer(text))
    words = [plain_words(match[0]).strip() for match in found]
    kept, end, place = [], 0, 0
    while place < len(words):
        own = (one for one in phrases.get(words[place], ()) if tuple(words[place : place + len(one)]) == one)
        length = len(next(own, ()))
        if length:
            kept.append(text[end : found[place].start()])
            end = found[place + length - 1].end()
        place += max(1, length)
    return " ".join((*kept, text[end:]))


def _is_number(word: str) -> bool:
    return word.isdecimal() or bool(find_numbers(word))


def _read_values(clause: str) -> list[tuple[str, bool]]:
    """The numbers of a clause, and whether each is a whole ("of 3")."""
    flat = flatten_text(clause)
    none = [("0", False) for word in split_words(clause) if word in _NONE]
    return none + [(one.token, flat[: one.start].rstrip().endswith(" of")) for one in find_numbers(flat)]


def _choose_counted(words: set[str], tally: Tally) -> Counts | None:
    """The counts of what the clause names; None if it names nothing that is counted."""
    if words & {"source", "sources"}:
        return tally.sources
    if words & {"statement", "statements"}:
        return tally.statements
    return tally.hypotheses if words & {"hypothesis", "hypotheses"} else None


def _is_right(clause: str, words: set[str], counted: Counts, tally: Tally) -> bool:
    """Whether the clause's numbers are those of what it names; one that names a side has a number."""
    values, sides = _read_values(clause), _list_sides(words, counted)
    scores = [*_list_scores(words, tally)]
    if scores and (words & _SCORES or not _choose_counted(words, tally)):
        return all(token == _FULL if whole else any(token in one for one in scores) for token, whole in values)
    if not sides:
        is_count = _choose_counted(words, tally) is not None
        return not values or (is_count and all(token in counted.total for token, _ in values))
    return bool(values) and all(
        token in counted.total if whole else any(token in side for side in sides) for token, whole in values
    )


def _list_scores(words: set[str], tally: Tally) -> Iterator[frozenset[str]]:
    named = {"mechanism": words & _MECHANISTIC, "clinical": words & {"clinical"}, "confidence": words & {"confidence"}}
    yield from (tally.scores[name] for name, found in named.items() if found and name in tally.scores)


def _list_sides(words: set[str], counted: Counts) -> list[frozenset[str]]:
    """The counts of the side that the clause names; of none if it names several, since a number may belong to each."""
    named = (
        (words & _SUPPORTING, counted.supporting),
        (words & _CONTRADICTING, counted.contradicting),
        (words & {"mixed"}, counted.mixed),
        (words & {"untested"}, counted.untested),
    )
    found = [values for has, values in named if has]
    return found if len(found) < 2 else [frozenset()]
