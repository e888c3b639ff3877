"""Lists of values, and the arms that a list of names assigns to them: "36% vs 12% for A vs B"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations.comparisons import Words, is_side_word, side_words
from storm.citations.cues import read_cues
from storm.citations.measures import RATIOS, SPREADS, TIMES, Value, read_plain_values, unit_length
from storm.citations.positions import find_after_last, find_next, word_at
from storm.citations.terms import Term, has_word, split_terms
from storm.citations.vocabulary import words_of

#: Where one side of a comparison ends and the other begins.
CONTRASTS = words_of("than versus vs v whereas while but against ; compared")
#: Where a clause about another side begins.
TURNS = words_of("whereas while but ;")
#: What the name of an arm ends with, or begins with.
GROUP_NOUNS = words_of("group groups arm arms cohort cohorts")
#: After a value these introduce its arm.
OWNER_WORDS = words_of(
    "with in for among on given receiving treated of taking on assigned randomized randomised under without"
)
_ARM_LEADS = (OWNER_WORDS - {"of"}) | {"after", "before", "during", "by"}
_LIST = words_of("vs versus v and or , compared with to against by in from than % ( ) for respectively an a the")
_LEADS = words_of("in of for with between among by from to on than")
_OPENING = 3
_SENTENCE = words_of("; . but whereas while")
_FILLERS = words_of(") , respectively patients participants subjects people women men cases")
_AT = words_of("at by after")
_PEOPLE = words_of("patients participants subjects people women men children adults individuals recipients cases")
_BARE = words_of("vs versus v and or , against %")


class ArmValue(NamedTuple):
    """A value and the words of its arm."""

    value: Value
    arm: Words


def without_intervals(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms without the spread of a value or its number of people in brackets: "18.9 months (95% CI, 15.2 to 21.4)
    with A", "4.8% (n = 17) with A"."""
    rest: list[Term] = []
    has_spreads = any(
        _is_spread(b) and (a.word, c.word) == ("(", ")") for a, b, c in zip(terms, terms[1:], terms[2:], strict=False)
    )
    n = 0
    while n < len(terms):
        if terms[n].word == "±" and n + 1 < len(terms) and terms[n + 1].kind == "number":
            n += 2
            continue
        end = _find_closing_bracket(terms, n) if terms[n].word == "(" else n
        inside = terms[n + 1 : end]
        counts = [term.word for term in inside[:-1]] == ["n", "="]
        counts = (
            counts
            or [term.key for term in inside[:1]] == ["p"]
            or (n > 0 and terms[n - 1].kind == "number" and _is_plain_interval(inside))
            or (n > 0 and has_spreads and _is_number_after_value(terms, n, inside))
        )
        if end > n and (counts or any(map(_is_spread, inside))):
            before = [] if counts else _terms_before_spread(inside)
            rest += [terms[n], *before, terms[end]] if before else []
            n = end + 1
        else:
            rest.append(terms[n])
            n += 1
    return tuple(rest)


def _is_number_after_value(terms: Sequence[Term], n: int, inside: Sequence[Term]) -> bool:
    """Whether a bracket with one number follows a value: "-0.8% (0.9)" of a "mean (SD) change"."""
    is_value = any(term.kind == "number" for term in terms[max(0, n - 2) : n])
    return is_value and [term.kind for term in inside] == ["number"] and not inside[0].key.endswith("%")


def _is_plain_interval(inside: Sequence[Term]) -> bool:
    """Whether a bracket after a value has nothing but two ends: "140 (134–144)"."""
    ends = [term for term in inside if term.kind == "number"]
    return len(ends) == 2 and len(inside) <= 4 and all(t in ends or t.word in ("to", ",", "-", "%") for t in inside)


def _terms_before_spread(inside: Sequence[Term]) -> list[Term]:
    """The terms of a bracket before a ratio or a spread: "(5.1 versus 9.6%; relative risk 0.53, 95% CI …)"."""
    before: list[Term] = []
    for part in split_terms(inside, frozenset((",", ";"))):
        if any(_is_spread(term) or term.key in RATIOS for term in part):
            break
        before += part
    return before


def _find_closing_bracket(terms: Sequence[Term], n: int) -> int:
    """Where the bracket that opens here closes; here, if another one opens first."""
    end = next((at for at in range(n + 1, len(terms)) if terms[at].word in ("(", ")")), n)
    return end if terms[end].word == ")" else n


def _is_spread(term: Term) -> bool:
    return term.key in SPREADS and term.key != "p"


def group_rows(terms: Sequence[Term], group: Sequence[Value]) -> list[list[Value]]:
    """The values in groups; within a group nothing but joining words stands between: "36% vs 12%"."""
    rows: list[list[Value]] = []
    for value in group:
        if rows:
            last = rows[-1][-1]
            between = terms[last.at + 1 + unit_length(terms, last.at) : value.at]
            if between and len(between) <= 4 and all(term.word in _LIST for term in between):
                rows[-1].append(value)
                continue
        rows.append([value])
    return rows


def is_bare_row(terms: Sequence[Term], row: Sequence[Value]) -> bool:
    """Whether no preposition stands between the values: "(36% vs 12%)", "38% and 54% of patients"."""
    return all(
        all(term.word in _BARE for term in terms[a.at + 1 + unit_length(terms, a.at) : b.at]) for a, b in pairwise(row)
    )


def is_unnamed(terms: Sequence[Term], row: Sequence[Value]) -> bool:
    """Whether no arm stands between or after the values of a list."""
    return is_bare_row(terms, row) and not names_arm_after(
        terms, row[-1].at, _end_of_arms(terms, index_after_value(terms, row[-1].at))
    )


def read_row_leads(terms: Sequence[Term]) -> Iterator[tuple[frozenset[str], Words]]:
    """The tokens of each bare list of values, and the words between it and the list before."""
    terms = without_intervals(terms)
    rows = [row for row in _read_unit_rows(terms) if len(row) > 1 and is_bare_row(terms, row)]
    end = 0
    for row in sorted(rows, key=lambda row: row[0].at):
        yield frozenset(value.token for value in row), side_words(terms[end : row[0].at])
        end = row[-1].at + 1 + unit_length(terms, row[-1].at)


def read_rows(terms: Sequence[Term]) -> Iterator[tuple[str, ...]]:
    """The tokens of each bare list of two values of one unit."""
    terms = without_intervals(terms)
    for row in _read_unit_rows(terms):
        if len(row) == 2 and is_bare_row(terms, row):
            yield row[0].token, row[1].token


def _read_unit_rows(terms: Sequence[Term]) -> Iterator[list[Value]]:
    """The lists of values, one unit after the other."""
    values = read_plain_values(terms)
    for unit in dict.fromkeys(value.unit for value in values):
        yield from group_rows(terms, [value for value in values if value.unit == unit])


def read_shared(terms: Sequence[Term], row: Sequence[Value]) -> list[ArmValue]:
    """The values of a bare list with the arms of another list in the sentence: "15 and 9 months, and a survival of 22
    and 15 months in A and B, respectively"."""
    if not (has_word(terms, ("respectively",)) and is_unnamed(terms, row)):
        return []
    for other in _read_unit_rows(terms):
        if len(other) == len(row) and not is_unnamed(terms, other) and (named := read_listed(terms, other)):
            return [ArmValue(value, own.arm) for value, own in zip(row, named, strict=True)]
    return []


def read_listed(terms: Sequence[Term], row: Sequence[Value]) -> list[ArmValue]:
    """The values of a list with the arms of the nearest list of the same length."""
    first, last = row[0].at, row[-1].at
    start = last + 1 + unit_length(terms, last)
    after = terms[start : _end_of_arms(terms, start)]
    lead = next((term.word for term in after if term.word not in _FILLERS), "")
    after = after if lead in OWNER_WORDS or has_word(after, CONTRASTS) else ()
    begin = next((n + 1 for n in range(first - 1, -1, -1) if terms[n].word in _SENTENCE or _is_percentage(terms, n)), 0)
    is_choice = has_word(terms[first:last], ("or",))
    before = terms[begin:first]
    for parts in (_split_arms(after, len(row), is_choice), _split_arms_before(before, len(row), is_choice)):
        if parts:
            return [ArmValue(value, part) for value, part in zip(row, parts, strict=True)]
    return []


def _is_percentage(terms: Sequence[Term], n: int) -> bool:
    """Whether a percentage stands there."""
    return terms[n].kind == "number" and terms[n].key.endswith("%")


def _split_arms(terms: Sequence[Term], size: int, is_choice: bool) -> list[Words]:
    """The `size` arms of a list of names, split at its strongest conjunctions; at "or" only if `is_choice`."""
    weak = frozenset(("and", "or") if is_choice else ("and",))
    for joints in (CONTRASTS, weak, weak | {","}, CONTRASTS | weak):
        parts = [side_words(part) for part in split_terms(terms, joints)]
        named = [part for part in parts if part]
        if len(named) == size and len(parts) <= size + 1:
            return named
    return []


def _split_arms_before(terms: Sequence[Term], size: int, is_choice: bool) -> list[Words]:
    """The same where the arms come before the values: from the direction or the preposition that introduces them."""
    pivots = [n for n, term in enumerate(terms) if term.word in CONTRASTS]
    if pivots and size == 2:
        comma = find_next(terms, (",",), pivots[-1])
        if pivots[-1] < _OPENING and comma < len(terms):  # "Compared with B, A had less of it (3% vs 5%)"
            parts = [side_words(terms[comma:]), side_words(terms[pivots[-1] : comma])]
            return parts if all(parts) else []
        right = side_words(terms[pivots[-1] + 1 :])
        return [_left_arm(terms, pivots[-1]), right] if right else []
    joints = ("and", "or") if is_choice else ("and",)
    joint = next((n for n in range(len(terms) - 1, -1, -1) if terms[n].word in joints), None)
    if joint is None:
        return []
    lead = find_after_last(terms, _LEADS, joint)
    if not lead and terms[joint].word == "or":  # "moderate or severe", "grade 3 or higher"
        return []
    return _split_arms(terms[lead:], size, is_choice)


def _left_arm(terms: Sequence[Term], pivot: int) -> Words:
    """The arm before a contrast: the last one with a preposition, as the right one has ("lower with A than with B"), or
    the subject ("A had lower rates of it than B")."""
    cue = next((cue for cue in reversed(read_cues(terms)) if cue.at < pivot), None)
    if cue is None:
        return side_words(terms[:pivot])
    end = cue.at + cue.words
    leads = [n for n in range(end, pivot) if terms[n].word in _ARM_LEADS and side_words(terms[n:pivot])]
    right = terms[pivot + 1 + (terms[pivot].word == "compared") :]
    parallel = has_word(right[:2], _ARM_LEADS)
    verb = next((n for n in range(cue.at - 1, -1, -1) if not terms[n].word.endswith("ly")), 0)
    copula = terms[verb].word in ("was", "were", "is", "are")
    if leads and (parallel or copula):
        return side_words(terms[leads[-1] : pivot])
    return side_words(terms[: cue.at]) or side_words(terms[end:pivot])


def _end_of_arms(terms: Sequence[Term], start: int) -> int:
    """Where the words after a list end, also at "respectively"; a bracket or comma right after the list is skipped."""
    begin = start + (word_at(terms, start) in (")", ","))
    end = find_next(terms, (";", ".", "("), begin)
    named = min(find_next(terms, ("respectively",), begin), end)
    return named if any(map(is_side_word, terms[begin:named])) else end


def index_after_value(terms: Sequence[Term], at: int) -> int:
    """Where the words after a value begin, beyond its unit and a closing bracket."""
    after = at + 1 + unit_length(terms, at)
    if word_at(terms, after) in _AT and {term.kind for term in terms[after + 1 : after + 3]} == {"word", "number"}:
        after += 3 if terms[after + 1].key in TIMES or terms[after + 2].key in TIMES else 0  # "9% at week 52 with A"
    if word_at(terms, after) in _PEOPLE and word_at(terms, after + 1) in OWNER_WORDS:  # "5 patients in the A group"
        return after + 1
    return after + (word_at(terms, after) == ")")


def names_arm_after(terms: Sequence[Term], at: int, end: int) -> bool:
    """Whether the words after a value name its arm: "36% with A", "(7%) control patients"."""
    after = index_after_value(terms, at)
    return after < end and _leads_arm(terms, at, after) and bool(side_words(terms[after:end]))


def _leads_arm(terms: Sequence[Term], at: int, after: int) -> bool:
    """Whether the arm of the value before begins there; without a preposition only after a percentage."""
    term = terms[after]
    is_named = terms[at].key.endswith("%") and is_side_word(term) and not term.word.endswith("ed")
    return term.word in OWNER_WORDS or is_named
