"""docs/evidence.md: its numbers are those of the program."""

from __future__ import annotations

import re

from pages import ROOT

from storm.evidence import choice, levels, score
from storm.export import sources
from storm.models import Reference
from storm.reports.executive_summary import MAX_SENTENCES, WEAKEST_LEVEL

TEXT = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")


def test_the_table_of_designs_is_that_of_the_program() -> None:
    tables = (levels._DESIGNS, levels._SAID, levels._RECORDS)
    rows = [*(level for table in tables for level in table.values()), levels._NO_RESULTS]
    written = re.findall(r"^\| ([a-z][^|]+) \| (\d|–) \| (\d|–) \| (\d+) \|$", TEXT, re.M)
    assert {(row.reason, str(row.efficacy or "–"), str(row.safety or "–"), str(row.points)) for row in rows} == {
        *written
    }


def test_the_other_parts_are_those_of_the_program() -> None:
    for least, points in score._SIZES:
        assert f"{points} from {least:,}" in TEXT
    for points in (score._PREPRINT, score._CONCERN, score._NO_EVIDENCE):
        assert f"| −{-points}" in TEXT
    for name, points in score._PRODUCTS.values():
        assert f"| `{name}` | −{-points}" in TEXT
    assert f"multiplied by {choice._LEAST_WEIGHT} and a two-hundredth" in TEXT
    assert choice._SCORE_SHARE == 1 / 200
    assert f"since {score._FIRST_YEAR}, {score._MOST_DECADES} at most" in TEXT
    most = max(score._TEXT.values()) + score._SIZES[0][1] + score._MOST_DECADES
    assert f"add up to {most} at most" in TEXT
    assert WEAKEST_LEVEL == 3
    assert f"the first {sources.MOST_RATED:,}" in TEXT
    assert MAX_SENTENCES == 8


def test_the_fields_are_those_of_a_reference() -> None:
    fields = TEXT.partition("## In files")[2].split("\n\n")[0]
    named = re.findall(r"`([a-z_]+)`", "\n".join(line.split("|")[1] for line in fields.splitlines()[3:]))
    assert len(named) == 12
    assert set(named) <= set(Reference.model_fields)
