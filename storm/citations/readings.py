"""What a quote or one of its clauses says about more and less, in words and by its values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations.arms import read_numeric_comparisons
from storm.citations.comparisons import Comparison, Words, own_words, read_comparisons, side_words
from storm.citations.cues import Cue, Direction, is_direction, read_cues
from storm.citations.positions import bracket_depths, find_after_last, find_next, word_at
from storm.citations.terms import Term, stem_word
from storm.citations.vocabulary import CLAUSE_ENDS, words_of

#: How many words after a conjunction are searched for a direction.
_NEAR = 8
_PRONOUNS = words_of("it they this these which")
_CLAUSES = words_of("; but whereas while although though")


class QuoteReading(NamedTuple):
    """A quote or a clause, with its directions and its comparisons in words and by values."""

    terms: Sequence[Term]
    cues: Sequence[Cue]
    worded: Sequence[Comparison]
    numeric: Sequence[Comparison]


def read_quote(said: Sequence[Term], terms: Sequence[Term]) -> QuoteReading:
    """The directions and comparisons of a quote; of its values those of the statement (`said`), if it has any."""
    cues = read_cues(terms)
    is_denied = any(cue.negated or cue.direction is Direction.EQUAL for cue in cues)
    # Where the quote finds no difference, its values show none.
    numeric = [] if is_denied else list(read_numeric_comparisons(terms, cues, said))
    worded = list(read_comparisons(terms, cues))
    if not _mentions_change(said) and any(term.kind == "number" and term.key.startswith("-") for term in terms):
        # Of negative changes, the greater one is the lower value.
        worded = [one._replace(direction=Direction.DOWN) if _is_of_change(terms, one) else one for one in worded]
    return QuoteReading(terms, cues, worded, numeric)


def _is_of_change(terms: Sequence[Term], compared: Comparison) -> bool:
    return compared.direction is Direction.UP and _mentions_change(terms[: compared.at])


def _mentions_change(terms: Sequence[Term]) -> bool:
    return any(stem_word(term.word) == "chang" for term in terms)


def read_clauses(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """The clauses of a text; "reduced A and enhanced B" is two.

    A part without words of its own ("but the differences were not significant") belongs to the clause before it.
    """
    cuts: list[int] = []
    for n, (term, depth) in enumerate(zip(terms[:-1], bracket_depths(terms[:-1]), strict=True)):
        verb = terms[n + 1]
        is_joined = term.word == "and" and is_direction(verb) and verb.word.endswith("ed")
        is_result = term.word in ("in", "to") and word_at(terms, n - 1) in ("resulting", "leading")
        if term.word == "and" and word_at(terms, n - 1) in (",", ")") and verb.word not in _PRONOUNS:
            before = terms[cuts[-1] + 1 if cuts else 0 : n]
            is_joined = is_joined or _both_have_direction(before, terms[n + 1 : n + 1 + _NEAR])
        if not depth and (term.word in _CLAUSES or is_joined or is_result):
            cuts.append(n)
    own = [cut for cut, end in pairwise((*cuts, len(terms))) if side_words(terms[cut + 1 : end])]
    return [terms[start + 1 : end] for start, end in pairwise((-1, *own, len(terms)))]


def find_owning_clauses(of: Words, clauses: Sequence[Words]) -> list[int]:
    """The clauses that alone have one of these words."""
    return [n for n, own in enumerate(own_words(clauses)) if of & own]


def _both_have_direction(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether both have a direction: "A (rose) and B (fell)"."""
    return any(map(is_direction, one)) and any(map(is_direction, other))


def words_around(terms: Sequence[Term], cue: Cue) -> frozenset[str]:
    """The words of the clause that the cue stands in."""
    return side_words(terms[find_after_last(terms, CLAUSE_ENDS, cue.at + 1) : find_next(terms, CLAUSE_ENDS, cue.at)])
