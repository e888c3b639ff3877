"""Values that change: "from 20 to 25", "started at 5 and increased to 10", and which way that goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from storm.citations.cues import Cue, Direction, read_cues
from storm.citations.measures import Value, parse_number, read_values
from storm.citations.positions import word_at
from storm.citations.terms import Term, is_content

#: How many terms may stand between a direction and its "from 20 to 25".
_NEAR = 8
_ROUGHLY = frozenset(("about", "around", "approximately", "roughly", "some", "nearly", "almost"))


def find_change_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """Changes that go another way than their own words or the quote say."""
    yield from _find_lead_word_faults(statement, quote)
    yield from _find_direction_faults(statement)
    yield from _find_amount_faults(statement, quote)


def read_changes(values: Sequence[Value], terms: Sequence[Term]) -> Iterator[tuple[Value, Value]]:
    """The two values of each change: "from 8% to 27%"."""
    for left, right in pairwise(values):
        between = terms[left.at + 1 : right.at]
        if word_at(terms, left.at - 1) == "from" and between and between[-1].word == "to" and len(between) <= 6:
            yield left, right


def direction_of_change(terms: Sequence[Term], cue: Cue) -> Direction | None:
    """Which way the change ("from 20 to 25") right after the cue goes; None if no change follows."""
    values = read_values(terms)
    pairs = [(a, b) for a, b in read_changes(values, terms) if 0 < a.at - cue.at <= _NEAR]
    if not pairs or any(cue.at < value.at < pairs[0][0].at for value in values):
        return None
    before, after = pairs[0]
    return Direction.UP if parse_number(after) > parse_number(before) else Direction.DOWN


def _find_direction_faults(terms: Sequence[Term]) -> Iterator[str]:
    """A change that goes the other way than its verb: "raised from 27% to 8%"."""
    for cue in read_cues(terms):
        change = direction_of_change(terms, cue)
        ways = (Direction.UP, Direction.DOWN)
        if change and cue.direction in ways and not cue.negated and change is not cue.direction and cue.words == 1:
            yield "its numbers go the other way than its words"
            return


def _find_lead_word_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """Verbs that lead to one value in the quote and to another in the statement: "started at", "increased to"."""
    led = _read_lead_words(quote)
    for value, verb in _read_lead_words(statement):
        owners = {own.token for own, other in led if other == verb and own.unit == value.unit}
        rivals = {own.token for own, _ in led if own.unit == value.unit}
        if owners and value.token not in owners and value.token in rivals:
            yield f"the quote does not say '{verb}' of {value.name}"


def _read_lead_words(terms: Sequence[Term]) -> list[tuple[Value, str]]:
    """Each value with the word that leads to it across a preposition: "started at 5"."""
    found = []
    for value in read_values(terms):
        n = value.at - 1
        if n > 0 and terms[n].word in ("at", "to", "with") and is_content(terms[n - 1]):
            found.append((value, terms[n - 1].key))
    return found


def _find_amount_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """ "Reduced to 24%" is not "reduced by 24%"."""
    quoted = dict[str, set[str]]()
    for token, word in _read_amounts(quote):
        quoted.setdefault(token, set()).add(word)
    for token, word in _read_amounts(statement):
        if word and quoted.get(token) == {"by" if word == "to" else "to"}:
            yield f"the quote says '{min(quoted[token])} {token}', the statement '{word} {token}'"
            return


def _read_amounts(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each value with the "to" or "by" before it, other than in a range."""
    for value in read_values(terms):
        near = [term.word for term in terms[max(0, value.at - 3) : value.at] if term.word not in _ROUGHLY]
        word = near[-1] if near else ""
        if word_at(terms, value.at + 1) == "of":  # a share of the people counted
            word = ""
        in_range = value.at > 1 and terms[value.at - 2].kind == "number" and terms[value.at - 3].word != "from"
        yield value.token, word if word in ("to", "by") and not in_range else ""
