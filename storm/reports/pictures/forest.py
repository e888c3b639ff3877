"""Draws effect sizes of one endpoint and comparison side by side, from the rows of the table alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, isfinite, log, log10
from typing import NamedTuple

from storm.models import Dossier, RecordRow, RecordTable
from storm.models.record_table import TableName
from storm.reports import picture_wording as words
from storm.reports import table_columns as columns
from storm.reports.bibliography import Bibliography
from storm.reports.document import Figure
from storm.reports.pictures.svg import LINE, draw_line, draw_text, fit_lines, frame_svg

_FEWEST, _MOST_ROWS, _MOST_PICTURES = 3, 25, 6
#: Left edges of the columns and the width of the plot.
_STUDY, _SIZE, _PLOT, _LENGTH, _RESULT, _WIDTH = 40, 260, 280, 300, 600, 760
_ROW, _TOP = 26, 30
#: Values that may be marked on a logarithmic axis, in each power of ten.
_STEPS = (1.0, 2.0, 5.0)
_RATIO = ("ratio", "relative risk", "hazard")
_DIFFERENCE = "difference"
_INTERVAL, _TO = "CI ", " to "
#: The columns whose values name a picture, those that its results share, and all that it is drawn from.
_TITLE = (columns.ENDPOINT, columns.MEASURE, columns.COMPARED)
_GROUPED = (*_TITLE, columns.UNIT)
_COLUMNS = frozenset((*_GROUPED, columns.STUDY, columns.VALUE, columns.INTERVAL, columns.PARTICIPANTS))


class _Result(NamedTuple):
    """A study's result, its interval, and the texts that are shown of it."""

    value: float
    low: float
    high: float
    study: str
    mark: str
    size: str
    result: str


class _Scale(NamedTuple):
    """The axis: the value without an effect, the values that are marked, and where each value is, from 0 to 1."""

    name: str
    no_effect: float
    ticks: tuple[float, ...]
    place: Callable[[float], float]


def forest_figures(dossier: Dossier, bibliography: Bibliography) -> Iterator[Figure]:
    """A picture for each endpoint, measure and comparison of which at least three results have an interval."""
    # A version of storm may have stored other columns.
    tables = (one for one in dossier.tables if one.name is TableName.EFFECT_SIZES and _COLUMNS.issubset(one.columns))
    if (table := next(tables, None)) is None:
        return
    groups: dict[tuple[str, ...], list[RecordRow]] = {}
    for row in table.rows:
        key = [_cell(table, row, name) for name in _GROUPED]
        groups.setdefault(tuple(part.casefold() for part in key), []).append(row)
    drawn = (figure for rows in groups.values() for figure in _draw_group(table, rows, bibliography))
    for _, figure in zip(range(_MOST_PICTURES), drawn, strict=False):
        yield figure


def _draw_group(table: RecordTable, rows: Sequence[RecordRow], bibliography: Bibliography) -> Iterator[Figure]:
    endpoint, measure, compared = (_cell(table, rows[0], name) for name in _TITLE)
    results = [found for row in rows if (found := _read_result(table, row, bibliography))][:_MOST_ROWS]
    scale = _choose_scale(measure, results) if len(results) >= _FEWEST else None
    if scale:
        title = words.FOREST.format(endpoint=endpoint, measure=measure, compared=compared)
        basis = words.FOREST_BASIS.format(scale=scale.name, no_effect=f"{scale.no_effect:g}")
        yield Figure(title=title, description=basis, svg=_draw(results, scale, title, basis))


def _cell(table: RecordTable, row: RecordRow, column: str) -> str:
    return row.cells[table.columns.index(column)] or ""


def _read_result(table: RecordTable, row: RecordRow, bibliography: Bibliography) -> _Result | None:
    """The numbers of a row; None if one cannot be read."""
    value, interval = _cell(table, row, columns.VALUE), _cell(table, row, columns.INTERVAL)
    low, _, high = interval.rpartition(_INTERVAL)[2].partition(_TO)
    middle, least, most = (_read_number(text) for text in (value, low, high))
    if not (isfinite(least) and isfinite(most) and least <= middle <= most):
        return None
    mark = ", ".join(map(str, bibliography.mark_of(row.source_id).numbers))
    result = words.RESULT_OF.format(value=value, low=low, high=high)
    study, size = _cell(table, row, columns.STUDY), _cell(table, row, columns.PARTICIPANTS)
    return _Result(middle, least, most, study, f"[{mark}]", size, result)


def _read_number(text: str) -> float:
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return float("nan")


def _choose_scale(measure: str, results: Sequence[_Result]) -> _Scale | None:
    """A logarithmic scale for ratios, a linear one for differences, none for other measures."""
    low, high = min(one.low for one in results), max(one.high for one in results)
    if _DIFFERENCE in measure.casefold():
        return _make_linear(min(low, 0.0), max(high, 0.0))
    if any(word in measure.casefold() for word in _RATIO) and low > 0:
        return _make_logarithmic(min(low, 1.0), max(high, 1.0))
    return None


def _make_logarithmic(low: float, high: float) -> _Scale:
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    marks = [step * 10.0**power for power in powers for step in _STEPS]
    first = max((mark for mark in marks if mark <= low), default=low)
    last = min((mark for mark in marks if mark >= high), default=high)
    ticks = tuple(mark for mark in marks if first <= mark <= last)
    kept = ticks if len(ticks) <= len(_STEPS) * 3 else tuple(t for t in ticks if log10(t) % 1 == 0)
    return _Scale(words.LOGARITHMIC, 1.0, kept, lambda value: log(value / first) / (log(last / first) or 1.0))


def _make_linear(low: float, high: float) -> _Scale:
    span = (high - low) or 1.0
    power = 10.0 ** floor(log10(span / 4))
    step = next(step * power for step in (1, 2, 5, 10) if span / (step * power) <= 6)
    first, last = floor(low / step), ceil(high / step)
    ticks = tuple(n * step for n in range(first, last + 1))
    length = (last - first) * step or 1.0
    return _Scale(words.LINEAR, 0.0, ticks, lambda value: (value - first * step) / length)


def _draw(results: Sequence[_Result], scale: _Scale, title: str, description: str) -> str:
    bottom = _TOP + len(results) * _ROW

    def position(value: float) -> float:
        return _PLOT + _LENGTH * scale.place(value)

    parts = [
        draw_text(_STUDY, LINE, words.STUDY),
        draw_text(_SIZE, LINE, words.STUDY_SIZE, "end"),
        draw_text(_RESULT, LINE, words.RESULT),
        draw_line(position(scale.no_effect), _TOP - 6, position(scale.no_effect), bottom),
    ]
    for tick in scale.ticks:
        parts.append(draw_line(position(tick), _TOP, position(tick), bottom + 4, faint=True))
        parts.append(draw_text(position(tick), bottom + LINE + 4, f"{tick:g}", "middle"))
    for n, one in enumerate(results):
        parts += _draw_result(one, position, _TOP + n * _ROW + _ROW / 2)
    return frame_svg(_WIDTH, bottom + LINE + 12, title, description, parts)


def _draw_result(one: _Result, position: Callable[[float], float], y: float) -> Iterator[str]:
    x = position(one.value)
    yield draw_text(0, y + 4, one.mark)
    yield draw_text(_STUDY, y + 4, next(iter(fit_lines(one.study, _SIZE - _STUDY - 40, 1)), ""))
    yield draw_text(_SIZE, y + 4, one.size or "–", "end")
    yield draw_line(position(one.low), y, position(one.high), y)
    yield f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'
    yield draw_text(_RESULT, y + 4, one.result)
