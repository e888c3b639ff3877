"""docs/traces.md: its Python runs as it stands, and it names every column."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from storm_program import Program

from storm.traces import EventKind, TraceStatus
from storm.traces.tables import Base

PAGE = ROOT / "docs/traces.md"


@pytest.mark.slow
def test_the_example_records_a_job_and_reads_its_trace(program: Program, tmp_path: Path) -> None:
    (block,) = code_blocks(PAGE, "python")
    done = subprocess.run(
        [sys.executable, "-c", block],
        env=program.environment({}),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("completed {'searches': ")
    listed = program("traces", "list", "--json").json()["traces"]
    assert [trace["status"] for trace in listed] == ["completed"]


def test_every_column_and_word_of_the_tables_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    columns = {column.name for table in Base.metadata.tables.values() for column in table.columns}
    assert columns | {*TraceStatus} | {*EventKind} <= named
