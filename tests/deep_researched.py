"""The answer to one question, compiled from sources by hand, for tests of what shows one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from storm.models import (
    Answer,
    ChecklistReview,
    DeepResearch,
    Dossier,
    Hit,
    ItemJudgement,
    ItemState,
    Job,
    JobRequest,
    JobState,
    OutlinePart,
    Plan,
    Question,
    RefinedQuestion,
    ReportSection,
    RequestKind,
    Research,
    ResearchPlan,
    ResearchSettings,
    RunSettings,
    SearchIteration,
    SearchQuery,
    SearchRecord,
    SearchStatus,
    Source,
    Statement,
    StopReason,
    SummarySentence,
    Syllabus,
    Verdict,
)
from storm.reports.dossier import DossierMaterial, compile_dossier

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ASKED = "does metformin help with migraine?"
REFINED = RefinedQuestion(
    text="Does metformin prevent attacks of migraine in adults?", scope_in=("adults",), scope_out=("children",),
    key_terms=("metformin", "migraine"),
)  # fmt: skip
EFFECT, HARM, DOSE, COST = "effect", "harm", "dose", "cost"
LABELS = {EFFECT: "Effect on attacks", HARM: "Harms", DOSE: "Dose", COST: "Cost"}
SYLLABUS = Syllabus(
    name="checklist",
    min_databases=1,
    questions=tuple(
        Question(key=key, label=label, description=f"What is known of it: {label}", min_sources=1)
        for key, label in LABELS.items()
    ),
)
PLAN = Plan(names=("metformin",), syllabus=SYLLABUS, research=ResearchPlan())
TRIAL = ("Randomized Controlled Trial",)


def source(number: int, *questions: str, database: str = "pubmed", **fields: Any) -> Source:
    """A paper of its own author, or another record, filed under these questions."""
    external = f"{1000 + number}"
    values: dict[str, Any] = {
        "text": f"Metformin reduced attacks in cohort {number}.", "authors": (f"Doe {number}",), "year": 2015,
        "publication_types": TRIAL,
    }  # fmt: skip
    hit = Hit.of(database, external, f"https://example.org/{number}", f"Work {number}", **(values | fields))
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=questions)


def statement(number: int, text: str = "", **fields: Any) -> Statement:
    """A statement of the source of that number."""
    text = text or f"Metformin reduced attacks in cohort {number}."
    values: dict[str, Any] = {"quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=text, **(values | {"citation_id": f"cit_{number}"} | fields))


SOURCES = (source(1, EFFECT), source(2, EFFECT), source(3, HARM, database="web"), source(4, DOSE))
ONE, TWO, THREE = statement(1), statement(2), statement(3, "Metformin caused nausea in some [12].")
ANSWERS = (
    Answer(question=EFFECT, statements=(ONE, TWO)),
    Answer(question=HARM, statements=(THREE,)),
    Answer(question=DOSE),
    Answer(question=COST),
)


def judgement(question: str, state: ItemState, *evidence: Statement, reason: str = "for a reason") -> ItemJudgement:
    return ItemJudgement(
        question=question, state=state, reason=reason, evidence=tuple(one.identity for one in evidence)
    )


JUDGED = (
    judgement(EFFECT, ItemState.SATISFIED, ONE, TWO),
    judgement(HARM, ItemState.PARTIAL, THREE),
    judgement(DOSE, ItemState.UNSATISFIED),
    judgement(COST, ItemState.UNSATISFIED),
)


def iteration(number: int = 1, judged: Sequence[ItemJudgement] = JUDGED, **fields: Any) -> SearchIteration:
    values: dict[str, Any] = {
        "searches": {EFFECT: (SearchQuery(names=("metformin",), words=("migraine",)),)}, "results_count": 8,
        "new_sources": 4, "new_facts": 3, "review": ChecklistReview(items=tuple(judged)),
    }  # fmt: skip
    return SearchIteration(number=number, **(values | fields))


def deep_research(*iterations: SearchIteration, **fields: Any) -> DeepResearch:
    values: dict[str, Any] = {"refined": REFINED, "stop_reason": StopReason.NO_PROGRESS}
    return DeepResearch(iterations=iterations or (iteration(),), **(values | fields))


def section(*sentences: tuple[Statement, str], **fields: Any) -> ReportSection:
    """The section of the answer, a paragraph for each question."""
    paragraphs: dict[str, tuple[SummarySentence, ...]] = {}
    for one, question in sentences:
        placed = SummarySentence(**one.model_dump(), question=question)
        paragraphs[question] = (*paragraphs.get(question, ()), placed)
    part = OutlinePart(anchor="answer", heading="Answer", questions=tuple(LABELS))
    return ReportSection(part=part, paragraphs=tuple(paragraphs.values()), **fields)


SECTION = section((TWO, EFFECT), (ONE, EFFECT), (THREE, HARM))


def search(
    question: str, status: SearchStatus = SearchStatus.FOUND, database: str = "pubmed", **fields: Any
) -> SearchRecord:
    """A search for an item, which found its papers."""
    own = tuple(one.hit.key for one in SOURCES if question in one.questions and one.hit.database == database)
    found = own if status is SearchStatus.FOUND else ()
    values: dict[str, Any] = {"query": "metformin", "total": len(found), "hits": found, "at": NOW}
    scope = f"all of {database}"
    return SearchRecord(database=database, scope=scope, question=question, status=status, **(values | fields))


SEARCHES = (
    search(EFFECT), search(HARM, database="web"), search(DOSE),
    search(COST, SearchStatus.FAILED, reason="timed out"),
)  # fmt: skip


def research(*sections: ReportSection, **fields: Any) -> Research:
    settings = ResearchSettings(max_iterations=3)
    values: dict[str, Any] = {"asked": ASKED, "title": REFINED.text, "plan": ResearchPlan(), "settings": settings}
    return Research(sections=sections, **(values | fields))


def report(of: DeepResearch | None = None, **fields: Any) -> Dossier:
    """The report as the mode compiles it, with these arguments instead of its own."""
    deep = of or deep_research()
    values: dict[str, Any] = {
        "plan": PLAN, "engine": "none", "stopped": deep.stop_reason, "sources": SOURCES, "answers": ANSWERS,
        "searches": SEARCHES, "research": research(SECTION),
    }  # fmt: skip
    job = Job(
        job_id="metformin-1", request=JobRequest(text=ASKED, kind=RequestKind.QUESTION),
        settings=RunSettings(mode="deep_research"), state=JobState.RUNNING, created=NOW, version="0.1.0",
    )  # fmt: skip
    values |= fields
    return compile_dossier(DossierMaterial(job, deep_research=deep, **values))
