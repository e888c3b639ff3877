"""Parts that research two questions about trastuzumab, as simple as can be: what doors are tested with."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import pytest

from storm.app.crews import Crews
from storm.app.workbench import Workbench
from storm.errors import ServiceDown
from storm.models import (
    Answer,
    Finding,
    JobRequest,
    Outline,
    OutlinePart,
    Plan,
    Question,
    ReportSection,
    ResearchPlan,
    Review,
    SearchQuery,
    Source,
    SummarySentence,
    Syllabus,
    Weakness,
    WeaknessKind,
)
from storm.models.record_table import RecordTable
from storm.modes import Crew, ResearchCrew
from storm.ports import Collection
from storm.roles import SelectedRecord, Selection

MADE = Syllabus(
    name="made",
    min_databases=1,
    questions=(
        Question(
            key="benefit", label="Benefit", description="What does it achieve?", min_sources=1, cues=("survival",)
        ),
        Question(
            key="heart",
            label="Harm to the heart",
            description="Does it harm the heart?",
            min_sources=1,
            cues=("heart",),
        ),
    ),
)
WORDS = {"benefit": "survival", "heart": "cardiac"}


class Parts:
    """All the parts in one. `broken`: a question whose searches cannot be written."""

    def __init__(self, collection: Collection, broken: str = "") -> None:
        self._collection = collection
        self._broken = broken

    async def plan(self, request: JobRequest) -> Plan:
        research = ResearchPlan(preferences=request.preferences)
        return Plan(names=("trastuzumab",), syllabus=request.syllabus or MADE, research=research)

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        if question.key == self._broken:
            raise ServiceDown("the query writer is out")
        return (SearchQuery(names=plan.names, words=(WORDS.get(question.key, "trial"),)),)

    async def select(
        self,
        questions: Sequence[Question],
        found: Mapping[str, Sequence[Sequence[str]]],
        plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:
        selections = {}
        for question in questions:
            keys = list(dict.fromkeys(key for keys in found[question.key] for key in keys))[:5]
            hits = await self._collection.find_hits(keys)
            selections[question.key] = Selection([SelectedRecord(hit, None) for hit in hits if hit])
        return selections

    async def digest(self, question: Question, answer: Answer, plan: Plan) -> str:
        return question.label

    async def review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        again = SearchQuery(names=plan.names, words=("heart failure",))
        weak = Weakness(question="heart", kinds=(WeaknessKind.INCOMPLETE,), searches=(again,))
        return Review() if earlier or "heart" not in plan.syllabus.keys else Review(weak=(weak,))

    async def plan_outline(self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable]) -> Outline:
        parts = (
            OutlinePart(anchor=f"part-{question.key}", heading=question.label, questions=(question.key,))
            for question in plan.syllabus.questions
        )
        return Outline(parts=tuple(parts))

    async def write_section(
        self,
        part: OutlinePart,
        outline: Outline,
        plan: Plan,
        findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:
        sentences = tuple(
            SummarySentence(question=finding.answer.question, **statement.model_dump())
            for finding in findings
            if finding.answer.question in part.questions
            for statement in finding.answer.statements[:2]
        )
        return ReportSection(part=part, paragraphs=(sentences,) if sentences else ())


def put_in(bench: Workbench, crew: Crew, broken: str = "") -> Crew:
    """The crew with these parts."""
    parts = Parts(bench.collection, broken)
    roles = ResearchCrew(bench.searcher, bench.toolbox, parts, parts, parts, parts, parts)
    return crew._replace(planner=parts, research=roles)


def use_parts(monkeypatch: pytest.MonkeyPatch, broken: str = "") -> None:
    """Let every job of this test use these parts."""
    build = Crews.build_crew

    async def build_with_parts(self: Crews, bench: Workbench) -> Crew:
        return put_in(bench, await build(self, bench), broken)

    monkeypatch.setattr(Crews, "build_crew", build_with_parts)
