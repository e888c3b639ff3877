"""Read JATS tables as rows, with spanning cells, headings of several lines, row groups and footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from storm.databases.formats.xml_text import local_name, remove_content, text_of
from storm.models import Cell, TableRow

#: Limits on a table's rows and columns, and on a cell's characters; three times the largest ones seen.
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 600, 60, 600
#: The most characters of a table's rows, in which the column headings are repeated; a last row says if rows are cut.
MAX_TEXT = 200_000
_CUT_OFF = TableRow(cells=(Cell(text="The table goes on in the article; its other rows are not read here."),))
#: Longer footnotes (in characters) are not repeated beside their values.
_NOTE = 120
_SYMBOLS = "*†‡§¶‖#∗⁎＊♯"
_SYMBOL_END = re.compile(rf"(?<=[\w.)%\]])\s?([{_SYMBOLS}]{{1,4}})$")
_NOTE_START = re.compile(rf"\s*(?:\^([a-z])|\^?([{_SYMBOLS}]{{1,4}}))[\s:.,)]*")
_NEXT_NOTE = re.compile(rf"[;.,]\s*(?=\^[a-z]|\^?[{_SYMBOLS}]{{1,4}}\s*\w)")
_EMPTY = frozenset({"", "-", "–", "—", "−", "…", "..."})
_NUMBER = re.compile(r"\W*\d")
_UNIT = re.compile(
    r"(?:\(|\[|, )((?:%|[µμmkndg]?(?:g|l|mol|iu|u|eq)\b|mm ?hg|bpm|years?|yrs?|months?|weeks?|days?|hours?|h|min|kcal|"
    r"cm|mm|kg)[^()\[\]]{0,20})[)\]]?$",
    re.I,
)

Element = etree._Element


class _Cell(NamedTuple):
    """A cell of the grid; a spanning cell is in each place that it covers."""

    text: str
    number: int
    indent: int = 0
    note: str = ""


_NO_CELL = _Cell("", -1)
_Line = tuple[_Cell, ...]


class _Group(NamedTuple):
    """A heading above rows: its indent, and whether its rows are indented deeper, if known yet."""

    indent: int
    text: str
    deeper: bool | None = None


def read_rows(frame: Element) -> tuple[TableRow, ...]:
    """Read the rows of all tables in a `table-wrap`; a table that is a picture has none."""
    notes = _index_footnotes(frame)
    rows: list[TableRow] = []
    left = MAX_TEXT
    for row in (row for table in frame.iter("table") for row in _read_table(table, notes)):
        left -= len(row.text)
        if left < 0 or len(rows) == MAX_ROWS:
            return (*rows, _CUT_OFF)
        rows.append(row)
    return tuple(rows)


def read_footnotes(frame: Element) -> list[str]:
    """Read the footnotes below a table."""
    foot = frame.find("table-wrap-foot")
    return [] if foot is None else [text for part in foot.iter("p", "attrib") if (text := text_of(part))]


def _index_footnotes(frame: Element) -> Mapping[str, str]:
    """Map marks and ids to footnotes."""
    footnotes: dict[str, str] = {}
    for foot in frame.findall("table-wrap-foot"):
        for note in foot.iter("fn"):
            mark, text = text_of(note.find("label")), " ".join(filter(None, map(text_of, note.iterfind("p"))))
            marked = dict(_split_footnotes(text))
            footnotes |= marked
            for name in filter(None, (mark, note.get("id"))):
                footnotes[name] = next(iter(marked.values()), text)
        for part in foot.iterfind("p"):
            footnotes |= dict(_split_footnotes(text_of(part)))
    return {mark: text.rstrip(". ") if len(text) <= _NOTE else "" for mark, text in footnotes.items() if text}


def _split_footnotes(text: str) -> Iterator[tuple[str, str]]:
    """Split a paragraph into (mark, footnote) pairs: "*p < 0.05; **p < 0.01" has two."""
    for part in _NEXT_NOTE.split(text):
        if start := _NOTE_START.match(part):
            yield start[1] or start[2], part[start.end() :].strip()


def _read_table(table: Element, notes: Mapping[str, str]) -> Iterator[TableRow]:
    head, body = _lay_out_head(table.findall("thead/tr"), notes), _lay_out_cells(_body_lines(table), notes)
    headings = len(head) or _count_headings(body)
    lines = [*head, *body]
    if max(map(len, lines), default=0) == 1:  # a list that is set as a table
        yield from (TableRow(cells=(Cell(text=line[0].text),)) for line in lines if line[0].text)
        return
    headings += _count_unnamed_lines(body) if head else 0
    common, columns = _name_columns(lines[:headings])
    groups: list[_Group] = []
    for line in lines[headings:]:
        if _is_heading(line, columns):
            columns = [cell.text or column for cell, column in zip(line, columns, strict=False)]
        elif row := _make_row(line, columns, groups):
            yield row.model_copy(update={"heading": ", ".join(filter(None, (common, row.heading)))}) if common else row


def _body_lines(table: Element) -> Iterator[Element]:
    for child in table:
        if local_name(child) in ("tbody", "tfoot"):
            yield from child.iterfind("tr")
        elif local_name(child) == "tr":
            yield child


def _lay_out_head(lines: Sequence[Element], notes: Mapping[str, str]) -> list[_Line]:
    """Place the headings in a grid. An empty first cell that leaves the lines below one cell short spans them all,
    whatever it says: else each heading of those lines would stand over the column before its own."""
    head = _lay_out_cells(lines, notes)
    if len(head) > 1 and not head[0][0].text and all(line[0].text and line[-1] is _NO_CELL for line in head[1:]):
        return _lay_out_cells(lines, notes, stub_lines=len(head))
    return head


def _lay_out_cells(lines: Iterable[Element], notes: Mapping[str, str], stub_lines: int = 1) -> list[_Line]:
    """Place cells in a grid with one cell per line and column; spanning cells fill all their places, and the first cell
    at least so many lines."""
    grid: list[_Line] = []
    below: dict[int, tuple[int, _Cell]] = {}
    number = 0
    for line in lines:
        if len(grid) > MAX_ROWS:
            break
        places: list[_Cell] = []
        for child in line:
            if local_name(child) in ("td", "th"):
                _place_spanning_cells(places, below)
                cell = _read_cell(child, number, notes)
                number += 1
                rows = max(_read_span(child, "rowspan"), 1 if number > 1 else stub_lines)
                for _ in range(min(_read_span(child, "colspan"), MAX_COLUMNS - len(places))):
                    if rows > 1:
                        below[len(places)] = (rows, cell)
                    places.append(cell)
        _place_spanning_cells(places, below)
        below = {at: (rows - 1, cell) for at, (rows, cell) in below.items() if rows > 1}
        grid.append(tuple(places))
    width = max(map(len, grid), default=0)
    return [(*places, *[_NO_CELL] * (width - len(places))) for places in grid]


def _place_spanning_cells(places: list[_Cell], below: Mapping[int, tuple[int, _Cell]]) -> None:
    """Add the cells of lines above that span this place."""
    while (spanning := below.get(len(places))) and len(places) < MAX_COLUMNS:
        places.append(spanning[1])


def _read_span(cell: Element, name: str) -> int:
    text = cell.get(name, "1").strip()
    return min(max(int(text), 1), MAX_ROWS) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _read_cell(cell: Element, number: int, notes: Mapping[str, str]) -> _Cell:
    """Read a cell's text, and the footnotes that its marks refer to."""
    raw = "".join(map(str, cell.itertext()))
    indent = sum(char not in " \n\r\t" for char in raw[: len(raw) - len(raw.lstrip())])
    marks = [mark for element in list(cell.iter("sup", "xref")) for mark in _take_footnote_marks(element, notes)]
    text = text_of(cell)[:MAX_CELL]
    if symbol := _SYMBOL_END.search(text):
        end_marks = [symbol[1]] if symbol[1] in notes else [mark for mark in symbol[1] if mark in notes]
        marks += end_marks
        text = text[: symbol.start()] if end_marks else text
    note = "; ".join(dict.fromkeys(filter(None, (notes[mark] for mark in marks))))
    return _Cell(text, number, indent, note)


def _take_footnote_marks(element: Element, notes: Mapping[str, str]) -> list[str]:
    """Remove and return the footnote marks of an element that holds nothing else."""
    if local_name(element) == "xref":
        marks = [element.get("rid", "")]
    else:
        marks = re.split(r"[\s,;]+", "".join(map(str, element.itertext())).strip())
    if not marks or not all(mark in notes and not mark.isdigit() for mark in marks):
        return []  # a plain number may be an exponent
    remove_content(element)
    return marks


def _count_headings(lines: Sequence[_Line]) -> int:
    """Count the heading lines of a table that marks none: the first line, if it holds no value, and unnamed ones."""
    if len(lines) < 2 or any(_NUMBER.match(cell.text) for cell in lines[0][1:]):
        return 0
    named = [cell for cell in lines[0][1:] if cell.text]
    return 1 + _count_unnamed_lines(lines[1:]) if named and len({cell.number for cell in lines[0]}) > 1 else 0


def _count_unnamed_lines(lines: Sequence[_Line]) -> int:
    """Count the first lines without a row name, such as units or patient numbers below a heading."""
    count = 0
    while count < min(2, len(lines) - 1) and not lines[count][:1][0].text and any(cell.text for cell in lines[count]):
        count += 1
    return count


def _name_columns(headings: Sequence[_Line]) -> tuple[str, list[str]]:
    """The heading over all columns but the first, and each column's headings joined: "Placebo (n=19), week 4"."""
    width = max(map(len, headings), default=0)
    padded = [(*line, *[_NO_CELL] * (width - len(line))) for line in headings]
    common = [line[1] for line in padded if width > 2 and line[1].text and len({cell.number for cell in line[1:]}) == 1]
    texts = [[_heading_text(cell) for cell in line] for line in padded if line[1:2] not in [(cell,) for cell in common]]
    columns = [", ".join(dict.fromkeys(filter(None, (line[at] for line in texts)))) for at in range(width)]
    return ", ".join(map(_heading_text, common)), columns


def _heading_text(cell: _Cell) -> str:
    return cell.text.rstrip(" :")


def _is_heading(line: _Line, columns: Sequence[str]) -> bool:
    """Whether a line inside a table renames its columns: no row name, no number, and a repeated heading."""
    texts = [cell.text for cell in line[1:] if cell.text]
    is_unnamed = len(texts) > 1 and not line[0].text and not any(map(_NUMBER.match, texts))
    return is_unnamed and not set(texts).isdisjoint(columns[1:])


def _make_row(line: _Line, columns: Sequence[str], groups: list[_Group]) -> TableRow | None:
    """Convert a line to a row; None if it is empty or only a heading of rows below."""
    stub = line[0] if line else _NO_CELL
    cells = [cell for cell in _make_cells(line, columns) if cell.text not in _EMPTY]
    if all(cell.text == cell.column for cell in cells):  # no cells, or only repeated headings
        if stub.text:
            _open_group(groups, stub)
        return None
    above = _headings_above(groups, stub)
    if stub.text:
        groups.append(_Group(stub.indent, _heading_text(stub), deeper=True))
    row_name = f"{_heading_text(stub)} [{stub.note}]" if stub.note else _heading_text(stub)
    return TableRow(heading=", ".join(filter(None, (*above, row_name))), cells=tuple(cells))


def _open_group(groups: list[_Group], stub: _Cell) -> None:
    while groups and groups[-1].indent >= stub.indent:
        groups.pop()
    groups.append(_Group(stub.indent, _heading_text(stub)))


def _headings_above(groups: list[_Group], stub: _Cell) -> list[str]:
    """The group headings above a row, after dropping those that end before it."""
    while groups and stub.text:
        last = groups[-1]
        if last.deeper is None:
            groups[-1] = last._replace(deeper=stub.indent > last.indent)
        if not groups[-1].deeper or stub.indent > last.indent:
            break
        groups.pop()
    return [group.text for group in groups]


def _make_cells(line: _Line, columns: Sequence[str]) -> Iterator[Cell]:
    """Yield each cell after the first once, a spanning one under all its columns."""
    seen = {line[0].number} if line else set()
    for at, cell in enumerate(line):
        if cell.number in seen:
            continue
        seen.add(cell.number)
        over = [columns[n] for n in range(at, min(len(line), len(columns))) if line[n].number == cell.number]
        names = list(dict.fromkeys(filter(None, over)))
        column = " to ".join(names[:1] + names[1:][-1:])
        unit = _UNIT.search(column) or _UNIT.search(line[0].text)
        text = f"{cell.text} [{cell.note}]" if cell.note and cell.text else cell.text
        yield Cell(column=column, text=text, unit=unit[1] if unit else "")
