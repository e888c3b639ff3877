"""Which value belongs to which arm: "25 months with A and 20 with B", "36% vs 12% for A vs B", "A (58%), B (31%)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, pairwise

from storm.citations.changes import read_changes
from storm.citations.comparisons import ALONE, Comparison, Words, quote_words, side_words
from storm.citations.cues import Cue, Direction
from storm.citations.measures import DOSES, Value, parse_number, read_plain_values, unit_length
from storm.citations.positions import find_after_last, word_at
from storm.citations.rows import (
    CONTRASTS,
    GROUP_NOUNS,
    OWNER_WORDS,
    TURNS,
    ArmValue,
    group_rows,
    index_after_value,
    is_unnamed,
    names_arm_after,
    read_listed,
    read_shared,
    without_intervals,
)
from storm.citations.terms import Term, has_word, is_content, number_keys, split_terms
from storm.citations.vocabulary import words_of

_STRONG = CONTRASTS | {"and", "or"}
_PIVOTS = _STRONG | {",", ":"}
_MONTHS = words_of("january february march april maius june july august september october november december")
_JUDGEMENTS = words_of("superior inferior noninferior equivalent")
_BEFORE_BRACKETS = words_of(", and or : ; ) was were is are including than vs versus while whereas but")
#: How many terms after a comma, or in a bracket, are searched for other numbers.
_NEAR = 5
_BRACKET = 16
#: At most this many arms are compared with each other.
_MOST_ARMS = 4
#: Stands for the side of a text that holds no value.
_NO_VALUE = Value(-1, "")


def read_arms(terms: Sequence[Term]) -> tuple[tuple[ArmValue, ...], ...]:
    """The values that are compared with each other, each with the words of its arm; one group per unit."""
    terms = _read_judgements(without_intervals(terms))
    others = (_is_whole, _is_at_baseline, _is_end_of_range, _is_interval, _is_date, _is_difference)
    values = [value for value in read_plain_values(terms) if not any(is_other(terms, value) for is_other in others)]
    values = [v for v in values if v.unit or v.bound in ("", "=")]  # "at least three" of each is not an arm's number
    groups = [list(group) for _, group in groupby(sorted(values, key=lambda v: (v.unit, v.at)), key=lambda v: v.unit)]
    bound = tuple(part for group in groups for part in _bind_groups(terms, group))
    arms = frozenset[str]().union(*(one.arm for part in bound for one in part if one.value.unit not in DOSES))
    return tuple(part for part in bound if not any(_is_dose_of_arm(one.value, arms) for one in part))


def _read_judgements(terms: Sequence[Term]) -> Sequence[Term]:
    """The terms with "superior to", "noninferior to" as the contrast that they are: what follows is the other arm."""
    words = ("", *(term.word for term in terms))
    return [
        term._replace(word="than", key="than") if term.word == "to" and before in _JUDGEMENTS else term
        for before, term in zip(words, terms, strict=False)
    ]


def _is_dose_of_arm(value: Value, arms: Words) -> bool:
    """Whether the dose names the arm of another value: "1.15 and 1.01 for 30 mg and 60 mg"."""
    return value.unit in DOSES and value.name in arms


def _bind_groups(terms: Sequence[Term], group: Sequence[Value]) -> Iterator[tuple[ArmValue, ...]]:
    """The values of one unit: sentence by sentence, or all together where a sentence holds only one."""
    for borders in (";.", "."):
        ends = (n for n, term in enumerate(terms) if term.word in (*borders,))
        spans = list(pairwise((-1, *ends, len(terms))))
        parts = [(start + 1, end, [v for v in group if start < v.at < end]) for start, end in spans]
        filled = [part for part in parts if part[2]]
        if len(filled) > 1 and all(len(values) > 1 for _, _, values in filled):
            yield from (_bind_values_within(terms[start:end], values, start) for start, end, values in filled)
            return
    yield _bind_values_within(terms, group, 0)


def _bind_values_within(terms: Sequence[Term], group: Sequence[Value], start: int) -> tuple[ArmValue, ...]:
    """The values with their arms; the terms begin at `start` of the text."""
    bound = _drop_common_words(_bind_values(terms, [value._replace(at=value.at - start) for value in group]))
    return tuple(one._replace(value=one.value._replace(at=one.value.at + start)) for one in bound)


def _is_whole(terms: Sequence[Term], value: Value) -> bool:
    """Whether it is how many there are, of whom a part is counted: "8 out of 11"."""
    before = [term for term in terms[max(0, value.at - 3) : value.at] if term.word not in ("out", "the")]
    return len(before) > 1 and before[-1].word in ("of", "/") and before[-2].kind == "number" and not value.unit


def _is_at_baseline(terms: Sequence[Term], value: Value) -> bool:
    """Whether a bracket calls it a value at baseline: "(mean baseline weight of 90 kg)"."""
    start = next((n for n in range(value.at, max(-1, value.at - _BRACKET), -1) if terms[n].word in ("(", ")")), 0)
    return terms[start].word == "(" and any(term.key == "baseline" for term in terms[start : value.at])


def _is_difference(terms: Sequence[Term], value: Value) -> bool:
    """Whether it is the difference between two arms: "a difference of 5%"."""
    return has_word(terms[max(0, value.at - 3) : value.at], ("difference", "differences"))


def _is_date(terms: Sequence[Term], value: Value) -> bool:
    """Whether it stands beside a month."""
    return not value.unit and not _MONTHS.isdisjoint((word_at(terms, value.at - 1), word_at(terms, value.at + 1)))


def find_arm_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """Values that the statement gives to the arm of another value."""
    quoted = read_arms(quote)
    for group in read_arms(statement):
        for bound in (bound for bound in group if bound.value.token):
            groups = [own for own in quoted if own and own[0].value.unit == _unit_in_quote(bound, quoted)]
            for own, other in _find_wrong_arms(bound, groups):
                arm, stated = quote_words(own, quote), quote_words(other, quote)
                yield f"the quote gives {bound.value.name} to '{arm}', not to '{stated}'"


def read_numeric_comparisons(
    terms: Sequence[Term], cues: Sequence[Cue], said: Sequence[Term] = ()
) -> Iterator[Comparison]:
    """What the values of two arms say: the arm with the higher value has more; after "reduced by" it has less.

    Where a group has values of the statement (`said`), only these are compared.
    """
    groups = read_arms(terms)
    tokens = number_keys(said)
    in_statement = ([bound for bound in group if bound.value.token in tokens] for group in groups)
    own = [(group[0], group[1]) for group in in_statement if len(group) > 1 and group[0].arm and group[1].arm]
    pairs = own or [pair for group in groups for pair in combinations(group[:_MOST_ARMS], 2)]
    for first, second in pairs:
        one, other = parse_number(first.value), parse_number(second.value)
        if not second.value.token or one == other or not (first.arm and second.arm):
            continue
        more = Direction.DOWN if _is_reduction(terms, first.value, cues) else Direction.UP
        comparison = Comparison(more, False, first.arm - second.arm, second.arm - first.arm)
        yield comparison if one > other else Comparison(more, False, comparison.right, comparison.left)


def _unit_in_quote(bound: ArmValue, quoted: Sequence[Sequence[ArmValue]]) -> str:
    """The unit of the value; where it has none, that of the same number in the quote."""
    if bound.value.unit:
        return bound.value.unit
    same = (own.value.unit for group in quoted for own in group if own.value.token == bound.value.token)
    return next(same, "")


def _find_wrong_arms(bound: ArmValue, groups: Sequence[Sequence[ArmValue]]) -> Iterator[tuple[Words, Words]]:
    """The value's arm in the quote, and the one that the statement gives it to."""
    for group in groups:
        own = frozenset[str]().union(*(one.arm for one in group if one.value.token == bound.value.token))
        if not own:
            continue
        for other in group:
            is_other = other.value.token != bound.value.token and other.arm - own
            if is_other and _overlap_share(bound.arm, other.arm - own) > _overlap_share(bound.arm, own - other.arm):
                yield own, other.arm
                return


def _overlap_share(words: Words, arm: Words) -> float:
    """The share of the arm's words that are among these."""
    return len(words & arm) / len(arm) if arm else 0.0


def _bind_values(terms: Sequence[Term], group: Sequence[Value]) -> list[ArmValue]:
    changes = (pair for pair in read_changes(group, terms) if not names_arm_after(terms, pair[0].at, pair[1].at))
    pairs = {value.at for pair in changes for value in pair}
    single = [value for value in group if value.at not in pairs]
    if not pairs and (named := _read_bracketed_values(terms, single)):
        return named
    bound: list[ArmValue] = []
    unnamed: set[int] = set()
    for row in group_rows(terms, single):
        if len(row) > 1:
            named = read_shared(terms, row) or read_listed(terms, row)
            bound += named
            unnamed |= {value.at for value in row} if not named and is_unnamed(terms, row) else set()
    listed = {one.value.at for one in bound}
    rest = [value for value in single if value.at not in listed | unnamed]
    return sorted([*bound, *_bind_separately(terms, rest, listed)], key=lambda one: one.value.at)


def _read_bracketed_values(terms: Sequence[Term], values: Sequence[Value]) -> list[ArmValue]:
    """Values that each stand alone in brackets after their subject: "fatigue (44%), nausea (39%)"."""
    bound: list[ArmValue] = []
    for value in values:
        after = value.at + 1 + unit_length(terms, value.at)
        if (word_at(terms, value.at - 1), word_at(terms, after)) != ("(", ")"):
            continue
        if word_at(terms, after + 1) in OWNER_WORDS:
            return []
        start = find_after_last(terms, _BEFORE_BRACKETS, value.at - 1)
        bound.append(ArmValue(value, side_words(terms[start : value.at - 1])))
    return bound if len(bound) > 1 and all(one.arm for one in bound) else []


def _bind_separately(terms: Sequence[Term], values: Sequence[Value], listed: set[int]) -> list[ArmValue]:
    """Values that each stand with their own arm."""
    if not values:
        return []
    if listed:
        return list(_bind_by_clause(terms, values, listed))
    if len(values) == 1:
        side = _own_side_words(terms, values[0].at)
        rest = side_words(terms) - side if has_word(terms, TURNS) else frozenset[str]()
        return [ArmValue(values[0], side), *([ArmValue(_NO_VALUE, rest)] if rest else [])]
    last = values[-1].at
    end = next((n for n in range(last, len(terms)) if _ends_arm(terms, n)), len(terms))
    cuts = [0, *(_find_cut(terms, a.at, b.at) for a, b in pairwise(values)), end]
    parts = [(cuts[n], cuts[n + 1]) for n in range(len(values))]
    follows = names_arm_after(terms, values[-1].at, cuts[-1])
    return [
        ArmValue(value, _arm_words(terms, value.at, part, follows)) for value, part in zip(values, parts, strict=True)
    ]


def _bind_by_clause(terms: Sequence[Term], values: Sequence[Value], listed: set[int]) -> Iterator[ArmValue]:
    """Values outside the lists, each with the clause in which it is the only value."""
    ends = [n for n, term in enumerate(terms) if term.word in TURNS and term.kind == "word"]
    for start, end in pairwise((-1, *ends, len(terms))):
        own = [value for value in values if start < value.at < end]
        if len(own) == 1 and not any(start < at < end for at in listed):
            yield ArmValue(own[0], side_words(terms[start + 1 : end]))


def _ends_arm(terms: Sequence[Term], n: int) -> bool:
    """Whether the words about the last value end here: at a contrast, or where other numbers follow."""
    if terms[n].word in CONTRASTS or (terms[n].word == "," and word_at(terms, n + 1) in ("and", "but")):
        return True
    reach = n + (_BRACKET if terms[n].word == "(" else _NEAR)
    after = split_terms(terms[n + 1 : reach], frozenset((")",)))[0]
    return terms[n].word in (",", "(") and any(term.kind == "number" for term in after)


def _find_cut(terms: Sequence[Term], left: int, right: int) -> int:
    """Where the part of one value ends and that of the next begins."""
    near = right - 1
    while near > left and not is_content(terms[near]) and terms[near].word not in _PIVOTS and terms[near].word != "(":
        near -= 1
    if terms[near].word in _PIVOTS and near > left:
        return near
    for joints in (_STRONG, frozenset((",", ":"))):
        found = [n for n in range(left + 1, right) if terms[n].word in joints]
        if found:
            return found[-1]
    return right


def _arm_words(terms: Sequence[Term], at: int, part: tuple[int, int], follows: bool) -> Words:
    start, end = part
    after = index_after_value(terms, at)
    if (
        follows
        and after < end
        and (terms[after].word in OWNER_WORDS or (terms[at].key.endswith("%") and is_content(terms[after])))
    ):
        comma = next((n for n in range(start, at) if terms[n].word == ","), start)
        led = side_words(terms[start:comma]) if terms[start].word in OWNER_WORDS else frozenset[str]()
        end = next((n + 1 for n in range(after, end) if _ends_name(terms, n)), end)
        return led | side_words(terms[after:end])
    is_part = after < end and terms[after].word in ("of", "out", "/")
    return side_words(terms[start:at]) or (side_words(terms[after:end]) if is_part else frozenset())


def _ends_name(terms: Sequence[Term], n: int) -> bool:
    """Whether the name of a group ends here: "the placebo group", "arm A"."""
    is_led = n + 1 < len(terms) and terms[n + 1].key.startswith("grp")
    return (terms[n].word in GROUP_NOUNS and not is_led) or terms[n].key.startswith("grp")


def _own_side_words(terms: Sequence[Term], at: int) -> Words:
    """The words on the value's side of the comparison."""
    start = find_after_last(terms, CONTRASTS, at)
    end = next((n for n in range(at + 1, len(terms)) if _starts_other_side(terms, n)), len(terms))
    if start and terms[start - 1].word == "compared" and start <= 3:
        start = next((n for n in range(start, at) if terms[n].word == ","), start)
    return side_words([*terms[start:at], *terms[at + 1 + unit_length(terms, at) : end]])


def _starts_other_side(terms: Sequence[Term], n: int) -> bool:
    """Whether another side begins here: "than", "similar to"."""
    is_likeness = terms[n].word in ("similar", "comparable") and word_at(terms, n + 1) in ("to", "with")
    return terms[n].word in CONTRASTS or is_likeness


def _drop_common_words(group: Sequence[ArmValue]) -> list[ArmValue]:
    """The values without the words that all of their arms share: these tell no arm from another."""
    if len({bound.value.token for bound in group}) < 2:
        return list(group)
    common = frozenset[str].intersection(*(bound.arm for bound in group))
    # "A plus B" beside "B": what is left of the second is that it is alone; "A 10 mg" beside "A 2 mg" are two doses.
    rest = frozenset((ALONE,)) if common and group[0].value.unit not in DOSES else frozenset[str]()
    return [bound._replace(arm=bound.arm - common or rest) for bound in group]


def _is_end_of_range(terms: Sequence[Term], value: Value) -> bool:
    """Whether it is an end of a range ("1 to 32", "10-20"); "from 1 to 32" is a change."""
    after = terms[value.at + 1 : value.at + 3]
    before = terms[max(0, value.at - 3) : value.at]
    if (after and after[0].kind == "number") or (before and before[-1].kind == "number"):
        return True
    opens = len(after) == 2 and after[0].word == "to" and after[1].kind == "number"
    closes = len(before) >= 2 and before[-1].word == "to" and before[-2].kind == "number"
    led = (before[-1:] and before[-1].word == "from") or (closes and len(before) == 3 and before[0].word == "from")
    return (opens or closes) and not led


def _is_interval(terms: Sequence[Term], value: Value) -> bool:
    return any(term.key in ("ci", "confidence interval") for term in terms[value.at + 1 : value.at + 2])


def _is_reduction(terms: Sequence[Term], value: Value, cues: Sequence[Cue]) -> bool:
    """Whether the value says by how much something fell."""
    downs = [cue for cue in cues if cue.direction is Direction.DOWN]
    last = [cue for cue in cues if cue.at < value.at][-1:]
    is_by = word_at(terms, value.at - 1) in ("by", "of")
    return (is_by and last != [] and last[0] in downs) or any(0 < cue.at - value.at <= 2 for cue in downs)
