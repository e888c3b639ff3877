"""Who is compared with whom, and which way: more or less, better or worse, or no difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from storm.citations import vocabulary
from storm.citations.measures import DOSES, read_unit
from storm.citations.terms import Term, is_content, is_neutral, stem
from storm.citations.vocabulary import words_of


class Direction(StrEnum):
    """Which way something differs."""

    UP = "more"
    DOWN = "less"
    BETTER = "better"
    WORSE = "worse"
    EQUAL = "no difference"


Words = frozenset[str]

#: What denies a direction that comes after it.
_NEGATORS = words_of(
    "not no never neither nor without nobody nothing none failed fail fails lack lacked lacking unable absence non"
)
_STOPS = words_of(", ; : ( ) and but whereas while although though")
_QUANTITIES = words_of("more less greater larger fewer lower higher smaller most least")
#: "A reduced decline" is less of a decline.
_DEGREES = words_of("reduced decreased attenuated slower slowed increased enhanced faster accelerated")
_COURSES = words_of("decline increase decrease reduction rise fall drop improvement worsening deterioration")
_OPPOSITES = {
    Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP, Direction.BETTER: Direction.WORSE,
    Direction.WORSE: Direction.BETTER, Direction.EQUAL: Direction.EQUAL,
}  # fmt: skip
_JUDGEMENTS = (Direction.BETTER, Direction.WORSE)
_AUXILIARIES = words_of("was were is are has have could did does")
_PIVOT_VERBS = words_of("beat beats outperform outperformed outperforms surpass surpassed exceed exceeded")
_VERSUS = words_of("versus vs v against")
_COMPARING = words_of("compared comparison relative opposed")
#: What leads to the object of a direction: "not inferior in preventing" denies the first.
_LEADS = words_of("in of for to by")
#: The words of a side end here.
_ENDS = words_of(", ; : ( ) but whereas while although though")
#: How often, which is no side's name.
_FREQUENCY = frozenset(("non", "frequent", "rare", "incidence", "likely", "like", "signific", "statist"))
#: Words of reporting that are the name of a side.
_SIDES = frozenset(("intervent", "experiment"))
ALONE = "alone"
#: As many terms of a bracket are looked at on each side of what it compares.
_BRACKET = 12


class Cue(NamedTuple):
    """A direction at a place among the terms; `words` is how many terms it is of."""

    at: int
    direction: Direction
    negated: bool = False
    words: int = 1


class Comparison(NamedTuple):
    """What is said of the left side beside the right one."""

    direction: Direction
    negated: bool
    left: Words
    right: Words
    at: int = -1

    def turned(self) -> Comparison:
        """The same said of the right side."""
        return self._replace(direction=_OPPOSITES[self.direction], left=self.right, right=self.left)


def read_cues(terms: Sequence[Term]) -> tuple[Cue, ...]:
    """The directions of a text, in order: "more effective" is one, and "no difference" is one."""
    cues: list[Cue] = []
    for n in range(len(terms)):
        direction = _direction(terms, n)
        if direction is None or _is_bound(terms, n):
            continue
        before = cues[-1] if cues else None
        if before and _joins(terms, before, n):
            cues[-1] = before._replace(direction=_joined(before.direction, direction), words=n - before.at + 1)
        elif before and _is_degree(terms, before, n):
            cues[-1] = before._replace(direction=_joined(direction, before.direction), words=n - before.at + 1)
        else:
            cues.append(Cue(n, direction, _is_negated(terms, n)))
    return tuple(_settled(cue, terms) for cue in cues)


def read_comparisons(terms: Sequence[Term], cues: Sequence[Cue]) -> Iterator[Comparison]:
    """The comparisons with two sides that the text tells in words."""
    for start, end in _pivots(terms):
        cue = _governing(cues, start, terms)
        if cue is None:
            continue
        left, right = _sides(terms, cue, start, end)
        # "Compared with B, A did this and that" is of all that follows.
        for each in [cue] if cue.at < start else cues:
            if left - right and right - left:
                yield Comparison(each.direction, each.negated, left - right, right - left, each.at)


def read_contrasts(terms: Sequence[Term]) -> Iterator[Comparison]:
    """The comparisons of a text without any direction: what is said of the left side is more of it."""
    for start, end in _pivots(terms):
        left, right = _sides(terms, Cue(0, Direction.UP, words=0), start, end)
        if left - right and right - left:
            yield Comparison(Direction.UP, False, left - right, right - left)


def side_words(terms: Sequence[Term]) -> Words:
    """The words that can tell one side from another; "without X" is X's absence, like "X alone" its single use."""
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
        elif is_side_word(term):
            found.add(term.key)
        n += 1 + length
    return frozenset(found)


def is_side_word(term: Term) -> bool:
    """Whether the word may name a side: it is content, and neither reporting nor a direction."""
    return (
        is_content(term) and (not is_neutral(term) or term.key in _SIDES) and not is_direction(term)
        and term.key not in _FREQUENCY
    )  # fmt: skip


def compatible(claimed: Comparison | Cue, quoted: Comparison | Cue) -> bool:
    """Whether what the quote says lets the claim be said; both of the same sides in the same order."""
    if claimed.direction is Direction.EQUAL:
        return quoted.negated or quoted.direction is Direction.EQUAL
    if quoted.direction is Direction.EQUAL:
        return claimed.negated
    same = claimed.direction is quoted.direction or not on_one_scale(claimed.direction, quoted.direction)
    if claimed.negated and not quoted.negated:
        return claimed.direction is _OPPOSITES[quoted.direction]
    return same and claimed.negated == quoted.negated


def orientation(claimed: Comparison, quoted: Comparison) -> int:
    """1 where both name their sides in the same order, -1 where in the other, 0 where nobody can tell."""
    straight, crossed = claimed.right & quoted.right, claimed.right & quoted.left
    if straight and not crossed:
        return 1
    other = claimed.left & quoted.right
    if crossed and other and all(word[0].isdigit() for word in straight):  # "in 24 hours" is of both
        return -1
    if crossed and other and not claimed.left & quoted.left:  # what both sides share is where it was compared
        return -1
    if straight or not (crossed or other) or claimed.left & quoted.left:
        return 0
    return -1


def is_of_one_side(claimed: Comparison, quoted: Comparison) -> bool:
    """Whether the claim compares two that both stand on one side of the quote: "A or B" beside "C", and A with B."""
    left, right = quoted.left - quoted.right, quoted.right - quoted.left
    for own, other in ((left, right), (right, left)):
        doses = {word for word in claimed.left | claimed.right if word.rpartition(" ")[2] in DOSES}
        if claimed.left & own and claimed.right & own and doses & own and not doses & other:
            return True
    return False


def on_one_scale(one: Direction, other: Direction) -> bool:
    """Whether both are of how much or both of how good; "no difference" is of either."""
    return Direction.EQUAL in (one, other) or (one in _JUDGEMENTS) == (other in _JUDGEMENTS)


def _direction(terms: Sequence[Term], n: int) -> Direction | None:
    term = terms[n]
    if term.kind != "word":
        return None
    stemmed = stem(term.word)
    if term.word in ("most", "least"):
        return None if n and terms[n - 1].word == "at" else Direction.UP if term.word == "most" else Direction.DOWN
    if stemmed in ("differ", "differenc", "chang", "alter", "affect") and _is_negated(terms, n):
        return Direction.EQUAL
    if term.word == "same" or (term.word == "as" and _is_as_as(terms, n)):
        return Direction.EQUAL
    after = terms[n + 1].word if n + 1 < len(terms) else "than"
    if term.word == "longer" and n and terms[n - 1].word == "no" and after not in ("than", "with", "in"):
        return None
    return Direction.EQUAL if term.word in vocabulary.EQUAL.split() else _directions().get(stemmed)


def _is_as_as(terms: Sequence[Term], n: int) -> bool:
    """Whether "as effective as" begins here."""
    is_led = any(term.word == "as" for term in terms[n + 2 : n + 4]) and terms[n + 1].kind == "word"
    return is_led and terms[n + 1].word not in ("well", "as")


def _settled(cue: Cue, terms: Sequence[Term]) -> Cue:
    """No denial of "no difference" is left, and "not as good as" is worse."""
    if cue.direction is not Direction.EQUAL:
        return cue
    if cue.negated and terms[cue.at].word == "as":
        return cue._replace(direction=Direction.WORSE, negated=False)
    return cue._replace(negated=False)


def _is_bound(terms: Sequence[Term], n: int) -> bool:
    """Whether it is of a value: "more than 50", "lower than 5 mg"."""
    if [term.word for term in terms[n + 1 : n + 2]] != ["than"] or terms[n].word not in _QUANTITIES:
        return False
    return any(term.kind == "number" for term in terms[n + 2 : n + 3])


def _joins(terms: Sequence[Term], before: Cue, n: int) -> bool:
    """Whether both are one: "more effective", "equally effective", "fell more"."""
    if n - (before.at + before.words - 1) > 2 or terms[n - 1].word in ("but", "although", "while"):
        return False
    first = terms[before.at].word
    if n == before.at + 1 and first in _DEGREES and terms[n].word in _COURSES:
        return True
    return before.direction is Direction.EQUAL or first in (*_QUANTITIES, "as") or terms[n].word in ("more", "less")


def _is_degree(terms: Sequence[Term], before: Cue, n: int) -> bool:
    """Whether it says how much of what came before: "the reduction was larger", "lowered it more than"."""
    if any(term.word in _STOPS for term in terms[before.at : n]) or terms[n].word not in _QUANTITIES:
        return False
    follows = terms[n + 1].word if n + 1 < len(terms) else ""
    return terms[n - 1].word in _AUXILIARIES if terms[n].word not in ("more", "less") else follows == "than"


def _joined(first: Direction, second: Direction) -> Direction:
    """ "More effective" is better, "less effective" worse, "a greater reduction" less, "a smaller one" more."""
    if Direction.EQUAL in (first, second):
        return Direction.EQUAL
    return second if first is Direction.UP else _OPPOSITES[second] if second is not Direction.UP else first


def _is_negated(terms: Sequence[Term], n: int) -> bool:
    is_led = False
    for back in range(n - 1, max(-1, n - 9), -1):
        word = terms[back].word
        if is_led and is_direction(terms[back]):
            return False
        is_led = is_led or word in _LEADS
        if word == "only" and back and terms[back - 1].word == "not":
            return False
        if word in _NEGATORS:
            return not (word in ("fail", "failed") and back and terms[back - 1].word == "not")
        if word in _STOPS:
            break
    if any(term.word == "neither" for term in terms[:n]):
        return True
    return _is_denied_after(terms, n)


def _is_denied_after(terms: Sequence[Term], n: int) -> bool:
    """ "A benefit was not seen"; "an increase in deaths was not observed"."""
    for at in range(n + 1, min(len(terms) - 1, n + 6)):
        if terms[at].word in _STOPS:
            return False
        if terms[at].word in _AUXILIARIES:
            return terms[at + 1].word == "not"
    return False


def _pivots(terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """Where one side ends and the other begins."""
    for n, term in enumerate(terms):
        following = terms[n + 1].word if n + 1 < len(terms) else ""
        if term.word == "than" or (term.word in _VERSUS and not _is_between_values(terms, n)):
            yield n, n + 1
        elif term.word in _COMPARING and following in ("with", "to"):
            yield n, n + 2
        elif term.word in ("superior", "inferior", "preferable") and following == "to":
            yield n + 1, n + 2
        elif term.word in _PIVOT_VERBS:
            yield n + 1, n + 1
        elif term.word == "over" and any(_is_better(before) for before in terms[max(0, n - 10) : n]):
            yield n, n + 1


def _is_between_values(terms: Sequence[Term], n: int) -> bool:
    """Whether it stands in a bracket of nothing but values: "(2.1 vs 3.4 mmol/l)"."""
    start = next((at for at in range(n, max(-1, n - _BRACKET), -1) if terms[at].word in ("(", ")")), n)
    end = next((at for at in range(n, min(len(terms), n + _BRACKET)) if terms[at].word in ("(", ")")), n)
    inside = [term for term in terms[start + 1 : end] if term.key not in ("p", "l")]
    return terms[start].word == "(" and end > n and not any(map(is_side_word, inside))


def _is_better(term: Term) -> bool:
    return _directions().get(stem(term.word)) is Direction.BETTER


def _governing(cues: Sequence[Cue], pivot: int, terms: Sequence[Term]) -> Cue | None:
    """The direction that a pivot is of: the last one before it, or the first one where it opens the sentence."""
    before = [cue for cue in cues if cue.at < pivot]
    inside = [cue for cue in before if not any(term.word == ";" for term in terms[cue.at : pivot])]
    inside = [cue for cue in inside if not _is_attribute(terms, cue)] or inside
    if inside:
        return inside[-1]
    return cues[0] if cues and not before and pivot <= 3 else None


def _is_attribute(terms: Sequence[Term], cue: Cue) -> bool:
    """Whether it only describes what is compared: "the risk of worsening heart failure"."""
    return terms[cue.at].word.endswith("ing") and cue.at > 0 and terms[cue.at - 1].word in ("of", "with", "for")


def _sides(terms: Sequence[Term], cue: Cue, start: int, end: int) -> tuple[Words, Words]:
    stop = next((n for n in range(end, len(terms)) if terms[n].word in _ENDS), len(terms))
    right = side_words(terms[end:stop])
    if cue.at >= end:
        return side_words(terms[stop:]), right
    begin = next((n + 1 for n in range(cue.at, -1, -1) if terms[n].word == ";"), 0)
    return side_words([*terms[begin : cue.at], *terms[cue.at + cue.words : start]]), right


@cache
def _directions() -> dict[str, Direction]:
    tables = (
        (Direction.UP, vocabulary.UP), (Direction.DOWN, vocabulary.DOWN), (Direction.BETTER, vocabulary.BETTER),
        (Direction.WORSE, vocabulary.WORSE),
    )  # fmt: skip
    return {stem(word): direction for direction, words in tables for word in words.split()}


def is_direction(term: Term) -> bool:
    """Whether the word says which way something differs."""
    return stem(term.word) in _directions() or term.word in vocabulary.EQUAL.split()
