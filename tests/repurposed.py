"""A report on whether metformin could treat Alzheimer's disease, compiled from sources, for tests of what shows one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from storm.models import (
    Answer,
    Assessment,
    Disease,
    Dossier,
    DrugIdentity,
    Hit,
    HypothesisLink,
    Job,
    JobRequest,
    JobState,
    MechanismHypothesis,
    Narrowing,
    OutlinePart,
    Plan,
    ProposedHypothesis,
    Publication,
    Question,
    RecordFacts,
    ReportSection,
    Repurposing,
    RepurposingRound,
    RequestKind,
    Research,
    ResearchPlan,
    ResearchSettings,
    RunSettings,
    Score,
    SearchQuery,
    SearchRecord,
    SearchStatus,
    Source,
    Statement,
    StopReason,
    SummarySentence,
    Syllabus,
    TestedHypothesis,
    Verdict,
)
from storm.reports.dossier import DossierMaterial, compile_dossier

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ASKED = "metformin for Alzheimer's disease"
DRUG, OF_DISEASE, BENEFIT = "mechanism.drug", "mechanism.disease", "clinical.benefit"
_ON_DISEASE = Narrowing(label="Alzheimer's disease", phrases=("alzheimer",), role="setting")
SYLLABUS = Syllabus(
    name="repurposing",
    min_databases=1,
    questions=(
        Question(key=DRUG, label="Targets of the drug", description="What does it act on?", min_sources=1),
        Question(
            key=OF_DISEASE, label="Targets in the disease", description="What do they do there?", min_sources=1,
            names=("Alzheimer's disease",),
        ),
        Question(
            key=BENEFIT, label="Benefit in patients", description="Does it help them?", min_sources=1,
            about=(_ON_DISEASE,),
        ),
    ),
)  # fmt: skip
PLAN = Plan(
    names=("metformin", "Glucophage"), syllabus=SYLLABUS, identity=DrugIdentity(asked="metformin", inn="metformin"),
    disease=Disease(label="Alzheimer's disease", names=("Alzheimer's disease",)),
)  # fmt: skip


def source(number: int, *questions: str, database: str = "pubmed", **fields: Any) -> Source:
    """A paper, or another record, filed under these questions."""
    external, url = f"{1000 + number}", f"https://example.org/{number}"
    values: dict[str, Any] = {"text": f"Text {number}.", "publication": Publication(language="eng")}
    hit = Hit.of(database, external, url, f"Work {number}", **(values | fields))
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=questions)


def statement(number: int, text: str = "", **fields: Any) -> Statement:
    """A statement of the source of that number."""
    text = text or f"Metformin changed memory in cohort {number}."
    values: dict[str, Any] = {"quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=text, **(values | {"citation_id": f"cit_{number}"} | fields))


#: A record of the drug, a paper on the target in the disease, and two in patients.
SOURCES = (
    source(1, DRUG, database="chembl", facts=RecordFacts(targets=("AMPK",))),
    source(2, OF_DISEASE, facts=RecordFacts(targets=("tau",), drug_class=("not a class of the drug",))),
    source(3, BENEFIT, text="A randomised trial of metformin in Alzheimer's disease."),
    source(4, BENEFIT, publication=Publication(language="ger")),
)
ON_DRUG = statement(1, "Metformin activates AMPK.")
ON_TARGET = statement(2, "AMPK phosphorylates tau in Alzheimer's disease.")
FOR, AGAINST = statement(3, "Metformin improved recall."), statement(4, "Metformin did not change memory.")
ANSWERS = (
    Answer(question=DRUG, statements=(ON_DRUG,)),
    Answer(question=OF_DISEASE, statements=(ON_TARGET,)),
    Answer(question=BENEFIT, statements=(FOR, AGAINST)),
)


def tested(
    supporting: Sequence[Statement] = (), contradicting: Sequence[Statement] = (), **links: Any
) -> TestedHypothesis:
    """A hypothesis on metformin with these statements."""
    basis = links.pop("basis", ())
    hypothesis = MechanismHypothesis(**({"drug": "metformin"} | links))
    return TestedHypothesis.of(ProposedHypothesis(hypothesis=hypothesis, basis=basis), supporting, contradicting)


MIXED = tested(
    (FOR,), (AGAINST,), target="AMPK", effect="better memory",
    basis=(
        HypothesisLink(link="target", source_id="src_001"),
        HypothesisLink(link="effect", source_id="src_003", quote="Metformin improved recall."),
        HypothesisLink(link="effect", source_id="src_999", quote="Nobody wrote this."),
    ),
)  # fmt: skip
UNTESTED = tested(target="mTOR", pathway="autophagy", effect="fewer plaques")
ASSESSMENT = Assessment(
    mechanism=Score(value=6, reasons=("two works agree",), statements=("cit_1", "cit_2")),
    clinical=Score(value=2.5, reasons=("one small trial", "one null result"), statements=("cit_3", "cit_4")),
    confidence=0.4,
)
SUMMARY = (
    "Two hypotheses on how metformin could act on Alzheimer's disease were put to the test; what the sources state for "
    "and against them, and how strong that is, stands below."
)


def one_round(*hypotheses: TestedHypothesis, **fields: Any) -> RepurposingRound:
    values: dict[str, Any] = {
        "searches": {BENEFIT: (SearchQuery(names=("metformin",), words=("memory", "AMPK")),)},
        "new_sources": 2, "assessment": ASSESSMENT,
    }  # fmt: skip
    return RepurposingRound(tested=hypotheses, **(values | fields))


def repurposing(*rounds: RepurposingRound, **fields: Any) -> Repurposing:
    values = {"disease": "Alzheimer's disease", "summary": SUMMARY if rounds else ""}
    return Repurposing(rounds=rounds, **(values | fields))


def section(anchor: str, question: str, *statements: Statement) -> ReportSection:
    label = SYLLABUS.question(question).label
    part = OutlinePart(anchor=f"{anchor}-{question}", heading=label, questions=(question,), parent=anchor)
    paragraph = tuple(SummarySentence(**one.model_dump(), question=question) for one in statements)
    return ReportSection(part=part, paragraphs=(paragraph,))


SECTIONS = (
    ReportSection(part=OutlinePart(anchor="mechanistic", heading="Mechanistic findings")),
    section("mechanistic", DRUG, ON_DRUG),
    section("mechanistic", OF_DISEASE, ON_TARGET),
    ReportSection(part=OutlinePart(anchor="clinical", heading="Clinical findings")),
    section("clinical", BENEFIT, FOR, AGAINST),
)


def search(database: str = "pubmed", status: SearchStatus = SearchStatus.FOUND, **fields: Any) -> SearchRecord:
    """A search of a question, which found papers 2 to 4."""
    found = tuple(one.hit.key for one in SOURCES[1:]) if status is SearchStatus.FOUND else ()
    values: dict[str, Any] = {"question": BENEFIT, "query": "metformin", "total": len(found), "hits": found, "at": NOW}
    return SearchRecord(database=database, scope=f"all of {database}", status=status, **(values | fields))


def report(of: Repurposing | None = None, **fields: Any) -> Dossier:
    """The report as the mode compiles it, with these arguments instead of its own."""
    settings = ResearchSettings(max_iterations=2)
    values: dict[str, Any] = {
        "plan": PLAN, "engine": "none", "stopped": StopReason.COMPLETE, "sources": SOURCES, "answers": ANSWERS,
        "searches": (search(),), "research": Research(
            asked=ASKED, plan=ResearchPlan(), settings=settings, sections=SECTIONS
        ),
    }  # fmt: skip
    job = Job(
        job_id="metformin-1", request=JobRequest(text=ASKED, kind=RequestKind.REPURPOSING), settings=RunSettings(),
        state=JobState.RUNNING, created=NOW, version="0.1.0",
    )  # fmt: skip
    made = of if of is not None else repurposing(one_round(MIXED, UNTESTED))
    values |= fields
    return compile_dossier(DossierMaterial(job, repurposing=made, **values))
