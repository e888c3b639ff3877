"""A report on a question with two sub-questions and three sections, for tests of what shows one."""

from __future__ import annotations

from dossiers import dossier, reference

from storm.models import (
    Answer,
    Complexity,
    Conflict,
    Coverage,
    Dossier,
    DrugIdentity,
    Intent,
    OutlinePart,
    QuestionText,
    RecordRow,
    RecordTable,
    ReportPreferences,
    ReportSection,
    Research,
    ResearchPlan,
    ResearchReport,
    ResearchRound,
    ResearchSettings,
    SearchQuery,
    Statement,
    SummarySentence,
    TableName,
    Verdict,
    Weakness,
    WeaknessKind,
)
from storm.models.dossier import QuestionCoverage
from storm.reports.references import number_as_printed
from storm.reports.table_columns import COLUMNS

ASKED = "Does it help or harm?\nAnd what of children?"
HELP, HARM = "good.y", "harm.x"
QUESTIONS = (
    QuestionText(key=HELP, label="Benefit", description="What good does it do?", importance=0.9),
    QuestionText(key=HARM, label="Harm", description="What harm does it do?", importance=0.45),
)


def statement(number: int, source: int = 1, **fields: object) -> Statement:
    """A supported statement of its own, with a citation."""
    values: dict[str, object] = {
        "text": f"Finding {number} holds.", "quote": f"Finding {number} holds, they write.",
        "source_ids": (f"src_{source:03}",), "verdict": Verdict.SUPPORTED, "citation_id": f"cit_{number}",
        "section": "Results",
    }  # fmt: skip
    return Statement.model_validate(values | fields)


ONE, TWO, THREE, FOUR = (statement(number, source) for number, source in ((1, 4), (2, 3), (3, 2), (4, 1)))


def place(placed: Statement, question: str, **fields: object) -> SummarySentence:
    """The statement as it stands in a section."""
    return SummarySentence.model_validate(placed.model_dump() | {"question": question} | fields)


def section(anchor: str, *paragraphs: tuple[SummarySentence, ...], **fields: object) -> ReportSection:
    """A section with these paragraphs; the fields are of its heading."""
    left_out = str(fields.pop("left_out", ""))
    part = OutlinePart.model_validate({"anchor": anchor, "heading": anchor.capitalize()} | fields)
    return ReportSection(part=part, paragraphs=paragraphs, left_out=left_out)


SECTIONS = (
    section("benefits", (place(ONE, HELP), place(TWO, HELP))),
    section("children", (place(THREE, HARM),), parent="benefits"),
    section("costs", left_out="its text came back empty twice."),
)


def table(name: TableName, *sources: str) -> RecordTable:
    """A table with a row of each source."""
    columns = COLUMNS[name]
    rows = tuple(
        RecordRow(source_id=source, cells=tuple(f"{one} of {source[-1]}" for one in columns), places=("Table 1",))
        for source in sources
    )
    return RecordTable(name=name, columns=columns, rows=rows)


def weak(question: str = HARM, **fields: object) -> Weakness:
    values: dict[str, object] = {
        "question": question, "kinds": (WeaknessKind.ONE_SOURCE, WeaknessKind.OLD), "reason": "its paper is of 1999",
        "searches": (SearchQuery(names=("drug",), words=("cardiac", "elderly")),),
    }  # fmt: skip
    return Weakness.model_validate(values | fields)


ROUNDS = (
    ResearchRound(weak=(weak(), weak(HELP, reason="", searches=())), new_sources=3),
    ResearchRound(weak=(weak(),), new_sources=0),
)


def research(preferences: ReportPreferences | None = None, **fields: object) -> Research:
    """How the report was researched, with these fields instead of its own."""
    plan = ResearchPlan(
        intent=Intent.COMPARISON, complexity=Complexity.SIMPLE, preferences=preferences or ReportPreferences()
    )
    values: dict[str, object] = {
        "asked": ASKED, "title": "Benefit and harm", "plan": plan, "settings": ResearchSettings(), "rounds": ROUNDS,
        "sections": SECTIONS,
    }  # fmt: skip
    return Research.model_validate(values | fields)


def report(kind: type[Dossier] = ResearchReport, **fields: object) -> Dossier:
    """The report, with these fields instead of its own, and references numbered as it mentions them."""
    conflict = Conflict(trial="", endpoint="survival", statements=(THREE, FOUR))
    states = (
        QuestionCoverage(question=one.key, label=one.label, sources=2, min_sources=1, answering=2) for one in QUESTIONS
    )
    values: dict[str, object] = {
        "job_id": "does-it-help-20261121-7f3a9c",
        "drug": " ".join(ASKED.split()),
        "questions": QUESTIONS,
        "answers": (
            Answer(question=HELP, statements=(ONE, TWO), gaps=("Little is known.",)),
            Answer(question=HARM, statements=(THREE, FOUR, statement(5, 1)), conflicts=(conflict,)),
        ),
        "coverage": Coverage(questions=tuple(states), databases=("pubmed",), min_databases=1, total=4, ready=True),
        "at_a_glance": {"designs": {one.key: {} for one in QUESTIONS}},
        "references": tuple(map(reference, range(1, 5))),
        "research": research(),
    }
    made = dossier(**(values | fields))
    return number_as_printed(kind.model_validate({name: getattr(made, name) for name in Dossier.model_fields}))


#: The identity of a drug that the question names.
IDENTITY = DrugIdentity(asked="drug", inn="drug")
