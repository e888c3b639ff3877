"""The plan of a job: what is looked for, under which questions, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storm.errors import NothingSearched
from storm.models import JobRequest, Plan
from storm.modes.run import Run


async def make_plan(run: Run) -> Plan:
    """The job's plan. With it the job's questions and its scope are settled: until then a resume finds out again what
    there is to be searched."""
    return await run.step("plan", Plan, lambda: _settle_plan(run), inputs=_plan_inputs(run.job.request))


async def _settle_plan(run: Run) -> Plan:
    request = run.job.request
    try:
        plan = await run.crew.planner.plan(request)
    except NothingSearched as failed:
        run.crew = await run.crew.fallback(failed)
        plan = await run.crew.planner.plan(request)
    await run.crew.collection.set_questions(plan.syllabus.keys)
    # Of a plan that was never stored there may be another scope, which counts for nothing.
    await run.crew.journal.finish_stage("scope", run.crew.scope.model_dump_json())
    return plan


def _plan_inputs(request: JobRequest) -> Mapping[str, Any]:
    """What a plan is made from; where it is searched is found out."""
    return {
        "drug name": request.text,
        "synonyms": request.also,
        "meaning": request.meaning,
        "questions": request.syllabus,
        "databases": request.databases,
        "preferences": request.preferences,
    }
