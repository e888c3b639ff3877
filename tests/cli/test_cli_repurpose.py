"""`storm repurpose "DRUG for DISEASE"`: from what is asked to its files, with parts in place of a crew's."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from repurposing_parts import use_parts
from storm_program import Outcome, Program, newest_job

ASKED = "trastuzumab for breast cancer"
FILES = ["report.html", "report.json", "report.md"]


@pytest.fixture(autouse=True)
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    use_parts(monkeypatch)


def ask(program: Program, *options: str, asked: str = ASKED) -> Outcome:
    return program("repurpose", asked, "--offline", *options)


def fields(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return value


def test_a_repurposing_report_writes_its_files_and_names_them(program: Program) -> None:
    outcome = ask(program, "--out", "r")
    assert outcome.code == 0, outcome.text
    folder = program.folder / "r"
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert f"{folder}/report.html" in outcome.out.splitlines()
    (tested,) = fields(folder)["repurposing"]["report"]["hypotheses_tested"]
    assert tested["mechanism"].startswith("trastuzumab → HER2")
    assert newest_job(program).startswith("trastuzumab-for-breast-cancer-")


def test_its_progress_names_every_stage(program: Program) -> None:
    stages = [line.removesuffix(" …") for line in ask(program).err.splitlines() if line.endswith("…")]
    assert stages[:6] == ["Planning", "Writing searches", "Searching", "Filing", "Checking", "Answering"]
    assert stages[6:] == [
        "Proposing hypotheses, round 1", "Judging the evidence, round 1", "Writing sections", "Writing the summary",
        "Writing",
    ]  # fmt: skip


def test_without_evidence_the_exit_code_is_4(program: Program) -> None:
    outcome = ask(program, "--out", "r", asked="zorvimab for breast cancer")
    assert outcome.code == 4, outcome.text
    assert fields(program.folder / "r")["repurposing"]["report"] is None
    (listed,) = program.jobs()
    assert listed["exit_code"] == 4 and "nothing found" in program("jobs").out


def test_what_could_not_be_researched_is_no_empty_result(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        use_parts(broken, broken="all")
        assert ask(program).code == 3
    assert program("resume", newest_job(program)).code == 0


@pytest.mark.slow
def test_its_job_is_looked_into_opened_exported_and_deleted_like_any(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(program, "--out", "r").code == 0
    job_id = newest_job(program)
    assert "stage: hypotheses:1" in program("watch", job_id, "--all").out
    assert program("inspect", job_id).out.startswith(f"{job_id}: {ASKED}, finished")
    assert program("inspect", job_id, "--json").json()["kind"] == "repurposing"
    assert program("export", job_id, "--out", "again", "--format", "json,bib,sources").code == 0
    assert sorted(path.name for path in (program.folder / "again").glob("[!.]*")) == [
        "report.bib", "report.json", "sources.json",
    ]  # fmt: skip
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)) or True)
    assert program("open", job_id).code == 0 and opened[0].endswith("/r/report.html")
    outcome = program("update", job_id)
    assert outcome.code == 2 and outcome.is_one_clear_error() and "cannot be updated: only dossiers" in outcome.err
    assert program("delete", job_id).code == 0 and program.jobs() == []


def test_synonyms_the_meaning_and_settings_are_kept_with_the_job(program: Program) -> None:
    given = ("--also", "Herceptin", "--meaning", "trastuzumab", "--set", "max_iterations=1", "--out", "r")
    assert ask(program, *given).code == 0
    found = fields(program.folder / "r")
    assert found["names"] == ["trastuzumab", "Herceptin"] and found["mode"] == "repurposing"
    assert found["research"]["settings"]["max_iterations"] == 1


def test_a_drug_and_a_disease_are_read_from_standard_input(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"\ufeff{ASKED}\n".encode())))
    assert ask(program, "--out", "r", asked="-").code == 0
    assert fields(program.folder / "r")["research"]["asked"] == ASKED


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("repurpose",), "nothing is asked for\n  name a drug and a disease: "),
        (("repurpose", ""), "the repurposing question is empty"),
        (("repurpose", "?!"), "the repurposing question has no letter or digit"),
        (("repurpose", "a" * 20_001), "the repurposing question has 20,001 characters, at most 20,000 are taken"),
        (("repurpose", "trastuzumab", "breast cancer"), "put quotes around"),
        (("repurpose", ASKED, "--mode", "fast"), "--mode is 'fast'; it must be repurposing"),
        (
            ("repurpose", ASKED, "--mode", "report"),
            "the mode report takes a question or a topic, and this is a repurposing question\n"
            "  leave --mode out, or ask with: storm report",
        ),
        (
            ("run", "trastuzumab", "--mode", "repurposing"),
            "the mode repurposing takes a repurposing question, and this is a drug\n"
            "  leave --mode out, or ask with: storm repurpose",
        ),
        (
            ("report", "Does it help?", "--mode", "repurposing"),
            "the mode repurposing takes a repurposing question, and this is a question\n"
            "  leave --mode out, or ask with: storm repurpose",
        ),
    ],
)
def test_what_cannot_be_taken_is_one_clear_error(argv: tuple[str, ...], message: str, program: Program) -> None:
    said = program(*argv, PATH=str(Path(sys.executable).parent))
    assert said.code == 2 and said.is_one_clear_error() and message in said.err, said.err
    assert program.jobs() == []


@pytest.mark.parametrize("option", ["--topic", "--audience", "--section", "--syllabus", "--prefill"])
def test_options_of_other_requests_are_not_among_its_own(option: str, program: Program) -> None:
    said = ask(program, option, "x")
    assert said.code == 2 and said.is_one_clear_error() and option in said.err


@pytest.mark.slow
def test_another_ones_report_is_replaced_only_if_that_is_wanted(program: Program) -> None:
    assert ask(program, "--out", "r").code == 0
    other = "trastuzumab for gastric cancer"
    outcome = ask(program, "--out", "r", asked=other)
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert "r/report.html is not a report on this repurposing question" in outcome.err and "--overwrite" in outcome.err
    assert ask(program, "--out", "r").code == 0
    outcome = ask(program, "--out", "r", "--overwrite", "--format", "md", asked=other)
    assert outcome.code == 0
    assert "Kept files of another repurposing question: report.html, report.json\n" in outcome.err


def test_the_help_says_what_exit_code_4_means_here(program: Program) -> None:
    assert "Exit code 4: no evidence on the drug in this disease" in " ".join(
        program("repurpose", "--help").out.split()
    )
