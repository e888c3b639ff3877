"""A drug and a disease, findings on them, hypotheses, and rules, for the roles that work on hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from storm.models import (
    Answer,
    Assessment,
    Disease,
    DrugIdentity,
    Finding,
    Hit,
    Hypotheses,
    HypothesisLink,
    MechanismHypothesis,
    Narrowing,
    Plan,
    ProposedHypothesis,
    Question,
    RecordFacts,
    RepurposingRound,
    ResearchPlan,
    Score,
    Source,
    Statement,
    SummaryText,
    Syllabus,
    TestedHypothesis,
    Verdict,
)

DISEASE = Disease(label="Blorp disease", names=("Blorp disease", "blorposis"))
_ABOUT = (Narrowing(label=DISEASE.label, phrases=DISEASE.names, role="setting"),)
MECHANISM = Question(key="mechanism.drug", label="How zorvimab acts", description="Its targets", min_sources=1)
IN_DISEASE = Question(
    key="mechanism.disease",
    label="ZRK1 in Blorp disease",
    description="The targets in the disease",
    min_sources=1,
    names=DISEASE.names,
    about=(Narrowing(label="ZRK1", phrases=("ZRK1",)),),
)
BENEFIT = Question(
    key="clinical.benefit",
    label="Zorvimab in patients with Blorp disease",
    description="What it did for them",
    min_sources=1,
    about=_ABOUT,
)
PLAN = Plan(
    names=("zorvimab", "Zorvi"),
    syllabus=Syllabus(name="repurposing", questions=(MECHANISM, IN_DISEASE, BENEFIT)),
    identity=DrugIdentity(asked="zorvimab", inn="zorvimab"),
    research=ResearchPlan(),
    disease=DISEASE,
)
TARGET = "Zorvimab inhibits ZRK1 in neurons."
PATHWAY = "Inhibition of ZRK1 reduces tau phosphorylation in Blorp disease."
BETTER = "Zorvimab slowed cognitive decline in 40 patients with Blorp disease."
NULL = "Zorvimab did not improve memory of 80 patients with Blorp disease."


def statement(number: int, text: str, **fields: Any) -> Statement:
    """A checked statement in the words of its own source."""
    given = {"quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=text, **{**given, "citation_id": f"cit_{number:03}", **fields})


def finding(question: Question, *statements: Statement) -> Finding:
    return Finding(answer=Answer(question=question.key, statements=statements))


def source(number: int, text: str, *questions: str, facts: RecordFacts | None = None) -> Source:
    hit = Hit.of(
        "pubmed", str(number), f"https://example.org/{number}", f"Zorvimab study {number}", text=text,
        **({"facts": facts} if facts else {}),
    )  # fmt: skip
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=questions or (MECHANISM.key,))


SAID = (statement(1, TARGET), statement(2, PATHWAY), statement(3, BETTER), statement(4, NULL))
FINDINGS = (finding(MECHANISM, SAID[0]), finding(IN_DISEASE, SAID[1]), finding(BENEFIT, SAID[2], SAID[3]))
RECORD = source(9, "Zorvimab.", facts=RecordFacts(targets=("Zorv kinase 1",), drug_class=("ZRK1 inhibitor",)))
SOURCES = (*(source(n, one.text) for n, one in enumerate(SAID, start=1)), RECORD)

BY_RULES = Hypotheses(
    proposed=(
        ProposedHypothesis(
            hypothesis=MechanismHypothesis(drug="zorvimab", target="Zorv kinase 1"),
            basis=(HypothesisLink(link="target", source_id="src_009"),),
        ),
    )
)
ASSESSED = Assessment(
    mechanism=Score(value=4, reasons=("2 sources are on a mechanism.",), statements=("cit_001",)),
    clinical=Score(value=3, reasons=("One source is of patients.",), statements=("cit_003",)),
    confidence=0.4,
)
SUMMARY = SummaryText(text="By rules. " * 12)


class Rules:
    """Roles that always do the same."""

    def __init__(self, hypotheses: Hypotheses = BY_RULES) -> None:
        self._hypotheses = hypotheses

    async def propose(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Hypotheses:
        return self._hypotheses

    async def judge(
        self,
        plan: Plan,
        tested: Sequence[TestedHypothesis],
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:
        return ASSESSED

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        return SUMMARY


CHAIN = MechanismHypothesis(
    drug="zorvimab", target="ZRK1", pathway="tau phosphorylation", effect="cognitive decline", confidence=0.5
)
PROPOSED = ProposedHypothesis(hypothesis=CHAIN)


def weighed(
    supporting: Sequence[Statement] = SAID[:3], contradicting: Sequence[Statement] = SAID[3:]
) -> TestedHypothesis:
    """The hypothesis with these statements for and against it."""
    return TestedHypothesis.of(PROPOSED, supporting, contradicting)


def played(*hypotheses: TestedHypothesis, **fields: Any) -> RepurposingRound:
    """A round with these hypotheses."""
    return RepurposingRound(tested=hypotheses or (weighed(),), **{"assessment": ASSESSED, **fields})


def many(number: int) -> tuple[tuple[Finding, ...], tuple[Source, ...]]:
    """So many pieces of evidence: statements of all questions, alike in length, and their sources."""
    texts = [
        f"In cohort {n:04} zorvimab changed the marker {n * 7919 % 9973:04} of patients with Blorp disease by "
        f"{n % 90 + 10} percent within {n % 50 + 10} weeks of treatment, as was seen in all centres of the trial."
        for n in range(1, number + 1)
    ]
    said = [statement(n, text) for n, text in enumerate(texts, start=1)]
    findings = tuple(
        finding(question, *said[place::3]) for place, question in enumerate((MECHANISM, IN_DISEASE, BENEFIT))
    )
    facts = RecordFacts(targets=("Zorv kinase 1",))
    return findings, tuple(source(n, text, facts=facts) for n, text in enumerate(texts, start=1))
