"""`storm batch`: from the file to the exit code."""

from __future__ import annotations

import json
import signal
import sys

import pytest
from long_parameters import mark_long
from storm_program import Program

ROWS = "metformin\ntrastuzumab\npertuzumab\n"
BATCH = ("drugs.txt", "--offline", "--name", "b", "--jobs", "1")


@pytest.mark.slow
@pytest.mark.parametrize("number", mark_long([signal.SIGINT, signal.SIGTERM, signal.SIGKILL], but=[signal.SIGINT]))
def test_a_batch_that_is_stopped_goes_on_with_what_is_missing(program: Program, number: signal.Signals) -> None:
    (program.folder / "drugs.txt").write_text(ROWS)
    child = program.start("batch", *BATCH)
    child.await_note("metformin-")
    child.send(number)
    stopped = child.end()
    if number is not signal.SIGKILL:
        assert stopped.code == 130 and stopped.is_one_clear_error()
        assert "Error: the batch b was interrupted; what its jobs found is kept" in stopped.err
        assert "go on: storm batch resume b" in stopped.err
    resumed = program("batch", "resume", "b")
    assert "metformin-" not in resumed.err and "trastuzumab-" in resumed.err
    counts = json.loads(program("batch", "status", "b", "--format", "json").out)["counts"]
    assert counts == {"finished": 3}


@pytest.mark.slow
def test_a_batch_that_is_cancelled_and_one_that_is_worked_on_say_so(program: Program) -> None:
    # So many that some are left where other work makes the second program start late.
    (program.folder / "drugs.txt").write_text(f"{ROWS}lapatinib\nneratinib\ntucatinib\nmargetuximab\n")
    child = program.start("batch", *BATCH)
    child.await_note("Batch b: 7 jobs")
    child.await_note("metformin-")
    second = program("batch", *BATCH)
    assert second.code == 1 and "another process works on the batch b" in second.err
    assert "storm batch watch b" in second.err
    program("batch", "cancel", "b")
    first = child.end()
    assert "No further job was started: the batch was cancelled" in first.err
    assert program("batch", "resume", "b").code == program("batch", "watch", "b").code
    counts = json.loads(program("batch", "status", "b", "--format", "json").out)["counts"]
    assert counts == {"finished": 7}


@pytest.mark.slow
def test_a_file_is_a_batch_whose_status_can_be_read_by_programs(program: Program) -> None:
    file = program.data.parent / "drugs.txt"
    file.write_text("metformin\n")
    assert program("batch", str(file), "--offline", "--name", "b").code == 0
    table = json.loads(program("batch", "status", "b", "--format", "json").out)
    assert (table["counts"], table["remaining"], table["exit_code"]) == ({"finished": 1}, 0, 0)
    assert program("batch", "watch", "b").code == 0


#: One question that no drug has enough sources for.
STRICT = """name: strict
min_databases: 1
questions:
  - {key: safety, label: Safety, description: "What harm?", min_sources: 99, queries: {default: [adverse events]}}
"""


def test_a_job_that_lacks_sources_is_partial_in_its_batch_s_status(program: Program) -> None:
    (program.folder / "drugs.txt").write_text("metformin\n")
    (program.folder / "strict.yaml").write_text(STRICT)
    started = program("batch", "drugs.txt", "--offline", "--name", "b", "--syllabus", "strict.yaml")
    assert started.code == 3
    (job,) = json.loads(program("batch", "status", "b", "--format", "json").out)["jobs"]
    assert (job["exit_code"], job["reason"]) == (3, "partial")


@pytest.mark.parametrize(
    ("name", "text", "argv", "why"),
    [
        (
            "drugs.csv",
            "name,prio\nmetformin,3\n",
            (),
            "none is drug or question",
        ),
        ("drugs.csv", "drug,prio\nmetformin,3\naspirin,4\n", (), "line 1: column 'prio' is unknown"),
        ("drugs.txt", "metformin\n", ("--set", "max_question=3"), "'max_question' is not a setting of research"),
    ],
)
def test_what_is_wrong_with_all_rows_is_said_once(
    program: Program, name: str, text: str, argv: tuple[str, ...], why: str
) -> None:
    (program.folder / name).write_text(text)
    outcome = program("batch", name, "--offline", *argv)
    assert (outcome.code, why in outcome.err, outcome.err.count("unknown"), "line 2" in outcome.err) == (
        2, True, why.count("unknown"), False,
    )  # fmt: skip
    assert program("batch", "list").out.startswith("No batches yet")


@pytest.mark.slow
def test_a_cancelled_batch_says_how_it_goes_on(program: Program) -> None:
    (program.folder / "drugs.txt").write_text("metformin\ntrastuzumab\n")
    program("batch", "drugs.txt", "--offline", "--name", "b")
    job_id = str(program.jobs()[0]["job_id"])
    assert program("delete", job_id).code == 0
    program("batch", "cancel", "b")
    said = program("batch", "status", "b").out
    assert "1 finished, 1 gone; it was cancelled, and goes on with: storm batch resume b" in said


@pytest.mark.slow
def test_the_results_that_can_be_written_are_where_one_format_lacks_its_library(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program.folder / "drugs.txt").write_text("metformin\n")
    program("batch", "drugs.txt", "--offline", "--name", "b")
    monkeypatch.delitem(sys.modules, "storm.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)
    outcome = program("batch", "results", "b", "--out", "out", "--format", "md,html,pdf")
    assert (outcome.code, "typst" in outcome.err) == (3, True)
    (page,) = (program.folder / "out").glob("*/dossier.html")
    assert f'href="{page.parent.name}/dossier.html"' in (program.folder / "out" / "index.html").read_text()


def test_each_wrong_row_is_named_and_nothing_is_started(program: Program) -> None:
    file = program.data.parent / "drugs.csv"
    file.write_text("drug,priority\nmetformin,1\nmetformin,x\ntrastuzumab,y\n")
    outcome = program("batch", str(file), "--offline")
    assert outcome.code == 2
    assert "line 3: column priority: 'x'" in outcome.err and "line 4: column priority: 'y'" in outcome.err
    assert program("batch", "list").out.startswith("No batches yet")
