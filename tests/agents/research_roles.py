"""A request, a plan by rules and findings, for the roles that plan and review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from agents.writers import source

from storm.errors import StormError
from storm.models import (
    Answer,
    DrugIdentity,
    Finding,
    JobRequest,
    Plan,
    Question,
    RequestKind,
    ResearchPlan,
    ResearchSettings,
    Review,
    Rule,
    SearchQuery,
    Source,
    Statement,
    Syllabus,
    Verdict,
    Weakness,
    WeaknessKind,
)

TODAY = date(2026, 11, 23)
SETTINGS = ResearchSettings()
REQUEST = JobRequest(
    kind=RequestKind.QUESTION, text="How does zorvimab compare with its biosimilars in efficacy and safety?"
)
EFFICACY = Question(
    key="clinical.efficacy",
    label="Clinical efficacy",
    description="What trials found on survival and response",
    min_sources=5,
    focus=("survival", "response"),
    rules=(Rule(pattern="surviv"),),
)
SAFETY = Question(
    key="clinical.safety",
    label="Clinical safety",
    description="Which harms were found",
    min_sources=5,
    focus=("adverse", "harm"),
)
PLAN = Plan(
    names=("zorvimab", "Zorvi"),
    syllabus=Syllabus(name="question", questions=(EFFICACY, SAFETY)),
    identity=DrugIdentity(asked="zorvimab", inn="zorvimab"),
    research=ResearchPlan(),
)
#: A plan of a request that names no drug.
TOPIC = PLAN.model_copy(update={"names": ("chronic pain",), "identity": None})


class RulePlanner:
    """A planner that finds a drug only in requests with its name; all requests that it planned are in `requests`."""

    def __init__(self, plans: Mapping[str, Plan | StormError] | None = None, otherwise: Plan = PLAN) -> None:
        self.requests: list[JobRequest] = []
        self._plans = plans or {}
        self._otherwise = otherwise

    async def plan(self, request: JobRequest) -> Plan:
        self.requests.append(request)
        made = next((plan for name, plan in self._plans.items() if name in request.text), self._otherwise)
        if isinstance(made, StormError):
            raise made
        return made if request.syllabus is None else made.model_copy(update={"syllabus": request.syllabus})


#: What the rules search for.
BY_RULES = SearchQuery(names=PLAN.names, words=("survival",))


class RuleQueryWriter:
    """A writer of one search."""

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        return [BY_RULES]


REVIEW = Review(
    weak=(
        Weakness(
            question=EFFICACY.key,
            kinds=(WeaknessKind.ONE_SOURCE,),
            reason="It stands on one source.",
            searches=(SearchQuery(names=PLAN.names, required=(("survival",),)),),
        ),
    )
)


class RuleReflector:
    """A reviewer that always finds the same."""

    async def review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        return REVIEW


ONE = source(1, "Response to zorvimab was 22%.", year=2011)
TWO = source(2, "Harm was seen in 3 of 40 women.", year=2024)


def finding(question: Question, *sources: Source, digest: str = "", **answer: Any) -> Finding:
    """An answer with a statement for each source."""
    statements = tuple(
        Statement(text=s.hit.text, quote=s.hit.text, source_ids=(s.source_id,), verdict=Verdict.SUPPORTED)
        for s in sources
    )
    return Finding(answer=Answer(question=question.key, statements=statements, **answer), digest=digest)


FINDINGS = (finding(EFFICACY, ONE, digest="Response was 22%."), finding(SAFETY, ONE, TWO, digest="Harms were rare."))
