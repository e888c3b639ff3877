"""A whole job, gathered and written, replayed from a recording: every prompt is still what it was.

A prompt that was changed on purpose is recorded anew:
STORM_RECORD=1 scripts/test -n 0 tests/agents/test_agents_recorded.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import dspy
import pytest
from agents.jobs import open_job
from agents.library import Library, competent
from agents.recorded import AGAIN, Recording, Replay
from agents.scripted import asked
from agents.writers import honest
from stores import JOB

from storm.agents import broad_researcher
from storm.errors import ModelError
from storm.models import Dossier

FILE = Path(__file__).parent / "recordings" / "job.jsonl"


def played(prompt: str) -> str:
    """The agent and the writer of the job that is recorded."""
    return (competent() if "recent_steps" in asked(prompt) else honest())(prompt)


async def dossier(lm: dspy.LM) -> Dossier:
    """The job, on a day of its own."""
    async with open_job(Library("pubmed", 5), Library("chembl", 5)) as job:
        return await job.dossier(lm)


@pytest.mark.skipif("STORM_RECORD" not in os.environ, reason="it is replayed unless STORM_RECORD is set")
async def test_the_job_is_recorded() -> None:
    recording = Recording(FILE)
    await dossier(recording.recorder(played))
    recording.write()
    assert Recording.read(FILE).calls == recording.calls


async def test_the_job_asks_what_it_asked_when_it_was_recorded() -> None:
    replay = Replay(Recording.read(FILE))
    made = await dossier(replay.lm)
    replay.assert_all_was_asked()
    assert made.stopped == "complete"
    assert [len(answer.statements) for answer in made.answers] == [3, 2]


async def test_a_prompt_that_changed_is_shown_beside_the_recorded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broad_researcher, "syllabus_text", lambda plan, **_: "clinical.efficacy (3): all about it")
    replay = Replay(Recording.read(FILE))
    with pytest.raises(ModelError):
        await dossier(replay.lm)
    with pytest.raises(AssertionError) as failed:
        replay.assert_all_was_asked()
    message = str(failed.value)
    assert "\n-clinical.efficacy (3): Efficacy. What does it achieve?\n" in message
    assert "\n+clinical.efficacy (3): all about it\n" in message
    assert message.endswith(AGAIN) and len(message) < 2_000


def test_the_recording_is_small_and_holds_nothing_of_the_place_where_it_was_made() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.encode()) < 150_000
    assert not re.search(r"/(?:home|root|tmp|usr|work|Users)/|sk-\w|api[_-]?key|" + re.escape(JOB), text, re.I)
