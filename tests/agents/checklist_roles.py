"""A question, its checklist, findings on it, and rules, for the roles that work through a checklist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from storm.models import (
    Answer,
    ChecklistReview,
    DrugIdentity,
    Finding,
    Hit,
    ItemJudgement,
    ItemState,
    JobRequest,
    Plan,
    Question,
    RefinedQuestion,
    RequestKind,
    ResearchPlan,
    Rule,
    SearchIteration,
    SearchQuery,
    Source,
    Statement,
    Syllabus,
    Verdict,
)

REQUEST = JobRequest(
    kind=RequestKind.QUESTION, text="Does it prolong survival in women?", context="We discussed zorvimab in asthma."
)
REFINED = RefinedQuestion(text="Does zorvimab prolong survival in women?", key_terms=("zorvimab", "survival"))
EFFECT = Question(
    key="answer",
    label="Survival with zorvimab",
    description="Does zorvimab prolong survival in women?",
    min_sources=2,
    focus=("survival",),
    rules=(Rule(pattern="surviv"),),
)
STRENGTH = Question(
    key="strength", label="Strength of the evidence", description="How certain is it?", min_sources=2, focus=("trial",)
)
HARMS = Question(key="harms", label="Harms", description="Which harms were found?", min_sources=1, focus=("harm",))
PLAN = Plan(
    names=("zorvimab", "Zorvi"),
    syllabus=Syllabus(name="checklist", questions=(EFFECT, STRENGTH, HARMS)),
    identity=DrugIdentity(asked="zorvimab", inn="zorvimab"),
    research=ResearchPlan(),
)


def statement(number: int, text: str = "", source: int = 0, **fields: Any) -> Statement:
    """A checked statement in the words of its source."""
    said = text or f"Zorvimab prolonged survival by {number} months in women of cohort {number}."
    given = {"quote": said, "source_ids": (f"src_{source or number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=said, **{**given, "citation_id": f"cit_{number:03}", **fields})


def finding(question: Question, *statements: Statement) -> Finding:
    return Finding(answer=Answer(question=question.key, statements=statements))


def source(said: Statement) -> Source:
    name = said.source_ids[0]
    number = int(name.removeprefix("src_"))
    hit = Hit.of("pubmed", str(number), f"https://example.org/{number}", f"Study {number}", text=said.text)
    return Source(source_id=name, number=number, hit=hit, questions=(EFFECT.key,))


SAID = (statement(1), statement(2), statement(3, "Zorvimab was tested in a trial of 90 women."))
#: The last item is without a statement.
FINDINGS = (finding(EFFECT, *SAID[:2]), finding(STRENGTH, SAID[2]), finding(HARMS))
SOURCES = tuple(map(source, SAID))

#: What the rules search for.
BY_RULES = SearchQuery(names=PLAN.names, words=("harm",), databases=("pubmed",))
IN_REGISTRIES = SearchQuery(names=PLAN.names, words=("harm",), databases=("ctgov",))
REVIEW = ChecklistReview(
    items=(
        ItemJudgement(
            question=EFFECT.key, state=ItemState.SATISFIED, reason="By rules.", evidence=("cit_001", "cit_002")
        ),
        ItemJudgement(
            question=STRENGTH.key, state=ItemState.PARTIAL, reason="One source.", evidence=("cit_003",),
            searches=(BY_RULES,),
        ),
        ItemJudgement(question=HARMS.key, reason="Nothing was found.", searches=(BY_RULES,)),
    )
)  # fmt: skip


class Rules:
    """Roles that always do the same."""

    def __init__(self, plan: Plan = PLAN) -> None:
        self._plan = plan

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        return REFINED

    async def plan(self, request: JobRequest, refined: RefinedQuestion) -> Plan:
        return self._plan if request.syllabus is None else self._plan.model_copy(update={"syllabus": request.syllabus})

    async def judge(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:
        return REVIEW

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        return [BY_RULES, IN_REGISTRIES]


def played(number: int = 1, **searches: tuple[SearchQuery, ...]) -> SearchIteration:
    """A round that ran these searches."""
    return SearchIteration(number=number, searches=searches, review=REVIEW)


def search(text: str, database: str = "pubmed") -> SearchQuery:
    """A search for the drug and these words."""
    return SearchQuery(
        names=PLAN.names, required=tuple((word,) for word in text.split()), databases=(database,) if database else ()
    )


def many(number: int) -> tuple[tuple[Finding, ...], tuple[Source, ...]]:
    """So many statements, each of its own source, shared out among the items."""
    said = [
        statement(
            n,
            f"In cohort {n:04} zorvimab changed the outcome {n * 7919 % 9973:04} of women by {n % 90 + 10} percent "
            f"within {n % 50 + 10} weeks of treatment, as was seen in all centres of this trial and in none of "
            "those before, whatever the age of the women who took part in it and whatever else they were given.",
        )
        for n in range(1, number + 1)
    ]
    items = (EFFECT, STRENGTH, HARMS)
    return tuple(finding(item, *said[place::3]) for place, item in enumerate(items)), tuple(map(source, said))
