"""Rows of adverse events by arm from the tables of papers, where count, share and size of the arm agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.evidence.subjects import compile_name_pattern
from storm.models import Cell, Hit, Holds, Retraction, Section, Source, TableRow, database_info
from storm.syllabus.drug_names import DRUG_NAME

_HARM = re.compile(r"\badverse\b|\bside[- ]effects?\b|\btoxicit|\b(?:TE)?AEs?\b", re.I)
_SAFETY = re.compile(r"\b(?:safety|tolerability)\b", re.I)
#: "(n = 158)" in the heading of an arm's column, and "12 (7.6%)" in its cells.
_SIZE = re.compile(r"\bn ?= ?(\d[\d,]{0,8})", re.I)
_COUNT = re.compile(r"(\d{1,7}) ?\((<?) ?(\d{1,3}(?:\.(\d{1,3}))?) ?%?\)")
_NO_EVENTS = "0"
#: The last part of the name of a row that counts those without an event: "COPD exacerbations, 0".
_WITHOUT = re.compile(
    r"(?:^|, )(?:0|no|none|nil|absent|not present|negative|normal|(?:no|without) [^,(][^,]{0,80})$", re.I
)
#: A row that names adverse events itself is not of the group above it: "Drug-related AEs, AEs leading to stopping".
_OWN_NAME = re.compile(
    r"^.*(?:\bAEs?\b|\badverse events?\b).*?, ((?:any |all |serious |severe )?(?:(?:TE|S)?AEs?|adverse events?)\b.*)$",
    re.I,
)
#: A share may differ from its count by rounding: six tenths of its last digit.
_ROUNDING = 0.6


class ArmCount(NamedTuple):
    """The people with an event in one arm, whose name is as the table has it."""

    source: Source
    place: str
    event: str
    arm: str
    affected: int
    at_risk: int


def list_paper_events(papers: Sequence[Source], names: Sequence[str]) -> Iterator[ArmCount]:
    """The counts of each table, row by row, but for those whose arms all had
    other drugs than that of these names, in a paper whose title does not name it."""
    drug = compile_name_pattern(tuple(names))
    for source in papers:
        if _is_read(source.hit):
            for section in filter(_is_of_harm, source.hit.sections):
                if _is_of_other_drugs(section, drug) and not drug.search(source.hit.title):
                    continue
                for counts in _read_table(source, section):
                    yield from counts


def _is_read(hit: Hit) -> bool:
    return database_info(hit.database).holds is Holds.PAPERS and hit.retraction is not Retraction.RETRACTED


def _is_of_other_drugs(section: Section, drug: re.Pattern[str]) -> bool:
    """Whether each arm of a table is named by a drug, and none by this one."""
    arms = {cell.column for row in section.rows for cell in row.cells if _SIZE.search(cell.column)}
    return bool(arms) and all(DRUG_NAME.search(arm) and not drug.search(arm) for arm in arms)


def _is_of_harm(section: Section) -> bool:
    """Whether a table is one of adverse events by its heading, or by that and its rows."""
    heading = section.label.rpartition(": ")[2]
    if not section.rows or _HARM.search(heading):
        return bool(section.rows)
    return bool(_SAFETY.search(heading)) and any(_HARM.search(row.heading) for row in section.rows)


def _read_table(source: Source, section: Section) -> list[list[ArmCount]]:
    """The counts of each row; empty if a share disagrees with its arm, since then the columns may be out of place."""
    rows = []
    for row in section.rows:
        if _WITHOUT.search(row.heading):
            continue
        counted = {cell: found for cell in row.cells if (found := _COUNT.fullmatch(cell.text))}
        counts = [_read_count(source, section, row, cell, found) for cell, found in counted.items()]
        sure = [count for count in counts if count]
        if len(sure) < len(counts):
            return []
        sized = [cell for cell in row.cells if _SIZE.search(cell.column)]
        sure += [_make_count(source, section, row, cell, 0) for cell in sized if counted and cell.text == _NO_EVENTS]
        if row.heading and sure and len(sure) == len(sized):
            rows.append(sorted(sure, key=lambda count: [cell.column for cell in sized].index(count.arm)))
    return rows


def _read_count(source: Source, section: Section, row: TableRow, cell: Cell, found: re.Match[str]) -> ArmCount | None:
    """The count of a cell; None if its column names no size of an arm, or one that disagrees with the share."""
    if not _SIZE.search(cell.column):
        return None
    count = _make_count(source, section, row, cell, int(found[1]))
    if not 0 <= count.affected <= count.at_risk or not count.at_risk:
        return None
    beyond = 100 * count.affected / count.at_risk - float(found[3])
    is_share = beyond < 0 if found[2] else abs(beyond) <= _ROUNDING * 10 ** -len(found[4] or "")
    return count if is_share else None


def _make_count(source: Source, section: Section, row: TableRow, cell: Cell, affected: int) -> ArmCount:
    """The count of a cell whose column names the size of its arm."""
    size = _SIZE.search(cell.column)
    at_risk = int(size[1].replace(",", "")) if size else 0
    event = own[1] if (own := _OWN_NAME.match(row.heading)) else row.heading
    return ArmCount(source, section.name, event, cell.column, affected, at_risk)
