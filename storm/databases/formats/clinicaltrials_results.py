"""Read posted ClinicalTrials.gov results as table rows: outcomes with their analyses, and adverse events by arm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storm.databases.formats.fields import as_list, as_mapping, text_line
from storm.databases.formats.markdown_escapes import unescape_line
from storm.models import Cell, Section, TableRow

#: The third kind of adverse events, and what a study counts that reports the more frequent ones alone.
OTHER_EVENTS = "Other adverse events"
_ABOVE = "{others}, of those in more than {threshold}% of an arm"

#: The column of a comparison with the registry's own words on its direction ("Odds ratio: CZP/Placebo").
POSTED_AS = "Posted as"
_DIRECTION = re.compile(
    r"\b(?:[\w-]{1,20} )?(?:ratio|difference)s?\b[ :,=(]{1,3}(?:(?:of|for|between|in|is) )?[\w-]{1,40}"
    r"(?: [\w-]{1,40}){0,3} ?(?:/|\bvs?\.?|\bversus|\bminus|\brelative to) ?[\w-]{1,40}",
    re.I,
)
#: Limits on the outcomes of a study, and on the rows of one outcome or kind of adverse event; a last row counts the
#: rest.
MAX_OUTCOMES = 60
MAX_ROWS = 150
#: A longer time frame (in characters) is not repeated in the heading of adverse events.
_FRAME = 100
#: The most characters of one text that a row repeats.
_TEXT = 500
#: The last row of a table that is cut; its cell counts the rows left out.
ROWS_NOT_READ = "Rows that are posted and not read here"
#: The cell of an outcome without values.
NOT_POSTED = "not posted"

Record = Mapping[str, Any]


def read_outcomes(module: Record) -> Iterator[Section]:
    """Yield a table for each outcome measure, in the registry's order: primary outcomes first."""
    numbers = Counter[str]()
    measures = [as_mapping(item) for item in as_list(module.get("outcomeMeasures"))]
    for measure in measures[:MAX_OUTCOMES]:
        kind = text_line(measure.get("type")).replace("_", " ").replace("POST HOC", "POST-HOC").lower() or "other"
        numbers[kind] += 1
        if rows := tuple(_read_outcome(measure)):
            place = f"{kind.capitalize()} outcome {numbers[kind]}"
            yield Section.of_rows(_limit_rows(rows), f"RESULTS: {kind.capitalize()} outcome", place)
    if (left := len(measures) - MAX_OUTCOMES) > 0:
        yield Section.of_rows(
            (_make_row("Outcomes that are posted and not read here", str(left)),), "RESULTS", "Outcomes"
        )


def name_other_events(module: Record) -> str:
    """What the count of other adverse events is of: a study may report those alone that are more frequent."""
    threshold = _read_text(module.get("frequencyThreshold"))
    is_partial = threshold.isascii() and threshold.replace(".", "", 1).isdigit() and float(threshold) > 0
    return _ABOVE.format(others=OTHER_EVENTS, threshold=threshold) if is_partial else OTHER_EVENTS


def read_adverse_events(module: Record) -> Iterator[Section]:
    """Yield tables of deaths, serious and other adverse events, with the numbers of every arm."""
    groups = [as_mapping(item) for item in as_list(module.get("eventGroups"))]
    frame = _read_text(module.get("timeFrame"))
    for name, kind in (("deaths", "Deaths"), ("serious", "Serious adverse events"), ("other", OTHER_EVENTS)):
        counted = name_other_events(module) if name == "other" else kind
        heading = f"{counted} ({frame})" if 0 < len(frame) <= _FRAME else counted
        total = [
            Cell(column=_read_text(group.get("title")), text=text)
            for group in groups
            if (text := _format_affected(group.get(f"{name}NumAffected"), group.get(f"{name}NumAtRisk")))
        ]
        rows = [TableRow(heading=heading, cells=tuple(total))] if total else []
        rows += _read_events(as_list(module.get(f"{name}Events")), groups)
        if rows:
            yield Section.of_rows(_limit_rows(rows), f"ADVERSE EVENTS: {kind}", kind)


def _read_events(events: Sequence[Any], groups: Sequence[Record]) -> list[TableRow]:
    """One row per term, the most frequent first."""
    titles = {text_line(group.get("id")): _read_text(group.get("title")) for group in groups}
    counted: list[tuple[int, TableRow]] = []
    for event in map(as_mapping, events):
        stats = [as_mapping(item) for item in as_list(event.get("stats"))]
        cells = tuple(
            Cell(column=titles.get(text_line(item.get("groupId")), ""), text=text)
            for item in stats
            if (text := _format_affected(item.get("numAffected"), item.get("numAtRisk")))
        )
        system = _read_text(event.get("organSystem"))
        if (term := _read_text(event.get("term"))) and cells:
            most = sum(_count_or_zero(item.get("numAffected")) for item in stats)
            counted.append((most, TableRow(heading=f"{term} ({system})" if system else term, cells=cells)))
    return [row for _, row in sorted(counted, key=lambda one: -one[0])]


def _format_affected(number: Any, at_risk: Any) -> str:
    """`4 of 158`; the number alone if the number at risk is missing; empty if the number is missing."""
    if type(number) is not int:
        return ""
    return f"{number} of {at_risk}" if _count_or_zero(at_risk) else str(number)


def _count_or_zero(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


def _read_outcome(measure: Record) -> Iterator[TableRow]:
    title, frame = _read_text(measure.get("title")), _read_text(measure.get("timeFrame"))
    if not title:
        return
    heading = f"{title}{f' ({frame})' if frame else ''}"
    values = list(_read_values(measure, heading))
    yield from values or [_make_row(heading, NOT_POSTED)]
    analyses = [as_mapping(item) for item in as_list(measure.get("analyses"))]
    for analysis, subgroup in zip(analyses, list_subgroups(measure), strict=True):
        if cells := tuple(_read_analysis(analysis)):
            own = f"{heading}, {subgroup}" if subgroup else heading
            yield TableRow(heading=_name_comparison(analysis, own, _read_group_titles(measure)), cells=cells)


def list_subgroups(measure: Record) -> list[str]:
    """The class of the outcome ("Asian") that the description of each analysis names, all empty if this does not tell
    the analyses of the same arms apart."""
    analyses = [as_mapping(item) for item in as_list(measure.get("analyses"))]
    titles = [_read_text(as_mapping(item).get("title")) for item in as_list(measure.get("classes"))]
    titles = sorted(filter(None, titles), key=len, reverse=True)
    described = (_read_text(analysis.get("groupDescription")) for analysis in analyses)
    named = [next((title for title in titles if _has_phrase(text, title)), "") for text in described]
    compared = {(title, *map(text_line, as_list(a.get("groupIds")))) for title, a in zip(named, analyses, strict=True)}
    is_clear = all(named) and len(compared) == len(analyses)
    return named if is_clear else [""] * len(analyses)


def _has_phrase(text: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.I) is not None


def _read_values(measure: Record, heading: str) -> Iterator[TableRow]:
    """One row per class and category, one cell per arm, whose column states its number of participants."""
    unit, kind = _read_text(measure.get("unitOfMeasure")), text_line(measure.get("paramType")).replace("_", " ").lower()
    measured = ", ".join(filter(None, (kind if kind not in ("number", "count of participants") else "", unit)))
    overall = _name_columns(measure, measure)
    for group in map(as_mapping, as_list(measure.get("classes"))):
        columns = _name_columns(measure, group) if group.get("denoms") else overall
        for category in map(as_mapping, as_list(group.get("categories"))):
            part = [_read_text(group.get("title")), _read_text(category.get("title"))]
            cells = tuple(
                Cell(column=columns[name], text=f"{value}{_format_spread(item, measure)}", unit=unit)
                for item in map(as_mapping, as_list(category.get("measurements")))
                if (value := _read_text(item.get("value"))) and (name := text_line(item.get("groupId"))) in columns
            )
            if cells:
                full = ", ".join(filter(None, (heading, *part)))
                yield TableRow(heading=f"{full} [{measured}]" if measured else full, cells=cells)


def _read_group_titles(measure: Record) -> dict[str, str]:
    groups = map(as_mapping, as_list(measure.get("groups")))
    return {text_line(group.get("id")): _read_text(group.get("title")) for group in groups}


def _name_columns(measure: Record, counted: Record) -> dict[str, str]:
    """Column names such as "Placebo (n=158)" by arm id, with the numbers of an outcome or of one of its classes; the
    registry's arm ids hold within one outcome only."""
    counts = {
        text_line(count.get("groupId")): text_line(count.get("value"))
        for denominator in map(as_mapping, as_list(counted.get("denoms"))[:1])
        for count in map(as_mapping, as_list(denominator.get("counts")))
    }
    titles = _read_group_titles(measure)
    return {name: f"{title} (n={counts[name]})" if counts.get(name) else title for name, title in titles.items()}


def _format_spread(item: Record, measure: Record) -> str:
    low, high = _read_text(item.get("lowerLimit")), _read_text(item.get("upperLimit"))
    kind = _read_text(measure.get("dispersionType"))
    if low and high:
        return f" ({f'{kind} ' if kind else ''}{low} to {high})"
    spread = _read_text(item.get("spread"))
    return f" ({kind or '±'} {spread})" if spread else ""


def _name_comparison(analysis: Record, heading: str, titles: Mapping[str, str]) -> str:
    arms = [titles.get(text_line(name), "") for name in as_list(analysis.get("groupIds"))]
    compared = " versus ".join(filter(None, arms))
    return f"{heading}, {compared}" if compared else heading


def _read_analysis(analysis: Record) -> Iterator[Cell]:
    """Cells for the effect, its interval, the p-value and the method, where given."""
    kind, value = _read_text(analysis.get("paramType")), _read_text(analysis.get("paramValue"))
    low, high = _read_text(analysis.get("ciLowerLimit")), _read_text(analysis.get("ciUpperLimit"))
    level = _read_text(analysis.get("ciPctValue"))
    described = _DIRECTION.search(_read_text(analysis.get("groupDescription")))
    hypothesis = text_line(analysis.get("nonInferiorityType")).replace("_", " ").lower()
    cells = {
        kind or "Effect": value,
        f"{level}% CI" if level else "CI": _describe_limits(low, high, text_line(analysis.get("ciNumSides"))),
        "p": _read_text(analysis.get("pValue")),
        "Method": _read_text(analysis.get("statisticalMethod")),
        POSTED_AS: described[0] if described else "",
        "Hypothesis": hypothesis if "inferiority" in hypothesis or "equivalence" in hypothesis else "",
    }
    yield from (Cell(column=column, text=text) for column, text in cells.items() if text)


def _describe_limits(low: str, high: str, sides: str) -> str:
    """ "0.5 to 0.9", or the one limit that is posted, named: "upper limit 1.49 (one-sided)"."""
    limits = " to ".join(filter(None, (low, high)))
    named = limits if low and high else f"upper limit {limits}" if high else f"lower limit {limits}" if low else ""
    return f"{named} (one-sided)" if named and sides == "ONE_SIDED" else named


def _read_text(value: Any) -> str:
    return unescape_line(value)[:_TEXT]


def _make_row(heading: str, text: str) -> TableRow:
    return TableRow(heading=heading, cells=(Cell(text=text),))


def _limit_rows(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    if len(rows) <= MAX_ROWS:
        return tuple(rows)
    return (*rows[:MAX_ROWS], _make_row(ROWS_NOT_READ, str(len(rows) - MAX_ROWS)))
