"""docs/how-it-works.md: its Python runs as it stands; the order of the imports is written down as it is held."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from storm_program import Program

from storm.models import Event


@pytest.mark.slow
def test_the_example_records_the_events_of_a_job(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in program.environment({}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (block,) = code_blocks(ROOT / "docs/how-it-works.md", "python")
    exec(compile(block, "docs/how-it-works.md", "exec"), {})
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [Event.model_validate_json(line) for line in lines]
    assert (events[0].kind, events[0].message, events[0].progress) == ("stage", "plan", 0)
    assert (events[-1].kind, events[-1].progress) == ("finished", 1)
    assert {"search", "saved", "progress", "answer"} <= {event.kind for event in events}


def test_the_import_order_for_contributors_is_the_one_that_is_held() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (order,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    shown = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The import order")[2].split("```")[1]
    lines = [re.split(r"  +", line)[0] for line in shown.strip().splitlines()]
    assert lines == [re.sub(r"\(\w+\) \| ", "", layer) for layer in order]


def test_every_folder_of_the_package_is_explained() -> None:
    page = (ROOT / "docs/how-it-works.md").read_text(encoding="utf-8").partition("## Where things are")[2]
    assert [
        path.parent.name for path in (ROOT / "storm").glob("*/__init__.py") if f"`{path.parent.name}/`" not in page
    ] == []
