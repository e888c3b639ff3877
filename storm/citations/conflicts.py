"""Results that contradict each other: of one trial, or of two trials of one comparison.

A false conflict is worse than a missed one: two statements conflict only where trial, endpoint, measure, unit, arms,
group of patients, time and analysis are the same by their words and the values differ. Everything else is two results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from storm.citations import vocabulary
from storm.citations.comparisons import Words, is_side_word
from storm.citations.coverage import drug_keys
from storm.citations.measures import RATIOS
from storm.citations.quotes import normalize_text
from storm.citations.results import ReportedResult, read_result
from storm.citations.terms import read_terms, table_keys
from storm.models import Conflict, Hit, SectionKind, Statement, find_trials, number_of_trial

#: The name of a conflict between two trials.
_TWO_TRIALS = "{endpoint}, between trials of one comparison"
_ANALYSIS_IN_TITLE = re.compile(
    r"\b(?:final|interim|second|third|updated?|long-term|follow-up|extension|subgroup|exploratory|post[- ]hoc|"
    r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ](?:year|month)s?)\b"
)
_REVIEW = re.compile(r"\breviews?\b|meta-analy|\bpooled\b|\bprotocol\b|\bguidelines?\b", re.I)
_ACRONYM = re.compile(
    r"\((?:the )?((?=[A-Z][a-z]*[A-Z])[A-Za-z]++(?:[- ]?\d+)?)(?: (?:study|trial))?\)|"
    r"\b([A-Z]{4,}(?:[- ]?\d+)?)(?= (?:study|trial|randomi[sz]ed)\b)|\b([A-Z]{4,}(?:[- ]?\d+)?)(?=:)"
)
#: Acronyms in titles that name no trial.
_NO_TRIAL = frozenset(("HER2", "EGFR", "COPD", "NSCLC", "COVID-19", "COVID", "T2DM", "HIV-1", "ADHD", "PTSD", "NASH"))
#: Sections that may report another work's result, or a table row without its heading; here the trial must be named.
_ELSEWHERE = (
    SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.DISCUSSION, SectionKind.BACK_MATTER, SectionKind.TABLE,
    SectionKind.CAPTION,
)  # fmt: skip
#: Share of the shorter title's words that the other must have for both to be about one condition.
_SAME_CONDITION = 0.6
#: Two values this close are one value rounded in two ways.
_ROUNDED = Decimal("0.05")


class _Result(NamedTuple):
    """What one statement reports for one endpoint, with all names of its trial."""

    statement: Statement
    hit: Hit
    trials: frozenset[str]
    reading: ReportedResult

    @property
    def qualifiers(self) -> frozenset[str]:
        return self.reading.qualifiers | _read_analyses(self.hit.title)


def find_conflicts(statements: Iterable[tuple[Statement, Hit]]) -> tuple[Conflict, ...]:
    """Statements of different records that give different values for the same endpoint of the same trial, or of two
    trials of one comparison whose intervals lie apart.

    A difference in follow-up, time point, analysis, arm or group of patients makes two results, no conflict; a value
    that is the other one rounded is the same.
    """
    groups: dict[tuple[str, str], dict[Statement, None]] = {}
    for first, second in combinations(_read_results(list(statements)), 2):
        if endpoint := _conflicting_endpoint(first, second):
            shared = first.trials & second.trials
            trial = min(shared, key=lambda name: (not name.startswith("NCT"), name), default="")
            group = groups.setdefault((trial, endpoint), {})
            group |= {first.statement: None, second.statement: None}
    return tuple(Conflict(trial=t, endpoint=e, statements=tuple(group)) for (t, e), group in groups.items())


def _read_results(statements: Sequence[tuple[Statement, Hit]]) -> list[_Result]:
    """The results that could conflict: of a trial that another record reports too, or relative with an interval."""
    found = []
    placed = [(statement, hit, _identify_trials(statement, hit)) for statement, hit in statements]
    records: dict[str, set[str]] = {}
    for _, hit, trials in placed:
        for trial in trials:
            records.setdefault(trial, set()).add(hit.key)
    for statement, hit, trials in placed:
        is_shared = any(len(records[trial]) > 1 for trial in trials)
        reading = read_result(statement.quote or statement.text) if is_shared or _has_interval(statement.text) else None
        if reading and (is_shared or reading.is_relative) and _is_own_result(statement, hit):
            found.append(_Result(statement, hit, trials, reading))
    return found


def _has_interval(text: str) -> bool:
    return "CI" in text or "confidence interval" in text


def _is_own_result(statement: Statement, hit: Hit) -> bool:
    """Whether the sentence stands where a work reports its own results, or names its trial."""
    quote = statement.quote or statement.text
    roles = {section.role for section in hit.sections if quote in section.text}
    return not roles or not roles <= {*_ELSEWHERE} or bool(find_trials(quote))


def _identify_trials(statement: Statement, hit: Hit) -> frozenset[str]:
    """All names of the one trial that a statement is about; empty if that is uncertain."""
    named = set(find_trials(statement.text))
    numbers = named or {*hit.trials, *find_trials(hit.external_id)}
    if (numbers and not number_of_trial(tuple(numbers))) or _REVIEW.search(hit.title):
        return frozenset()
    acronyms = _read_acronyms(hit.title)
    return frozenset(numbers | (acronyms if len(acronyms) == 1 else set()))


@lru_cache(maxsize=4_096)
def _read_acronyms(title: str) -> frozenset[str]:
    return frozenset(next(filter(None, groups)).upper() for groups in _ACRONYM.findall(title)) - _NO_TRIAL


@lru_cache(maxsize=4_096)
def _read_analyses(title: str) -> frozenset[str]:
    return frozenset(match[0] for match in _ANALYSIS_IN_TITLE.finditer(normalize_text(title)))


def _conflicting_endpoint(first: _Result, second: _Result) -> str:
    """The endpoint and measure on which two results conflict; empty where they do not."""
    one, other = first.reading, second.reading
    if first.hit.key == second.hit.key or (one.endpoint, one.measure, one.unit) != (
        other.endpoint, other.measure, other.unit,
    ):  # fmt: skip
        return ""
    if first.qualifiers != second.qualifiers or not _is_same_context(first, second):
        return ""
    endpoint = f"{one.endpoint or _shared_outcome(first, second)}, {one.measure}"
    if _is_same_trial(first, second):
        return endpoint if _is_same_analysis(first, second) and _has_different_values(one, other) else ""
    return _TWO_TRIALS.format(endpoint=endpoint) if _has_disjoint_intervals(first, second) else ""


def _is_same_trial(first: _Result, second: _Result) -> bool:
    one, other = ({name for name in result.trials if name.startswith("NCT")} for result in (first, second))
    return bool(one & other) if one and other else bool(first.trials & second.trials)


def _is_same_analysis(first: _Result, second: _Result) -> bool:
    """Reports of different years count as different analyses, unless both state the same follow-up."""
    if any(qualifier.startswith("follow-up ") for qualifier in first.qualifiers):
        return True
    return not first.hit.year or not second.hit.year or abs(first.hit.year - second.hit.year) <= 1


def _is_same_context(first: _Result, second: _Result) -> bool:
    """Whether both are about the same people, time and doses.

    A word that only one of them has must stand in both titles, or be a drug of the other's title that does not
    distinguish the arms.
    """
    one, other = first.reading, second.reading
    if one.circumstances != other.circumstances or (one.wholes and other.wholes and one.wholes != other.wholes):
        return False
    if not one.endpoint:
        return one.context - one.drugs == other.context - other.drugs and one.drugs == other.drugs
    mine, theirs = one.context - other.context, other.context - one.context
    drugs = one.drugs | other.drugs
    if (mine & drugs and (theirs & drugs or one.is_of_one_arm)) or (theirs & drugs and one.is_of_one_arm):
        return False
    titles = _title_words(first.hit.title), _title_words(second.hit.title)
    shared = titles[0] & titles[1]
    return mine <= shared | (titles[1] & drugs) and theirs <= shared | (titles[0] & drugs)


@lru_cache(maxsize=4_096)
def _title_words(title: str) -> Words:
    return frozenset(term.key for term in read_terms(title) if is_side_word(term))


def _shared_outcome(first: _Result, second: _Result) -> str:
    """The name of an outcome outside the table: the words that both statements share."""
    shared = first.reading.context & second.reading.context
    words = dict(pair for pair in first.reading.words if pair[0] in shared - first.reading.drugs)
    return " ".join(words.values())


def _has_different_values(one: ReportedResult, other: ReportedResult) -> bool:
    """Whether the values differ, whichever arm is named first."""
    if len(one.values) != len(other.values):
        return False
    if len(one.values) == 1:
        return not _is_same_value(one.values[0], other.values[0]) and not _is_mirrored(one, other)
    ways = [other.values] if _is_same_order(one, other) else [other.values, other.values[::-1]]
    return all(any(not _is_same_value(a, b) for a, b in zip(one.values, way, strict=True)) for way in ways)


def _is_same_order(one: ReportedResult, other: ReportedResult) -> bool:
    """Whether both give the values of their arms in the same order."""
    drugs = one.drugs & other.drugs
    pairs = [(mine & drugs, theirs & drugs) for mine, theirs in zip(one.arms, other.arms, strict=False)]
    return len(pairs) == 2 and all(mine and mine == theirs for mine, theirs in pairs)


def _is_mirrored(one: ReportedResult, other: ReportedResult) -> bool:
    """Whether one value is the other seen from the other arm: a ratio of 0.5 is one of 2, a difference its opposite."""
    mine, theirs = one.values[0], other.values[0]
    if one.measure in RATIOS:
        return bool(theirs) and abs(mine - 1 / theirs) <= Decimal("0.02")
    return one.measure == "difference" and _is_same_value(mine, -theirs)


def _is_same_value(first: Decimal, second: Decimal) -> bool:
    """Whether both agree at the precision of the coarser one, or differ in an insignificant last digit."""
    places = max(Decimal(1).scaleb(int(value.as_tuple().exponent)) for value in (first, second))
    gap = abs(first - second)
    return gap < places or (gap == places and gap <= _ROUNDED * max(abs(first), abs(second)))


def _has_disjoint_intervals(first: _Result, second: _Result) -> bool:
    """Whether two trials that compare the same drugs in the same condition give intervals without a common value."""
    one, other = first.reading, second.reading
    if not (
        one.is_relative and one.interval and other.interval and one.endpoint and _is_same_comparison(first, second)
    ):
        return False
    if one.interval[1] >= other.interval[0] and other.interval[1] >= one.interval[0]:
        return False
    return _compared_drugs(first) == _compared_drugs(second) or not _is_overlapping(
        _mirror_interval(one), other.interval
    )


def _mirror_interval(reading: ReportedResult) -> tuple[Decimal, Decimal]:
    """The interval as it would be from the other arm."""
    low, high = reading.interval or (Decimal(0), Decimal(0))
    if reading.measure in RATIOS:
        return (1 / high, 1 / low) if low > 0 else (low, high)
    return -high, -low


def _is_overlapping(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _is_same_comparison(first: _Result, second: _Result) -> bool:
    drugs = [frozenset(_compared_drugs(result)) for result in (first, second)]
    if drugs[0] != drugs[1] or len(drugs[0]) < 2 or not all(map(_is_randomised, (first.hit, second.hit))):
        return False
    conditions = [_title_words(result.hit.title) - drugs[0] - _design_words() for result in (first, second)]
    shorter = min(map(len, conditions))
    return shorter > 0 and len(conditions[0] & conditions[1]) >= _SAME_CONDITION * shorter


def _compared_drugs(result: _Result) -> tuple[str, ...]:
    """The drugs that a trial compares, in order: those of the statement, or else of the title."""
    drugs = drug_keys(read_terms(result.statement.text))
    return drugs if len(drugs) > 1 else drug_keys(read_terms(result.hit.title))


def _is_randomised(hit: Hit) -> bool:
    text = f"{hit.title} {' '.join(hit.publication_types)} {hit.text[:4000]}"
    return "randomi" in text.casefold() and not _REVIEW.search(hit.title)


def _design_words() -> frozenset[str]:
    return table_keys(f"{vocabulary.DESIGN} efficacy safety clinical effects")
