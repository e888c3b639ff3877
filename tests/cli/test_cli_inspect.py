"""`storm inspect` and `storm watch` of a job whose questions its planner is yet to make, and of several agents."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest
from pages import README
from service_lists import NOBODY
from storm_program import Program

from storm.app import open_app
from storm.cli.inspect import describe_event
from storm.models import JobRequest, Plan, Question, Step, Syllabus
from storm.settings import Settings

MADE = Syllabus(name="made", questions=(Question(key="heart", label="Heart", description="Harm?", min_sources=3),))


async def looked(program: Program, job_id: str) -> tuple[str, dict[str, object], str]:
    """What the two commands tell."""
    outcome = [
        await asyncio.to_thread(program, *argv, job_id) for argv in (("inspect",), ("inspect", "--json"), ("watch",))
    ]
    assert [one.code for one in outcome] == [0, 0, 0]
    return outcome[0].out, json.loads(outcome[1].out), outcome[2].out


@pytest.mark.slow
async def test_a_job_is_looked_into_before_and_after_its_questions_are_there(program: Program) -> None:
    own = Settings(program.data, README.parent / "config", None, timedelta(days=1), True, NOBODY)
    async with open_app(own) as app:
        job_id = (await app.start(JobRequest(text="trastuzumab", offline=True))).job_id
        text, before, watched = await looked(program, job_id)
        assert (before["state"], before["questions"], before["agents"], before["total"]) == ("queued", {}, {}, 0)
        assert "  0 sources\n" in text
        assert watched.endswith(f"{job_id} is queued. Go on with it: storm resume {job_id}\n")
        refused = await asyncio.to_thread(program, "export", job_id, "--format", "sources")
        assert refused.code == 2 and f"{job_id} has no questions yet" in refused.err
        assert f"storm resume {job_id}" in refused.err
        async with app.workbench(job_id) as bench:
            await bench.collection.set_questions(MADE.keys)
            plan = Plan(names=("trastuzumab",), syllabus=MADE)
            await bench.journal.finish_stage("plan", plan.model_dump_json())
            for number, thread in ((1, "reader"), (2, "reader"), (1, "critic")):
                await bench.journal.log_step(Step(number=number, thread=thread))
        text, after, watched = await looked(program, job_id)
    assert after["questions"] == {"heart": {"sources": 0, "min_sources": 3}}
    assert after["agents"] == {"critic": 1, "reader": 2}
    assert "  ⚠ heart: 0 sources collected, 3 needed\n" in text and "  critic: 1 step\n  reader: 2 steps\n" in text
    assert f"{job_id} is interrupted." in watched and text.endswith(f"\nGo on with it: storm resume {job_id}\n")


def test_progress_is_told_by_its_counts_and_other_events_by_their_message() -> None:
    counts = {"clinical.safety": "1/5", "ip.patents": "0/3"}
    assert describe_event("progress", "sources per question", counts) == "progress: clinical.safety 1/5, ip.patents 0/3"
    assert describe_event("saved", "#1 PubMed: A\x1b trial", {"number": 1}) == "saved: #1 PubMed: A trial"
