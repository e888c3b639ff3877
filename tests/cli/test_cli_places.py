"""Folders and disks that do not take what storm writes: reported before work if possible, never a lost job."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from redis_servers import ExternalServer
from storm_program import FinishedJob, Program, dossiers, newest_job

#: Runs `storm` under a limit on the size of files, which is what a full disk is to it.
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), -1))
from storm.cli.main import main
main()
"""


@pytest.fixture
def a_file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("mine", encoding="utf-8")
    return path


@pytest.mark.parametrize("inside", [".", "deeper/still"])
def test_an_out_folder_that_cannot_be_is_refused_before_any_work(program: Program, a_file: Path, inside: str) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", a_file / inside)
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert str(a_file) in outcome.err and "--out" in outcome.err
    assert program.jobs() == []
    assert a_file.read_text(encoding="utf-8") == "mine"


def test_an_out_folder_whose_name_is_too_long_is_refused_before_any_work(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", "x" * 300)
    assert outcome.code == 2 and outcome.is_one_clear_error() and "File name too long" in outcome.err
    assert program.jobs() == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_an_out_folder_that_no_system_makes_is_refused_in_plain_words(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", "/proc/x")
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert "cannot write to /proc/x: no folder can be made there\n  give another folder with --out" in outcome.err


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("STORM_DATA_DIR", "FILE", "which is not a folder\n  name a folder, or leave it unset"),
        ("STORM_QUEUE_URL", "foo", "STORM_QUEUE_URL is not a Redis URL\n  write redis://"),
        ("STORM_QUEUE_URL", "http://me:secret@host", "STORM_QUEUE_URL is not a Redis URL\n  write redis://"),
    ],
)
def test_a_setting_that_names_no_such_place_is_refused_by_every_command(
    program: Program, a_file: Path, name: str, value: str, message: str
) -> None:
    for command in (("run", "trastuzumab", "--offline"), ("jobs",), ("submit", "run", "trastuzumab", "--offline")):
        outcome = program(*command, **{name: value.replace("FILE", str(a_file))})
        assert outcome.code == 2 and outcome.is_one_clear_error() and message in outcome.err, outcome.err
        assert "secret" not in outcome.err


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_an_out_folder_without_permission_is_refused_before_any_work(program: Program) -> None:
    closed = program.folder / "closed"
    closed.mkdir(mode=0o500)
    outcome = program("run", "trastuzumab", "--offline", "--out", closed)
    assert outcome.code == 2 and "permission denied" in outcome.err
    assert program.jobs() == []


@pytest.mark.parametrize("command", ["resume", "export"])
def test_an_out_folder_that_cannot_be_is_refused_later_too(
    program_with_job: Program, finished: FinishedJob, a_file: Path, command: str
) -> None:
    outcome = program_with_job(command, finished.job_id, "--out", a_file)
    assert outcome.code == 2 and outcome.is_one_clear_error() and str(a_file) in outcome.err


@pytest.mark.parametrize("command", ["resume", "export"])
def test_no_folder_is_made_for_a_job_that_is_not_there(program: Program, command: str) -> None:
    outcome = program(command, "nope", "--out", "new")
    assert outcome.code == 2 and "there is no job nope" in outcome.err
    assert not (program.folder / "new").exists()


def test_the_default_folder_is_checked_before_any_work_too(program: Program) -> None:
    (program.folder / "storm-reports").write_text("mine", encoding="utf-8")
    outcome = program("run", "trastuzumab", "--offline")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "storm-reports" in outcome.err
    assert program.jobs() == []


@pytest.mark.parametrize(
    "command", [("run", "trastuzumab", "--offline"), ("jobs",), ("corpus", "add", "file"), ("store", "info")]
)
def test_a_data_directory_that_is_a_file_is_one_clear_line(
    tmp_path: Path, a_file: Path, command: tuple[str, ...]
) -> None:
    outcome = Program(a_file, tmp_path)(*command)
    assert outcome.code == 2 and outcome.is_one_clear_error() and str(a_file) in outcome.err


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_data_directory_without_permission_is_one_clear_line(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    outcome = Program(closed / "data", tmp_path)("run", "trastuzumab", "--offline")
    assert outcome.code == 1 and outcome.is_one_clear_error() and str(closed) in outcome.err


@pytest.mark.slow
def test_a_full_disk_under_the_reports_loses_no_job(program: Program, finished: FinishedJob) -> None:
    program.server().ensure_running()
    with program.redis():  # the server is started by us, without the limit, and stays while we are connected
        outcome = program.start_python(
            "-c", LIMITED, "9000", "run", "trastuzumab", "--offline", "--out", "reports"
        ).end()
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert "cannot write" in outcome.err and "storm export" in outcome.err
    assert list((program.folder / "reports").iterdir()) == []
    job_id = newest_job(program)
    assert program("export", job_id, "--out", "reports").code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)


def test_a_full_disk_leaves_the_old_file_as_it_was(program_with_job: Program, finished: FinishedJob) -> None:
    program = program_with_job
    old = program.folder / "reports/dossier.md"
    old.parent.mkdir()
    old.write_text("the old one", encoding="utf-8")
    program.server().ensure_running()
    with program.redis():
        outcome = program.start_python(
            "-c", LIMITED, "9000", "export", finished.job_id, "--out", "reports", "--overwrite"
        ).end()
    assert outcome.code == 1
    assert [(path.name, path.read_text(encoding="utf-8")) for path in old.parent.iterdir()] == [
        ("dossier.md", "the old one")
    ]


@pytest.mark.slow
def test_a_full_disk_under_the_store_is_reported_and_the_job_can_be_resumed(
    program: Program, finished: FinishedJob, redis_server: Callable[..., ExternalServer]
) -> None:
    server = redis_server(max_file_bytes=100_000)
    outcome = program.start("run", "trastuzumab", "--offline", "--out", "reports", STORM_REDIS_URL=server.url).end()
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert "cannot write its data to disk" in outcome.err and "storm resume" in outcome.err
    server.allow_any_size()
    (job,) = program.jobs(STORM_REDIS_URL=server.url)
    assert program("resume", job["job_id"], STORM_REDIS_URL=server.url).code == 0
    assert dossiers(program.folder / "reports", job["job_id"]) == dossiers(finished.reports, finished.job_id)


def test_export_names_all_its_formats_where_one_is_unknown(program_with_job: Program, finished: FinishedJob) -> None:
    outcome = program_with_job("export", finished.job_id, "--format", "md,xyz")
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert "no such format: xyz" in outcome.err
    assert "known: html, md, docx, pdf, json, bib, ris, csl, tables, log, flow, changes, sources" in outcome.err


def test_an_out_folder_that_is_a_file_is_called_that(program: Program, a_file: Path) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", a_file)
    assert f"cannot write to {a_file}: it is a file, not a folder" in outcome.err
