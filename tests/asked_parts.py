"""Parts that answer a question on trastuzumab in rounds, as simple as can be: what the doors to this mode are tested
with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from research_parts import MADE, Parts

from storm.app.crews import Crews
from storm.app.workbench import Workbench
from storm.errors import ServiceDown
from storm.models import (
    ChecklistReview,
    Finding,
    ItemJudgement,
    ItemState,
    JobRequest,
    Plan,
    Question,
    RefinedQuestion,
    ResearchPlan,
    SearchIteration,
    SearchQuery,
    Source,
)
from storm.modes import Crew, ResearchCrew
from storm.modes.crew import DeepResearchCrew
from storm.ports import Collection


class Refiner:
    """Takes the question as it is; the context completes it."""

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        return RefinedQuestion(text=" ".join(filter(None, (request.text, request.context))))


class ChecklistParts(Parts):
    """All the other parts in one: a checklist of two items, of which the second is satisfied in the second round. A
    question with "zorvimab" finds nothing; `broken`: the searches of both items cannot be written."""

    def __init__(self, collection: Collection, broken: str = "") -> None:
        super().__init__(collection, broken)

    async def plan(self, request: JobRequest, refined: RefinedQuestion | None = None) -> Plan:
        name = "zorvimab" if "zorvimab" in request.text else "trastuzumab"
        return Plan(names=(name,), syllabus=MADE, research=ResearchPlan())

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        if self._broken:
            raise ServiceDown("the query writer is out")
        return await super().write_queries(question, plan)

    async def judge(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:
        if not sources:
            return ChecklistReview(items=tuple(ItemJudgement(question=key) for key in plan.syllabus.keys))
        again = SearchQuery(names=plan.names, words=("heart failure",))
        heart = ItemJudgement(question="heart", state=ItemState.PARTIAL, searches=(again,))
        if len(iterations) > 1:
            heart = ItemJudgement(question="heart", state=ItemState.SATISFIED)
        return ChecklistReview(items=(ItemJudgement(question="benefit", state=ItemState.SATISFIED), heart))


def put_in(bench: Workbench, crew: Crew, broken: str = "") -> Crew:
    """The crew with these parts."""
    parts = ChecklistParts(bench.collection, broken)
    roles = ResearchCrew(bench.searcher, bench.toolbox, parts, parts, parts, parts, parts)
    deep = DeepResearchCrew(Refiner(), parts, parts)
    return crew._replace(planner=parts, research=roles._replace(deep_research=deep))


def use_parts(monkeypatch: pytest.MonkeyPatch, broken: str = "") -> None:
    """Let every job of this test use these parts."""
    build = Crews.build_crew

    async def build_with_parts(self: Crews, bench: Workbench) -> Crew:
        return put_in(bench, await build(self, bench), broken)

    monkeypatch.setattr(Crews, "build_crew", build_with_parts)
