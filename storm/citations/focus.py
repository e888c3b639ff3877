"""Of whom or what a statement says something: after "only", as the agent of a verb, with more or less, at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from storm.citations.comparisons import Words, is_side_word, own_words, quote_words, side_words
from storm.citations.coverage import names_drug
from storm.citations.cues import Direction, direction_at, is_negated
from storm.citations.pairings import find_mismatch
from storm.citations.positions import word_at
from storm.citations.terms import Term, has_word, is_content, split_terms
from storm.citations.vocabulary import CLAUSE_ENDS, words_of

_ONLY = words_of("only solely exclusively just")
#: They lead to what "only" is about.
_LEADS = words_of("in with on by for among the a an at of those after during")
_NO_VERBS = words_of("red need bed seed breed speed")
_PASSIVE = words_of("was were is are be been being")
#: Most words that "only" is about.
_MOST = 3
#: Between "more" and what there is more of.
_BETWEEN = words_of("incidence risk rate rates frequency level levels number occurrence of in the a for likelihood")
_MOVES = words_of("more less greater fewer higher lower increased decreased reduced elevated")
_AT = words_of("at after")
_PARTS = words_of("and or , ; while whereas versus vs")
_COMPARING = words_of("than versus vs compared")
_COURSES = words_of("increase decrease reduction rise fall decline drop gain loss increases decreases reductions")


def find_focus_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One fault of each kind at most."""
    yield from _find_only_faults(said, quoted)
    yield from _find_agent_faults(said, quoted)
    yield from _find_moved_faults(said, quoted)
    yield from _find_respective_faults(said, quoted)
    yield from _find_share_faults(said, quoted)


def _find_only_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Only B" where the quote says "only A" and names B too."""
    theirs = list(_read_focuses(quoted))
    named = side_words(quoted)
    for ours in _read_focuses(said):
        if theirs and all(ours - other and other - ours and ours - other <= named for other in theirs):
            yield f"the quote says 'only' of '{quote_words(theirs[0], quoted)}', not of '{quote_words(ours, said)}'"
            return


def _read_focuses(terms: Sequence[Term]) -> Iterator[Words]:
    """The words that each "only" is about: those after it up to a verb."""
    for n, term in enumerate(terms):
        if term.word not in _ONLY:
            continue
        found: list[str] = []
        for other in terms[n + 1 :]:
            if other.word in CLAUSE_ENDS or other.kind == "number" or len(found) == _MOST or _is_verb(other):
                break
            if is_side_word(other):
                found.append(other.key)
            elif found and other.word in _LEADS:
                break
        if found:
            yield frozenset(found)


def _is_verb(term: Term) -> bool:
    return term.word.endswith("ed") and term.word not in _NO_VERBS and len(term.word) > 4


def _find_agent_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "A relieved what B caused" is not "B relieved what A caused"."""
    theirs = list(_read_agents(quoted))
    if mismatch := find_mismatch(_read_agents(said), theirs):
        verb, drug = mismatch
        if any(drug == other for _, other in theirs):
            yield f"the quote does not say '{quote_words((verb,), said)}' of '{quote_words((drug,), said)}'"


def _read_agents(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each verb in -ed with the drug that does it: before an active verb, after the "by" of a passive one."""
    for n, term in enumerate(terms):
        if not _is_verb(term) or not is_content(term):
            continue
        after = [other for other in terms[n + 1 : n + 4] if other.word not in ("the", "high dose", "low dose")]
        before = [other for other in terms[max(0, n - 2) : n] if not other.word.endswith("ly")]
        if len(after) > 1 and after[0].word == "by" and names_drug(after[1]):
            yield term.key, after[1].key
        elif before and names_drug(before[-1]) and not (after and after[0].word == "by"):
            yield term.key, before[-1].key


def _find_moved_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """More of something where the quote says less of it; comparisons of two sides are read by another rule."""
    if has_word((*said, *quoted), _COMPARING):
        return
    if mismatch := find_mismatch(_read_moved(said), _read_moved(quoted)):
        noun, direction = mismatch
        yield f"the quote does not say '{direction}' of '{quote_words((noun,), said)}'"


def _read_moved(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each noun right after "greater", "less", "increase in" or before "reduction", with the direction."""
    for n, term in enumerate(terms):
        direction = direction_at(terms, n)
        if direction not in (Direction.UP, Direction.DOWN) or is_negated(terms, n):
            continue
        if term.word in _MOVES or (term.word in _COURSES and word_at(terms, n + 1) in ("in", "of")):
            rest = next((other for other in terms[n + 1 : n + 5] if other.word not in _BETWEEN), None)
            if rest and is_side_word(rest):
                yield rest.key, direction
        elif term.word in _COURSES and n and is_side_word(terms[n - 1]):
            yield terms[n - 1].key, direction


def _find_respective_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Another time for a value than in "15% and 6% at 3 and 12 months, respectively"."""
    times = dict(_read_respective(quoted))
    for n, term in enumerate(said):
        time = said[n + 2].key if word_at(said, n + 1) in _AT and n + 2 < len(said) else ""
        if time in times.values() and times.get(term.key, time) != time:
            yield f"the quote gives {term.key} at {times[term.key]}, the statement at {time}"
            return


def _read_respective(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each value of a list with its time in the list after "at"."""
    if not has_word(terms, ("respectively",)):
        return
    for n, term in enumerate(terms):
        if term.word not in _AT:
            continue
        values, times = _read_list(reversed(terms[:n])), _read_list(terms[n + 1 :])
        if len(values) == len(times) > 1:
            yield from zip(reversed(values), times, strict=True)


def _read_list(terms: Iterable[Term]) -> list[str]:
    """The numbers that come first, with nothing but commas and "and" between."""
    return [term.key for term in takewhile(lambda one: one.kind == "number" or one.word in (",", "and"), terms)
            if term.kind == "number"]  # fmt: skip


def _find_share_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Two counts that have changed places: "17 on A and 19 on B"."""
    parts, claimed = _read_shares(quoted), _read_shares(said)
    own = own_words([words for _, words in parts])
    places = {count: n for n, (count, _) in enumerate(parts)}
    if len(places) < len(parts):
        return
    for count, words in claimed:
        n = places.get(count, -1)
        others = [at for other, _ in claimed if (at := places.get(other, -1)) not in (-1, n)]
        if n >= 0 and own[n] and not words & own[n] and any(words & own[at] for at in others):
            yield f"the quote says {count} of '{quote_words(own[n], quoted)}'"
            return


def _read_shares(terms: Sequence[Term]) -> list[tuple[str, Words]]:
    """The parts of a list that have one number each, with their words."""
    found: list[tuple[str, Words]] = []
    for part in split_terms(terms, _PARTS):
        counts = [term.key for term in part if term.kind == "number"]
        if len(counts) == 1 and counts[0].isdigit():
            found.append((counts[0], side_words(part)))
    return found
