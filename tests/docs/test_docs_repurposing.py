"""docs/repurposing.md: its statuses, outcomes and fields are those that there are, and its Python works as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from repurposing_parts import use_parts

import storm
from storm.models import HypothesisStatus

PAGE = ROOT / "docs/repurposing.md"
CODE = dict(zip(("report", "agent", "stream", "validation"), code_blocks(PAGE, "python"), strict=True))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    use_parts(monkeypatch)


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under that heading, without its head."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def run(name: str, drug: str = "trastuzumab") -> dict[str, object]:
    """Run this Python of the page with this drug, on which the parts find what they need; its names."""
    names: dict[str, object] = {}
    exec(compile(CODE[name].replace("metformin for", f"{drug} for"), "docs/repurposing.md", "exec"), names)
    return names


def test_the_table_of_statuses_has_each_in_the_case_that_makes_it() -> None:
    cases = {"supported": (2, 1), "mixed": (1, 1), "contradicted": (0, 1), "untested": (0, 0)}
    assert [row[0] for row in rows("How to read a report")] == list(cases)
    assert {name: HypothesisStatus.of(*numbers) for name, numbers in cases.items()} == {name: name for name in cases}
    assert set(cases) == set(HypothesisStatus)


def test_the_table_of_fields_has_those_of_the_agents_answer() -> None:
    named = " ".join(row[0] for row in rows("As an agent among agents"))
    assert {name for name in storm.AgentAnswer._fields if f"`{name}`" in named} == {*storm.AgentAnswer._fields} - {"id"}


@pytest.mark.slow
def test_the_report_is_read_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report")
    assert capsys.readouterr().out.startswith("untested 0 0 trastuzumab → HER2")
    assert (tmp_path / "reports/metformin/report.html").exists()
    run("report", "zorvimab")
    assert capsys.readouterr().out == "no evidence, exit code 4\n"


def test_the_agent_answers_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    run("agent")
    assert capsys.readouterr().out.startswith("Trastuzumab for breast cancer")
    run("agent", "zorvimab")
    (sentence,) = (row[1] for row in rows("Three outcomes") if row[0] == "no evidence")
    assert sentence.startswith(f'"{capsys.readouterr().out.strip()}"')


def test_the_stream_prints_its_events_and_gives_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    answer = run("stream")["answer"]
    assert isinstance(answer, storm.AgentAnswer) and answer.id == "report-complete"
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "  0% plan: plan" and said[-1].startswith("100% ")


def test_the_references_are_checked_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    names = run("validation")
    assert isinstance(names["checked"], storm.RepurposingReport) and names["evidence"]
    assert capsys.readouterr().out.startswith("# Trastuzumab for breast cancer")
