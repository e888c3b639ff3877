"""docs/reports.md: its tables name every setting and preference, its Python and its file work as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from research_parts import use_parts

from storm.cli.research_settings import read_settings_given
from storm.models import ReportPreferences, ResearchSettings

PAGE = ROOT / "docs/reports.md"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under that heading, without its head."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_settings_has_each_with_its_default_and_range() -> None:
    said = {name.strip("`"): (default, allowed) for name, _, default, allowed in rows("Settings of research")}
    fields = ResearchSettings.model_fields
    true = {
        name: (
            str(field.default),
            " to ".join(str(getattr(limit, "ge", getattr(limit, "le", None))) for limit in field.metadata),
        )
        for name, field in fields.items()
    }
    assert said == true


def test_the_table_of_preferences_has_each_with_its_option() -> None:
    assert {name.strip("`") for _, name, _ in rows("How the reader wants it")} == set(ReportPreferences.model_fields)


def test_the_file_of_settings_can_be_read(tmp_path: Path) -> None:
    (text,) = code_blocks(PAGE, "yaml")
    (tmp_path / "settings.yaml").write_text(text)
    found = read_settings_given(tmp_path / "settings.yaml", ())
    assert found == {"max_questions": 6, "max_iterations": 1, "temperature": 0.3}


@pytest.mark.slow
def test_the_python_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    use_parts(monkeypatch)
    (code,) = code_blocks(PAGE, "python")
    exec(compile(code, "docs/reports.md", "exec"), {})
    assert re.match(r"6 \[.+\]\n$", capsys.readouterr().out)
    assert (tmp_path / "reports/biosimilars/report.html").exists()
