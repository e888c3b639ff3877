"""docs/how-it-works.md: its Python runs as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import ROOT, code_blocks
from storm_program import Program

from storm.models import Event


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
