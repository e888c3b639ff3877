"""The plan of a job: names to search for, questions to cover, and where to search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storm.errors import NothingSearched
from storm.models import JobRequest, Plan
from storm.modes.run import Run


async def make_plan(run: Run) -> Plan:
    """The job's plan: for an update, that of the job which it updates. It fixes the job's questions and scope; before
    it is stored, a resume determines the scope again."""
    return await run.step("plan", Plan, lambda: _settle_plan(run), inputs=_plan_inputs(run.job.request))


async def _settle_plan(run: Run) -> Plan:
    plan = run.crew.carrier.previous.plan if run.crew.carrier else await _ask_planner(run)
    await run.crew.collection.set_questions(plan.syllabus.keys)
    # A scope may already be stored from a plan that was never finished; it is overwritten.
    await run.crew.journal.finish_stage("scope", run.crew.scope.model_dump_json())
    if plan.syllabus != run.job.request.syllabus:
        labels = {question.key: question.label for question in plan.syllabus.questions}
        await run.crew.journal.report("questions", ", ".join(labels.values()), **labels)
    return plan


async def _ask_planner(run: Run) -> Plan:
    request = run.job.request
    try:
        return await run.crew.planner.plan(request)
    except NothingSearched as failed:
        run.crew = await run.crew.fallback(failed)
        return await run.crew.planner.plan(request)


def _plan_inputs(request: JobRequest) -> Mapping[str, Any]:
    """The parts of a request that determine its plan."""
    return {
        "drug name": request.text,
        "synonyms": request.also,
        "meaning": request.meaning,
        "questions": request.syllabus,
        "databases": request.databases,
        "preferences": request.preferences,
    }
