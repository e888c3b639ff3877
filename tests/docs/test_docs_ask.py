"""docs/ask.md: its fields and options are those that there are, and its Python works as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asked_parts import use_parts
from pages import ROOT, code_blocks

import storm
from storm.models import AnswerSource, ResearchStatus, StopReason

PAGE = ROOT / "docs/ask.md"
TEXT = PAGE.read_text(encoding="utf-8")
FIELDS = TEXT.partition("## The answer as JSON\n")[2].partition("\n## ")[0]


def test_the_table_of_fields_has_those_of_the_result_and_of_a_source() -> None:
    assert re.findall(r"^\| `(\w+)` \|", FIELDS, re.M) == list(storm.DeepResearchResult.model_fields)
    assert {name for name in AnswerSource.model_fields if f"`{name}`" in FIELDS} == {*AnswerSource.model_fields}


def test_the_page_names_each_status_and_each_reason() -> None:
    assert {one for one in (*ResearchStatus, *StopReason) if f"`{one}`" not in FIELDS} == set()


def test_the_python_of_the_page_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    use_parts(monkeypatch)
    (code,) = code_blocks(PAGE, "python")
    exec(compile(code, "docs/ask.md", "exec"), {})
    said = capsys.readouterr().out
    assert said.startswith("completed ") and "[1] " in said and said.endswith(" searches\n")
