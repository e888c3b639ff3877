"""What a quote, or a clause of it, says of more and less: in words, and by its values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations.arms import read_numeric_comparisons
from storm.citations.comparisons import Comparison, read_comparisons, side_words
from storm.citations.cues import Cue, Direction, is_direction, read_cues
from storm.citations.terms import Term, stem
from storm.citations.vocabulary import words_of

CLAUSE_ENDS = words_of(", ; : ( ) but whereas while although though")
#: As many words behind a joint are looked at for a direction of their own.
_NEAR = 8
_PRONOUNS = words_of("it they this these which")
_CLAUSES = words_of("; but whereas while although though")


class QuoteReading(NamedTuple):
    """A quote, or a clause of it, with what it says of more and less in words and by its values."""

    terms: Sequence[Term]
    cues: Sequence[Cue]
    worded: Sequence[Comparison]
    numeric: Sequence[Comparison]


def read_quote(said: Sequence[Term], terms: Sequence[Term]) -> QuoteReading:
    """What the terms say; of their values those that the statement tells, where it tells some."""
    cues = read_cues(terms)
    denied = any(cue.negated or cue.direction is Direction.EQUAL for cue in cues)
    # Where the quote calls it no difference, the values make none.
    numeric = [] if denied else list(read_numeric_comparisons(terms, cues, said))
    told = list(read_comparisons(terms, cues))
    tells_change = any(stem(term.word) == "chang" for term in said)
    if not tells_change and any(term.kind == "number" and term.key.startswith("-") for term in terms):
        # the greater change is the lower
        told = [one._replace(direction=Direction.DOWN) if _is_of_change(terms, one) else one for one in told]
    return QuoteReading(terms, cues, told, numeric)


def _is_of_change(terms: Sequence[Term], told: Comparison) -> bool:
    return told.direction is Direction.UP and any(stem(term.word) == "chang" for term in terms[: told.at])


def read_clauses(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """The clauses, and the parts of one with a verb of direction each: "reduced A and enhanced B"; what names nothing
    of its own ("but the differences were not significant") belongs to the one before."""
    cuts: list[int] = []
    depth = 0
    for n, term in enumerate(terms[:-1]):
        depth = max(0, depth + (term.word == "(") - (term.word == ")"))
        verb = terms[n + 1]
        is_joined = term.word == "and" and is_direction(verb) and verb.word.endswith("ed")
        is_result = n > 0 and term.word in ("in", "to") and terms[n - 1].word in ("resulting", "leading")
        if term.word == "and" and n and terms[n - 1].word in (",", ")") and verb.word not in _PRONOUNS:
            before = terms[cuts[-1] + 1 if cuts else 0 : n]
            is_joined = is_joined or _both_have_direction(before, terms[n + 1 : n + 1 + _NEAR])
        if not depth and (term.word in _CLAUSES or is_joined or is_result):
            cuts.append(n)
    own = [cut for cut, end in pairwise((*cuts, len(terms))) if side_words(terms[cut + 1 : end])]
    return [terms[start + 1 : end] for start, end in pairwise((-1, *own, len(terms)))]


def _both_have_direction(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether both say which way something went: "A (rose) and B (fell)"."""
    return any(map(is_direction, one)) and any(map(is_direction, other))


def words_around(terms: Sequence[Term], cue: Cue) -> frozenset[str]:
    """The words of the clause that the cue stands in."""
    start = next((n + 1 for n in range(cue.at, -1, -1) if terms[n].word in CLAUSE_ENDS), 0)
    end = next((n for n in range(cue.at, len(terms)) if terms[n].word in CLAUSE_ENDS), len(terms))
    return side_words(terms[start:end])
