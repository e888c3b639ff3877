"""The plan of a job: names to search for, questions to cover, and where to search."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from storm.errors import NothingSearched
from storm.models import JobRequest, Plan
from storm.modes.crew import Crew
from storm.modes.run import Run

#: Makes a plan with the planner of a crew.
AskPlanner = Callable[[Crew], Awaitable[Plan]]


async def make_plan(run: Run, ask: AskPlanner | None = None) -> Plan:
    """The job's plan, by its crew's planner unless `ask` names another; for an update, that of the job which it
    updates. It fixes the job's questions and scope; before it is stored, a resume determines the scope again."""
    return await run.step("plan", Plan, lambda: _settle_plan(run, ask), inputs=_plan_inputs(run.job.request))


async def _settle_plan(run: Run, ask: AskPlanner | None) -> Plan:
    plan = run.crew.carrier.previous.plan if run.crew.carrier else await _ask_planner(run, ask)
    await run.crew.collection.set_questions(plan.syllabus.keys)
    # A scope may already be stored from a plan that was never finished; it is overwritten.
    await run.crew.journal.finish_stage("scope", run.crew.scope.model_dump_json())
    if plan.syllabus != run.job.request.syllabus:
        labels = {question.key: question.label for question in plan.syllabus.questions}
        await run.crew.journal.report("questions", ", ".join(labels.values()), **labels)
    return plan


async def _ask_planner(run: Run, ask: AskPlanner | None) -> Plan:
    ask = ask or (lambda crew: crew.planner.plan(run.job.request))
    try:
        return await ask(run.crew)
    except NothingSearched as failed:
        run.crew = await run.crew.fallback(failed)
        return await ask(run.crew)


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
