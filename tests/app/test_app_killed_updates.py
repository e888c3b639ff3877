"""An update whose process dies says the same after a resume, and a twin from Python does what the command does."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import storm
from storm.errors import UnknownJob
from storm.models import JobState

KILLED = """
import os, signal, sys, storm
left = int(sys.argv[2])
def observe(event):
    global left
    left -= event.kind == sys.argv[1]
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
storm.update("before-1", new_id="mine", on_event=observe)
"""


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS", "STORM_JOB_TTL_DAYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


@pytest.mark.parametrize(("kind", "number"), [("stage", 1), ("search", 5), ("saved", 20), ("stage", 4), ("answer", 3)])
async def test_an_update_goes_on_where_its_process_was_killed(kind: str, number: int) -> None:
    before = await storm.arun("metformin", offline=True, job_id="before-1")
    killed = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", KILLED, kind, str(number)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert {job.job_id: job.state for job in await storm.ajobs()}["mine"] is JobState.INTERRUPTED
    after = await storm.aresume("mine")
    assert after.changes is not None and after.changes.is_empty
    assert (after.answers, after.references, after.coverage) == (before.answers, before.references, before.coverage)


def test_an_update_from_python_writes_the_formats_of_the_job_and_what_changed(tmp_path: Path) -> None:
    before = storm.run("metformin", offline=True, formats=["md"])
    after = storm.update(before.job_id, out=tmp_path / "out", new_id="later-1")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dossier.changes.json", "dossier.md"]
    assert (after.job_id, after.changes and after.changes.update_of) == ("later-1", before.job_id)
    with pytest.raises(UnknownJob):
        storm.update("nobody-1")
