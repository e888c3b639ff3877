"""Where a statement says more, less, better, worse or the same, and its quote does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from storm.citations.changes import direction_of_change
from storm.citations.comparisons import (
    DOSE_SIZES,
    Comparison,
    Words,
    compare_side_order,
    is_compatible,
    is_same_scale,
    is_side_word,
    is_within_one_side,
    read_comparisons,
    read_contrasts,
    side_words,
)
from storm.citations.coverage import drug_keys
from storm.citations.cues import JUDGEMENTS, Cue, Direction, finds_no_difference, read_cues
from storm.citations.measures import RATIOS, read_values
from storm.citations.positions import find_next
from storm.citations.readings import QuoteReading, find_owning_clauses, read_clauses, read_quote, words_around
from storm.citations.terms import Term, stem_word
from storm.citations.unchanged import find_unchanged_fault, finds_no_change
from storm.citations.vocabulary import CLAUSE_ENDS, words_of

_DECIMAL = re.compile(r"\d+\.\d+")
#: The object of a direction ends at these.
_OBJECT_ENDS = CLAUSE_ENDS | words_of("than versus vs compared and .")
#: Quotes with more clauses are read as a whole.
_MOST_CLAUSES = 12
_COMPARATIVES = words_of(
    "than versus vs v compared comparison relative against more less higher lower greater fewer better worse longer "
    "shorter larger smaller most least superior inferior while whereas but only"
)
_CHANGES = words_of(
    "rose fell increased decreased declined dropped improved worsened grew climbed reduced lowered raised"
)


class _Claim(NamedTuple):
    """A direction of the statement, and the comparison that it belongs to."""

    said: Sequence[Term]
    cue: Cue
    compared: Comparison | None

    @property
    def name(self) -> str:
        return self.said[self.cue.at].word

    @property
    def clause_words(self) -> Words:
        return words_around(self.said, self.cue)


def find_direction_faults(
    said: Sequence[Term], quoted: Sequence[Term], *, falls: bool = False, equal: bool = False
) -> Iterator[str]:
    """The first fault.

    `falls`: a value below zero already says that something is less. `equal`: P values say that it is not significant.
    """
    cues = read_cues(said)
    compared = {comparison.at: comparison for comparison in read_comparisons(said, cues)}
    whole = read_quote(said, quoted)
    if not cues and not whole.cues:
        yield from _find_contrast_faults(said, quoted)
    for cue in cues:
        if falls and cue.direction is Direction.DOWN and not cue.negated and cue.at not in compared:
            continue
        if equal and (cue.negated or cue.direction is Direction.EQUAL):
            continue
        claim = _Claim(said, cue, compared.get(cue.at))
        if cue.direction is Direction.EQUAL and finds_no_change(claim.clause_words, quoted):
            continue
        if not claim.compared and (fault := find_unchanged_fault(said, cue, quoted)):
            yield fault
            return
        clause = _select_clause(claim, quoted)
        fault = _apply_rules(claim, clause) if clause else ""
        if fault or (fault := "" if clause and not claim.compared else _apply_rules(claim, whole)):
            yield fault
            return


def _find_contrast_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Contrasts without a direction whose sides are swapped: "delayed in A in comparison with B"."""
    for claimed in () if read_values(said) else read_contrasts(said):
        if [compare_side_order(claimed, other) for other in read_contrasts(quoted)] == [-1]:
            yield "the quote compares the two sides the other way round"
            return


def _select_clause(claim: _Claim, quoted: Sequence[Term]) -> QuoteReading | None:
    """The one clause of the quote about the object of the claim's direction, if it states a direction too."""
    clauses = read_clauses(quoted)
    if not 2 <= len(clauses) <= _MOST_CLAUSES:
        return None
    words = [side_words(clause) for clause in clauses]
    start = claim.cue.at + claim.cue.words
    subject = side_words(claim.said[start : find_next(claim.said, _OBJECT_ENDS, start)])
    candidates = (find_owning_clauses(of, words) for of in (subject, claim.clause_words, side_words(claim.said)))
    own = next(filter(None, candidates), [])
    clause = read_quote(claim.said, clauses[own[0]]) if len(own) == 1 else None
    is_raised = claim.cue.direction is Direction.UP and not claim.cue.negated  # "enhanced" for "improved"
    is_better = is_raised and clause and any(o.direction is Direction.BETTER and not o.negated for o in clause.cues)
    return clause if clause and (is_better or any(_is_comparable(claim.cue, o) for o in clause.cues)) else None


def _is_comparable(cue: Cue, other: Cue) -> bool:
    """Whether the one can contradict the other."""
    return cue.direction is Direction.EQUAL or _is_directional_on_scale(cue, other)


def _apply_rules(claim: _Claim, quote: QuoteReading) -> str:
    """The verdict of the first rule that applies; empty if the claim is right."""
    rules: tuple[Callable[[_Claim, QuoteReading], str | None], ...] = (
        _judge_by_ratio, _judge_by_sides, _judge_missing_comparison, _judge_by_same_words, _judge_by_noun,
        _judge_by_worded_sides, _judge_by_values, _judge_by_nearest_cues,
    )  # fmt: skip
    return next((verdict for rule in rules if (verdict := rule(claim, quote)) is not None), "")


def _judge_by_ratio(claim: _Claim, quote: QuoteReading) -> str | None:
    return "" if _is_stated_by_ratio(claim.cue, claim.said, quote.terms, quote.cues) else None


def _judge_by_sides(claim: _Claim, quote: QuoteReading) -> str | None:
    """Both name the two sides that they compare."""
    compared, cue = claim.compared, claim.cue
    if compared is None:
        return None
    if len(quote.worded) == 1 and is_within_one_side(compared, quote.worded[0]):
        return f"the quote compares others than '{claim.name}' does"
    alike = [other for other in quote.worded if is_same_scale(cue.direction, other.direction)] or quote.worded
    in_words = [_is_consistent(compared, other) for other in alike if compare_side_order(compared, other)]
    in_numbers = [_is_consistent(compared, other) for other in quote.numeric if compare_side_order(compared, other)]
    in_words = in_words or _judge_by_subject(compared, quote)
    verdicts = in_words or ([] if cue.negated or cue.direction is Direction.EQUAL else in_numbers)
    return _comparison_fault(any(verdicts), claim) if verdicts else None


def _judge_by_subject(claimed: Comparison, quote: QuoteReading) -> list[bool]:
    """False where a clause of the quote says it of the other side: "but B led to fewer"; else empty."""
    left, right = claimed.left - claimed.right, claimed.right - claimed.left
    cues = [cue for cue in quote.cues if cue.direction is claimed.direction and cue.negated == claimed.negated]
    around = [words_around(quote.terms, cue) for cue in cues if quote.terms[cue.at].word in _COMPARATIVES]
    return [False] if len(around) == 1 and around[0] & right and not around[0] & left else []


def _judge_missing_comparison(claim: _Claim, quote: QuoteReading) -> str | None:
    """The claim compares two sides; the quote names both, and compares nothing or finds no difference."""
    if claim.compared is None or claim.cue.direction is Direction.EQUAL or claim.cue.negated or quote.numeric:
        return None
    if finds_no_difference(read_cues(claim.said)):
        return None
    sides = claim.compared.left, claim.compared.right
    if all(side & side_words(quote.terms) for side in sides) and not _makes_comparison(quote, claim.cue.direction):
        return f"the quote does not compare the two sides as '{claim.name}' does"
    return None


def _makes_comparison(quote: QuoteReading, direction: Direction) -> bool:
    if any(cue.direction is direction and quote.terms[cue.at].word in _COMPARATIVES for cue in quote.cues):
        return True
    words = {term.word for term in quote.terms}
    if "from" in words and any(cue.direction is direction and not cue.negated for cue in quote.cues):
        return True  # "fell from 9 to 7" compares the two
    return not finds_no_difference(quote.cues) and bool(
        words & _COMPARATIVES or any(value.label for value in read_values(quote.terms))
    )


def _comparison_fault(agrees: bool, claim: _Claim) -> str:
    return "" if agrees else f"the quote compares the two sides otherwise than '{claim.name}'"


def _judge_by_same_words(claim: _Claim, quote: QuoteReading) -> str | None:
    """A clause of the quote has all words of the claim's clause, and a direction."""
    words = {stem_word(term.word) for term in claim.said[claim.cue.at : claim.cue.at + claim.cue.words]}
    denied = claim.cue.negated or claim.cue.direction is Direction.EQUAL
    if claim.cue.direction is Direction.EQUAL and _is_said_equal(claim, quote):
        return ""
    if denied and any(stem_word(quote.terms[o.at].word) in words and is_compatible(claim.cue, o) for o in quote.cues):
        return None if claim.compared else ""
    alike = [other for other in quote.cues if _is_directional_on_scale(claim.cue, other)]
    close = [other for other in alike if _is_close(claim.clause_words, words_around(quote.terms, other))]
    if not close or any(is_compatible(claim.cue, other) for other in close):
        return None
    return _direction_fault(claim, quote, close[0])


def _is_said_equal(claim: _Claim, quote: QuoteReading) -> bool:
    """Whether the quote finds no difference in what the claim calls alike: "similarly tolerated"."""
    near = side_words(claim.said[claim.cue.at : claim.cue.at + claim.cue.words + 3])
    return any(o.direction is Direction.EQUAL and near & words_around(quote.terms, o) for o in quote.cues)


def _direction_fault(claim: _Claim, quote: QuoteReading, cue: Cue) -> str:
    return f"the quote says '{_cue_text(quote.terms, cue)}', the statement '{_cue_text(claim.said, claim.cue)}'"


def _judge_by_noun(claim: _Claim, quote: QuoteReading) -> str | None:
    """ "A longer survival" where the quote says "a shorter survival"."""
    noun = _following_noun(claim.said, claim.cue)
    same = [other for other in quote.cues if noun and _following_noun(quote.terms, other) == noun]
    same = [other for other in same if _is_directional_on_scale(claim.cue, other)]
    if not same or claim.compared or any(is_compatible(claim.cue, other) for other in same):
        return None
    return _direction_fault(claim, quote, same[0])


def _following_noun(terms: Sequence[Term], cue: Cue) -> str:
    """The noun right after a direction."""
    after = terms[cue.at + cue.words : cue.at + cue.words + 1]
    return next((term.key for term in after if is_side_word(term)), "")


def _judge_by_worded_sides(claim: _Claim, quote: QuoteReading) -> str | None:
    """The claim names one of the two sides that the quote compares in words."""
    alike = [other for other in quote.worded if is_same_scale(claim.cue.direction, other.direction)]
    if any(term.kind == "number" for term in claim.said):  # "rose by 3 with A, and by 1 with B"
        alike = [other for other in alike if quote.terms[other.at].word not in _CHANGES]
    verdicts = [
        v for v in (_is_consistent_around(claim.cue, claim.clause_words, other) for other in alike) if v is not None
    ]
    if any(verdicts):
        return ""
    return (
        _comparison_fault(False, claim) if verdicts and len(quote.cues) == 1 else None
    )  # of several cues, the right one is unclear


def _judge_by_values(claim: _Claim, quote: QuoteReading) -> str | None:
    """The claim names one of the two sides whose values the quote gives, or gives a change of values itself."""
    cue = claim.cue
    is_judged = cue.direction in JUDGEMENTS and any(_is_directional_on_scale(cue, other) for other in quote.cues)
    numeric = () if is_judged else quote.numeric
    verdicts = [
        v for v in (_is_consistent_around(cue, claim.clause_words, other) for other in numeric) if v is not None
    ]
    if cue.direction is not Direction.EQUAL and any(verdicts):
        return ""
    if cue.direction is Direction.EQUAL and numeric and not quote.cues:
        return f"the numbers of the quote do not say '{claim.name}'"
    if not verdicts and direction_of_change(claim.said, cue) is cue.direction:
        return ""
    if quote.cues:
        return None
    if verdicts:
        return f"the numbers of the quote do not say '{claim.name}' of it"
    return "" if numeric else f"the quote does not say '{claim.name}'"


def _judge_by_nearest_cues(claim: _Claim, quote: QuoteReading) -> str:
    """The direction whose clause shares most words with the claim's."""
    beside = [
        other for other in quote.cues if _values_beside(claim.said, claim.cue) & _values_beside(quote.terms, other)
    ]
    if any(is_compatible(claim.cue, other) for other in beside):
        return ""
    related = _related_cues(claim.cue, claim.said, quote.terms, quote.cues)
    if finds_no_difference(read_cues(claim.said)):  # the claim itself repeats the quote's "no difference"
        related = [other for other in related if other.direction is not Direction.EQUAL] or related
    near = _nearest_cues(claim.clause_words, quote.terms, related)
    return "" if any(is_compatible(claim.cue, other) for other in near) else _direction_fault(claim, quote, near[0])


def _values_beside(terms: Sequence[Term], cue: Cue) -> Words:
    """The percentages that stand right before or after a direction."""
    around = terms[max(0, cue.at - 2) : cue.at + 4]
    return frozenset(term.key for term in around if term.kind == "number" and term.key.endswith("%"))


def _is_stated_by_ratio(cue: Cue, said: Sequence[Term], quoted: Sequence[Term], quoted_cues: Sequence[Cue]) -> bool:
    """Whether a ratio below or above one supports the direction, for the drug that the quote names first."""
    ratio = next((value.token for value in read_values(quoted) if value.label in RATIOS), "")
    if not _DECIMAL.fullmatch(ratio) or quoted_cues or cue.negated or not _speaks_of_risk(said):
        return False
    drugs = drug_keys(quoted)
    places = {drug: n for drug in drugs[:2] for n, term in enumerate(said) if term.key == drug}
    if len(drugs) < 2 or sorted(places, key=places.__getitem__) != [*drugs[:2]] or places[drugs[0]] > cue.at:
        return False
    return cue.direction is (Direction.DOWN if float(ratio) < 1 else Direction.UP) and float(ratio) != 1


def _speaks_of_risk(terms: Sequence[Term]) -> bool:
    return any(term.key in ("risk", "hazard", "odds", "mortality") for term in terms)


def _is_directional_on_scale(cue: Cue, other: Cue) -> bool:
    return other.direction is not Direction.EQUAL and is_same_scale(cue.direction, other.direction)


def _is_consistent(claimed: Comparison, quoted: Comparison) -> bool:
    return is_compatible(claimed, quoted if compare_side_order(claimed, quoted) > 0 else quoted.swap_sides())


def _is_consistent_around(cue: Cue, around: frozenset[str], numbers: Comparison) -> bool | None:
    """Whether the values of the arm that the cue is about go its way; None if it is about both arms or neither."""
    higher, lower = bool(around & numbers.left), bool(around & numbers.right)
    if higher and lower:  # "the low dose of A" beside "the high dose of A"
        names = {word for word in numbers.left ^ numbers.right if word in DOSE_SIZES or word.startswith("grp")}
        missing = names - around
        higher, lower = not missing & numbers.left, not missing & numbers.right
    if higher and lower:  # what is measured is named with one arm only
        higher, lower = numbers.left <= around, numbers.right <= around
    if higher == lower:
        return None
    return is_compatible(cue, numbers if higher else numbers.swap_sides())


def _is_close(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a clause of the quote has all of these words, and so is about them."""
    return len(words) > 2 and words <= others


def _nearest_cues(around: frozenset[str], quoted: Sequence[Term], cues: Sequence[Cue]) -> Sequence[Cue]:
    """The cues whose clauses share most words with these."""
    shared = [len(around & words_around(quoted, cue)) for cue in cues]
    return [cue for cue, number in zip(cues, shared, strict=True) if number == max(shared)]


def _related_cues(cue: Cue, said: Sequence[Term], quoted: Sequence[Term], cues: Sequence[Cue]) -> Sequence[Cue]:
    """The cues of the quote with the same word; else those on the same scale; else all."""
    words = {stem_word(term.word) for term in said[cue.at : cue.at + cue.words]}
    same = [other for other in cues if stem_word(quoted[other.at].word) in words]
    return same or [other for other in cues if is_same_scale(cue.direction, other.direction)] or cues


def _cue_text(terms: Sequence[Term], cue: Cue) -> str:
    words = " ".join(term.word for term in terms[cue.at : cue.at + cue.words])
    return f"not {words}" if cue.negated else words
