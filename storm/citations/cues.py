"""Which way something goes: more or less, better or worse, or no difference; and whether that is denied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from storm.citations import vocabulary
from storm.citations.positions import bracket_depths, word_at
from storm.citations.terms import Term, has_word, is_content, is_neutral, split_terms, stem_word
from storm.citations.vocabulary import words_of


class Direction(StrEnum):
    """Which way something differs."""

    UP = "more"
    DOWN = "less"
    BETTER = "better"
    WORSE = "worse"
    EQUAL = "no difference"


#: What denies a direction that comes after it.
_NEGATORS = words_of(
    "not no never neither nor without nobody nothing none failed fail fails lack lacked lacking unable absence non "
    "hardly barely scarcely"
)
#: They deny only the next word: "barely noticeable declines".
_NEARLY_NOT = words_of("hardly barely scarcely")
_STOPS = vocabulary.CLAUSE_ENDS | {"and"}
_QUANTITIES = words_of("more less greater larger fewer lower higher smaller most least")
#: Before a course these say how much of it there is: "a reduced decline".
_DEGREES = words_of("reduced decreased attenuated slower slowed increased enhanced faster accelerated")
_COURSES = words_of("decline increase decrease reduction rise fall drop improvement worsening deterioration")
_PLURALS = words_of("increases decreases reductions improvements declines falls changes")
#: Directions of how good something is; the others are of how much.
JUDGEMENTS = (Direction.BETTER, Direction.WORSE)
OPPOSITES = {
    Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP, Direction.BETTER: Direction.WORSE,
    Direction.WORSE: Direction.BETTER, Direction.EQUAL: Direction.EQUAL,
}  # fmt: skip
_FOUND = words_of(
    "seen observed found shown reported noted detected demonstrated evident apparent reached present different"
)
_LIMITS = words_of("above below beyond over under")
_EXCEEDING = words_of("exceed exceeds exceeded exceeding surpassed")
_NEEDS = words_of("need needs needed require requires required necessary")
_AUXILIARIES = words_of("was were is are has have could did does")
#: What leads to the object of a direction: "not inferior in preventing" denies only the first.
_LEADS = words_of("in of for to by")
#: After "no longer" these show that it compares; at the end of the text it does too.
_AFTER_LONGER = frozenset(("than", "with", "in", ""))
#: Nouns with the stem of a direction that are none: an effect is not "effective".
_NOUNS = words_of("effect effects")


class Cue(NamedTuple):
    """A direction at a place among the terms; `words` is how many terms it spans."""

    at: int
    direction: Direction
    negated: bool = False
    words: int = 1


def read_cues(terms: Sequence[Term]) -> tuple[Cue, ...]:
    """The directions of a text, in order: "more effective" is one, and "no difference" is one."""
    cues: list[Cue] = []
    for n in range(len(terms)):
        direction = direction_at(terms, n)
        if cues and terms[n].word == "more" and word_at(terms, n + 1) == "so":
            direction = cues[-1].direction
        if direction is None or is_bound(terms, n):
            continue
        before = cues[-1] if cues else None
        if before and _continues_cue(terms, before, n):
            cues[-1] = before._replace(
                direction=_combine_directions(before.direction, direction), words=n - before.at + 1
            )
        elif before and _is_degree(terms, before, n):
            cues[-1] = before._replace(
                direction=_combine_directions(direction, before.direction), words=n - before.at + 1
            )
        else:
            cues.append(Cue(n, direction, is_negated(terms, n)))
    return tuple(_resolve_negation(cue, terms) for cue in cues)


def finds_no_difference(cues: Iterable[Cue]) -> bool:
    """Whether any of the cues says that there is no difference."""
    return any(cue.direction is Direction.EQUAL for cue in cues)


def direction_at(terms: Sequence[Term], n: int) -> Direction | None:
    """The direction that the word there expresses, if any."""
    term = terms[n]
    if term.kind != "word" or term.word in _NOUNS:
        return Direction.EQUAL if term.word in _NOUNS and is_negated(terms, n) else None
    stemmed = stem_word(term.word)
    if term.word == "beats" and word_at(terms, n + 1) in ("/", "per", "min", "a"):
        return None
    if stemmed in ("insignific", "nonsignific"):
        return Direction.EQUAL
    if term.word in ("most", "least"):
        return None if word_at(terms, n - 1) == "at" else Direction.UP if term.word == "most" else Direction.DOWN
    if stemmed in ("chang", "alter") and has_word(terms[max(0, n - 4) : n + 5], _NEEDS):
        return None
    if stemmed in ("differ", "differenc", "chang", "alter", "affect") and is_negated(terms, n):
        return Direction.EQUAL
    if term.word in ("same", "equivalent") and not _is_predicate(terms, n):
        return None
    if term.word == "same" or (term.word == "as" and _is_as_as(terms, n)):
        return Direction.EQUAL
    if term.word == "longer" and word_at(terms, n - 1) == "no" and word_at(terms, n + 1) not in _AFTER_LONGER:
        return None
    return Direction.EQUAL if term.word in vocabulary.EQUAL.split() else _direction_by_stem().get(stemmed)


def _is_predicate(terms: Sequence[Term], n: int) -> bool:
    """Whether something is said to be the same: not "of the same site", nor "spherical equivalent"."""
    after = terms[n + 1] if n + 1 < len(terms) else None
    before = word_at(terms, n - 1)
    led = before in (*_AUXILIARIES, "be") or before.endswith("ly")
    if terms[n].word == "equivalent":
        return led or (after is not None and after.word in ("to", "between", "for", "with"))
    return (
        after is None
        or not is_content(after)
        or is_neutral(after)
        or is_direction(after)
        or after.word in ("as", "extent")
    )


def _is_as_as(terms: Sequence[Term], n: int) -> bool:
    """Whether "as effective as" begins here."""
    after = split_terms(terms[n + 2 : n + 10], _STOPS - {"(", ")"})[0]
    is_led = has_word(after, ("as",)) and terms[n + 1].kind == "word"
    if is_led and terms[n + 1].word in ("many", "much", "few", "little") and _is_before_number(terms, n + 2):
        return False
    return is_led and terms[n + 1].word not in ("well", "as")


def _is_before_number(terms: Sequence[Term], n: int) -> bool:
    """Whether "as three" stands there: "as many as three"."""
    return word_at(terms, n) == "as" and n + 1 < len(terms) and terms[n + 1].kind == "number"


def _resolve_negation(cue: Cue, terms: Sequence[Term]) -> Cue:
    """The cue without a denial of "no difference"; "not as good as" is worse."""
    if cue.direction is not Direction.EQUAL:
        return cue
    if cue.negated and terms[cue.at].word == "as":
        return cue._replace(direction=Direction.WORSE, negated=False)
    return cue._replace(negated=False)


def is_bound(terms: Sequence[Term], n: int) -> bool:
    """Whether the word is part of a bound: "more than 50", "lower than 5 mg", "50% or more"."""
    if terms[n].word == "equal" and word_at(terms, n - 1) == "or":
        return True
    if terms[n].word in _EXCEEDING and n + 1 < len(terms) and terms[n + 1].kind == "number":
        return True
    if word_at(terms, n + 1) in _LIMITS and n + 2 < len(terms) and terms[n + 2].kind == "number":  # "rise above 5"
        return True
    if n > 1 and terms[n - 1].word == "or" and any(term.kind == "number" for term in terms[max(0, n - 3) : n - 1]):
        return terms[n].word in _QUANTITIES
    if word_at(terms, n + 1) != "than" or terms[n].word not in _QUANTITIES:
        return False
    start = n + 5 if [term.word for term in terms[n + 2 : n + 5]] == ["or", "equal", "to"] else n + 2
    return any(term.kind == "number" or term.word in ("once", "twice") for term in terms[start : start + 1])


def _continues_cue(terms: Sequence[Term], before: Cue, n: int) -> bool:
    """Whether the word there and the cue before it form one: "more effective", "equally effective", "fell more"."""
    if n - (before.at + before.words - 1) > 2 or terms[n - 1].word in ("but", "although", "while"):
        return False
    first = terms[before.at].word
    is_next = n == before.at + 1 or (n == before.at + 2 and terms[n - 1].word in ("the", "a", "this"))
    if is_next and first in _DEGREES and terms[n].word in _COURSES:
        return True
    return before.direction is Direction.EQUAL or first in (*_QUANTITIES, "as") or terms[n].word in ("more", "less")


def _is_degree(terms: Sequence[Term], before: Cue, n: int) -> bool:
    """Whether the word says how large the change before it is: "the reduction was larger", "lowered it more than"."""
    is_slowed = terms[before.at].word in _COURSES and terms[n].word in _DEGREES
    if is_attribute(terms, before) or not (is_slowed or terms[n].word in _QUANTITIES):
        return False
    if not _is_one_phrase(terms[before.at : n]):
        return False
    verb = next((at for at in range(n - 1, before.at, -1) if not terms[at].word.endswith("ly")), n - 1)
    return (
        terms[verb].word in _AUXILIARIES if terms[n].word not in ("more", "less") else word_at(terms, n + 1) == "than"
    )


def _is_one_phrase(terms: Sequence[Term]) -> bool:
    """Whether no clause ends in it; a list after a noun continues: "reductions in A (5%), B, and C were"."""
    for term, depth in zip(terms, bracket_depths(terms), strict=True):
        in_list = terms[0].word in _COURSES | _PLURALS and term.word in (",", "and", "(", ")")
        if not depth and term.word in _STOPS and not in_list:
            return False
    return True


def _combine_directions(first: Direction, second: Direction) -> Direction:
    """The direction of two words together: "less effective" is worse, "a greater reduction" less."""
    if Direction.EQUAL in (first, second):
        return Direction.EQUAL
    if second is Direction.UP:
        return first
    return second if first in (Direction.UP, Direction.BETTER) else OPPOSITES[second]


def is_negated(terms: Sequence[Term], n: int) -> bool:
    """Whether words before or after the word deny it."""
    is_led = False
    if word_at(terms, n + 1) == "neither":
        return True
    for back in range(n - 1, max(-1, n - 9), -1):
        word = terms[back].word
        if is_led and is_direction(terms[back]):
            return False
        is_led = is_led or word in _LEADS
        if word == "only" and back and terms[back - 1].word == "not":
            return False
        if word in _NEGATORS and not (word in _NEARLY_NOT and back < n - 1):
            return not (word in ("fail", "failed") and back and terms[back - 1].word == "not")
        if word in _STOPS:
            break
    if has_word(split_terms(terms[:n], _STOPS)[-1], ("neither", "none", "nobody")):
        return True
    return _is_denied_after(terms, n)


def _is_denied_after(terms: Sequence[Term], n: int) -> bool:
    """ "A benefit was not seen"; "an increase in deaths was not observed"."""
    for at in range(n + 1, min(len(terms) - 1, n + 6)):
        if terms[at].word in _STOPS:
            return False
        if terms[at].word in _AUXILIARIES:
            follows = next((t.word for t in terms[at + 2 :] if not t.word.endswith("ly") and t.word != "been"), "")
            return terms[at + 1].word == "not" and (follows in _FOUND or follows.startswith("signific"))
    return False


def is_attribute(terms: Sequence[Term], cue: Cue) -> bool:
    """Whether the cue only describes what is compared: "the risk of worsening heart failure"."""
    return terms[cue.at].word.endswith("ing") and cue.at > 0 and terms[cue.at - 1].word in ("of", "with", "for")


@cache
def _direction_by_stem() -> dict[str, Direction]:
    tables = (
        (Direction.UP, vocabulary.UP), (Direction.DOWN, vocabulary.DOWN), (Direction.BETTER, vocabulary.BETTER),
        (Direction.WORSE, vocabulary.WORSE),
    )  # fmt: skip
    return {stem_word(word): direction for direction, words in tables for word in words.split()}


def is_direction(term: Term) -> bool:
    """Whether the word says which way something differs."""
    return (
        stem_word(term.word) in _direction_by_stem() and term.word not in _NOUNS
    ) or term.word in vocabulary.EQUAL.split()


def is_better(term: Term) -> bool:
    """Whether the word says that something is better."""
    return _direction_by_stem().get(stem_word(term.word)) is Direction.BETTER
