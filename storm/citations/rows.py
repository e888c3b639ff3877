"""Values that stand in one list, and the arms that a list of names gives them: "36% vs 12% for A vs B"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.citations.comparisons import Words, is_side_word, side_words
from storm.citations.cues import read_cues
from storm.citations.measures import RATIOS, SPREADS, Value, read_values, unit_length
from storm.citations.terms import Term, split_terms
from storm.citations.vocabulary import words_of

#: Where one side of a comparison ends and the other begins.
CONTRASTS = words_of("than versus vs v whereas while but against ; compared")
#: Where a clause about another side begins.
TURNS = words_of("whereas while but ;")
#: What the name of an arm ends with, or begins with.
GROUP_NOUNS = words_of("group groups arm arms cohort cohorts")
#: After a value: whose it is.
OWNER_WORDS = words_of(
    "with in for among on given receiving treated of taking on assigned randomized randomised under without"
)
_ARM_LEADS = (OWNER_WORDS - {"of"}) | {"after", "before", "during", "by"}
_LIST = words_of("vs versus v and or , compared with to against by in from than % ( ) for respectively an a the")
_LEADS = words_of("in of for with between among by from to on than")
_SENTENCE = words_of("; . but whereas while")
_FILLERS = words_of(") , respectively patients participants subjects people women men cases")
_BARE = words_of("vs versus v and or , against %")


class ArmValue(NamedTuple):
    """A value and the words of its arm."""

    value: Value
    arm: Words


def without_intervals(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms without brackets that hold how sure a value is, or of how many: "18.9 months (95% CI, 15.2 to 21.4)
    with A", "4.8% (n = 17) with A"."""
    kept: list[Term] = []
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
        )
        if end > n and (counts or any(map(_is_spread, inside))):
            before = [] if counts else _terms_before_spread(inside)
            kept += [terms[n], *before, terms[end]] if before else []
            n = end + 1
        else:
            kept.append(terms[n])
            n += 1
    return tuple(kept)


def _is_plain_interval(inside: Sequence[Term]) -> bool:
    """Whether a bracket behind a value holds but two ends: "140 (134–144)"."""
    ends = [term for term in inside if term.kind == "number"]
    return len(ends) == 2 and len(inside) <= 4 and all(t in ends or t.word in ("to", ",", "-", "%") for t in inside)


def _terms_before_spread(inside: Sequence[Term]) -> list[Term]:
    """What a bracket tells before it says how sure that is: "(5.1 versus 9.6%; relative risk 0.53, 95% CI …)"."""
    told: list[Term] = []
    for part in split_terms(inside, frozenset((",", ";"))):
        if any(_is_spread(term) or term.key in RATIOS for term in part):
            break
        told += part
    return told


def _find_closing_bracket(terms: Sequence[Term], n: int) -> int:
    """Where the bracket that opens here closes, if none opens within it; otherwise here."""
    end = next((at for at in range(n + 1, len(terms)) if terms[at].word in ("(", ")")), n)
    return end if terms[end].word == ")" else n


def _is_spread(term: Term) -> bool:
    return term.key in SPREADS and term.key != "p"


def group_rows(terms: Sequence[Term], group: Sequence[Value]) -> list[list[Value]]:
    """Values with nothing but joints between them, together: "36% vs 12%"."""
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
    """Whether nothing but joints is between the values: "(36% vs 12%)", "38% and 54% of patients"."""
    return all(
        all(term.word in _BARE for term in terms[a.at + 1 + unit_length(terms, a.at) : b.at]) for a, b in pairwise(row)
    )


def is_unnamed(terms: Sequence[Term], row: Sequence[Value]) -> bool:
    return is_bare_row(terms, row) and not names_arm_after(
        terms, row[-1].at, _end_of_arms(terms, index_after_value(terms, row[-1].at))
    )


def read_row_leads(terms: Sequence[Term]) -> Iterator[tuple[frozenset[str], Words]]:
    """The tokens of each bare list of values, and the words that lead to it from the one before."""
    terms = without_intervals(terms)
    values = [v for v in read_values(terms) if v.label not in SPREADS and v.label not in RATIOS]
    units = dict.fromkeys(value.unit for value in values)
    rows = [row for unit in units for row in group_rows(terms, [v for v in values if v.unit == unit]) if len(row) > 1]
    end = 0
    for row in sorted((row for row in rows if is_bare_row(terms, row)), key=lambda row: row[0].at):
        yield frozenset(value.token for value in row), side_words(terms[end : row[0].at])
        end = row[-1].at + 1 + unit_length(terms, row[-1].at)


def read_rows(terms: Sequence[Term]) -> Iterator[tuple[str, ...]]:
    """The tokens of each bare list of two values of one unit."""
    terms = without_intervals(terms)
    values = [v for v in read_values(terms) if v.label not in SPREADS and v.label not in RATIOS]
    for unit in dict.fromkeys(value.unit for value in values):
        for row in group_rows(terms, [value for value in values if value.unit == unit]):
            if len(row) == 2 and is_bare_row(terms, row):
                yield row[0].token, row[1].token


def read_shared(terms: Sequence[Term], row: Sequence[Value]) -> list[ArmValue]:
    """The values of a bare list with the arms that another list of the sentence is given: "15 and 9 months, and a
    survival of 22 and 15 months in A and B, respectively"."""
    if not (any(term.word == "respectively" for term in terms) and is_unnamed(terms, row)):
        return []
    values = [value for value in read_values(terms) if value.label not in SPREADS and value.label not in RATIOS]
    for unit in dict.fromkeys(value.unit for value in values):
        for other in group_rows(terms, [value for value in values if value.unit == unit]):
            if len(other) == len(row) and not is_unnamed(terms, other) and (named := read_listed(terms, other)):
                return [ArmValue(value, own.arm) for value, own in zip(row, named, strict=True)]
    return []


def read_listed(terms: Sequence[Term], row: Sequence[Value]) -> list[ArmValue]:
    """The values of a list with the parts of the nearest list of as many arms."""
    first, last = row[0].at, row[-1].at
    start = last + 1 + unit_length(terms, last)
    after = terms[start : _end_of_arms(terms, start)]
    lead = next((term.word for term in after if term.word not in _FILLERS), "")
    after = after if lead in OWNER_WORDS or any(term.word in CONTRASTS for term in after) else ()
    begin = next((n + 1 for n in range(first - 1, -1, -1) if terms[n].word in _SENTENCE or _is_percentage(terms, n)), 0)
    is_choice = any(term.word == "or" for term in terms[first:last])
    before = terms[begin:first]
    for parts in (_split_arms(after, len(row), is_choice), _split_arms_before(before, len(row), is_choice)):
        if parts:
            return [ArmValue(value, part) for value, part in zip(row, parts, strict=True)]
    return []


def _is_percentage(terms: Sequence[Term], n: int) -> bool:
    """Whether a percentage of another list stands here."""
    return terms[n].kind == "number" and terms[n].key.endswith("%")


def _split_arms(terms: Sequence[Term], size: int, is_choice: bool) -> list[Words]:
    """The arms that a list of so many names, split at its strongest joints; at "or" where its values are."""
    weak = frozenset(("and", "or") if is_choice else ("and",))
    for joints in (CONTRASTS, weak, weak | {","}, CONTRASTS | weak):
        parts = [side_words(part) for part in split_terms(terms, joints)]
        named = [part for part in parts if part]
        if len(named) == size and len(parts) <= size + 1:
            return named
    return []


def _split_arms_before(terms: Sequence[Term], size: int, is_choice: bool) -> list[Words]:
    """The same where the arms come first: from the direction or the preposition that leads them."""
    pivots = [n for n, term in enumerate(terms) if term.word in CONTRASTS]
    if pivots and size == 2:
        right = side_words(terms[pivots[-1] + 1 :])
        return [_left_arm(terms, pivots[-1]), right] if right else []
    joints = ("and", "or") if is_choice else ("and",)
    joint = next((n for n in range(len(terms) - 1, -1, -1) if terms[n].word in joints), None)
    if joint is None:
        return []
    lead = next((n for n in range(joint - 1, -1, -1) if terms[n].word in _LEADS), -1)
    if lead < 0 and terms[joint].word == "or":  # "moderate or severe", "grade 3 or higher"
        return []
    return _split_arms(terms[lead + 1 :], size, is_choice)


def _left_arm(terms: Sequence[Term], pivot: int) -> Words:
    """The arm before a contrast: the last one that is led as the right one is ("lower with A than with B"), or the
    subject ("A had lower rates of it than B")."""
    cue = next((cue for cue in reversed(read_cues(terms)) if cue.at < pivot), None)
    if cue is None:
        return side_words(terms[:pivot])
    end = cue.at + cue.words
    leads = [n for n in range(end, pivot) if terms[n].word in _ARM_LEADS and side_words(terms[n:pivot])]
    right = terms[pivot + 1 + (terms[pivot].word == "compared") :]
    parallel = any(term.word in _ARM_LEADS for term in right[:2])
    verb = next((n for n in range(cue.at - 1, -1, -1) if not terms[n].word.endswith("ly")), 0)
    copula = terms[verb].word in ("was", "were", "is", "are")
    if leads and (parallel or copula):
        return side_words(terms[leads[-1] : pivot])
    return side_words(terms[: cue.at]) or side_words(terms[end:pivot])


def _end_of_arms(terms: Sequence[Term], start: int) -> int:
    """Where the words after a list end, at "A and B, respectively" too; a bracket or comma right after it ends none."""
    begin = start + (start < len(terms) and terms[start].word in (")", ","))
    end = next((n for n in range(begin, len(terms)) if terms[n].word in (";", ".", "(")), len(terms))
    named = next((n for n in range(begin, end) if terms[n].word == "respectively"), end)
    return named if any(map(is_side_word, terms[begin:named])) else end


def index_after_value(terms: Sequence[Term], at: int) -> int:
    """Where the words after a value begin, beyond its unit and a closing bracket."""
    after = at + 1 + unit_length(terms, at)
    return after + (after < len(terms) and terms[after].word == ")")


def names_arm_after(terms: Sequence[Term], at: int, end: int) -> bool:
    """Whether the words after a value say whose it is: "36% with A", "(7%) control patients"."""
    after = index_after_value(terms, at)
    return after < end and _leads_arm(terms, at, after) and bool(side_words(terms[after:end]))


def _leads_arm(terms: Sequence[Term], at: int, after: int) -> bool:
    """Whether an arm begins here that stands after its value; without a preposition only after a percentage."""
    term = terms[after]
    is_named = terms[at].key.endswith("%") and is_side_word(term) and not term.word.endswith("ed")
    return term.word in OWNER_WORDS or is_named
