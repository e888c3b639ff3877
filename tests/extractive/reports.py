"""Plans and findings of reports, with statements as the steps before the compiler leave them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from storm.models import (
    Answer,
    Conflict,
    Finding,
    Intent,
    Plan,
    Question,
    ReportPreferences,
    ReportSection,
    ResearchPlan,
    Statement,
    Syllabus,
    Verdict,
)


def question(key: str, label: str, description: str = "", **fields: Any) -> Question:
    """A question of a plan."""
    return Question(key=key, label=label, description=description or label, min_sources=1, **fields)


EFFICACY = question("clinical.efficacy", "Clinical efficacy", "What trials found on survival", itself_only=True)
SAFETY = question("clinical.safety", "Clinical safety", "Adverse events and who is at risk", importance=0.9)
MARKET = question("market.status", "Market status", "Where it is approved", importance=0.5)


def plan(*questions: Question, intent: Intent = Intent.SURVEY, name: str = "zorvimab", **wishes: Any) -> Plan:
    """A plan of these questions for a reader with these wishes."""
    research = ResearchPlan(intent=intent, preferences=ReportPreferences(**wishes))
    asked = questions or (EFFICACY, SAFETY, MARKET)
    return Plan(names=(name,), syllabus=Syllabus(name="plan", questions=asked), research=research)


def statement(number: int, text: str = "", **fields: Any) -> Statement:
    """A checked statement of its own source, with a citation."""
    text = text or f"In cohort {number} survival with zorvimab was {10 + number} months."
    given = {"quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=text, **{**given, "citation_id": f"cit_{number:03}", **fields})


def finding(asked: Question, *statements: Statement, conflicts: Sequence[Conflict] = ()) -> Finding:
    """The answer to a question, and its digest."""
    answer = Answer(question=asked.key, statements=statements, conflicts=tuple(conflicts))
    return Finding(answer=answer, digest=" ".join(one.text for one in statements)[:300])


def texts(section: ReportSection) -> list[list[str]]:
    """The sentences of a section, by paragraph."""
    return [[sentence.text for sentence in paragraph] for paragraph in section.paragraphs]
