"""Whether the P values, the interval and the words of a clause say that it finds no difference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from storm.citations.cues import Direction
from storm.citations.measures import RATIOS, Value, parse_number, read_values
from storm.citations.terms import Term
from storm.patterns.alternatives import compile_lowered

#: A difference with a P value above this is none.
_ALPHA = 0.05


class Significance(StrEnum):
    """What a clause says of the certainty of its result."""

    FOUND = "a difference"
    NONE = "no difference"
    UNSTATED = "unstated"


_DENIED = re.compile(
    r"\bnot (?:\w+ ){0,2}significan\w*|\bnon ?significan\w*|\binsignifican\w*|\bno (?:\w+ ){0,2}significan\w*|"
    r"\bwithout (?:\w+ )?significan\w*|\bfail\w* to (?:\w+ ){0,2}(?:reach|attain|achieve|obtain|show) (?:\w+ )?"
    r"significan\w*|\bno (?:\w+ ){0,6}differences?\b|\bnot (?:\w+ ){0,2}differ\w*|\bequal in\b|"
    r"\bno evidence of (?:an? )?(?:difference|effect|benefit)\b"
)


#: How a sentence claims an effect, and how it concedes that there may be none.
_CLAIMS = compile_lowered(
    r"\b(?:improv|reduc|increas|decreas|lower|greater|longer|shorter|higher|better|fewer|less|more|rais)\w*"
)
_CONCEDES = compile_lowered(
    r"\b(?:no|not|nor|neither|without|similar\w*|comparable|trend\w*|tend\w*|numerical\w*|non-?inferior\w*|ns|both|"
    r"maintained)\b"
)
#: A difference that is called small and was not tested.
_SLIGHT = re.compile(
    r"\b(?:slight(?:ly)?|somewhat|numerical(?:ly)?|marginal(?:ly)?)(?: \w+){0,2} (?:advantages?|benefits?|improv\w+|"
    r"increas\w+|decreas\w+|reduc\w+|higher|lower|more|fewer|less|better|greater|longer|shorter)\b|"
    r"\btrend(?:ed|s)? (?:towards?|to|for|in favou?r of) (?:an? |the )?(?:\w+ ){0,2}(?:benefi\w+|improv\w+|better|"
    r"favou?rable|superior\w*|greater|lower|higher|fewer|reduc\w+|increas\w+|decreas\w+)",
    re.I,
)
_TESTED = re.compile(
    r"\bp(?:[ -]?values?)?(?: of| was| is)? ?[<=≤]? ?0?[.,·](?:0[0-4]|05\b)|\bCI\b|\bconfidence|\bsignifican", re.I
)
#: What was more frequent, the tests that show it, and what denies it.
_MORE = compile_lowered(r"\b(?:more|higher|greater|commoner|increas\w+|elevated|rose|raised)\b")
_SIGNIFICANT = compile_lowered(
    r"(?<!clinically )\bsignificant(?:ly)? (?!side|adverse)|\bsignificantly\b|"
    r"\bp(?:[ -]?values?)? ?(?:[<=≤] ?0?[.·]0[0-4]|[<≤] ?0?[.·]05\b)"
)
_NEITHER = compile_lowered(r"\b(?:neither|nor|never|not)\b|\bno more\b")
_CLAUSE = re.compile(r"; |, (?:but|although|though|while|whereas|and) | (?:but|although|whereas) ")
_RATIO = re.compile(r"\bratios?\b|\b(?:a?HR|a?OR|RR|IRR)\b|\brelative risk", re.I)
_INTERVAL = re.compile(
    r"\b(?:confidence interval|CI)\b\W{0,4}?(?P<sign>[−–-]?) ?(?P<low>\d[\d.·]*) ?%? ?(?:,|;|–|-|to) ?"
    r"(?P<minus>[−–-]?) ?(?P<high>\d[\d.·]*)",
    re.I,
)


def overstates(sentence: str) -> bool:
    """Whether a sentence claims an effect although each of its confidence intervals includes none: "improved by 0.25
    (95% CI −0.3, 0.8)"."""
    lowered = sentence.lower()
    if not _CLAIMS.search(lowered) or _CONCEDES.search(lowered):
        return False
    nothing = 1.0 if _RATIO.search(sentence) else 0.0
    ends = [
        (_read_end(one["sign"], one["low"]), _read_end(one["minus"], one["high"]))
        for one in _INTERVAL.finditer(sentence)
    ]
    return bool(ends) and all(low < nothing < high for low, high in ends)


def calls_difference_slight(sentence: str) -> bool:
    """Whether a sentence calls a difference slight, numerical or a trend, and gives no test that shows it."""
    return _SLIGHT.search(sentence) is not None and not _TESTED.search(sentence)


def shows_excess(sentence: str) -> bool:
    """Whether a clause of a sentence says that something was significantly more: by this word, a P value, or the
    interval of a ratio."""
    return any(map(_tells_excess, _CLAUSE.split(sentence.lower())))


def _tells_excess(clause: str) -> bool:
    if not _MORE.search(clause) or _DENIED.search(clause.replace("-", " ")) or _NEITHER.search(clause):
        return False
    ends = [_read_end(one["sign"], one["low"]) for one in _INTERVAL.finditer(clause)] if _RATIO.search(clause) else []
    return _SIGNIFICANT.search(clause) is not None or (bool(ends) and all(low > 1 for low in ends))


def _read_end(sign: str, digits: str) -> float:
    number = float(digits.replace("·", ".").rstrip(".") or 0)
    return -number if sign else number


def read_significance(terms: Sequence[Term]) -> Significance:
    """No difference if the words deny it, if no P value is below .05, or if a ratio's interval includes 1."""
    values = read_values(terms)
    tests = [_is_below(value) for value in values if value.label == "p"]
    interval = _read_ratio_interval(values)
    if _denies(terms) or (tests and not any(tests)) or (interval and interval[0] <= 1 <= interval[1]):
        return Significance.NONE
    return Significance.FOUND if any(tests) or interval else Significance.UNSTATED


def is_hazard_ratio(terms: Sequence[Term]) -> bool:
    """Whether the first ratio of a clause is one of hazards: how often an event happened in a time."""
    ratios = (value.label for value in read_values(terms) if value.label in RATIOS)
    return next(ratios, "") == "hazard ratio"


def direction_of_ratio(terms: Sequence[Term]) -> Direction | None:
    """Which way a ratio goes whose interval does not include 1; None without one."""
    interval = _read_ratio_interval(read_values(terms))
    if interval is None or interval[0] <= 1 <= interval[1]:
        return None
    return Direction.DOWN if interval[1] < 1 else Direction.UP


def _denies(terms: Sequence[Term]) -> bool:
    return _DENIED.search(" ".join(term.word for term in terms).casefold().replace("-", " ")) is not None


def _is_below(value: Value) -> bool:
    number = parse_number(value)
    return number <= _ALPHA if value.bound in ("<", "≤") else number < _ALPHA and value.bound not in (">", "≥")


def _read_ratio_interval(values: Sequence[Value]) -> tuple[float, float] | None:
    """The first confidence interval after a ratio."""
    ratio = next((n for n, value in enumerate(values) if value.label in RATIOS), None)
    if ratio is None:
        return None
    ends = [
        parse_number(value)
        for value in values[ratio + 1 :]
        if value.label in ("confidence interval", "ci", "credible interval") and value.unit != "%"
    ]
    return (min(ends[:2]), max(ends[:2])) if len(ends) > 1 else None
