"""What limits a value or a claim and may not be dropped, added or turned: serious, leading to, alone, before, whose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations import vocabulary
from storm.citations.changes import read_changes
from storm.citations.coverage import names_drug, names_indication
from storm.citations.cues import Direction, read_cues
from storm.citations.measures import SPREADS, Value, read_values
from storm.citations.rows import read_rows
from storm.citations.terms import Term, content_keys, is_content, is_neutral, split_terms, stem
from storm.citations.vocabulary import words_of

#: Before a noun these say of which of them the value is.
_RESTRICTIONS = words_of(
    "serious severe fatal nonfatal confirmed unconfirmed major minor symptomatic asymptomatic opportunistic"
)
_LEADING = words_of("leading led resulting")
_REASONS = ("because", "due", "owing")
#: Words of which one takes the other's place: at least one of its own side must be in the quote where the other is.
_OPPOSITES = (
    (words_of("before until pre prior"), words_of("after following post since")),
    (words_of("first initial initially"), words_of("last final finally")),
    (words_of("related attributable attributed"), words_of("unrelated")),
    (words_of("unrelated"), words_of("related attributable attributed")),
    (words_of("with"), words_of("without")),
    (words_of("early"), words_of("late")),
)
_DENIALS = words_of("not no neither none nor")
_ALONE = words_of("alone monotherapy only solely without single")
_PLUS = words_of("plus combined combination with and added addition adding together")
_MOST = words_of("most mostly majority mainly predominantly chiefly largely all every")
_QUANTIFIED = words_of("of were was had cases patients participants people subjects events reactions recipients")
_PLANS = words_of(
    "will plan plans planned intend intends intended scheduled expected future continue continues until expire expires"
)
_CAUSING = frozenset(map(stem, words_of("caused causes causing induced induces resulted triggered provoked")))
_CAUSES = frozenset(
    map(
        stem,
        words_of("cause caused induce induced result due because led lead trigger provoke secondary owing via"),
    )
)
_JOINTS = words_of("and or than versus vs compared whereas while but against")
_COMPARED = words_of("than versus vs compared relative placebo")
_SENTENCE_ENDS = words_of("; .")


def find_restriction_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One reason for each."""
    yield from _find_dropped_restrictions(said, quoted)
    yield from _find_opposites(said, quoted)
    yield from _find_added_restrictions(said, quoted)
    yield from _find_use_faults(said, quoted)
    yield from _find_interval_faults(said, quoted)
    yield from _find_change_faults(said, quoted)
    yield from _find_drug_faults(said, quoted)
    yield from _find_role_faults(said, quoted)
    yield from _find_order_faults(said, quoted)


def _split_words(terms: Sequence[Term]) -> set[str]:
    return {word for term in terms for word in term.word.split()}


def _find_dropped_restrictions(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Where the quote's value is of serious infections and the statement's of infections."""
    values = {value.token for value in read_values(said)}
    words = _split_words(said)
    for clause in _split_sentences(quoted):
        shared = values & {value.token for value in read_values(clause) if not _counts_studies(clause, value)}
        if not shared:
            continue
        for word, noun in _read_restrictions(clause):
            if (
                noun in content_keys(said)
                and word.key not in content_keys(said)
                and not _is_worded_in(word.word, words)
            ):
                yield f"the quote's value is of '{word.word}', the statement leaves that out"
                return


def _counts_studies(terms: Sequence[Term], value: Value) -> bool:
    after = terms[value.at + 1].word if value.at + 1 < len(terms) else ""
    return after in ("studies", "trials", "groups", "arms", "times")


def _is_worded_in(word: str, words: set[str]) -> bool:
    same = {"serious": "severe", "severe": "serious", "fatal": "died"}
    if word.startswith("grade"):
        return bool(words & words_of("severe serious high low worse"))
    if word == "fatal":
        return bool(words & words_of("fatal death deaths died die mortality fatalities lethal"))
    return word in words or same.get(word, word) in words or any(stem(other) == stem(word) for other in words)


def _read_restrictions(terms: Sequence[Term]) -> Iterator[tuple[Term, str]]:
    """Each restricting word with the noun that it limits wherever this stands."""
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
    ours, theirs = _split_words(said), _split_words(quoted)
    for words, others in _OPPOSITES:
        mine, told = ours & words, theirs & others
        if mine == {"unrelated"} and theirs & _DENIALS:
            continue
        if mine and told and not theirs & words and not ours & others and "with" not in mine:
            yield f"the quote says '{min(told)}', the statement '{min(mine)}'"
            return


def _find_added_restrictions(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Words that narrow or widen a claim, and that the quote has not."""
    ours, theirs = _split_words(said), _split_words(quoted)
    if "alone" in ours and not theirs & _ALONE and theirs & _PLUS:
        yield "the quote does not say 'alone'"
    if "will" in ours and not theirs & _PLANS:
        yield "the quote does not say 'will'"
    most = any(a.word == "most" and b.word in _QUANTIFIED for a, b in pairwise(said))
    if most and not theirs & _MOST and not any(_is_majority(value) for value in read_values(quoted)):
        yield "the quote does not say 'most'"
    caused = {stem(word) for word in ours} & _CAUSING
    compared = theirs & _COMPARED or any(value.label == "p" for value in read_values(quoted))
    if caused and not compared and not {stem(word) for word in theirs - {"leading"}} & (_CAUSES | _CAUSING):
        yield "the quote does not say 'caused'"


def _is_majority(value: Value) -> bool:
    digits = value.token.rstrip("%")
    return value.unit == "%" and digits.replace(".", "", 1).isdigit() and float(digits) > 50


def _find_use_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Approved for prevention is not approved for treatment."""
    if not names_indication(quoted):
        return
    ours, theirs = ({stem(word) for word in _split_words(terms)} for terms in (said, quoted))
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
    """An interval stands after the same value in both."""
    told = _read_intervals(quoted)
    for low, high, of in _read_intervals(said):
        owners = {one.of for one in told if (one.low, one.high) == (low, high)}
        if owners and of not in owners and of in {value.token for value in read_values(quoted)}:
            yield f"the quote does not give {low} to {high} as the interval of {of}"
            return


def _find_change_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Increased by 9%" is not "decreased by 9%", whatever else the quote tells."""
    told: dict[str, set[Direction]] = {}
    for token, way in _read_changes_by(quoted):
        told.setdefault(token, set()).add(way)
    for token, way in _read_changes_by(said):
        if token in told and way not in told[token]:
            yield f"the quote does not say '{way}' of {token}"
            return


def _read_changes_by(terms: Sequence[Term]) -> Iterator[tuple[str, Direction]]:
    """Each value after "by" with the direction that it is of."""
    cues = [cue for cue in read_cues(terms) if cue.words == 1 and cue.direction in (Direction.UP, Direction.DOWN)]
    for value in read_values(terms):
        before = [cue for cue in cues if cue.at < value.at]
        led = value.at and terms[value.at - 1].word == "by"
        if before and led and not before[-1].negated and not value.token.startswith("-"):
            yield value.token, before[-1].direction


def _split_sentences(terms: Sequence[Term]) -> list[Sequence[Term]]:
    return [part for part in split_terms(terms, _SENTENCE_ENDS) if part]


def _drug_keys(terms: Sequence[Term]) -> set[str]:
    return {term.key for term in terms if names_drug(term) and term.word not in vocabulary.GRAMMAR}


def _find_drug_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A value keeps the drug of its clause."""
    drugs, clauses = _drug_keys(said), _split_sentences(quoted)
    if len(clauses) < 2 or len(_split_sentences(said)) > 1:
        return
    for value in read_values(said):
        owners = [_drug_keys(clause) for clause in clauses if value.token in {v.token for v in read_values(clause)}]
        if drugs and owners and all(own and not own & drugs for own in owners):
            yield f"the quote gives {value.name} to '{' '.join(sorted(owners[0]))}'"
            return


def _find_order_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Two values that follow the order of two drugs do so in the statement."""
    changed = {value.token for pair in read_changes(read_values(said), said) for value in pair}
    tokens = [term.key for term in said if term.kind == "number" and term.key not in changed]
    names = _ordered_drugs(said)
    told = _ordered_drugs(quoted)
    for first, second in read_rows(quoted):
        if (
            len(told) != 2
            or not _are_apart(quoted, told)
            or {first, second} - set(tokens)
            or first == second
            or set(names) != set(told)
        ):
            continue
        if (tokens.index(first) < tokens.index(second)) != (names.index(told[0]) < names.index(told[1])):
            yield f"the quote gives {first} to '{told[0]}', {second} to '{told[1]}'"
            return


def _are_apart(terms: Sequence[Term], drugs: Sequence[str]) -> bool:
    """Whether a joint stands between two drugs: not in "chemotherapy with cisplatin"."""
    first, second = (next(n for n, term in enumerate(terms) if term.key == drug) for drug in drugs)
    return any(term.word in _JOINTS or term.kind == "mark" for term in terms[first:second])


def _ordered_drugs(terms: Sequence[Term]) -> list[str]:
    return list(dict.fromkeys(term.key for term in terms if term.key in _drug_keys([term])))


def _find_role_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "The exposure of A rose with B" is not "the exposure of B rose with A"."""
    ours, theirs = _read_roles(said), _read_roles(quoted)
    for of, by in ours:
        if (by, of) in theirs and (of, by) not in theirs:
            yield f"the quote says it of '{by}', not of '{of}'"
            return


def _read_roles(terms: Sequence[Term]) -> set[tuple[str, str]]:
    """Each drug that something is of, with each that is given with it."""
    owned = {b.key for a, b in pairwise(terms) if a.word == "of" and b.key in _drug_keys([b])}
    given = {b.key for a, b in pairwise(terms) if a.word in ("with", "by") and b.key in _drug_keys([b])}
    return {(of, by) for of in owned for by in given if of != by}
