"""The page on tools says what there is, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from service_lists import NOBODY

from storm.errors import UsageError
from storm.toolkit import find_tool, list_tools, registry
from storm.toolkit.input_check import read_params
from storm.toolkit.registry import BUILT_IN

PAGE = ROOT / "docs/tools.md"
TEXT = PAGE.read_text(encoding="utf-8")
RUN, AGENT, OWN = code_blocks(PAGE, "python")


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    monkeypatch.setattr(registry, "_tools", {tool.name: tool for tool in BUILT_IN})


def test_the_table_has_each_tool_and_whether_it_reports_progress() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes|no) \|$", TEXT, re.M)
    assert rows == [(tool.name, "yes" if tool.streaming else "no") for tool in BUILT_IN]


def test_wrong_input_is_answered_as_the_page_says() -> None:
    with pytest.raises(UsageError) as refused:
        read_params(find_tool("search_corpus"), {"qery": "metformin"})
    assert f"> {refused.value.message}\n" in TEXT


@pytest.mark.slow
def test_a_tool_is_run_and_called_as_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(RUN, "tools.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "  0% Planning" and "100% " in "\n".join(lines)
    assert lines[-1].startswith("4 none: the corpus is empty")


def test_an_agent_takes_the_tools() -> None:
    names: dict[str, object] = {}
    exec(compile(AGENT, "tools.md", "exec"), names)
    assert {"search_corpus", "get_source", "finish"} == set(names["agent"].tools)  # type: ignore[attr-defined]


def test_a_tool_of_ones_own_is_registered_and_called(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(OWN, "tools.md", "exec"), {})
    assert capsys.readouterr().out == "9 letters\n"
    assert list_tools()[-1].name == "count_letters"
