"""`storm batch`: from the file to the exit code."""

from __future__ import annotations

import json

from storm_program import Program


def test_a_file_is_a_batch_whose_status_can_be_read_by_programs(program: Program) -> None:
    file = program.data.parent / "drugs.txt"
    file.write_text("metformin\n")
    assert program("batch", str(file), "--offline", "--name", "b").code == 0
    table = json.loads(program("batch", "status", "b", "--format", "json").out)
    assert (table["counts"], table["remaining"], table["exit_code"]) == ({"finished": 1}, 0, 0)
    assert program("batch", "watch", "b").code == 0


def test_each_wrong_row_is_named_and_nothing_is_started(program: Program) -> None:
    file = program.data.parent / "drugs.csv"
    file.write_text("drug,priority\nmetformin,1\nmetformin,x\ntrastuzumab,y\n")
    told = program("batch", str(file), "--offline")
    assert told.code == 2
    assert "line 3: column priority: 'x'" in told.err and "line 4: column priority: 'y'" in told.err
    assert program("batch", "list").out.startswith("No batches yet")
