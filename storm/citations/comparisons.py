"""Who is compared with whom, and which way: more or less, better or worse, or no difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm.citations.cues import (
    JUDGEMENTS,
    OPPOSITES,
    Cue,
    Direction,
    direction_at,
    is_attribute,
    is_better,
    is_bound,
    is_direction,
)
from storm.citations.measures import DOSES, TIMES, read_unit
from storm.citations.positions import find_after_last, find_next, outside_brackets, word_at
from storm.citations.terms import Term, has_word, is_content, is_neutral
from storm.citations.vocabulary import CLAUSE_ENDS, words_of

Words = frozenset[str]
_PIVOT_VERBS = words_of("beat beats outperform outperformed outperforms surpass surpassed exceed exceeded")
_VERSUS = words_of("versus vs v against")
_AIMED = words_of("effective efficacy effectiveness efficacious active activity protection protects protected works")
_COMPARING = words_of("compared comparison relative opposed")
#: Words of frequency or significance, which name no side.
_FREQUENCY = frozenset(("non", "frequent", "rare", "incidence", "likely", "like", "signific", "statist"))
#: Stages by which one side may differ from the other.
_STAGES = frozenset(
    f"{when} {what}" for when in ("before", "after") for what in ("intervent", "treatment", "train", "surgery")
)
#: Words of reporting that may name a side.
_SIDES = frozenset(("intervent", "experiment", "combin"))
ALONE = "alone"
#: Names of arms by their dose.
DOSE_SIZES = frozenset(("high dose", "low dose"))
#: How many terms of a bracket are read on each side of what it compares.
_BRACKET = 12


class Comparison(NamedTuple):
    """How the left side differs from the right one."""

    direction: Direction
    negated: bool
    left: Words
    right: Words
    at: int = -1

    def swap_sides(self) -> Comparison:
        """The same comparison, seen from the right side."""
        return self._replace(direction=OPPOSITES[self.direction], left=self.right, right=self.left)


def read_comparisons(terms: Sequence[Term], cues: Sequence[Cue]) -> Iterator[Comparison]:
    """The comparisons of two sides that the text words."""
    done = 0
    for start, end in _find_pivots(terms):
        cue = _find_governing_cue(cues, start, terms)
        if cue is None:
            continue
        left, right = _read_sides(terms, cue, start, end, done if cue.at > done else 0)
        done = end + 1
        # "Compared with B, A …" applies to everything that follows.
        for each in [cue] if cue.at < start else cues:
            if left - right and right - left:
                yield Comparison(each.direction, each.negated, left - right, right - left, each.at)
                if way := _outcome_direction(terms, each, end):
                    yield Comparison(way, each.negated, left - right, right - left, each.at)


def _outcome_direction(terms: Sequence[Term], cue: Cue, end: int) -> Direction | None:
    """The direction of the outcome: "more effective than B in reducing pain" means that pain is reduced more."""
    if cue.direction not in JUDGEMENTS or cue.words < 2:
        return None
    for n in range(cue.at + cue.words, min(len(terms), end + 2 * _BRACKET) - 1):
        way = direction_at(terms, n + 1) if terms[n].word in ("in", "at", "for") else None
        if way in (Direction.UP, Direction.DOWN) and terms[n + 1].word.endswith("ing"):
            return way if cue.direction is Direction.BETTER else OPPOSITES[way]
    return None


def read_contrasts(terms: Sequence[Term]) -> Iterator[Comparison]:
    """The contrasts of a text without any direction, each as if the left side had more."""
    for start, end in _find_pivots(terms):
        left, right = _read_sides(terms, Cue(0, Direction.UP, words=0), start, end)
        if left - right and right - left:
            yield Comparison(Direction.UP, False, left - right, right - left)


def side_words(terms: Sequence[Term]) -> Words:
    """The words that can distinguish two sides; "without X" counts as "alone"."""
    found: set[str] = set()
    n = 0
    while n < len(terms):
        term = terms[n]
        if term.word == "without":
            found.add(ALONE)
            n += 2
            continue
        unit, length = read_unit(terms, n + 1) if term.kind == "number" else ("", 0)
        if unit:
            found.add(f"{term.key} {unit}")
        elif is_side_word(term) and not _is_frequency(terms, n):
            found.add(term.key)
        elif term.word in ("before", "after"):
            stage = next((other.key for other in terms[n + 1 : n + 3] if other.word not in ("the", "their")), "")
            found |= {f"{term.word} {stage}"} & _STAGES
        n += 1 + length
    return frozenset(found)


def _is_frequency(terms: Sequence[Term], n: int) -> bool:
    """Whether it says how often a dose is given: "800 IU/day"."""
    return terms[n].key in TIMES and word_at(terms, n - 1) in ("/", "per", "each", "every")


def own_words(groups: Sequence[Words]) -> list[Words]:
    """The words that each group shares with no other group."""
    return [group.difference(*groups[:n], *groups[n + 1 :]) for n, group in enumerate(groups)]


def quote_words(keys: Iterable[str], terms: Sequence[Term]) -> str:
    """The words of these keys as the terms have them, in their order, as a reason quotes them."""
    places = {term.key: n for n, term in reversed([*enumerate(terms)])}
    split = (((key,) if key in places else key.split()) for key in keys)  # a dose or a stage is of two terms
    ordered = sorted(split, key=lambda parts: ([places.get(part, len(terms)) for part in parts], parts))
    return " ".join(terms[places[part]].word if part in places else part for parts in ordered for part in parts)


def is_side_word(term: Term) -> bool:
    """Whether the word may name a side: a content word that is neither reporting nor a direction."""
    return (
        is_content(term) and (not is_neutral(term) or term.key in _SIDES) and not is_direction(term)
        and term.key not in _FREQUENCY
    )  # fmt: skip


def is_compatible(claimed: Comparison | Cue, quoted: Comparison | Cue) -> bool:
    """Whether the quote allows the claim; both must name the same sides in the same order."""
    if claimed.direction is Direction.EQUAL:
        return quoted.negated or quoted.direction is Direction.EQUAL
    if quoted.direction is Direction.EQUAL:
        return claimed.negated
    same = claimed.direction is quoted.direction or not is_same_scale(claimed.direction, quoted.direction)
    if claimed.negated and not quoted.negated:
        return claimed.direction is OPPOSITES[quoted.direction]
    return same and claimed.negated == quoted.negated


def compare_side_order(claimed: Comparison, quoted: Comparison) -> int:
    """1 if both name their sides in the same order, -1 if in opposite orders, 0 if that is unclear."""
    straight, crossed = claimed.right & quoted.right, claimed.right & quoted.left
    other = claimed.left & quoted.right
    if straight and not crossed:
        return 0 if other - quoted.left and not claimed.left & quoted.left - quoted.right else 1
    if crossed and other and all(word[0].isdigit() for word in straight):  # "in 24 hours" belongs to both
        return -1
    if crossed and other and not claimed.left & quoted.left:  # words of both sides say where it was compared
        return -1
    if straight or not (crossed or other) or claimed.left & quoted.left:
        return 0
    return -1


def is_within_one_side(claimed: Comparison, quoted: Comparison) -> bool:
    """Whether both sides of the claim are on one side of the quote: A against B, from "A or B" against "C"."""
    left, right = quoted.left - quoted.right, quoted.right - quoted.left
    for own, other in ((left, right), (right, left)):
        doses = {word for word in claimed.left | claimed.right if word.rpartition(" ")[2] in DOSES}
        dosed = all(side & own and (side & doses & own or not side & doses) for side in (claimed.left, claimed.right))
        if dosed and doses & own and not doses & other:
            return True
    return False


def is_same_scale(one: Direction, other: Direction) -> bool:
    """Whether both say how much or both say how good; "no difference" fits either scale."""
    return Direction.EQUAL in (one, other) or (one in JUDGEMENTS) == (other in JUDGEMENTS)


def _find_pivots(terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """Where one side ends and where the other begins, for each comparison."""
    for n, term in enumerate(terms):
        following = word_at(terms, n + 1)
        if (term.word == "than" and not is_bound(terms, n - 1)) or (
            term.word in _VERSUS and not (_is_between_values(terms, n) or _is_aimed(terms, n))
        ):
            yield n, n + 1
        elif term.word in _COMPARING and following in ("with", "to"):
            yield n, n + 2
        elif term.word in ("superior", "inferior", "preferable") and following == "to":
            yield n + 1, n + 2
        elif term.word in _PIVOT_VERBS:
            yield n + 1, n + 1
        elif term.word == "over" and any(is_better(before) for before in terms[max(0, n - 10) : n]):
            yield n, n + 1


def _is_aimed(terms: Sequence[Term], n: int) -> bool:
    """Whether "against" says what something is for: "effective against asthma"."""
    return terms[n].word == "against" and word_at(terms, n - 1) in _AIMED


def _is_between_values(terms: Sequence[Term], n: int) -> bool:
    """Whether it stands in a bracket that holds only values: "(2.1 vs 3.4 mmol/l)"."""
    start = next((at for at in range(n, max(-1, n - _BRACKET), -1) if terms[at].word in ("(", ")")), n)
    end = next((at for at in range(n, min(len(terms), n + _BRACKET)) if terms[at].word in ("(", ")")), n)
    if terms[start].word == "(" and [term.kind for term in terms[n - 1 : n + 2 : 2]] == ["number", "number"]:
        return True
    inside = [term for term in terms[start + 1 : end] if term.key not in ("p", "l")]
    return terms[start].word == "(" and end > n and not any(map(is_side_word, inside))


def _find_governing_cue(cues: Sequence[Cue], pivot: int, terms: Sequence[Term]) -> Cue | None:
    """The cue that a pivot belongs to: the last one before it, or the first one if the pivot opens the sentence."""
    before = [cue for cue in cues if cue.at < pivot]
    inside = [cue for cue in before if not has_word(outside_brackets(terms[cue.at : pivot]), (";",))]
    inside = [cue for cue in inside if not is_attribute(terms, cue)] or inside
    if inside:
        return inside[-1]
    return cues[0] if cues and not before and pivot <= 3 else None


def _read_sides(terms: Sequence[Term], cue: Cue, start: int, end: int, begin: int = 0) -> tuple[Words, Words]:
    stop = find_next(terms, CLAUSE_ENDS, end)
    right = side_words(terms[end:stop])
    if cue.at >= end:
        return side_words(terms[stop:]), right
    begin = max(begin, find_after_last(terms, (";",), cue.at + 1))
    return side_words([*terms[begin : cue.at], *terms[cue.at + cue.words : start]]), right
