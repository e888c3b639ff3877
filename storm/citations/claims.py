"""Whether a quote says what a statement claims, by rule: words, values, arms, directions, and what limits them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.citations.arms import arm_faults, change_of, numeric_comparisons
from storm.citations.comparisons import (
    Comparison,
    Cue,
    Direction,
    compatible,
    on_one_scale,
    orientation,
    read_comparisons,
    read_cues,
    side_words,
)
from storm.citations.coverage import Record, names_drug, names_nonhuman, word_faults
from storm.citations.denials import contradiction
from storm.citations.measures import RATIOS, read_values, value_faults
from storm.citations.qualifiers import participation, qualifier_faults
from storm.citations.quotes import normalize
from storm.citations.restrictions import restriction_faults
from storm.citations.terms import Term, content_keys, is_neutral, read_terms, stem
from storm.citations.vocabulary import words_of

_NO_RECORD = Record()
#: Characters of a text that is compared: a quote is a sentence or a few.
_LONGEST = 3_000
#: So many reasons are told at most: a model mends the first ones first.
_MOST = 3
_DECIMAL = re.compile(r"\d+\.\d+")
_LATIN = re.compile(r"[a-z]")
_LETTER = re.compile(r"[^\W\d_]")
_PARTS = re.compile(
    r";\s|,\s(?:but|whereas|while|although|though)\s|,?\s(?:and|but|with)\s(?=(?:\w{2,5}\s)?no(?:t|ne)?\s)"
)
_CLAUSE_ENDS = words_of(", ; : ( ) but whereas while")


def claim_faults(statement: str, quote: str, record: Record = _NO_RECORD) -> tuple[str, ...]:
    """Why the quote does not carry the statement, in words that its writer can mend it by; empty where it does, as far
    as rules can tell.

    A statement that is its quote word for word is carried. Quotes in other scripts than the Latin one are not read.
    """
    if _plain(statement) == _plain(quote) or not _is_readable(quote):
        return ()
    if len(quote) > _LONGEST or len(statement) > _LONGEST:
        return ("its quote is too long to be compared with it: give the sentence that says it",)
    return tuple(dict.fromkeys(_faults(statement, quote, record)))[:_MOST]


def _faults(statement: str, quote: str, record: Record) -> Iterator[str]:
    said, quoted = read_terms(statement), read_terms(quote)
    if names_nonhuman(read_terms(record.beside)) and not names_nonhuman((*said, *quoted)):
        yield "beside its quote animals or cells are named, the statement does not say so"
    turned = participation(said) * participation(quoted) < 0
    lost = _has_fall(said, quoted)
    permitted = (*(("only",) if turned else ()), *(("loss",) if lost else ()))
    yield from word_faults(statement, quote, record, permitted)
    bounds = tuple(value_faults(statement, quote, turned=turned))
    yield from bounds
    if turned and not _has_bound(quoted):
        yield "the quote tells who did not take part, the statement who did, or the other way round"
    if not _tells_values_only(said, quoted):
        yield from filter(None, (contradiction(statement, _part(said, quote)),))
    yield from arm_faults(said, quoted)
    yield from _direction_faults(said, quoted, falls=lost)
    yield from qualifier_faults(said, quoted)
    yield from restriction_faults(said, quoted)


def _plain(text: str) -> str:
    return normalize(text).rstrip(" .;,")


def _is_readable(quote: str) -> bool:
    letters = _LETTER.findall(normalize(quote))
    return 2 * len(_LATIN.findall(normalize(quote))) > len(letters)


def _has_bound(terms: Sequence[Term]) -> bool:
    return any(value.bound for value in read_values(terms))


def _part(said: Sequence[Term], quote: str) -> str:
    """The part of the quote that has all of the statement's words, where one has: what others deny is not denied."""
    words = content_keys(term for term in said if not is_neutral(term))
    parts = (part for part in _PARTS.split(quote) if words and words <= content_keys(read_terms(part)))
    return next(parts, quote)


def _tells_values_only(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the quote denies a difference, and the statement says nothing of one but values."""
    differs = any(stem(term.word) in ("differ", "differenc") for term in said)
    cues = read_cues(quoted)
    equal = bool(cues) and all(cue.direction is Direction.EQUAL for cue in cues)
    return equal and not differs and not read_cues(said) and any(term.kind == "number" for term in said)


def _has_fall(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the statement tells of a value below zero that its quote has."""
    held = {term.key for term in quoted if term.kind == "number" and term.key.startswith("-")}
    return any(term.key in held for term in said)


def _direction_faults(said: Sequence[Term], quoted: Sequence[Term], *, falls: bool = False) -> Iterator[str]:
    """Where the statement says more, less, better, worse or the same, and the quote does not."""
    cues, quoted_cues = read_cues(said), read_cues(quoted)
    told = list(read_comparisons(quoted, quoted_cues))
    denied = any(cue.negated or cue.direction is Direction.EQUAL for cue in quoted_cues)
    # Where the quote calls it no difference, the values make none.
    numeric = [] if denied else list(numeric_comparisons(quoted, quoted_cues, said))
    claimed = {comparison.at: comparison for comparison in read_comparisons(said, cues)}
    for cue in cues:
        if falls and cue.direction is Direction.DOWN and not cue.negated and cue.at not in claimed:
            continue
        fault = _fault(cue, claimed.get(cue.at), said, quoted, quoted_cues, told, numeric)
        if fault:
            yield fault
            return


def _fault(
    cue: Cue,
    claimed: Comparison | None,
    said: Sequence[Term],
    quoted: Sequence[Term],
    quoted_cues: Sequence[Cue],
    told: Sequence[Comparison],
    numeric: Sequence[Comparison],
) -> str:
    name = said[cue.at].word
    if _ratio_says(cue, said, quoted, quoted_cues):
        return ""
    if claimed:
        in_words = [_agrees(claimed, other) for other in told if orientation(claimed, other)]
        in_numbers = [_agrees(claimed, other) for other in numeric if orientation(claimed, other)]
        verdicts = in_words or ([] if cue.negated or cue.direction is Direction.EQUAL else in_numbers)
        if verdicts:
            return "" if any(verdicts) else f"the quote compares the two sides otherwise than '{name}'"
    around = _around(said, cue)
    close = [other for other in quoted_cues if _is_of_scale(cue, other) and _is_close(around, _around(quoted, other))]
    if close and not any(compatible(cue, other) for other in close):
        return f"the quote says '{_written(quoted, close[0])}', the statement '{_written(said, cue)}'"
    alike = [other for other in told if on_one_scale(cue.direction, other.direction)]
    spoken = [v for v in (_agrees_around(cue, around, other) for other in alike) if v is not None]
    if any(spoken):
        return ""
    if spoken and len(quoted_cues) == 1:  # of several nobody can tell which is meant
        return f"the quote compares the two sides otherwise than '{name}'"
    if any(_is_of_scale(cue, other) for other in quoted_cues) and cue.direction in (Direction.BETTER, Direction.WORSE):
        numeric = ()
    verdicts = [v for v in (_agrees_around(cue, around, other) for other in numeric) if v is not None]
    if cue.direction is not Direction.EQUAL and any(verdicts):
        return ""
    if not verdicts and change_of(said, cue) is cue.direction:
        return ""
    if not quoted_cues:
        if verdicts:
            return f"the numbers of the quote do not say '{name}' of it"
        return "" if numeric else f"the quote does not say '{name}'"
    near = _nearest(around, quoted, _kin(cue, said, quoted, quoted_cues))
    if any(compatible(cue, other) for other in near):
        return ""
    return f"the quote says '{_written(quoted, near[0])}', the statement '{_written(said, cue)}'"


def _ratio_says(cue: Cue, said: Sequence[Term], quoted: Sequence[Term], quoted_cues: Sequence[Cue]) -> bool:
    """Whether a ratio of the quote, below or above one, says it of the drug that the quote names first."""
    ratio = next((value.token for value in read_values(quoted) if value.label in RATIOS), "")
    if not _DECIMAL.fullmatch(ratio) or quoted_cues or cue.negated or not _speaks_of_risk(said):
        return False
    drugs = list(dict.fromkeys(term.key for term in quoted if names_drug(term)))
    places = {drug: n for drug in drugs[:2] for n, term in enumerate(said) if term.key == drug}
    if len(drugs) < 2 or sorted(places, key=places.__getitem__) != drugs[:2] or places[drugs[0]] > cue.at:
        return False
    return cue.direction is (Direction.DOWN if float(ratio) < 1 else Direction.UP) and float(ratio) != 1


def _speaks_of_risk(terms: Sequence[Term]) -> bool:
    return any(term.key in ("risk", "hazard", "odds", "mortality") for term in terms)


def _is_of_scale(cue: Cue, other: Cue) -> bool:
    return other.direction is not Direction.EQUAL and on_one_scale(cue.direction, other.direction)


def _agrees(claimed: Comparison, quoted: Comparison) -> bool:
    return compatible(claimed, quoted if orientation(claimed, quoted) > 0 else quoted.turned())


def _agrees_around(cue: Cue, around: frozenset[str], numbers: Comparison) -> bool | None:
    """Whether the values of the arm that the cue speaks of go its way; None where it speaks of both or none."""
    higher, lower = bool(around & numbers.left), bool(around & numbers.right)
    if higher == lower:
        return None
    return compatible(cue, numbers if higher else numbers.turned())


def _around(terms: Sequence[Term], cue: Cue) -> frozenset[str]:
    """The words of the clause that the cue stands in."""
    start = next((n + 1 for n in range(cue.at, -1, -1) if terms[n].word in _CLAUSE_ENDS), 0)
    end = next((n for n in range(cue.at, len(terms)) if terms[n].word in _CLAUSE_ENDS), len(terms))
    return side_words(terms[start:end])


def _is_close(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a clause of the quote has all of these words: what it says is said of them."""
    return len(words) > 2 and words <= others


def _nearest(around: frozenset[str], quoted: Sequence[Term], cues: Sequence[Cue]) -> Sequence[Cue]:
    """The cues of the quote whose clauses share most words with these."""
    shared = [len(around & _around(quoted, cue)) for cue in cues]
    return [cue for cue, number in zip(cues, shared, strict=True) if number == max(shared)]


def _kin(cue: Cue, said: Sequence[Term], quoted: Sequence[Term], cues: Sequence[Cue]) -> Sequence[Cue]:
    """The cues of the quote that say the same word, or else something on the same scale, or else all."""
    words = {stem(term.word) for term in said[cue.at : cue.at + cue.words]}
    same = [other for other in cues if stem(quoted[other.at].word) in words]
    return same or [other for other in cues if on_one_scale(cue.direction, other.direction)] or cues


def _written(terms: Sequence[Term], cue: Cue) -> str:
    words = " ".join(term.word for term in terms[cue.at : cue.at + cue.words])
    return f"not {words}" if cue.negated else words
