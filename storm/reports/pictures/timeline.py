"""Draws the approvals and launches of a drug on a timeline, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.models import ApprovalFact, Dossier, LaunchFact, Relation
from storm.reports import picture_wording as words
from storm.reports.document import Figure
from storm.reports.pictures.svg import LINE, draw_line, draw_text, fit_lines, frame_svg

_MOST_ROWS = 30
#: The widths of the labels, of the time axis, and of the dates behind it; and the left edges of these two.
_LABEL, _LENGTH, _DATES = 240, 350, 90
_AXIS, _DATE = _LABEL + 20, _LABEL + _LENGTH + 40
_ROW, _TOP, _RADIUS = 24, 12, 4.5
_MOST_TICKS = 8


class _Event(NamedTuple):
    """An approval or launch at its place in time, in years."""

    year: float
    date: str
    label: str
    is_own: bool
    is_launch: bool


def timeline_figure(dossier: Dossier) -> Iterator[Figure]:
    """The approvals and launches with a date; nothing if there are fewer than two."""
    stated: Sequence[ApprovalFact | LaunchFact] = (*dossier.at_a_glance.approvals, *dossier.at_a_glance.launches)
    dated = sorted(filter(None, map(_place, stated)), key=lambda one: (one.date, one.label))
    if len(dated) < 2:
        return
    undated = len(stated) - len(dated)
    more = words.UNDATED.format(number=undated) if undated else ""
    more += words.LATER_ONES.format(number=_MOST_ROWS) if len(dated) > _MOST_ROWS else ""
    has_launches = any(one.is_launch for one in dated)
    title = words.APPROVALS_AND_LAUNCHES if has_launches else words.APPROVALS
    basis = (words.LAUNCHES_BASIS if has_launches else words.APPROVALS_BASIS).format(more=more)
    yield Figure(title=title, description=basis, svg=_draw(dated[:_MOST_ROWS], title, basis))


def _place(stated: ApprovalFact | LaunchFact) -> _Event | None:
    """An approval or launch in time; None without a readable date."""
    year, *rest = (stated.date or "").split("-")
    parts = [int(part) for part in (year, *rest) if part.isascii() and part.isdigit()]
    if len(parts) != 1 + len(rest) or len(year) != 4:
        return None
    month, day = (*parts[1:], 1, 1)[:2]
    kind = words.LAUNCH if isinstance(stated, LaunchFact) else stated.agency
    label = " · ".join(filter(None, (stated.product, kind)))
    place = parts[0] + (month - 1) / 12 + (day - 1) / 365
    return _Event(place, stated.date or "", label, stated.relation is Relation.ITSELF, isinstance(stated, LaunchFact))


def _draw(events: Sequence[_Event], title: str, description: str) -> str:
    first, last = int(events[0].year), int(max(one.year for one in events)) + 1
    bottom = _TOP + len(events) * _ROW

    def position(year: float) -> float:
        return _AXIS + _LENGTH * (year - first) / (last - first)

    parts = [part for year in _list_ticks(first, last) for part in _draw_tick(position(year), bottom, str(year))]
    for n, one in enumerate(events):
        parts += _draw_row(one, position(one.year), _TOP + n * _ROW + _ROW / 2)
    return frame_svg(_DATE + _DATES, bottom + LINE + 8, title, description, parts)


def _list_ticks(first: int, last: int) -> range:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10_000) if (last - first) / step <= _MOST_TICKS)
    return range(-(-first // step) * step, last + 1, step)


def _draw_tick(x: float, bottom: float, label: str) -> Iterator[str]:
    yield draw_line(x, _TOP, x, bottom, faint=True)
    yield draw_text(x, bottom + LINE, label, "middle")


def _draw_row(one: _Event, x: float, y: float) -> Iterator[str]:
    fill = "" if one.is_own else ' fill="none" stroke="currentColor" stroke-width="1.5"'
    yield draw_text(0, y + 4, fit_lines(one.label, _LABEL, 1)[0] if one.label else "")
    if one.is_launch:
        yield f'<rect x="{x - _RADIUS:.1f}" y="{y - _RADIUS:.1f}" width="{2 * _RADIUS}" height="{2 * _RADIUS}"{fill}/>'
    else:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"{fill}/>'
    yield draw_text(_DATE, y + 4, one.date)
