"""Reads effect sizes from the tables of papers, where one column is the comparison of the arms of two others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

from storm.evidence.subjects import compile_name_pattern
from storm.models import Cell, Hit, Section, TableRow
from storm.syllabus.drug_names import DRUG_NAME

#: "HR (95% CI)", "Adjusted odds ratio, 95% confidence interval", "Difference between A and B (95% CI)".
_MEASURE = re.compile(
    r"\b(?:(hazard ratio|(?-i:HR))|(odds ratio|(?-i:OR))|((?:relative risk|risk ratio|(?-i:RR))(?! reduction))|"
    r"(rate ratio|IRR)|"
    r"(difference (?:between|from|versus|vs)))\b",
    re.I,
)
_MEASURES = ("hazard ratio", "odds ratio", "relative risk", "rate ratio", "difference")
_LEVEL = re.compile(r"\b(9\d(?:\.\d)? ?%) ?(?:CI|confidence interval)", re.I)
_P = re.compile(r"(?:^|, )p(?:[- ]?values?)?(?: \([^()]{1,20}\))?$", re.I)
#: "0.83 (0.53–1.30)", "−7.6 (−13.9, −1.3)".
_NUMBER = r"[-−–]?\d{1,5}(?:[.·]\d{1,5})?"
_VALUE = re.compile(rf"({_NUMBER}) ?[(\[] ?({_NUMBER})(?:, ?|; ?| ?[–-] ?| to )({_NUMBER}) ?[)\]]")
#: Between the parts of a column's heading, and the size of an arm: "Placebo (n = 7,339), n (%)".
_BETWEEN_PARTS = re.compile(r", (?![^(\[]{0,100}[)\]])")
_SIZE = re.compile(r" ?[(\[]?\bn ?= ?[\d,]+[)\]]?$", re.I)
#: Rows by the people in them, not by outcomes.
_SUBGROUPS = re.compile(
    r"\b(?:sub-?groups?|males?|females?|men|women|sex|gender|race|ethnic\w*|white|black|asian|regions?|smok\w+|"
    r"(?<!all )aged?|\d+ ?years|baseline|mutation|wild|tertile|quartile)\b",
    re.I,
)
#: Tables of harms, which come after those of what the drug is for.
_OF_HARMS = re.compile(
    r"\b(?:adverse|side effects?|tolerab\w+|system organ class|SMQ|MedDRA)\b|^(?!.*\befficacy\b).*\bsafety\b", re.I
)
#: What a difference of rates counts by.
_PER_TIME = re.compile(r"\bper 1,?0+ (?:patient|person)[- ]years\b", re.I)
_ARMS = 2
#: The events of an arm: "41.4 (12)", "3 (1.2%)", "9.4%"; and how far a ratio of two of them may be from the stated risk
#: ratio: one farther away is of several rows together.
_EVENTS = re.compile(r"(\d{1,5}(?:[.·]\d{1,3})?) ?(?:%|%? ?\((\d{1,5}(?:[.·]\d{1,3})?) ?%?\))")
_TOLERANCE = 0.15
_INACTIVE = re.compile(r"\b(?:placebo|controls?|sham|vehicle|no treatment)\b", re.I)
_ADJUSTED = re.compile(r"\badj", re.I)


class PaperEffect(NamedTuple):
    """An effect as a row of a paper's table states it. `arms` are in the order of the comparison, as far as the rates
    of the row show it; else the drug stands before placebo, and two drugs as their columns do. `unit` is that of a
    difference of rates, "per 100 patient-years"; else empty."""

    place: str
    endpoint: str
    measure: str
    value: str
    unit: str
    interval: str
    p: str
    arms: tuple[str, ...]
    is_of_drugs: bool


def read_table_effects(hit: Hit, names: Sequence[str]) -> Iterator[PaperEffect]:
    """The effects of the drug with these names in the tables of a paper that compare it with one other arm, those of
    tables of harms last."""
    drug = compile_name_pattern(tuple(names))
    tables = (section for section in hit.sections if section.rows and not _matches(section, _SUBGROUPS))
    for section in sorted(tables, key=lambda section: _matches(section, _OF_HARMS)):
        yield from _read_table(section, drug)


def _matches(section: Section, pattern: re.Pattern[str]) -> bool:
    """Whether the caption of a table or the heading of a row matches."""
    return any(map(pattern.search, (section.label, *(row.heading for row in section.rows))))


def _read_table(section: Section, drug: re.Pattern[str]) -> Iterator[PaperEffect]:
    columns = list(dict.fromkeys(cell.column for row in section.rows for cell in row.cells))
    compared = [column for column in columns if _LEVEL.search(column) and _MEASURE.search(column)]
    arms = _find_arms([column for column in columns if column not in compared and not _P.search(column)], drug)
    if len(compared) != 1 or not arms:
        return
    other = next(arm for arm in arms if not drug.search(arm)).lower()
    is_of_drugs = "placebo" not in other and bool(DRUG_NAME.search(other))
    for row in section.rows:
        if effect := _read_row(row, compared[0]):
            ordered = _order_arms(arms, effect, row, compared[0], drug)
            yield effect._replace(place=section.name, arms=ordered, is_of_drugs=is_of_drugs)


def _find_arms(columns: Sequence[str], drug: re.Pattern[str]) -> tuple[str, ...]:
    """The two arms that all columns name first, or all name last, one of them with the drug; empty without such."""
    headings = [[_SIZE.sub("", part).strip() for part in _BETWEEN_PARTS.split(column)] for column in columns]
    for at in (0, -1):
        arms = tuple(dict.fromkeys([part for part in parts if part][at:][0] for parts in headings if any(parts)))
        if len(arms) == _ARMS and sum(bool(drug.search(arm)) for arm in arms) == 1:
            return arms
    return ()


def _read_row(row: TableRow, column: str) -> PaperEffect | None:
    """The effect in that column of a row; None unless it has one value with its interval around it."""
    cells = [cell for cell in row.cells if cell.column == column]
    found = _VALUE.match(cells[0].text) if len(cells) == 1 and row.heading else None
    level, measure = _LEVEL.search(column), _MEASURE.search(column)
    if not (found and level and measure) or _VALUE.search(cells[0].text, found.end()):
        return None
    value, low, high = (number.replace("−", "-").replace("–", "-").replace("·", ".") for number in found.groups())
    if not float(low) <= float(value) <= float(high):
        return None
    if measure[3] and not (_ADJUSTED.search(column) or _is_ratio_of_arms(float(value), row, column)):
        return None
    return PaperEffect(
        place="",
        endpoint=row.heading,
        measure=_MEASURES[(measure.lastindex or 1) - 1],
        value=value,
        unit=_read_unit(row, column) if measure[0].lower().startswith("difference") else "",
        interval=f"{level[1].replace(' ', '')} CI {low} to {high}",
        p=_read_p(row.cells),
        arms=(),
        is_of_drugs=False,
    )


def _order_arms(
    arms: tuple[str, ...], effect: PaperEffect, row: TableRow, column: str, drug: re.Pattern[str]
) -> tuple[str, ...]:
    """The arms in the order in which the effect compares them: that in which the ratio of their rates is nearer to
    the stated one."""
    rates = [] if effect.measure == _MEASURES[-1] else _read_rates(row, column)
    if rates and float(effect.value) > 0:
        asked, found = log(float(effect.value)), log(rates[0] / rates[1])
        return arms if abs(found - asked) <= abs(found + asked) else arms[::-1]
    is_against_placebo = any(_INACTIVE.search(arm) for arm in arms)
    return tuple(sorted(arms, key=lambda arm: not drug.search(arm))) if is_against_placebo else arms


def _read_rates(row: TableRow, column: str) -> list[float]:
    """The rates of the row's two arms in the order of their columns, from "41.4 (12)", "143 (6.1)" or "5 (29)"; empty
    unless both are stated."""
    arms = _read_events(row, column)
    if any(not arm[0].is_integer() or len(arm) == 1 for arm in arms):
        return [arm[0] for arm in arms]
    are_sizes = all(arm[1].is_integer() and arm[1] > arm[0] for arm in arms)
    return [arm[0] / arm[1] if are_sizes else arm[1] for arm in arms]


def _read_events(row: TableRow, column: str) -> list[list[float]]:
    """The one or two numbers of the events in each of the row's two arms; empty unless both are stated."""
    stated = [_EVENTS.match(cell.text) for cell in row.cells if cell.column != column]
    arms = [[float(number.replace("·", ".")) for number in arm.groups() if number] for arm in stated if arm]
    return arms if len(arms) == _ARMS and all(map(all, arms)) else []


def _is_ratio_of_arms(value: float, row: TableRow, column: str) -> bool:
    """Whether the rates of the row's two arms have about this ratio; True where they are not stated."""
    arms = _read_events(row, column)
    if not arms:
        return True
    ratios = [first / second for first, second in zip(*arms, strict=False)]
    if all(len(arm) > 1 and arm[1] > arm[0] for arm in arms):  # events and the size of the arm
        ratios.append(arms[0][0] / arms[0][1] / (arms[1][0] / arms[1][1]))
    return any(abs(ratio / value - 1) <= _TOLERANCE or abs(1 / ratio / value - 1) <= _TOLERANCE for ratio in ratios)


def _read_unit(row: TableRow, column: str) -> str:
    """By what time the rates of a row are counted; empty if it does not say so."""
    found = _PER_TIME.search(f"{row.heading} {column}")
    return found[0] if found else ""


def _read_p(cells: Sequence[Cell]) -> str:
    """The only p of a row; empty if there are several."""
    stated = [cell.text for cell in cells if _P.search(cell.column)]
    return stated[0].replace(" ", "").removeprefix("=") if len(stated) == 1 else ""
