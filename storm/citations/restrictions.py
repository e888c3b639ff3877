"""Words that restrict a value or a claim and must not be dropped, added or inverted: serious, alone, before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations.changes import read_changes
from storm.citations.comparisons import quote_words
from storm.citations.coverage import drug_keys, names_drug, names_harm, names_indication
from storm.citations.cues import Direction, read_cues
from storm.citations.measures import SPREADS, Value, parse_number, read_values
from storm.citations.pairings import find_mismatch
from storm.citations.positions import word_at
from storm.citations.rows import read_rows
from storm.citations.terms import (
    Term,
    content_keys,
    has_word,
    is_content,
    is_neutral,
    split_terms,
    stem_word,
    written_words,
)
from storm.citations.vocabulary import words_of

#: Before a noun these restrict it.
_RESTRICTIONS = words_of(
    "serious severe fatal nonfatal confirmed unconfirmed major minor symptomatic asymptomatic opportunistic"
)
#: After these, "of" introduces a drug that is given, not one that is measured.
_GIVING = words_of("start initiation addition administration coadministration introduction use discontinuation")
_GRAVE = words_of("serious severe sae saes grade fatal")
_LEADING = words_of("leading led resulting")
_REASONS = ("because", "due", "owing")
#: Opposites: words of one side must not stand in the statement where the quote has only words of the other side.
_OPPOSITES = (
    (words_of("before until pre prior"), words_of("after following post since")),
    (words_of("first initial initially"), words_of("last final finally")),
    (words_of("related attributable attributed"), words_of("unrelated")),
    (words_of("unrelated"), words_of("related attributable attributed")),
    (words_of("with"), words_of("without")),
    (words_of("early"), words_of("late")),
)
_DENIALS = words_of("not no neither none nor")
_DENYING = _DENIALS | words_of("never without cannot free negative unable fail failed lack")
#: They turn a word into its opposite, but for a few words.
_PREFIXES = ("un", "non", "in")
_UNRELATED = words_of("patient patients")
#: Words that only begin like one with a prefix.
_WITHOUT_PREFIX = words_of("intake inside input inflow inborn inform informed intent insight until unless under union")
_SHORTEST = 4
_ALONE = words_of("alone monotherapy only solely without single")
_PLUS = words_of("plus combined combination with and added addition adding together")
_MOST = words_of("most mostly majority mainly predominantly chiefly largely all every")
_QUANTIFIED = words_of("of were was had cases patients participants people subjects events reactions recipients")
_PLANS = words_of(
    "will plan plans planned intend intends intended scheduled expected future continue continues until expire expires"
)
_CAUSING = frozenset(map(stem_word, words_of("caused causes causing induced induces resulted triggered provoked")))
_CAUSES = frozenset(
    map(
        stem_word,
        words_of(
            "cause caused induce induced result due because led lead trigger provoke secondary owing via "
            "mediate mediated reason responsible attribute attributed drive driven elicit evoke through"
        ),
    )
)
_JOINTS = words_of("and or than versus vs compared whereas while but against")
_COMPARED = words_of("than versus vs compared relative placebo")
_SENTENCE_ENDS = words_of("; .")


def find_restriction_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One fault of each kind at most."""
    yield from _find_dropped_restrictions(said, quoted)
    yield from _find_opposites(said, quoted)
    yield from _find_dropped_prefixes(said, quoted)
    yield from _find_added_restrictions(said, quoted)
    yield from _find_use_faults(said, quoted)
    yield from _find_interval_faults(said, quoted)
    yield from _find_change_faults(said, quoted)
    yield from _find_drug_faults(said, quoted)
    yield from _find_role_faults(said, quoted)
    yield from _find_order_faults(said, quoted)


def _find_dropped_restrictions(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A restriction of the quote's value that the statement drops: infections for serious infections."""
    values = {value.token for value in read_values(said)}
    words, claimed = written_words(said), content_keys(said)
    for clause in _split_sentences(quoted):
        if has_word(said, _DENIALS) and has_word(clause, _DENIALS):
            yield from _find_dropped_gravity(said, clause)
        shared = values & {value.token for value in read_values(clause) if not _counts_studies(clause, value)}
        if not shared:
            continue
        yield from _find_dropped_gravity(said, clause)
        for word, noun in _read_restrictions(clause):
            is_claimed = noun in claimed and word.key not in claimed
            if is_claimed and not _is_worded_in(word.word, words):
                yield f"the quote's value is of '{word.word}', the statement leaves that out"
                return


def _find_dropped_gravity(said: Sequence[Term], clause: Sequence[Term]) -> Iterator[str]:
    if _is_serious(clause) and any(term.key == "adverse event" for term in said) and not has_word(said, _GRAVE):
        yield "the quote speaks of serious adverse events, the statement leaves that out"


def _is_serious(terms: Sequence[Term]) -> bool:
    """Whether all adverse events that it names are serious ones."""
    return {term.key for term in terms} & {"serious adverse event", "adverse event"} == {"serious adverse event"}


def _counts_studies(terms: Sequence[Term], value: Value) -> bool:
    return word_at(terms, value.at + 1) in ("studies", "trials", "groups", "arms", "times")


def _is_worded_in(word: str, words: frozenset[str]) -> bool:
    same = {"serious": "severe", "severe": "serious", "fatal": "died"}
    if word.startswith("grade"):
        return bool(words & words_of("severe serious high low worse"))
    if word == "fatal":
        return bool(words & words_of("fatal death deaths died die mortality fatalities lethal"))
    return word in words or same.get(word, word) in words or any(stem_word(other) == stem_word(word) for other in words)


def _read_restrictions(terms: Sequence[Term]) -> Iterator[tuple[Term, str]]:
    """Each restricting word with its noun, where the noun never stands without it."""
    nouns: dict[str, set[Term | None]] = {}
    for before, term in pairwise(terms):
        if is_content(term) and term.word not in _RESTRICTIONS:
            nouns.setdefault(term.key, set()).add(before if before.word in _RESTRICTIONS else None)
    yield from ((word, key) for key, words in nouns.items() if len(words) == 1 for word in words if word)
    for n, term in enumerate(terms[:-2]):
        if term.key == "grade":
            yield from ((term, other.key) for other in [t for t in terms[n + 1 : n + 6] if is_content(t)][:2])
        caused = [other for other in terms[n + 2 : n + 5] if is_content(other) and not is_neutral(other)]
        if term.word in _LEADING and terms[n + 1].word in ("to", "in") and caused:
            limited = [other for other in terms[:n] if is_content(other)][-2:]
            yield from ((caused[0], other.key) for other in limited)
        elif term.word in _REASONS and terms[n + 1].word in ("of", "to") and caused:
            limited = [other for other in terms[:n] if other.key == "discontinue"]
            yield from ((caused[0], other.key) for other in limited)


def _find_opposites(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    ours, theirs = written_words(said), written_words(quoted)
    for words, others in _OPPOSITES:
        mine, opposite = ours & words, theirs & others
        if (mine == {"unrelated"} and theirs & _DENIALS) or (opposite == {"unrelated"} and ours & _DENIALS):
            continue
        if mine and opposite and not theirs & words and not ours & others and "with" not in mine:
            yield f"the quote says '{min(opposite)}', the statement '{min(mine)}'"
            return


def _find_dropped_prefixes(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Infected" where the quote says only "uninfected"."""
    ours, theirs = written_words(said), written_words(quoted)
    if ours & _DENYING:
        return
    for word in sorted(theirs - ours - _WITHOUT_PREFIX):
        bare = next((word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)), "")
        if len(bare) >= _SHORTEST and bare in ours - theirs - _UNRELATED:
            yield f"the quote says '{word}', the statement '{bare}'"
            return


def _find_added_restrictions(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Words that narrow or widen a claim, and that the quote does not have."""
    ours, theirs = written_words(said), written_words(quoted)
    if "alone" in ours and not theirs & _ALONE and theirs & _PLUS:
        yield "the quote does not say 'alone'"
    if "will" in ours and not theirs & _PLANS:
        yield "the quote does not say 'will'"
    most = any(a.word == "most" and b.word in _QUANTIFIED for a, b in pairwise(said))
    if most and not theirs & _MOST and not any(_is_majority(value) for value in read_values(quoted)):
        yield "the quote does not say 'most'"
    caused = {stem_word(word) for word in ours} & _CAUSING
    compared = theirs & _COMPARED or any(value.label == "p" for value in read_values(quoted))
    if (
        caused
        and not compared
        and not names_harm(quoted)
        and not {stem_word(word) for word in theirs - {"leading"}} & (_CAUSES | _CAUSING)
    ):
        yield "the quote does not say 'caused'"


def _is_majority(value: Value) -> bool:
    return value.unit == "%" and parse_number(value) > 50


def _find_use_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Approved for prevention" is not "approved for treatment"."""
    if not names_indication(quoted):
        return
    ours, theirs = ({stem_word(word) for word in written_words(terms)} for terms in (said, quoted))
    for one, other in (("prevent", "treatment"), ("treatment", "prevent"), ("prevent", "treat"), ("treat", "prevent")):
        if one in ours and other in theirs and one not in theirs and other not in ours:
            if {one, other} == {"treat", "treatment"}:
                continue
            yield f"the quote does not say '{one}'"
            return


class _Interval(NamedTuple):
    low: str
    high: str
    of: str


def _read_intervals(terms: Sequence[Term]) -> list[_Interval]:
    values = [value for value in read_values(terms) if value.label != "p"]
    found = []
    for n in range(1, len(values) - 1):
        low, high = values[n], values[n + 1]
        before = next((v for v in reversed(values[:n]) if v.label not in SPREADS), None)
        if before and low.label in SPREADS and high.label == low.label and 0 < high.at - low.at <= 3:
            found.append(_Interval(low.token, high.token, before.token))
    return found


def _find_interval_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """An interval belongs to the same value in both."""
    intervals = _read_intervals(quoted)
    for low, high, of in _read_intervals(said):
        owners = {one.of for one in intervals if (one.low, one.high) == (low, high)}
        if owners and of not in owners and of in {value.token for value in read_values(quoted)}:
            yield f"the quote does not give {low} to {high} as the interval of {of}"
            return


def _find_change_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Increased by 9%" is not "decreased by 9%"."""
    if mismatch := find_mismatch(_read_changes_by(said), _read_changes_by(quoted)):
        token, direction = mismatch
        yield f"the quote does not say '{direction}' of {token}"


def _read_changes_by(terms: Sequence[Term]) -> Iterator[tuple[str, Direction]]:
    """Each value after "by" with the direction before it."""
    cues = [cue for cue in read_cues(terms) if cue.words == 1 and cue.direction in (Direction.UP, Direction.DOWN)]
    for value in read_values(terms):
        before = [cue for cue in cues if cue.at < value.at]
        if (
            before
            and word_at(terms, value.at - 1) == "by"
            and not before[-1].negated
            and not value.token.startswith("-")
        ):
            yield value.token, before[-1].direction


def _split_sentences(terms: Sequence[Term]) -> list[Sequence[Term]]:
    return [part for part in split_terms(terms, _SENTENCE_ENDS) if part]


def _find_drug_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A value must keep the drug of its clause."""
    drugs, clauses = {*drug_keys(said)}, _split_sentences(quoted)
    if len(clauses) < 2 or len(_split_sentences(said)) > 1:
        return
    for value in read_values(said):
        owners = [{*drug_keys(clause)} for clause in clauses if value.token in {v.token for v in read_values(clause)}]
        if drugs and owners and all(own and not own & drugs for own in owners):
            yield f"the quote gives {value.name} to '{quote_words(owners[0], quoted)}'"
            return


def _find_order_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Two values in the order of two drugs must keep that order."""
    changed = {value.token for pair in read_changes(read_values(said), said) for value in pair}
    tokens = [term.key for term in said if term.kind == "number" and term.key not in changed]
    names, drugs = drug_keys(said), drug_keys(quoted)
    for first, second in read_rows(quoted):
        if (
            len(drugs) != 2
            or not _are_apart(quoted, drugs)
            or {first, second} - set(tokens)
            or first == second
            or set(names) != set(drugs)
        ):
            continue
        if (tokens.index(first) < tokens.index(second)) != (names.index(drugs[0]) < names.index(drugs[1])):
            one, other = (quote_words((drug,), quoted) for drug in drugs)
            yield f"the quote gives {first} to '{one}', {second} to '{other}'"
            return


def _are_apart(terms: Sequence[Term], drugs: Sequence[str]) -> bool:
    """Whether a conjunction or a mark stands between two drugs; not so in "chemotherapy with cisplatin"."""
    first, second = (next(n for n, term in enumerate(terms) if term.key == drug) for drug in drugs)
    return any(term.word in _JOINTS or term.kind == "mark" for term in terms[first:second])


def _find_role_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "The exposure of A rose with B" is not "the exposure of B rose with A"."""
    ours, theirs = _read_roles(said), _read_roles(quoted)
    for of, by in ours:
        if (by, of) in theirs and (of, by) not in theirs:
            yield f"the quote says it of '{quote_words((by,), quoted)}', not of '{quote_words((of,), quoted)}'"
            return


def _read_roles(terms: Sequence[Term]) -> set[tuple[str, str]]:
    """Each drug that something is of, with each drug that it comes with: after "with", "by", "the start of"."""
    triples = zip(terms, terms[1:], terms[2:], strict=False)
    started = {drug.key for noun, of, drug in triples if of.word == "of" and noun.word in _GIVING and names_drug(drug)}
    owned = {b.key for a, b in pairwise(terms) if a.word == "of" and names_drug(b)} - started
    given = {b.key for a, b in pairwise(terms) if a.word in ("with", "by", "after") and names_drug(b)} | started
    return {(of, by) for of in owned for by in given if of != by}
