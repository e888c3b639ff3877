"""Draws the flow of records as the PRISMA 2020 flow diagram, in SVG without scripts or outside references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm import wording
from storm.models import Exclusion, FlowCounts, RecordFlow, database_label
from storm.models.search import WEB
from storm.reports import flow_wording as words
from storm.reports.document import printable_line
from storm.reports.pictures.svg import CHARACTER, LINE, draw_text, fit_lines, frame_svg

#: Left edge and width of the columns: records of databases and what was removed; the same of other methods; and, of an
#: update, left of these the previous version.
_COLUMNS = ((20, 270), (320, 270), (640, 270), (940, 270), (-280, 270))
_PREVIOUS = 4
#: Around the text of a box, and between boxes; these are sized by the number of characters.
_PADDING, _GAP = 10, 26
#: Marks a line that belongs to the one above it; no text of a record or a user has it.
_INDENT = "\t"
#: A count, which stands whole in one line, and a mark without spaces in its place.
_COUNT, _WHOLE = re.compile(r"\(n\s=\s"), "(n_=_"


class _Box(NamedTuple):
    """A box in a column and row; `side` boxes are what leaves the column on their left."""

    column: int
    row: int
    lines: tuple[str, ...]

    @property
    def is_side(self) -> bool:
        return self.column in (1, 3)

    @property
    def height(self) -> int:
        return len(self.lines) * LINE + 2 * _PADDING


def draw_flow(
    flow: RecordFlow, title: str, caption: Sequence[str], reasons: Mapping[Exclusion, str] = wording.EXCLUSIONS
) -> str:
    """The diagram as one SVG element, with the caption below it; `reasons` are the words for those of exclusions."""
    boxes = [*_search_boxes(flow, reasons), *_other_boxes(flow, reasons), *_included_boxes(flow)]
    rows = 1 + max(box.row for box in boxes)
    heights = [max(box.height for box in boxes if box.row == row) for row in range(rows)]
    tops = [_GAP + sum(heights[:row]) + row * _GAP for row in range(rows)]
    margin = _COLUMNS[0][0]
    left = min(_COLUMNS[box.column][0] for box in boxes) - margin
    width = max(sum(_COLUMNS[box.column]) for box in boxes) + margin - left
    below = [line for paragraph in caption for line in _wrap_text(paragraph, width - 2 * margin)]
    bottom = tops[-1] + heights[-1] + _GAP
    height = bottom + len(below) * LINE + _PADDING
    parts = (
        *(_draw_box(box, tops[box.row]) for box in boxes),
        *_draw_arrows(boxes, tops),
        _draw_lines(below, left + margin, bottom),
    )
    return frame_svg(width, height, title, describe_flow(flow), parts, left=left)


def describe_flow(flow: RecordFlow) -> str:
    """The largest numbers of the flow in a sentence."""
    count = wording.format_large_count
    previous = ""
    if flow.previous:
        previous = words.DESCRIPTION_PREVIOUS.format(
            reports=count(flow.previous.reports, "report"),
            studies=_count_studies(flow.previous.studies),
            total_reports=count(flow.total_reports, "report"),
            total_studies=_count_studies(flow.total_studies),
        )
    return words.DESCRIPTION.format(
        identified=count(flow.search_counts.identified, "record"),
        others=f"{flow.other_counts.identified:,}",
        included=count(flow.total.included, "report"),
        studies=_count_studies(flow.studies),
        previous=previous,
    )


def _count_studies(number: int) -> str:
    return wording.format_large_count(number, "study", "studies")


def _search_boxes(flow: RecordFlow, reasons: Mapping[Exclusion, str]) -> Iterator[_Box]:
    counts = flow.search_counts
    found = [
        words.BOX_IDENTIFIED,
        *_count_places(words.BOX_DATABASES, flow.bibliographic),
        *_count_places(words.BOX_REGISTERS, flow.registers),
    ]
    removed = [
        words.BOX_REMOVED,
        _count_records(words.BOX_DUPLICATES, counts.duplicates),
        _count_records(words.BOX_AUTOMATIC, counts.automatic),
        *_count_reasons(counts.automatic_reasons, reasons),
        _count_records(words.BOX_OTHER_REASONS, counts.known_before),
        *_count_known(counts),
    ]
    yield _make_box(0, 0, [words.BY_SEARCH])
    yield _make_box(0, 1, found)
    yield _make_box(1, 1, removed)
    yield _make_box(0, 2, [_count_records(words.BOX_SCREENED, counts.screened)])
    yield _make_box(
        1, 2, [_count_records(words.BOX_EXCLUDED, counts.excluded), *_count_reasons(counts.exclusion_reasons, reasons)]
    )
    yield from _report_boxes(0, counts)


def _other_boxes(flow: RecordFlow, reasons: Mapping[Exclusion, str]) -> Iterator[_Box]:
    counts = flow.other_counts
    if not counts.identified:
        return
    found = [_count_records(name_method(name), own.identified) for name, own in flow.others.items()]
    left = {**counts.automatic_reasons, **counts.exclusion_reasons}
    yield _make_box(2, 0, [words.BY_OTHERS])
    yield _make_box(2, 1, [words.BOX_IDENTIFIED, *found])
    yield _make_box(
        3,
        1,
        [
            words.BOX_REMOVED_OTHERS,
            _count_records(words.BOX_DUPLICATES, counts.duplicates),
            *_count_reasons(left, reasons),
        ],
    )
    yield from _report_boxes(2, counts)


def _report_boxes(column: int, counts: FlowCounts) -> Iterator[_Box]:
    yield _make_box(column, 3, [_count_records(words.BOX_SOUGHT, counts.sought)])
    yield _make_box(column + 1, 3, [_count_records(words.BOX_NOT_RETRIEVED, counts.not_retrieved)])
    yield _make_box(column, 4, [_count_records(words.BOX_ASSESSED, counts.assessed)])
    yield _make_box(
        column + 1,
        4,
        [
            _count_records(words.BOX_NOT_INCLUDED, counts.not_included),
            *_count_reasons(counts.uncited_reasons, wording.EXCLUSIONS),
        ],
    )


def _included_boxes(flow: RecordFlow) -> Iterator[_Box]:
    """What is included; of an update what is new, the previous version, and both together."""
    reports, previous = flow.total.included, flow.previous
    if previous is None:
        yield _make_box(
            0, 5, [_count_records(words.BOX_STUDIES, flow.studies), _count_records(words.BOX_REPORTS, reports)]
        )
        return
    yield _make_box(
        0, 5, [_count_records(words.BOX_NEW_STUDIES, flow.studies), _count_records(words.BOX_NEW_REPORTS, reports)]
    )
    yield _make_box(_PREVIOUS, 0, [words.BY_PREVIOUS])
    yield _make_box(_PREVIOUS, 1, [
        _count_records(words.BOX_PREVIOUS_STUDIES, previous.studies),
        _count_records(words.BOX_PREVIOUS_REPORTS, previous.reports),
        _count_records(words.BOX_NO_LONGER, previous.no_longer),
        _count_records(words.BOX_NOW_CITED, previous.now_cited),
    ])  # fmt: skip
    yield _make_box(0, 6, [
        _count_records(words.BOX_TOTAL_STUDIES, flow.total_studies),
        _count_records(words.BOX_TOTAL_REPORTS, flow.total_reports),
    ])  # fmt: skip


def _count_known(counts: FlowCounts) -> Iterator[str]:
    if counts.known_before:
        yield f"{_INDENT}{_count_records(words.KNOWN_BEFORE, counts.known_before)}"


def name_method(database: str) -> str:
    """How a record was found that no search of a database returned."""
    return words.BOX_WEBSITES if database == WEB else words.BOX_LOOK_UPS.format(database=database_label(database))


def _count_records(text: str, number: int) -> str:
    return words.BOX.format(text=printable_line(text), number=number)


def _count_places(text: str, places: Mapping[str, FlowCounts]) -> Iterator[str]:
    yield _count_records(text, sum(own.identified for own in places.values()))
    yield from (f"{_INDENT}{_count_records(database_label(name), own.identified)}" for name, own in places.items())


def _count_reasons(counts: Mapping[Exclusion, int], reasons: Mapping[Exclusion, str]) -> Iterator[str]:
    return (f"{_INDENT}{_count_records(reasons[reason], number)}" for reason, number in counts.items())


def _make_box(column: int, row: int, lines: Iterable[str]) -> _Box:
    width = _COLUMNS[column][1] - 2 * _PADDING
    return _Box(column, row, tuple(part for line in lines for part in _wrap_text(line, width)))


def _wrap_text(text: str, width: int) -> list[str]:
    indent = _INDENT if text.startswith(_INDENT) else ""
    lines = fit_lines(_COUNT.sub(_WHOLE, text), width - 4 * CHARACTER * len(indent))
    return [indent * (2 if n else 1) + line.replace(_WHOLE, "(n = ") for n, line in enumerate(lines)]


def _draw_box(box: _Box, top: int) -> str:
    left, width = _COLUMNS[box.column]
    frame = f'<rect x="{left}" y="{top}" width="{width}" height="{box.height}" fill="none" stroke="currentColor"/>'
    return f"{frame}\n{_draw_lines(box.lines, left + _PADDING, top + _PADDING)}"


def _draw_lines(lines: Iterable[str], left: int, top: int) -> str:
    return "\n".join(
        draw_text(left + 12 * line.count(_INDENT), top + n * LINE + 12, line.lstrip(_INDENT))
        for n, line in enumerate(lines)
    )


def _draw_arrows(boxes: Sequence[_Box], tops: Sequence[int]) -> Iterator[str]:
    """From each box to the next one of its column, and to the box at its side."""
    placed = {(box.column, box.row): box for box in boxes}
    for box in boxes:
        left, width = _COLUMNS[box.column]
        middle, end = left + width // 2, tops[box.row] + box.height
        if not box.is_side and (after := _next_row(box, placed)):
            yield _draw_arrow(middle, end, middle, tops[after])
        if (box.column + 1, box.row) in placed and not box.is_side:
            level = tops[box.row] + _PADDING + LINE // 2
            yield _draw_arrow(left + width, level, _COLUMNS[box.column + 1][0], level)
    if (2, 4) in placed:
        left, width = _COLUMNS[0]
        corner, level = _COLUMNS[2][0] + _COLUMNS[2][1] // 2, tops[5] + _PADDING + LINE // 2
        yield _draw_path(f"M{corner} {tops[4] + placed[2, 4].height}V{level}H{left + width}")
        yield _draw_head(left + width, level, -8, 0)
    if (_PREVIOUS, 1) in placed:
        corner, level = sum(_COLUMNS[_PREVIOUS]) - _COLUMNS[_PREVIOUS][1] // 2, tops[6] + _PADDING + LINE // 2
        yield _draw_path(f"M{corner} {tops[1] + placed[_PREVIOUS, 1].height}V{level}H{_COLUMNS[0][0]}")
        yield _draw_head(_COLUMNS[0][0], level, 8, 0)


def _next_row(box: _Box, placed: Mapping[tuple[int, int], _Box]) -> int | None:
    """The next row with a box in this column; the titles lead nowhere."""
    return next((row for row in range(box.row + 1, 7) if (box.column, row) in placed), None) if box.row else None


def _draw_arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    direction = (0, 8) if y2 > y1 else (8, 0)
    return f"{_draw_path(f'M{x1} {y1}L{x2} {y2}')}\n{_draw_head(x2, y2, *direction)}"


def _draw_path(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="currentColor"/>'


def _draw_head(x: int, y: int, dx: int, dy: int) -> str:
    """A triangle whose tip is at this point; it points along (dx, dy)."""
    a, b = dy // 2, dx // 2
    return f'<path d="M{x} {y}L{x - dx + a} {y - dy + b}L{x - dx - a} {y - dy - b}Z"/>'
