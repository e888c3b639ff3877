"""Which value belongs to which arm: "25 months with A and 20 with B", "36% vs 12% for A vs B", "A (58%), B (31%)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from storm.citations.comparisons import ALONE, Comparison, Cue, Direction, Words, read_cues, side_words
from storm.citations.measures import DOSES, RATIOS, SPREADS, Value, read_values, unit_length
from storm.citations.terms import Term, is_content
from storm.citations.vocabulary import words_of

_CONTRASTS = words_of("than versus vs v whereas while but against ; compared")
_STRONG = _CONTRASTS | {"and", "or"}
_PIVOTS = _STRONG | {",", ":"}
_LIST = words_of("vs versus v and or , compared with to against by in from than % ( ) for respectively an a the")
#: After a value: whose it is.
_OF = words_of("with in for among on given receiving treated of taking on assigned randomized randomised under")
_LEADS = words_of("in of for with between among by from to on than")
_SENTENCE = words_of("; . but whereas while")


_BARE = words_of("vs versus v and or , against %")
_MONTHS = words_of("january february march april maius june july august september october november december")
_BEFORE_BRACKETS = words_of(", and or : ; ) was were is are including than vs versus while whereas but")
#: As many terms may stand between a direction and its "from 20 to 25".
_NEAR = 8
_TURNS = words_of("whereas while but ;")
#: Stands for the side of a text that holds no value.
_NO_VALUE = Value(-1, "")


class Bound(NamedTuple):
    """A value and the words of its arm."""

    value: Value
    arm: Words


def read_arms(terms: Sequence[Term]) -> tuple[tuple[Bound, ...], ...]:
    """The values that are compared with each other, each with its arm's words; one group a unit."""
    terms = without_intervals(terms)
    values = [v for v in read_values(terms) if v.label not in SPREADS and v.label not in RATIOS]
    values = [v for v in values if not (_is_of_range(terms, v) or _is_interval(terms, v) or _is_date(terms, v))]
    groups = [list(group) for _, group in groupby(sorted(values, key=lambda v: (v.unit, v.at)), key=lambda v: v.unit)]
    return tuple(part for group in groups for part in _read_groups(terms, group))


def _read_groups(terms: Sequence[Term], group: Sequence[Value]) -> Iterator[tuple[Bound, ...]]:
    """The values of one unit, those of each sentence for themselves; where a sentence holds one, all together."""
    for borders in (("; ", "."), (".",)):
        ends = [n for n, term in enumerate(terms) if term.word in {border.strip() for border in borders}]
        parts = [[v for v in group if start < v.at < end] for start, end in pairwise((-1, *ends, len(terms)))]
        spans = list(pairwise((-1, *ends, len(terms))))
        filled = [(span, part) for span, part in zip(spans, parts, strict=True) if part]
        if len(filled) > 1 and all(len(part) > 1 for _, part in filled):
            for (start, end), part in filled:
                moved = [value._replace(at=value.at - start - 1) for value in part]
                bound = _without_common(_bound(terms[start + 1 : end], moved))
                yield tuple(one._replace(value=one.value._replace(at=one.value.at + start + 1)) for one in bound)
            return
    yield tuple(_without_common(_bound(terms, group)))


def _is_date(terms: Sequence[Term], value: Value) -> bool:
    """Whether it stands beside a month."""
    after = terms[value.at + 1].word if value.at + 1 < len(terms) else ""
    before = terms[value.at - 1].word if value.at else ""
    return not value.unit and (before in _MONTHS or after in _MONTHS)


def without_intervals(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms without brackets that hold how sure a value is: "18.9 months (95% CI, 15.2 to 21.4) with A"."""
    kept: list[Term] = []
    n = 0
    while n < len(terms):
        end = next((at for at in range(n + 1, len(terms)) if terms[at].word in ("(", ")")), len(terms))
        inside = terms[n + 1 : end]
        if terms[n].word == "(" and end < len(terms) and terms[end].word == ")" and any(map(_is_spread, inside)):
            n = end + 1
        else:
            kept.append(terms[n])
            n += 1
    return tuple(kept)


def _is_spread(term: Term) -> bool:
    return term.key in SPREADS and term.key != "p"


def arm_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """Where a value of the statement stands with words that the quote gives another value."""
    quoted = read_arms(quote)
    for group in read_arms(statement):
        for bound in (bound for bound in group if bound.value.token):
            yield from _foreign(bound, [own for own in quoted if own and own[0].value.unit == _unit(bound, quoted)])
    yield from _verb_faults(statement, quote)
    yield from _changes(statement)


def numeric_comparisons(terms: Sequence[Term], cues: Sequence[Cue], told: Sequence[Term] = ()) -> Iterator[Comparison]:
    """What the values of two arms say: the higher one's is more; after "reduced by" it is less.

    Of the values only those that are `told`, where a group of them is.
    """
    groups = read_arms(terms)
    tokens = {term.key for term in told if term.kind == "number"}
    own = [group for group in groups if len(group) > 1 and tokens >= {bound.value.token for bound in group[:2]}]
    for group in own or groups:
        if len(group) < 2:
            continue
        first, second = group[0], group[1]
        one, other = _number(first.value), _number(second.value)
        if not second.value.token or one == other or not (first.arm and second.arm):
            continue
        more = Direction.DOWN if _is_reduction(terms, first.value, cues) else Direction.UP
        comparison = Comparison(more, False, first.arm - second.arm, second.arm - first.arm)
        yield comparison if one > other else Comparison(more, False, comparison.right, comparison.left)


def change_of(terms: Sequence[Term], cue: Cue) -> Direction | None:
    """Which way "from 20 to 25" goes that follows the direction."""
    values = read_values(terms)
    pairs = [(a, b) for a, b in _from_to(values, terms) if 0 < a.at - cue.at <= _NEAR]
    if not pairs or any(cue.at < value.at < pairs[0][0].at for value in values):
        return None
    before, after = pairs[0]
    return Direction.UP if _number(after) > _number(before) else Direction.DOWN


def _unit(bound: Bound, quoted: Sequence[Sequence[Bound]]) -> str:
    """The unit of the value, or that of the quote's same number where it is written without one."""
    if bound.value.unit:
        return bound.value.unit
    same = (own.value.unit for group in quoted for own in group if own.value.token == bound.value.token)
    return next(same, "")


def _foreign(bound: Bound, groups: Sequence[Sequence[Bound]]) -> Iterator[str]:
    for group in groups:
        own = frozenset[str]().union(*(one.arm for one in group if one.value.token == bound.value.token))
        if not own:
            continue
        for other in group:
            is_other = other.value.token != bound.value.token and other.arm - own
            if is_other and _share(bound.arm, other.arm - own) > _share(bound.arm, own - other.arm):
                yield f"the quote gives {bound.value.name} to '{_shown(own)}', not to '{_shown(other.arm)}'"
                return


def _share(words: Words, arm: Words) -> float:
    """How much of the arm's words are among these."""
    return len(words & arm) / len(arm) if arm else 0.0


def _shown(words: Words) -> str:
    return " ".join(sorted(words))


def _bound(terms: Sequence[Term], group: Sequence[Value]) -> list[Bound]:
    pairs = {value.at for pair in _from_to(group, terms) for value in pair}
    single = [value for value in group if value.at not in pairs]
    if not pairs and (named := _named_brackets(terms, single)):
        return named
    bound: list[Bound] = []
    unnamed: set[int] = set()
    for row in _rows(terms, single):
        if len(row) > 1:
            named = _listed(terms, row)
            bound += named
            unnamed |= {value.at for value in row} if not named and _is_unnamed(terms, row) else set()
    listed = {one.value.at for one in bound}
    rest = [value for value in single if value.at not in listed | unnamed]
    return sorted([*bound, *_separate(terms, rest, listed)], key=lambda one: one.value.at)


def _named_brackets(terms: Sequence[Term], values: Sequence[Value]) -> list[Bound]:
    """Values that each stand alone in brackets after what they are of: "fatigue (44%), nausea (39%)"."""
    bound: list[Bound] = []
    for value in values:
        after = value.at + 1 + unit_length(terms, value.at)
        closes = after < len(terms) and terms[after].word == ")"
        if not (value.at and terms[value.at - 1].word == "(" and closes):
            continue
        if after + 1 < len(terms) and terms[after + 1].word in _OF:
            return []
        start = next((n + 1 for n in range(value.at - 2, -1, -1) if terms[n].word in _BEFORE_BRACKETS), 0)
        bound.append(Bound(value, side_words(terms[start : value.at - 1])))
    return bound if len(bound) > 1 and all(one.arm for one in bound) else []


def _rows(terms: Sequence[Term], group: Sequence[Value]) -> list[list[Value]]:
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


def _is_unnamed(terms: Sequence[Term], row: Sequence[Value]) -> bool:
    return is_bare_row(terms, row) and not _names_after(terms, row[-1].at, _stop(terms, _after(terms, row[-1].at)))


def read_rows(terms: Sequence[Term]) -> Iterator[tuple[str, ...]]:
    """The tokens of each bare list of two values of one unit."""
    terms = without_intervals(terms)
    values = [v for v in read_values(terms) if v.label not in SPREADS and v.label not in RATIOS]
    for unit in dict.fromkeys(value.unit for value in values):
        for row in _rows(terms, [value for value in values if value.unit == unit]):
            if len(row) == 2 and is_bare_row(terms, row):
                yield row[0].token, row[1].token


def _listed(terms: Sequence[Term], row: Sequence[Value]) -> list[Bound]:
    """The values of a list with the parts of the nearest list of as many arms."""
    first, last = row[0].at, row[-1].at
    start = last + 1 + unit_length(terms, last)
    after = terms[start : _stop(terms, start)]
    begin = next((n + 1 for n in range(first - 1, -1, -1) if terms[n].word in _SENTENCE), 0)
    before = terms[begin:first]
    for parts in (_parts(after, len(row)), _parts_before(before, len(row))):
        if parts:
            return [Bound(value, part) for value, part in zip(row, parts, strict=True)]
    return []


def _stop(terms: Sequence[Term], start: int) -> int:
    """Where the words after a list end; a bracket or a comma right after it does not end them."""
    begin = start + (start < len(terms) and terms[start].word in (")", ","))
    return next((n for n in range(begin, len(terms)) if terms[n].word in (";", ".", "(")), len(terms))


def _parts(terms: Sequence[Term], size: int) -> list[Words]:
    """The arms that a list of so many names, split at its strongest joints."""
    for joints in (_CONTRASTS, frozenset(("and", "or")), frozenset(("and", "or", ","))):
        parts = [side_words(part) for part in _split(terms, joints)]
        named = [part for part in parts if part]
        if len(named) == size and len(parts) <= size + 1:
            return named
    return []


def _parts_before(terms: Sequence[Term], size: int) -> list[Words]:
    """The same where the arms come first: from the direction or the preposition that leads them."""
    cues = read_cues(terms)
    pivots = [n for n, term in enumerate(terms) if term.word in _CONTRASTS]
    if pivots and size == 2:
        led = [cue.at + cue.words for cue in cues if cue.at < pivots[-1]]
        left = side_words(terms[led[-1] : pivots[-1]]) if led else frozenset[str]()
        left = left or side_words(terms[: led[-1] - 1 if led else pivots[-1]])
        right = side_words(terms[pivots[-1] + 1 :])
        return [left, right] if right else []
    joint = next((n for n in range(len(terms) - 1, -1, -1) if terms[n].word in ("and", "or")), None)
    if joint is None:
        return []
    lead = next((n for n in range(joint - 1, -1, -1) if terms[n].word in _LEADS), -1)
    if lead < 0 and terms[joint].word == "or":  # "moderate or severe", "grade 3 or higher"
        return []
    return _parts(terms[lead + 1 :], size)


def _split(terms: Sequence[Term], joints: frozenset[str]) -> list[Sequence[Term]]:
    parts: list[list[Term]] = [[]]
    for term in terms:
        if term.word in joints:
            parts.append([])
        else:
            parts[-1].append(term)
    return list(parts)


def _separate(terms: Sequence[Term], values: Sequence[Value], listed: set[int]) -> list[Bound]:
    """Values that each stand with their own arm."""
    if not values or listed:
        return []
    if len(values) == 1:
        side = _side_of(terms, values[0].at)
        rest = side_words(terms) - side if any(term.word in _TURNS for term in terms) else frozenset[str]()
        return [Bound(values[0], side), *([Bound(_NO_VALUE, rest)] if rest else [])]
    last = values[-1].at
    end = next((n for n in range(last, len(terms)) if _ends(terms, n)), len(terms))
    cuts = [0, *(_cut(terms, a.at, b.at) for a, b in pairwise(values)), end]
    parts = [(cuts[n], cuts[n + 1]) for n in range(len(values))]
    follows = _names_after(terms, values[-1].at, cuts[-1])
    return [Bound(value, _arm(terms, value.at, part, follows)) for value, part in zip(values, parts, strict=True)]


def _ends(terms: Sequence[Term], n: int) -> bool:
    """Whether what is said of the last value ends here: at a contrast, or where other numbers follow."""
    if terms[n].word in _CONTRASTS:
        return True
    return terms[n].word in (",", "(") and any(term.kind == "number" for term in terms[n + 1 : n + 5])


def _cut(terms: Sequence[Term], left: int, right: int) -> int:
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


def _after(terms: Sequence[Term], at: int) -> int:
    """Where the words after a value begin, beyond its unit and a closing bracket."""
    after = at + 1 + unit_length(terms, at)
    return after + (after < len(terms) and terms[after].word == ")")


def _names_after(terms: Sequence[Term], at: int, end: int) -> bool:
    after = _after(terms, at)
    return after < end and terms[after].word in _OF and bool(side_words(terms[after:end]))


def _arm(terms: Sequence[Term], at: int, part: tuple[int, int], follows: bool) -> Words:
    start, end = part
    after = _after(terms, at)
    if follows and after < end and terms[after].word in _OF:
        comma = next((n for n in range(start, at) if terms[n].word == ","), start)
        led = side_words(terms[start:comma]) if terms[start].word in _OF else frozenset[str]()
        return led | side_words(terms[after:end])
    return side_words(terms[start:at])


def _side_of(terms: Sequence[Term], at: int) -> Words:
    """The words on the value's side of what it is compared with."""
    start = next((n + 1 for n in range(at - 1, -1, -1) if terms[n].word in _CONTRASTS), 0)
    end = next((n for n in range(at + 1, len(terms)) if terms[n].word in _CONTRASTS), len(terms))
    if start and terms[start - 1].word == "compared" and start <= 3:
        start = next((n for n in range(start, at) if terms[n].word == ","), start)
    return side_words([*terms[start:at], *terms[at + 1 + unit_length(terms, at) : end]])


def _without_common(group: Sequence[Bound]) -> list[Bound]:
    """Words that stand with every value tell nothing of any."""
    if len({bound.value.token for bound in group}) < 2:
        return list(group)
    common = frozenset[str].intersection(*(bound.arm for bound in group))
    # "A plus B" beside "B": what is left of the second is that it is alone; "A 10 mg" beside "A 2 mg" are two doses.
    rest = frozenset((ALONE,)) if common and group[0].value.unit not in DOSES else frozenset[str]()
    return [bound._replace(arm=bound.arm - common or rest) for bound in group]


def _is_of_range(terms: Sequence[Term], value: Value) -> bool:
    """Whether it is an end of "1 to 32" or "10-20", other than of a change "from 1 to 32"."""
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


def _from_to(values: Sequence[Value], terms: Sequence[Term]) -> Iterator[tuple[Value, Value]]:
    """Pairs of a change: "from 8% to 27%"."""
    for left, right in pairwise(values):
        before = terms[left.at - 1].word if left.at else ""
        between = terms[left.at + 1 : right.at]
        if before == "from" and between and between[-1].word == "to" and len(between) <= 6:
            yield left, right


def _changes(terms: Sequence[Term]) -> Iterator[str]:
    """Where a change goes the other way than its verb says: "raised from 27% to 8%"."""
    for cue in read_cues(terms):
        change = change_of(terms, cue)
        ways = (Direction.UP, Direction.DOWN)
        if change and cue.direction in ways and not cue.negated and change is not cue.direction and cue.words == 1:
            yield "its numbers go the other way than its words"
            return


def _verb_faults(statement: Sequence[Term], quote: Sequence[Term]) -> Iterator[str]:
    """Where a word that leads one value in the quote leads another in the statement: "started at", "increased to"."""
    led = _leads(quote)
    for value, verb in _leads(statement):
        owners = {own.token for own, other in led if other == verb and own.unit == value.unit}
        rivals = {own.token for own, _ in led if own.unit == value.unit}
        if owners and value.token not in owners and value.token in rivals:
            yield f"the quote does not say '{verb}' of {value.name}"


def _leads(terms: Sequence[Term]) -> list[tuple[Value, str]]:
    """Each value with the word before it, where only a preposition is between."""
    found = []
    for value in read_values(terms):
        n = value.at - 1
        if n > 0 and terms[n].word in ("at", "to", "with") and is_content(terms[n - 1]):
            found.append((value, terms[n - 1].key))
    return found


def _is_reduction(terms: Sequence[Term], value: Value, cues: Sequence[Cue]) -> bool:
    """Whether the value says by how much something is less."""
    downs = [cue for cue in cues if cue.direction is Direction.DOWN]
    last = [cue for cue in cues if cue.at < value.at][-1:]
    is_by = terms[value.at - 1].word in ("by", "of") if value.at else False
    return (is_by and last != [] and last[0] in downs) or any(0 < cue.at - value.at <= 2 for cue in downs)


def _number(value: Value) -> float:
    digits = value.token.rstrip("%")
    try:
        return float(digits)
    except ValueError:
        return 0.0
