"""The result that a sentence reports: its endpoint, measure, arms, and circumstances."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from storm.citations import measures
from storm.citations.arms import read_arms
from storm.citations.changes import read_changes
from storm.citations.comparisons import Words, is_side_word
from storm.citations.coverage import drug_keys, names_drug
from storm.citations.cues import is_direction
from storm.citations.endpoints import EndpointKind, find_endpoints, kind_of_endpoint
from storm.citations.measures import DOSES, RATIOS, SPREADS, Value, read_values, unit_length
from storm.citations.numbers import NUMBER_WORDS
from storm.citations.quotes import normalize_text
from storm.citations.rows import without_intervals
from storm.citations.terms import Term, content_keys, read_terms, table_keys
from storm.patterns.alternatives import compile_alternatives

_TIMES = measures.TIMES | {"minute", "second"}
_UNITS = {"h": "hour", "min": "minute", "wk": "week"}
#: A difference from placebo by another name.
_CORRECTED = re.compile(r"\bplacebo-(?:adjusted|corrected|subtracted)\b")
#: Longest sentence, in characters, that is read.
_LONGEST = 1_000
_MILLIMETRES = re.compile(r"\bmm\s+Hg\b", re.I)
#: What a sentence on an outcome outside the table must have: a ratio, or two percentages.
_COMPARED = re.compile(r"\bratio\b|\brisk\b|\b[hor]r\b|\d\s?%[^%]{0,200}\d\s?%")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
#: Findings of other works, pooled findings, and values at baseline are not results of this trial.
_FOREIGN = compile_alternatives(
    r"\bet al\b|\b(?:previous|earlier|prior|other|another|recent) (?:\w+ )?(?:stud(?:y|ies)|trials?|reports?)\b"
    r"|\bmeta-analy|\bpooled\b|\bwe (?:planned|hypothesi[sz]ed|assumed|expected)\b|\bpower(?:ed)? (?:of|to)\b"
    r"|\bsample size\b"
    r"|(?<!from )(?<!from the )(?<!over )(?<!versus )\bbaseline\b(?! to\b)|\bmedian follow-up (?:was|of the)\b"
)
#: Words for the analysis, the patients or the arm; statements that differ in them report two results.
QUALIFIER = re.compile(
    r"\b(?:final|interim|first|second|third|updated?|primary|exploratory|subgroup|subset|landmark|post[- ]hoc|"
    r"long-term|intention-to-treat|per-protocol|independent(?:ly)?|investigator\w*|central(?:ly)?|blinded|adjusted|unadjusted|"
    r"crude|completers?|extension|open-label|double-blind|observation|alone|monotherapy|combination|add-on|"
    r"node-\w+|hormone\w*|receptor-\w+|\w+-positive|\w+-negative|\w+-naive|men|women|males?|females?|older|younger|"
    r"elderly|children|adolescents?|adults?|asian\w*|north america\w*|europe\w*|japan\w*|chin\w+|"
    r"mild|moderate|severe|grades? \d)\b"
)
_NUMBER_WORD = rf"(?:\d+(?:\.\d+)?|{'|'.join(word for word, number in NUMBER_WORDS.items() if number <= 12)})"
_FOLLOW_UP = re.compile(r"follow-up\D{0,30}(\d+(?:\.\d+)?)[- ](year|month|week)")
#: A time: "at 24 weeks", "after one year", "week 24", "24-h"; without a preposition it may be a survival.
_TIME = re.compile(
    rf"(?P<led>\b(?:at|after|over|for|within|through|during|until|follow-up of) (?:the end of )?)?"
    rf"\b(?:(?P<number>{_NUMBER_WORD})[- ]?(?P<unit>h|hour|min|minute|day|week|wk|month|year)s?\b"
    r"|(?P<named>hour|day|week|month|year)s? (?P<which>\d{1,3})\b)"
)
_COEFFICIENTS = frozenset(("90%", "95%", "97.5%", "99%"))
_MEASURE_WORDS = SPREADS | RATIOS | _TIMES | {"mean", "median", "hg", "signific", "baseline", "adjust"}
#: Endpoints that are measured in units of doses.
_AMOUNTS = {"body weight": ("kg", "g"), "FEV1": ("ml", "l")}
#: Words for a control arm.
_ARM_WORDS = table_keys("placebo control sham vehicle")
_PEOPLE = table_keys("man woman child adult white black asian smoker age sex gender year")


class ReportedResult(NamedTuple):
    """What one sentence reports.

    `endpoint` is empty for one outside the table. `values` has one value, or one for each of two arms. `context` has
    the keys of the other words, `words` their spelling. `circumstances` are times, doses and bounds, `wholes` the
    numbers of people of whom it counts a part.
    """

    endpoint: str
    measure: str
    unit: str
    values: tuple[Decimal, ...]
    arms: tuple[Words, ...]
    interval: tuple[Decimal, Decimal] | None
    context: Words
    drugs: Words
    circumstances: Words
    wholes: Words
    qualifiers: frozenset[str]
    words: tuple[tuple[str, str], ...]

    @property
    def is_relative(self) -> bool:
        """Whether the measure itself compares two arms."""
        return self.measure in RATIOS or self.measure == "difference"

    @property
    def is_of_one_arm(self) -> bool:
        """Whether the result belongs to one arm, which its words must name."""
        return len(self.values) == 1 and not self.is_relative


@lru_cache(maxsize=8_192)
def read_result(text: str) -> ReportedResult | None:
    """The one measure of one endpoint that a sentence reports; None where it reports none, or several.

    Cached, since a job reads its sentences once per question.
    """
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    plain = normalize_text(text)
    named = list(find_endpoints(plain))
    endpoints = {endpoint for endpoint, _ in named}
    if len(endpoints) > 1 or not (endpoints or _COMPARED.search(plain)) or _FOREIGN.search(plain):
        return None
    terms = read_terms(_MILLIMETRES.sub("mmHg", text))
    endpoint = endpoints.pop() if endpoints else ""
    found = _read_relative(endpoint, plain, terms) or _read_absolute(endpoint, plain, without_intervals(terms))
    return _build_result(endpoint, named, plain, terms, found) if found else None


class _Measurement(NamedTuple):
    measure: str
    values: tuple[Value, ...]
    arms: tuple[Words, ...] = ()
    interval: tuple[Decimal, Decimal] | None = None

    @property
    def unit(self) -> str:
        return self.values[0].unit


def _read_relative(endpoint: str, plain: str, terms: Sequence[Term]) -> _Measurement | None:
    """A ratio or a difference between two arms, with its interval."""
    values = read_values(terms)
    ratios = [value for value in values if value.label in RATIOS]
    if len(ratios) == 1:
        return _Measurement(ratios[0].label, (ratios[0],), interval=_read_interval(values, ratios[0]))
    if ratios:
        return None
    own = [value for value in values if value.label not in SPREADS and _is_result(value, EndpointKind.SCALE, endpoint)]
    differences = [value for value in own if _is_said_before(terms, value, "differ") or _CORRECTED.search(plain)]
    if len(differences) == 1 and len(own) == 1 and (interval := _read_interval(values, own[0])):
        return _Measurement("difference", (own[0],), interval=interval)
    return None


def _read_interval(values: Sequence[Value], of: Value) -> tuple[Decimal, Decimal] | None:
    ends = [v for v in values if v.at > of.at and v.label == "confidence interval" and v.token not in _COEFFICIENTS]
    numbers = [_parse_decimal(value) for value in ends[:2] if _NUMBER.fullmatch(value.token.rstrip("%"))]
    return (numbers[0], numbers[1]) if len(numbers) == 2 and numbers[0] <= numbers[1] else None


def _is_said_before(terms: Sequence[Term], value: Value, key: str) -> bool:
    return any(term.key == key for term in terms[: value.at])


def _read_absolute(endpoint: str, plain: str, terms: Sequence[Term]) -> _Measurement | None:
    """The value of one arm, or one value for each of two arms."""
    kind = kind_of_endpoint(endpoint) if endpoint else EndpointKind.RATE
    if kind is EndpointKind.TIME and "median" not in plain and "mean" not in plain:
        return None
    values = [v for v in read_values(terms) if v.label not in SPREADS and _is_result(v, kind, endpoint)]
    values = [v for v in values if not _is_follow_up(terms, v)]
    units = {value.unit for value in values} - {""}
    values = [value for value in values if value.unit in units or not units]  # those without a unit count people
    if not 1 <= len(values) <= 2 or len(units) > 1 or any(read_changes(values, terms)):
        return None
    bound = {b.value.at: b.arm for group in read_arms(terms) for b in group}
    arms = tuple(bound.get(value.at, frozenset[str]()) for value in values)
    return _Measurement(_name_measure(kind, plain, terms, values), tuple(values), arms)


def _is_result(value: Value, kind: EndpointKind, endpoint: str) -> bool:
    if value.bound or not _NUMBER.fullmatch(value.token.rstrip("%")):
        return False
    if kind is EndpointKind.TIME:
        return value.unit in _TIMES
    if kind is EndpointKind.RATE:
        return value.unit == "%"
    is_count = not value.unit and "." not in value.token  # or the number of a group
    is_dose = value.unit in DOSES and value.unit not in _AMOUNTS.get(endpoint, ())
    return not (is_count or is_dose or value.unit in _TIMES)


def _is_follow_up(terms: Sequence[Term], value: Value) -> bool:
    return any(term.key == "follow up" for term in terms[max(0, value.at - 4) : value.at])


def _name_measure(kind: EndpointKind, plain: str, terms: Sequence[Term], values: Sequence[Value]) -> str:
    if kind is EndpointKind.TIME:
        return "median" if "median" in plain else "mean"
    if kind is EndpointKind.RATE:
        return "rate"
    reached = all(terms[value.at - 1].word == "to" for value in values if value.at)
    moved = any(is_direction(term) or term.key == "chang" for term in terms) or values[0].token.startswith("-")
    return "change" if moved and not reached else "value"


def _build_result(
    endpoint: str, named: Sequence[tuple[str, str]], plain: str, terms: Sequence[Term], found: _Measurement
) -> ReportedResult | None:
    own = {key for _, text in named for key in content_keys(read_terms(text))}
    values = read_values(terms)
    units = {n for value in values for n in range(value.at, value.at + 1 + unit_length(terms, value.at))}
    rest = [t for n, t in enumerate(terms) if n not in units and is_side_word(t) and not _is_of_measure(t, own)]
    drugs = frozenset(drug_keys(rest))
    context = frozenset(term.key for term in rest)
    if not endpoint and not _is_comparable(found, context - drugs, drugs):
        return None
    if found.interval is None and found.measure not in RATIOS and len(found.values) == 1 and not _names_arm(rest):
        return None
    return ReportedResult(
        endpoint=endpoint,
        measure=found.measure,
        unit="%" if found.unit == "percentage points" else found.unit,
        values=tuple(_parse_decimal(value, signed=found.measure == "difference") for value in found.values),
        arms=found.arms,
        interval=found.interval,
        context=context,
        drugs=drugs,
        circumstances=_read_circumstances(plain, values, found),
        wholes=_read_wholes(terms, values),
        qualifiers=_read_qualifiers(plain),
        words=tuple((term.key, term.word) for term in rest),
    )


def _read_circumstances(plain: str, values: Sequence[Value], found: _Measurement) -> Words:
    """The times, doses and bounds that are not results."""
    has_survivals = found.measure in RATIOS and "median" in plain
    result = {value.token for value in found.values}
    others = [v for v in values if v.token not in result and v.label not in SPREADS and v.unit not in _TIMES]
    doses = (f"{v.bound}{v.token} {v.unit}" for v in others if v.unit in DOSES or v.bound)
    return frozenset((*doses, *_read_times(plain, result, has_survivals=has_survivals)))


def _read_times(plain: str, result: Collection[str], *, has_survivals: bool) -> Iterator[str]:
    """The times of the result; times beside a ratio without a preposition are survivals."""
    for match in _TIME.finditer(plain):
        number = match["number"] or match["which"]
        number = str(NUMBER_WORDS.get(number, number))
        if number not in result and (match["led"] or not has_survivals):
            unit = match["unit"] or match["named"]
            yield f"{number} {_UNITS.get(unit, unit)}"


def _read_wholes(terms: Sequence[Term], values: Sequence[Value]) -> Words:
    """The totals in "12 of 120", "12/120" and "n = 120"."""
    counts = [value for value in values if value.at > 1 and not value.unit and value.label not in SPREADS]
    return frozenset(v.token for v in counts if terms[v.at - 1].word in ("of", "/") or _follows_n(terms, v.at))


def _follows_n(terms: Sequence[Term], at: int) -> bool:
    return [term.word for term in terms[max(0, at - 2) : at]] == ["n", "="]


def _is_of_measure(term: Term, own: Collection[str]) -> bool:
    """Whether the word names the endpoint, the measure, a unit of time, or the trial by its number."""
    return term.key in own or term.key in _MEASURE_WORDS or term.key.startswith("nct")


def _names_arm(rest: Sequence[Term]) -> bool:
    return any(names_drug(term) or term.key in _ARM_WORDS or term.key.startswith("grp") for term in rest)


def _is_comparable(found: _Measurement, of: Words, drugs: Words) -> bool:
    """Whether a result outside the table is of two arms, and its words name the outcome."""
    two = found.measure in RATIOS or (len(found.values) == 2 and len(drugs) == 2 and all(found.arms))
    return two and 1 <= len(of) <= 6 and not of & _PEOPLE


def _read_qualifiers(plain: str) -> frozenset[str]:
    found = {match[0] for match in QUALIFIER.finditer(_CORRECTED.sub("", plain))}
    return frozenset((*found, *(f"follow-up {number} {unit}" for number, unit in _FOLLOW_UP.findall(plain))))


def _parse_decimal(value: Value, *, signed: bool = True) -> Decimal:
    """The number of a value; unsigned, "reduced by 0.7%" equals "-0.7%"."""
    number = Decimal(value.token.rstrip("%"))
    return number if signed else abs(number)
