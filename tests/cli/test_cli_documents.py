"""DOCX and PDF from the command line: their options, and a computer without typst."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import docx
import pytest
from docx.shared import Inches
from pypdf import PdfReader
from storm_program import FinishedJob, Program


@pytest.fixture
def without_typst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "storm.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A template with a header of its own."""
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "House of style"
    made.sections[0].page_width = Inches(7)
    made.save(str(tmp_path / "house.docx"))
    return tmp_path / "house.docx"


@pytest.mark.slow
def test_a_job_is_exported_on_the_readers_paper_and_in_the_house_style(
    program_with_job: Program, finished: FinishedJob, house: Path
) -> None:
    wanted = ("--format", "docx,pdf", "--paper", "letter", "--template", house, "--out", "files")
    outcome = program_with_job("export", finished.job_id, *wanted)
    assert (outcome.code, outcome.err) == (0, "")
    paths = [program_with_job.folder / line for line in outcome.out.splitlines()]
    assert [path.name for path in paths] == ["dossier.docx", "dossier.pdf"]
    assert PdfReader(paths[1]).pages[0].mediabox.width == 612
    written = docx.Document(BytesIO(paths[0].read_bytes()))
    assert written.paragraphs[0].text == "trastuzumab: research dossier"
    assert written.sections[0].header.paragraphs[0].text == "House of style"


@pytest.mark.slow
def test_a_resume_writes_the_files_on_the_paper_and_in_the_style_of_the_run(program: Program, house: Path) -> None:
    options = ("--format", "docx,pdf", "--paper", "letter", "--template", house.name, "--out", "files")
    assert program("run", "metformin", "--offline", "--job-id", "mine", *options).code == 0
    files = {path: path.read_bytes() for path in (program.folder / "files").glob("[!.]*")}
    assert len(files) == 2
    for path in files:
        path.unlink()
    assert program("resume", "mine").code == 0
    assert {path: path.read_bytes() for path in files} == files


@pytest.mark.slow
def test_a_template_that_is_gone_is_reported_before_the_work_and_can_be_replaced_or_dropped(
    program: Program, house: Path
) -> None:
    options = ("--format", "docx,md", "--template", house.name, "--out", "files")
    assert program("run", "metformin", "--offline", "--job-id", "mine", *options).code == 0
    moved = house.rename(house.with_name("moved.docx"))
    for command in (("resume", "mine"), ("update", "mine", "--out", "later")):
        refused = program(*command)
        assert (refused.code, refused.is_one_clear_error()) == (2, True)
        assert "--template" in refused.err and "house.docx cannot be read: No such file" in refused.err
    assert len(program.jobs()) == 1
    assert program("resume", "mine", "--format", "md").code == 0
    assert program("resume", "mine", "--template", "none").code == 0
    assert docx.Document(str(program.folder / "files/dossier.docx")).sections[0].header.is_linked_to_previous
    assert program("update", "mine", "--out", "later", "--template", moved.name, "--job-id", "later").code == 0
    later = docx.Document(str(program.folder / "later/dossier.docx"))
    assert later.sections[0].header.paragraphs[0].text == "House of style"


@pytest.mark.slow
def test_an_export_whose_template_is_gone_writes_the_other_files(program: Program, house: Path) -> None:
    options = ("--format", "docx", "--template", house.name, "--out", "files")
    assert program("run", "metformin", "--offline", "--job-id", "mine", *options).code == 0
    house.unlink()
    outcome = program("export", "mine", "--format", "docx,md,json")
    assert (outcome.code, outcome.is_one_clear_error()) == (3, True)
    assert "the DOCX was not written, as" in outcome.err and "No such file" in outcome.err
    assert [Path(line).name for line in outcome.out.splitlines()] == ["dossier.md", "dossier.json"]
    assert program("export", "mine", "--format", "docx", "--template", "none").code == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [("none.docx", "No such file"), ("house.txt", "is no .docx file"), ("cut.docx", "not a readable")],
)
@pytest.mark.parametrize("command", ["run", "export"])
def test_a_template_that_cannot_be_used_is_refused_before_any_work(
    program: Program, command: str, given: str, said: str
) -> None:
    (program.folder / "cut.docx").write_bytes(b"PK\x03\x04")
    outcome = program(command, "metformin", "--format", "docx", "--template", given)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "--template" in outcome.err and said in outcome.err
    assert program.jobs() == []


def test_a_run_without_typst_is_refused_before_its_job_and_says_what_to_install(
    program: Program, without_typst: None
) -> None:
    outcome = program("run", "metformin", "--offline", "--quiet", "--format", "pdf,md", "--out", "files")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "--format: the format pdf needs typst, which is not installed\n  leave pdf out, or install" in outcome.err
    assert "pip install 'storm-research[pdf]'" in outcome.err
    assert program.jobs() == [] and not (program.folder / "files").exists()


@pytest.mark.slow
def test_a_resume_without_typst_writes_the_other_files_and_says_what_to_install(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("run", "metformin", "--offline", "--quiet", "--job-id", "mine", "--format", "pdf,md", "--out", "files")
    assert program(*asked).code == 0
    for path in (program.folder / "files").iterdir():
        path.unlink()
    monkeypatch.delitem(sys.modules, "storm.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)
    outcome = program("resume", "mine", "--quiet")
    assert (outcome.code, outcome.is_one_clear_error()) == (3, True)
    assert "pip install 'storm-research[pdf]'" in outcome.err
    assert [Path(line).name for line in outcome.out.splitlines()] == ["dossier.md"]
    assert [path.name for path in (program.folder / "files").glob("[!.]*")] == ["dossier.md"]


def test_an_export_without_typst_does_the_same(
    program_with_job: Program, finished: FinishedJob, without_typst: None
) -> None:
    outcome = program_with_job("export", finished.job_id, "--format", "pdf,docx,sources", "--out", "files")
    assert (outcome.code, outcome.is_one_clear_error()) == (3, True)
    assert "pip install 'storm-research[pdf]'" in outcome.err
    assert [Path(line).name for line in outcome.out.splitlines()] == ["dossier.docx", "sources.json"]


@pytest.mark.slow
def test_an_export_of_other_formats_loads_no_library_for_pages(
    program_with_job: Program, finished: FinishedJob
) -> None:
    code = (
        "import sys; from storm.cli.main import main\n"
        "try: main()\n"
        "finally: print(sorted({'docx', 'typst', 'anyascii', 'lxml'} & set(sys.modules)))"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "export",
        finished.job_id,
        "--format",
        "bib,ris,csl,md,json",
        "--out",
        "files",
    ]
    folder, env = program_with_job.folder, program_with_job.environment({})
    said = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"
