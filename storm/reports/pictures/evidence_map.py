"""Draws how many sources of each design each question has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm.models import Dossier, Evidence
from storm.reports import picture_wording as words
from storm.reports.document import Figure
from storm.reports.pictures.svg import LINE, draw_line, draw_text, fit_lines, frame_svg

_LABEL, _COLUMN, _ROW = 150, 84, 40
_HEAD_LINES = 4
#: Radius of the circle of the largest number, and of one source.
_LARGEST, _SMALLEST = 17.0, 7.0


def evidence_figure(dossier: Dossier) -> Iterator[Figure]:
    """The sources by question and design; nothing unless two questions or more have some."""
    designs = dossier.at_a_glance.designs
    rows = {q.label: designs[q.question] for q in dossier.coverage.questions if designs.get(q.question)}
    if len(rows) < 2:
        return
    columns = [kind.value for kind in Evidence if any(kind.value in row for row in rows.values())]
    svg = _draw(rows, columns)
    yield Figure(title=words.EVIDENCE, description=words.EVIDENCE_BASIS, svg=svg)


def _draw(rows: Mapping[str, Mapping[str, int]], columns: Sequence[str]) -> str:
    top = _HEAD_LINES * LINE + 8
    width, height = _LABEL + len(columns) * _COLUMN, top + len(rows) * _ROW
    most = max(number for row in rows.values() for number in row.values())
    parts = [part for n, name in enumerate(columns) for part in _draw_head(name, _LABEL + (n + 0.5) * _COLUMN)]
    for n, (label, row) in enumerate(rows.items()):
        y = top + n * _ROW
        parts.append(draw_line(0, y, width, y, faint=True))
        parts += _draw_label(label, y + _ROW / 2)
        for place, name in enumerate(columns):
            if number := row.get(name, 0):
                parts += _draw_count(number, most, _LABEL + (place + 0.5) * _COLUMN, y + _ROW / 2)
    return frame_svg(width, height, words.EVIDENCE, words.EVIDENCE_BASIS, parts)


def _draw_head(name: str, x: float) -> Iterator[str]:
    lines = fit_lines(name, _COLUMN - 2, _HEAD_LINES)
    for n, line in enumerate(lines):
        yield draw_text(x, (_HEAD_LINES - len(lines) + n + 1) * LINE - 2, line, "middle")


def _draw_label(label: str, middle: float) -> Iterator[str]:
    lines = fit_lines(label, _LABEL - 10, 2)
    for n, line in enumerate(lines):
        yield draw_text(0, middle + 4 + LINE * (n - (len(lines) - 1) / 2), line)


def _draw_count(number: int, most: int, x: float, y: float) -> Iterator[str]:
    """A circle whose area grows with the number, and the number in it."""
    radius = max(_SMALLEST, _LARGEST * (number / most) ** 0.5)
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill-opacity="0.13"/>'
    yield draw_text(x, y + 4, str(number), "middle")
