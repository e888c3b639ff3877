"""Parts that test one hypothesis on trastuzumab, as simple as can be: what the doors to this mode are tested with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from research_parts import Parts

from storm.app.crews import Crews
from storm.app.workbench import Workbench
from storm.errors import ServiceDown
from storm.models import (
    Answer,
    Assessment,
    Disease,
    Dossier,
    Finding,
    Hypotheses,
    JobRequest,
    MechanismHypothesis,
    Narrowing,
    Plan,
    ProposedHypothesis,
    Question,
    Repurposing,
    RepurposingReport,
    RepurposingRound,
    ResearchPlan,
    SearchQuery,
    Source,
    SummaryText,
    Syllabus,
    TestedHypothesis,
)
from storm.modes import Crew, RepurposingCrew, ResearchCrew

SUMMARY = "One hypothesis on trastuzumab was tested. " * 3
PROPOSED = ProposedHypothesis(hypothesis=MechanismHypothesis(drug="trastuzumab", target="HER2", confidence=0.5))
QUESTIONS = (
    Question(
        key="mechanism.drug", label="Mechanism", description="How does it act?", min_sources=1, cues=("receptor",)
    ),
    Question(
        key="clinical.benefit",
        label="Benefit",
        description="What does it achieve?",
        min_sources=1,
        cues=("survival",),
        about=(Narrowing(label="breast cancer", phrases=("breast cancer",), role="setting"),),
    ),
)


class RepurposingParts(Parts):
    """All the parts in one. A drug that is not trastuzumab has no records; `broken`: searches cannot be written."""

    async def plan(self, request: JobRequest) -> Plan:
        return Plan(
            names=(request.text.partition(" for ")[0], *request.also),
            syllabus=Syllabus(name="repurposing", min_databases=1, questions=QUESTIONS),
            research=ResearchPlan(),
            disease=Disease(label="breast cancer", names=("breast cancer",)),
        )

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        if self._broken:
            raise ServiceDown("the query writer is out")
        return (SearchQuery(names=plan.names, words=question.cues),)

    async def propose(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], rounds: Sequence[RepurposingRound]
    ) -> Hypotheses:
        return Hypotheses(proposed=(PROPOSED,))

    async def judge(
        self,
        plan: Plan,
        tested: Sequence[TestedHypothesis],
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:
        return Assessment(confidence=0.5, is_enough=True)

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        return SummaryText(text=SUMMARY.strip())


def put_in(bench: Workbench, crew: Crew, broken: str = "") -> Crew:
    """The crew with these parts."""
    parts = RepurposingParts(bench.collection, broken)
    roles = ResearchCrew(bench.searcher, bench.toolbox, parts, parts, parts, parts, parts)
    return crew._replace(planner=parts, research=roles._replace(repurposing=RepurposingCrew(parts, parts, parts)))


def use_parts(monkeypatch: pytest.MonkeyPatch, broken: str = "") -> None:
    """Let every job of this test use these parts, and a report as simple as they are."""
    build = Crews.build_crew

    async def build_with_parts(self: Crews, bench: Workbench) -> Crew:
        return put_in(bench, await build(self, bench), broken)

    monkeypatch.setattr(Crews, "build_crew", build_with_parts)
    monkeypatch.setattr("storm.modes.repurposing.find_evidence", _find_evidence)
    monkeypatch.setattr("storm.reports.dossier.complete_repurposing", _complete_repurposing)


def _find_evidence(
    proposed: Sequence[ProposedHypothesis], answers: Sequence[Answer], sources: Sequence[Source], plan: Plan
) -> tuple[TestedHypothesis, ...]:
    return tuple(TestedHypothesis.of(one, (), ()) for one in proposed)


def _complete_repurposing(dossier: Dossier, repurposing: Repurposing) -> Repurposing:
    if not repurposing.rounds or dossier.research is None:
        return repurposing
    report = RepurposingReport(
        title="Trastuzumab for breast cancer",
        executive_summary=repurposing.summary,
        research_question=dossier.research.asked,
        methodology="As simple as can be.",
        hypotheses_tested=repurposing.rounds[-1].tested,
        conclusion="None.",
        search_iterations=len(repurposing.rounds),
    )
    return repurposing.model_copy(update={"report": report})
