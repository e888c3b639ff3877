"""An update whose process dies says the same after a resume, and a twin from Python does what the command does."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from python_process import run_python

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
storm.update("before-1", new_id=sys.argv[3], on_event=observe)
"""


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS", "STORM_JOB_TTL_DAYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


@pytest.mark.long
@pytest.mark.slow
async def test_an_update_goes_on_where_its_process_was_killed() -> None:
    before = await storm.arun("metformin", offline=True, job_id="before-1")
    for kind, number in (("stage", 1), ("saved", 20), ("answer", 3)):
        job_id = f"mine-{kind}-{number}"
        killed = await asyncio.to_thread(run_python, "-c", KILLED, kind, str(number), job_id)
        assert killed == -signal.SIGKILL, job_id
        assert {job.job_id: job.state for job in await storm.ajobs()}[job_id] is JobState.INTERRUPTED
        after = await storm.aresume(job_id)
        assert after.changes is not None and after.changes.is_empty, job_id
        found = after.answers, after.references, after.coverage
        assert found == (before.answers, before.references, before.coverage), job_id


@pytest.mark.slow
def test_an_update_from_python_writes_the_formats_of_the_job_and_what_changed(tmp_path: Path) -> None:
    before = storm.run("metformin", offline=True, formats=["md"])
    after = storm.update(before.job_id, out=tmp_path / "out", new_id="later-1")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dossier.changes.json", "dossier.md"]
    assert (after.job_id, after.changes and after.changes.update_of) == ("later-1", before.job_id)
    with pytest.raises(UnknownJob):
        storm.update("nobody-1")
