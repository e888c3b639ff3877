"""Falls back on rules if a language model fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from storm import planning_wording
from storm.errors import ModelError, StormError
from storm.models import (
    Assessment,
    ChecklistReview,
    Hypotheses,
    Outline,
    RefinedQuestion,
    ReportSection,
    Review,
    SummaryText,
)
from storm.modes.crew import ResearchCrew
from storm.modes.run import Provisional, Run

#: What rules can make instead of a model; its `note` says why they did.
Noted = TypeVar(
    "Noted", Review, Outline, ReportSection, Hypotheses, Assessment, SummaryText, RefinedQuestion, ChecklistReview
)


def roles_of(run: Run) -> ResearchCrew:
    """The roles of research of this run; StormError if its crew has none."""
    if run.crew.research is None:
        raise StormError(
            "the crew has no roles for research", hint="give Crew.research: storm.modes.ResearchCrew has its parts"
        )
    return run.crew.research


async def make_or_fall_back(
    run: Run, what: str, make: Callable[[ResearchCrew], Awaitable[Noted]]
) -> Noted | Provisional[Noted]:
    """The result of the roles; if a model fails, the result of the rules, which is provisional: a resume
    asks the model again."""
    roles = roles_of(run)
    try:
        return await make(roles)
    except ModelError as exc:
        if roles.by_rules is None:
            raise
        # With data: an event of this kind without any ends the job.
        await run.crew.journal.report("failed", f"{what}: {exc.message}", work=what)
        made = await make(roles.by_rules)
        note = planning_wording.MODEL_FAILED.format(message=exc.message)
        return Provisional(made.model_copy(update={"note": note}))
