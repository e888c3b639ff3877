"""The values of a text: each with its unit, its measure, its bound and its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from storm.citations import implications
from storm.citations.positions import word_at
from storm.citations.terms import Term, read_terms
from storm.citations.vocabulary import words_of

#: Measures that a value may have, named before it.
_LABELS = frozenset(
    (
        "mean", "median", "hazard ratio", "odds ratio", "relative risk", "rate ratio", "p", "confidence interval", "ci",
        "standard deviation", "standard error", "range", "interquartile range", "incidence", "prevalence", "half life",
        "credible interval", "maximum", "minimum", "clearance",
    )
)  # fmt: skip
#: Values of these describe the spread or certainty of another value, and are not results.
SPREADS = frozenset(("p", "confidence interval", "ci", "standard deviation", "standard error", "range",
                     "interquartile range", "credible interval"))  # fmt: skip
DOSES = frozenset(("mg", "g", "kg", "mcg", "ng", "ml", "iu", "unit", "mg/kg", "mcg/kg", "mg/m2", "g/m2", "ml/kg"))
RATIOS = frozenset(("hazard ratio", "odds ratio", "relative risk", "rate ratio"))
#: Between two values of one unit: "5 and 10 mg", "1 to 32 days".
_JOINTS = words_of("± and or to versus vs v against compared with from by than - / , ( ) :")
_PER = frozenset(("/", "per"))
_DENOMINATORS = words_of("kg m2 ml dl l mg g min hour")
_HUNDREDS = frozenset(("100", "1000", "10000", "100000", "1000000"))
TIMES = frozenset(("day", "week", "month", "year", "hour", "min", "sec"))
#: How bounds are written before their value.
_BOUNDS = {
    "<": (
        "<", "below", "under", "younger than", "earlier than", "fewer than", "less than", "lower than",
        "shorter than", "smaller than", "sooner than", "just under", "short of",
    ),
    "≤": (
        "≤", "at most", "up to", "no more than", "not more than", "maximum of", "not exceeding", "as many as",
        "as much as", "as high as", "as long as", "no longer than", "no later than", "no higher than",
        "no greater than", "not above", "not over", "not exceed",
    ),
    ">": (
        ">", "above", "over", "exceeding", "older than", "later than", "more than", "greater than", "higher than",
        "longer than", "larger than", "in excess of", "upwards of", "exceeded", "exceeds", "exceed", "beyond",
    ),
    "≥": (
        "≥", "at least", "no less than", "more than or equal to", "greater than or equal to", "not less than",
        "minimum of", "no fewer than", "from age of", "aged from", "no lower than", "no younger than",
        "no shorter than", "not below", "not under",
    ),
}  # fmt: skip
_NAMED = words_of(
    "grade grades phase phases type types stage stages class arm line cycle version part item week day month year visit"
)
_BOUNDS_AFTER = {"≥": ("more", "older", "greater", "higher", "above", "over", "longer"),
                 "≤": ("less", "younger", "fewer", "lower", "below", "under", "shorter")}  # fmt: skip
_NAMES_OF_BOUNDS = {"<": "less than", "≤": "at most", ">": "more than", "≥": "at least", "=": "exactly", "": "exactly"}
_OPPOSITE = {"<": "≥", "≥": "<", ">": "≤", "≤": ">"}
_MOMENTS = {
    "after": ("after", "following", "beyond", "since"),
    "before": ("before", "until", "prior to"),
    "during": ("over", "in", "within", "during", "for", "throughout"),
}


class Value(NamedTuple):
    """A number at a place among the terms; `bound` is one of < ≤ > ≥ or empty, `moment` before, during or after."""

    at: int
    token: str
    unit: str = ""
    label: str = ""
    bound: str = ""
    moment: str = ""

    @property
    def name(self) -> str:
        """The value as a reader writes it."""
        return self.token if self.unit == "%" else f"{self.token} {self.unit}".strip()


def read_plain_values(terms: Sequence[Term]) -> list[Value]:
    """The values that are results themselves: no ratios, and nothing that says how sure a value is."""
    return [value for value in read_values(terms) if value.label not in SPREADS | RATIOS]


def read_values(terms: Sequence[Term]) -> tuple[Value, ...]:
    """The values of a text, in order; all values of a list share a unit and a measure."""
    values = [_read_value(terms, n) for n, term in enumerate(terms) if term.kind == "number" and not _is_name(terms, n)]
    for n in range(len(values) - 2, -1, -1):
        here, after = values[n], values[n + 1]
        if not here.unit and after.unit not in ("", "%") and _is_list(terms[here.at + 1 : after.at]):
            values[n] = here._replace(unit=after.unit)
    for n in range(1, len(values)):
        if not values[n].label:
            values[n] = values[n]._replace(label=_inherit_label(terms, values[:n], values[n]))
    return tuple(_name_spread(terms, value) for value in values)


def _name_spread(terms: Sequence[Term], value: Value) -> Value:
    """The value as the spread that "mean (SD)" announces, if it stands alone in a bracket after another."""
    at = value.at
    if (word_at(terms, at - 1), word_at(terms, at + 1)) != ("(", ")") or value.unit:
        return value
    named = [n for n in range(1, at - 2) if terms[n].key in SPREADS and word_at(terms, n - 1) == "("]
    is_spread = bool(named) and word_at(terms, named[-1] + 1) == ")"
    return value._replace(label=terms[named[-1]].key) if is_spread else value


def _inherit_label(terms: Sequence[Term], earlier: Sequence[Value], value: Value) -> str:
    """The measure of the last value with this unit, or of the other end of an interval."""
    before = earlier[-1]
    if before.label in SPREADS and before.label != "p" and _is_list(terms[before.at + 1 : value.at]):
        return before.label
    same = (one.label for one in reversed(earlier) if one.unit == value.unit and one.label not in SPREADS)
    return next(same, "")


def parse_number(value: Value) -> float:
    """The number without its percent sign; 0 for one that is not a decimal, such as 10^9."""
    digits = value.token.rstrip("%")
    try:
        return float(digits)
    except ValueError:
        return 0.0


def find_value_faults(statement: str, quote: str, *, inverted: bool = False) -> Iterator[str]:
    """Values of the statement with another unit, measure, bound or time than in the quote.

    `inverted`: one of the two says who took part and the other who did not, so that bounds are opposite.
    """
    quoted: dict[str, list[Value]] = {}
    for value in read_values(read_terms(quote)):
        quoted.setdefault(value.token, []).append(value)
    for value in _read_named_times(read_terms(quote)):
        quoted.get(value.token, []).append(value)
    for value in read_values(read_terms(statement)):
        if value.token in quoted:
            yield from _compare_value(value, quoted[value.token], inverted)


def _read_named_times(terms: Sequence[Term]) -> Iterator[Value]:
    """ "Month 20" as 20 months; other rules compare the moments of values."""
    for n, term in enumerate(terms[1:], 1):
        if term.kind == "number" and terms[n - 1].key in TIMES:
            yield Value(n, term.key, terms[n - 1].key, moment="at")


def _is_name(terms: Sequence[Term], at: int) -> bool:
    """Whether the number is a name or a denominator: grade 3 or 4, phase 2, per 100 years."""
    before = terms[max(0, at - 3) : at]
    words = [term.word for term in before]
    if terms[at].key.endswith("%"):
        return False
    if words and (words[-1] in _NAMED or (words[-1] in _PER and terms[at].key in _HUNDREDS)):
        return True
    return len(before) == 3 and words[0] in _NAMED and before[1].kind == "number" and words[2] in ("or", "and", "/")


def unit_length(terms: Sequence[Term], at: int) -> int:
    """How many terms after the number are its unit."""
    return read_unit(terms, at + 1)[1]


def _compare_value(value: Value, quoted: Sequence[Value], inverted: bool) -> Iterator[str]:
    units = {one.unit for one in quoted}
    if value.unit and value.unit not in units and "" not in units:
        yield f"the quote says '{quoted[0].name}', the statement '{value.name}'"
        return
    same = [one for one in quoted if one.unit == value.unit] or list(quoted)
    labels = {one.label for one in same}
    if value.label and value.label not in labels and "" not in labels:
        own, other = _describe_label(value.label), _describe_label(same[0].label)
        yield f"the quote gives {value.token} as {other}, the statement as {own}"
    bounds = {_OPPOSITE.get(one.bound, one.bound) if inverted else one.bound for one in same}
    moments = {one.moment for one in same}
    is_until = value.bound == "≤" and "before" in moments
    if value.bound.strip("=") not in {bound.strip("=") for bound in bounds} and not is_until:
        own, other = _NAMES_OF_BOUNDS[value.bound], _NAMES_OF_BOUNDS[same[0].bound]
        yield f"the quote says '{other}' of {value.token}, the statement '{own}'"
    if value.moment and value.moment not in moments and not moments & {"", "at"}:
        yield f"the quote says '{same[0].moment}' of {value.name}, the statement '{value.moment}'"


def _describe_label(label: str) -> str:
    return {"p": "a P value", "ci": "a confidence limit"}.get(label, label)


def _read_value(terms: Sequence[Term], at: int) -> Value:
    token = terms[at].key
    unit = "%" if token.endswith("%") else read_unit(terms, at + 1)[0]
    label = _read_label(terms, at)
    is_time = unit in TIMES
    return Value(
        at, token, unit, label,
        bound=_read_bound(terms, at, is_time=is_time, is_p=label == "p"),
        moment=_read_moment(terms, at) if is_time else "",
    )  # fmt: skip


def read_unit(terms: Sequence[Term], at: int) -> tuple[str, int]:
    """The unit that begins there, and how many terms it spans: mg, mg/kg, percentage points."""
    words = [term.word for term in terms[at : at + 4]]
    if not words:
        return "", 0
    if words[0] == "percentage" and words[1:2] and words[1].startswith("point"):
        return "percentage points", 2
    if words[0] in _PER and len(words) > 1 and terms[at + 1].key in TIMES:
        return "", 2
    if words[0] in _PER and len(words) > 2 and terms[at + 1].key in _HUNDREDS:
        time = next((n for n in (2, 3) if n < len(words) and terms[at + n].key in TIMES), 0)
        return (f"per {terms[at + 1].key} {terms[at + time].key}s", time + 1) if time else ("", 0)
    unit = _unit_by_name().get(words[0], "")
    if unit and len(words) > 2 and words[1] in _PER and _unit_by_name().get(words[2]) in _DENOMINATORS:
        return f"{unit}/{_unit_by_name()[words[2]]}", 3
    return unit, 1 if unit else 0


def _read_label(terms: Sequence[Term], at: int) -> str:
    """The last measure before the number, unless another number stands between."""
    if at + 1 < len(terms) and terms[at].key.endswith("%") and terms[at + 1].key in ("ci", "confidence interval"):
        return "confidence interval"
    for n in range(at - 1, max(-1, at - 13), -1):
        term = terms[n]
        if term.key in SPREADS and terms[n + 1].word == ")" and "(" in (t.word for t in terms[max(0, n - 2) : n]):
            continue
        if term.kind == "number" and not term.key.endswith("%"):
            return ""
        if term.key in (";", "p") or term.key in _LABELS:
            return "" if term.key == ";" else "confidence interval" if term.key == "ci" else term.key
    return ""


def _read_bound(terms: Sequence[Term], at: int, *, is_time: bool, is_p: bool) -> str:
    if word_at(terms, at - 2) == "than" and word_at(terms, at - 1) in ("the", "with"):  # "lower than the 9% with A"
        return ""
    before = [term.word for term in terms[max(0, at - 5) : at] if term.word != "the"]
    for bound, words in _words_of_bounds():
        if before[-len(words) :] == words and not (is_time and words == ["over"]):
            return bound
    rest = [term.word for term in terms[at + 1 + unit_length(terms, at) :][:6] if term.word not in ("of", "age")]
    rest = rest[1:] if rest[1:2] == ["or"] and rest[0] not in ("or", "and", ",") else rest  # "15 letters or more"
    for bound, words_after in _BOUNDS_AFTER.items():
        if rest[:1] and rest[0] in ("or", "and") and rest[1:2] and rest[1] in words_after and rest[2:3] != ["than"]:
            return bound
    return "=" if is_p and before[-1:] == ["="] else ""


def _read_moment(terms: Sequence[Term], at: int) -> str:
    before = [term.word for term in terms[max(0, at - 2) : at]]
    if word_at(terms, at + 2) == "of":  # "after two years of treatment": a duration
        return ""
    return next((moment for moment, forms in _MOMENTS.items() for form in forms
                 if before[-len(form.split()) :] == form.split()), "")  # fmt: skip


def _is_list(between: Sequence[Term]) -> bool:
    return len(between) <= 3 and all(term.word in _JOINTS for term in between)


@cache
def _words_of_bounds() -> Sequence[tuple[str, list[str]]]:
    return [(bound, form.split()) for bound, forms in _BOUNDS.items() for form in forms]


@cache
def _unit_by_name() -> dict[str, str]:
    lines = (line.split(", ") for line in implications.UNITS.strip().splitlines())
    return {name: line[0] for line in lines for name in line}
