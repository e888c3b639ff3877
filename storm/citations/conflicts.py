"""Results of one trial that contradict each other.

A false conflict is worse than a missed one: two statements conflict only where trial, endpoint, group of patients and
analysis are told alike and the values differ. Everything else is two results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from storm.citations.quotes import normalize
from storm.models import Conflict, Hit, Statement, find_trials

#: The endpoints that are compared; the first that matches a place of a sentence names it.
_ENDPOINTS = {
    "invasive disease-free survival": r"invasive disease-free survival|\bidfs\b",
    "progression-free survival": r"progression-free survival|\bpfs\b",
    "disease-free survival": r"disease-free survival|\bdfs\b",
    "event-free survival": r"event-free survival|\befs\b",
    "overall survival": r"overall survival|\bos\b|\b(?:risk of |hazard ratio for |hr for )death\b|\bmedian survival\b",
    "time to progression": r"time to (?:disease )?progression|\bttp\b",
    "pathologic complete response": r"patholog\w{1,9} complete (?:response|remission)|\bpcr\b",
    "response rate": r"response rate|\borr\b|objective response",
}
_ENDPOINT = re.compile("|".join(f"(?P<e{n}>{pattern})" for n, pattern in enumerate(_ENDPOINTS.values())))
_UNIT = r"(?:months|weeks|years|days)"
_NUMBER = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_VALUE = r"\d{1,3}(?:[.·]\d+)?"
#: What is measured, and how its value is written.
_MEASURES = {
    "hazard ratio": re.compile(rf"\b(?:hazard ratio|hr)\b[^\d;]{{0,60}}?({_VALUE})(?!\s*(?:%|-?(?:month|week|year)))"),
    "median": re.compile(rf"({_VALUE})(?=\s*{_UNIT}\b|[^.;\d]{{1,60}}?{_VALUE}\s*{_UNIT}\b)"),
    "rate": re.compile(rf"({_VALUE})(?=\s?%)"),
}
#: Words that say which analysis, which patients or which arm; statements that differ in them tell two results.
_QUALIFIER = re.compile(
    r"\b(?:final|interim|first|second|third|updated?|primary|exploratory|subgroup|landmark|post[- ]hoc|long-term|"
    r"intention-to-treat|per-protocol|independent(?:ly)?|investigator\w*|central(?:ly)?|blinded|adjusted|unadjusted|"
    r"placebo|control|observation|alone|monotherapy|combination|"
    r"node-\w+|hormone\w*|receptor-\w+|\w+-positive|\w+-negative|\w+-naive|men|women|older|younger|elderly|asian\w*|"
    r"north america\w*|europe\w*|japan\w*|chin\w+)\b"
)
_ANALYSIS_IN_TITLE = re.compile(
    r"\b(?:final|interim|second|third|updated?|long-term|follow-up|subgroup|exploratory|post[- ]hoc|"
    rf"{_NUMBER}[- ](?:year|month)s?)\b"
)
_TIME = re.compile(rf"\b{_NUMBER}[- ](?:year|month|week)s?\b")
_FOLLOW_UP = re.compile(r"follow-up\D{0,30}(\d+(?:\.\d+)?)[- ](year|month|week)")
_INTERVAL = re.compile(r"\(?\b(?:95|90|99)\s?%\s?(?:ci|confidence interval)[^)]*\)?|\bp\s?[<=>]\s?[\d.·]+")
_ACRONYM = re.compile(
    r"\((?:the )?((?=[A-Z][a-z]*[A-Z])[A-Za-z]++(?:[- ]?\d+)?)(?: (?:study|trial))?\)|"
    r"\b([A-Z]{4,}(?:[- ]?\d+)?)(?= (?:study|trial|randomi[sz]ed)\b)|\b([A-Z]{4,}(?:[- ]?\d+)?)(?=:)"
)
_CONTENT_WORD = re.compile(
    r"\b(?!(?:a|an|and|as|at|by|for|from|in|is|it|of|on|or|than|that|the|to|was|were|with)\b)[a-z][a-z-]+"
)


class _Result(NamedTuple):
    """One value of one endpoint of one trial, as one statement tells it."""

    statement: Statement
    hit: Hit
    trials: frozenset[str]
    endpoint: str
    measure: str
    values: tuple[Decimal, ...]
    qualifiers: frozenset[str]


def find_conflicts(statements: Iterable[tuple[Statement, Hit]]) -> tuple[Conflict, ...]:
    """Statements of different records that give different values for the same endpoint of the same trial.

    A difference in follow-up, time point, analysis, arm or group of patients makes two results, no conflict; a value
    that is the other one rounded is the same.
    """
    results = [result for statement, hit in statements if (result := _result(statement, hit))]
    groups: dict[tuple[str, str], dict[Statement, None]] = {}
    for first, second in combinations(results, 2):
        if _conflict(first, second):
            trial = min(first.trials & second.trials, key=lambda name: (not name.startswith("NCT"), name))
            group = groups.setdefault((trial, f"{first.endpoint}, {first.measure}"), {})
            group |= {first.statement: None, second.statement: None}
    return tuple(Conflict(trial=t, endpoint=e, statements=tuple(group)) for (t, e), group in groups.items())


def _result(statement: Statement, hit: Hit) -> _Result | None:
    """What a statement measures; None unless it tells one measure of one endpoint of one trial."""
    text = _INTERVAL.sub("", normalize(statement.quote or statement.text))
    endpoints = {list(_ENDPOINTS)[int(str(m.lastgroup)[1:])] for m in _ENDPOINT.finditer(text)}
    trials = _trials(statement, hit)
    if len(endpoints) != 1 or not trials:
        return None
    endpoint = endpoints.pop()
    measure = _measure(text, endpoint)
    values = tuple(Decimal(v.replace("·", ".")) for v in _MEASURES[measure].findall(text)) if measure else ()
    if not measure or not 1 <= len(values) <= (1 if measure == "hazard ratio" else 2):
        return None
    return _Result(statement, hit, trials, endpoint, measure, values, _qualifiers(text, hit, measure))


def _measure(text: str, endpoint: str) -> str:
    if re.search(r"\bhazard ratio\b|\bhr\b", text):
        return "hazard ratio"
    if "response" in endpoint or endpoint == "pathologic complete response":
        return "rate"
    return "median" if "median" in text else ""


def _trials(statement: Statement, hit: Hit) -> frozenset[str]:
    """The one trial that a statement is about, by all its names; empty if that is not certain."""
    named = set(find_trials(statement.text))
    numbers = named or {*hit.trials, *find_trials(hit.external_id)}
    if len(numbers) > 1:
        return frozenset()
    acronyms = {next(filter(None, groups)).upper() for groups in _ACRONYM.findall(hit.title)}
    return frozenset(numbers | (acronyms if len(acronyms) == 1 else set()))


def _qualifiers(text: str, hit: Hit, measure: str) -> frozenset[str]:
    found = {match[0] for match in _QUALIFIER.finditer(text)}
    found |= {match[0] for match in _ANALYSIS_IN_TITLE.finditer(normalize(hit.title))}
    found |= {f"follow-up {number} {unit}" for number, unit in _FOLLOW_UP.findall(text)}
    if measure != "median":
        found |= {match[0].replace("-", " ").removesuffix("s") for match in _TIME.finditer(text)}
    return frozenset(found)


def _conflict(first: _Result, second: _Result) -> bool:
    if first.hit.key == second.hit.key or not _same_trial(first, second):
        return False
    if (first.endpoint, first.measure, first.qualifiers) != (second.endpoint, second.measure, second.qualifiers):
        return False
    if len(first.values) != len(second.values) or not _same_analysis(first, second):
        return False
    if len(first.values) == 1 and first.measure != "hazard ratio" and not _alike(first, second):
        return False
    return not all(_same_value(a, b) for a, b in zip(first.values, second.values, strict=True))


def _same_trial(first: _Result, second: _Result) -> bool:
    one, other = ({name for name in result.trials if name.startswith("NCT")} for result in (first, second))
    return bool(one & other) if one and other else bool(first.trials & second.trials)


def _same_analysis(first: _Result, second: _Result) -> bool:
    """Reports of different years are taken for different analyses, unless both tell the same follow-up."""
    if any(qualifier.startswith("follow-up ") for qualifier in first.qualifiers):
        return True
    return not first.hit.year or not second.hit.year or abs(first.hit.year - second.hit.year) <= 1


def _alike(first: _Result, second: _Result) -> bool:
    """Whether two statements of a single value speak of the same arm: most of their words are the same."""
    one, other = (_words(result.statement) for result in (first, second))
    return len(one & other) >= 0.6 * len(one | other)


def _words(statement: Statement) -> frozenset[str]:
    return frozenset(_CONTENT_WORD.findall(normalize(statement.text)))


def _same_value(first: Decimal, second: Decimal) -> bool:
    """Whether the two agree at the precision of the coarser one."""
    places = max(Decimal(1).scaleb(int(value.as_tuple().exponent)) for value in (first, second))
    return abs(first - second) < places
