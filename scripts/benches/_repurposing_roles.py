"""The roles of a repurposing report with a model that is recorded, on so many made pieces of evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from storm.agents.budget import Budget, Limits
from storm.agents.model_choice import ModelChoice
from storm.agents.scripted import ScriptedModel
from storm.models import (
    Answer,
    Assessment,
    Disease,
    DrugIdentity,
    Finding,
    Hit,
    Hypotheses,
    MechanismHypothesis,
    Plan,
    ProposedHypothesis,
    Question,
    RepurposingRound,
    ResearchSettings,
    Source,
    Statement,
    SummaryText,
    Syllabus,
    TestedHypothesis,
    Verdict,
)

KEYS = ("mechanism.drug", "mechanism.disease", "mechanism.models", "clinical.benefit", "clinical.harm")
TARGETS = ("AMPK", "mTOR", "complex I", "insulin receptor", "tau")
#: The roles that a model plays, by the module and the name of each.
ROLES: Mapping[str, tuple[str, str]] = {
    "hypothesizer": ("hypothesizer", "ModelHypothesizer"),
    "judge": ("hypothesis_judge", "ModelHypothesisJudge"),
    "summary writer": ("repurposing_summary", "ModelSummaryWriter"),
}
DRUG, DISEASE = "metformin", "Alzheimer's disease"


class Evidence(NamedTuple):
    """What the roles are given."""

    plan: Plan
    findings: Sequence[Finding]
    sources: Sequence[Source]
    tested: Sequence[TestedHypothesis]


class NoRules:
    """The twins that the roles fall back on: they say nothing."""

    async def propose(self, *given: Any) -> Hypotheses:
        """None."""
        return Hypotheses()

    async def judge(self, *given: Any) -> Assessment:
        """Nothing is known."""
        return Assessment()

    async def write_summary(self, *given: Any) -> SummaryText:
        """The shortest."""
        return SummaryText(text="Nothing is known. " * 6)


def largest_prompts(pieces: int) -> dict[str, int]:
    """The characters of the largest prompt of each role; the model's replies are not usable, so each asks again."""
    return asyncio.run(_ask_roles(make_evidence(pieces)))


async def _ask_roles(evidence: Evidence) -> dict[str, int]:
    plan, findings, sources, tested = evidence
    before = RepurposingRound(tested=tuple(tested), assessment=Assessment())
    found: dict[str, int] = {}
    for name, (module, role) in ROLES.items():
        model, rules = ScriptedModel(lambda prompt: ""), NoRules()
        lm = model.make_lm(ModelChoice(name="openai/scripted", context=128_000), _no_limits(), "agent")
        made = getattr(import_module(f"storm.agents.{module}"), role)
        match name:
            case "hypothesizer":
                own = made(lm, rule_based=rules, settings=ResearchSettings())
                await own.propose(plan, findings, sources, [before])
            case "judge":
                own = made(lm, rule_based=rules, settings=ResearchSettings())
                await own.judge(plan, tested, findings, sources, [before])
            case _:
                await made(lm, rule_based=rules).write_summary(plan, before, findings, sources)
        if not model.prompts:
            raise SystemExit(f"the {name} asked nothing")
        found[name] = max(map(len, model.prompts))
    return found


def _no_limits() -> Budget:
    return Budget(Limits(), monotonic=lambda: 0.0)


def make_evidence(pieces: int) -> Evidence:
    """So many statements, each of its own source, shared out among the questions; each speaks for or against one of
    five hypotheses."""
    sources = [make_source(number) for number in range(1, pieces + 1)]
    statements = [make_statement(source) for source in sources]
    findings = [
        Finding(answer=Answer(question=key, statements=tuple(statements[place :: len(KEYS)])), digest=f"On {key}.")
        for place, key in enumerate(KEYS)
    ]
    return Evidence(make_plan(), findings, sources, [make_tested(place, statements) for place in range(len(TARGETS))])


def make_plan() -> Plan:
    """The plan of a request on the drug and the disease."""
    questions = (Question(key=key, label=f"On {key}", description=f"What of {key}?", min_sources=1) for key in KEYS)
    return Plan(
        names=(DRUG, "glucophage"), syllabus=Syllabus(name="repurposing", questions=tuple(questions)),
        identity=DrugIdentity(asked=DRUG, inn=DRUG), disease=Disease(label=DISEASE, names=(DISEASE, "AD")),
    )  # fmt: skip


def make_source(number: int) -> Source:
    """A paper on one of the targets, filed under one of the questions."""
    target = TARGETS[number % len(TARGETS)]
    sentence = (
        f"In cohort {number}, {DRUG} changed {target} by {number % 89 + 5} % after {number % 23 + 2} months, and the "
        f"decline of memory in patients with {DISEASE} was {'slower' if number % 3 else 'no slower'} than with placebo."
    )
    hit = Hit.of(
        "pubmed", str(30_000_000 + number), f"https://pubmed.ncbi.nlm.nih.gov/{30_000_000 + number}/",
        f"{DRUG.capitalize()} and {target} in cohort {number}", text=sentence, year=2000 + number % 25,
    )  # fmt: skip
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(KEYS[(number - 1) % len(KEYS)],))


def make_statement(source: Source) -> Statement:
    """What the source says, word for word."""
    text = source.hit.text
    return Statement(
        text=text, quote=text, source_ids=(source.source_id,), verdict=Verdict.SUPPORTED,
        citation_id=f"cit_{source.number:012}",
    )  # fmt: skip


def make_tested(place: int, statements: Sequence[Statement]) -> TestedHypothesis:
    """A hypothesis with the statements on its target, for and against."""
    own = [one for one in statements if TARGETS[place] in one.text]
    hypothesis = MechanismHypothesis(drug=DRUG, target=TARGETS[place], effect="slower decline of memory")
    return TestedHypothesis.of(
        ProposedHypothesis(hypothesis=hypothesis),
        [one for one in own if "no slower" not in one.text],
        [one for one in own if "no slower" in one.text],
    )
