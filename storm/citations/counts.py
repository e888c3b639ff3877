"""What a number counts, and out of how many: "22 of 438", "22 (5%)", "4.8% (n = 17)", people or events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.citations.pairings import Pair, find_mismatch
from storm.citations.positions import outside_brackets, word_at
from storm.citations.terms import Term, is_content, table_keys

_PEOPLE = "patient participant subject people person individual woman man child adult volunteer recipient"
_EVENTS = "event episode"
#: How many terms may stand between a number and the noun that it counts, or the whole that it is part of.
_NEAR = 5


def find_count_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Numbers that the statement pairs otherwise than the quote, and people counted as events."""
    for pairs, quoted_pairs, joint in (
        (_read_parts_of_wholes(said), _read_parts_of_wholes(quoted), "of"),
        (_read_bracketed_shares(said), _read_bracketed_shares(quoted), "and"),
    ):
        firsts, seconds = {first for first, _ in quoted_pairs}, {second for _, second in quoted_pairs}
        for first, second in sorted(pairs - quoted_pairs):
            if (first in firsts and second in seconds) or (second, first) in quoted_pairs:
                yield f"the quote does not give {first} {joint} {second} together"
                return
    yield from _find_noun_faults(said, quoted)


def _read_parts_of_wholes(terms: Sequence[Term]) -> frozenset[Pair]:
    """Each part with its whole: "22 of 438" and "of 438, 22", brackets aside."""
    plain = outside_brackets(terms)
    found = set()
    for n, term in enumerate(plain):
        after = plain[n + 1 : n + 1 + _NEAR]
        whole = next((at for at, other in enumerate(after) if other.kind == "number"), 0)
        between = [other for other in after[:whole] if other.word not in ("out", "the", "these", "those", "all")]
        if term.kind == "number" and len(between) == 1 and between[0].word in ("of", "/"):
            found.add((term.key, after[whole].key))
        if term.kind == "number" and _opens_with_whole(plain, n):
            part = next((other for other in plain[n + 1 : n + 1 + 2 * _NEAR] if other.kind == "number"), None)
            found |= {(part.key, term.key)} if part else set()
    return frozenset(found)


def _opens_with_whole(terms: Sequence[Term], n: int) -> bool:
    """Whether "of 438" opens a clause here, so that its part comes after it."""
    lead = n - 1 - (n > 1 and terms[n - 1].word in ("the", "these", "those", "all"))
    return lead >= 0 and terms[lead].word == "of" and (not lead or terms[lead - 1].kind == "mark")


def _read_bracketed_shares(terms: Sequence[Term]) -> frozenset[Pair]:
    """Each number with the percentage in the bracket beside it, or the other way round; the percentage comes last."""
    found = set()
    for n, term in enumerate(terms):
        if term.kind != "number" or word_at(terms, n + 1) != "(":
            continue
        inside = [other for other in terms[n + 2 : n + 6] if other.word not in ("n", "=")]
        if len(inside) > 1 and inside[0].kind == "number" and inside[1].word in (")", ",", ";"):
            part = terms[n - 2] if n > 1 and terms[n - 1].word == "/" and terms[n - 2].kind == "number" else term
            one, other = sorted((part.key, inside[0].key), key=lambda key: key.endswith("%"))
            if other.endswith("%") and not one.endswith("%"):
                found.add((one, other))
    return frozenset(found)


def _find_noun_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Five patients are not five events."""
    if mismatch := find_mismatch(_read_counted_nouns(said), _read_counted_nouns(quoted)):
        number, noun = mismatch
        yield f"the quote counts {number} {'people' if noun == 'events' else 'events'}, the statement {noun}"


def _read_counted_nouns(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each number that counts people or events, with which of them it counts."""
    for n, term in enumerate(terms):
        for other in terms[n + 1 : n + 1 + _NEAR] if term.kind == "number" else ():
            if other.key in table_keys(_PEOPLE) or other.key in table_keys(_EVENTS) or other.key == "adverse event":
                yield term.key, "people" if other.key in table_keys(_PEOPLE) else "events"
                break
            if not is_content(other):
                break
