"""Clauses of a quote that find no difference: "A rose, while there was no change in B"."""

from __future__ import annotations

from collections.abc import Sequence

from storm.citations.comparisons import Words, side_words
from storm.citations.cues import Cue, Direction, finds_no_difference, read_cues
from storm.citations.positions import find_after_last, find_next
from storm.citations.readings import find_owning_clauses, read_clauses
from storm.citations.terms import Term
from storm.citations.vocabulary import CLAUSE_ENDS, words_of

#: The object of a direction ends at these.
_OBJECT_ENDS = CLAUSE_ENDS | words_of("than versus vs compared and . by of with")
#: Quotes with more clauses are read as a whole.
_MOST_CLAUSES = 12


def finds_no_change(words: Words, quoted: Sequence[Term]) -> bool:
    """Whether a clause of the quote that alone has some of these words says that there is no difference."""
    clauses = read_clauses(quoted)
    if not 2 <= len(clauses) <= _MOST_CLAUSES:
        return False
    owners = find_owning_clauses(words, [side_words(clause) for clause in clauses])
    return any(finds_no_difference(read_cues(clauses[n])) for n in owners)


def find_unchanged_fault(said: Sequence[Term], cue: Cue, quoted: Sequence[Term]) -> str:
    """ "B rose" where the quote says that A rose, and that there was no change in B; empty if it does not."""
    clauses = read_clauses(quoted)
    if cue.direction is Direction.EQUAL or cue.negated or len(clauses) != 2:
        return ""
    end = cue.at + cue.words
    subject = side_words(said[find_after_last(said, CLAUSE_ENDS, cue.at) : cue.at])
    changed = side_words(said[end : find_next(said, _OBJECT_ENDS, end)])
    for words in (subject, changed):
        owners = find_owning_clauses(words, [side_words(clause) for clause in clauses])
        cues = read_cues(clauses[owners[0]]) if len(owners) == 1 else ()
        if cues and all(other.direction is Direction.EQUAL for other in cues):
            return f"the quote finds no difference in it, the statement says '{said[cue.at].word}'"
    return ""
