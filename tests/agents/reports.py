"""A scripted model that plays the compiler of a report: it plans headings, writes sections, judges and compresses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agents.scripted import asked, chat
from agents.writers import fences

from storm.models import (
    Answer,
    Finding,
    Hit,
    Intent,
    Plan,
    Question,
    ReportPreferences,
    ResearchPlan,
    Source,
    Statement,
    Syllabus,
    Verdict,
)

EFFICACY = Question(key="efficacy", label="Efficacy", description="What trials found on survival", min_sources=1)
SAFETY = Question(key="safety", label="Safety", description="Adverse events", min_sources=1)


def plan(intent: Intent = Intent.SURVEY, questions: Sequence[Question] = (EFFICACY, SAFETY), **wishes: Any) -> Plan:
    """A plan of these questions."""
    research = ResearchPlan(intent=intent, preferences=ReportPreferences(**wishes))
    return Plan(
        names=("zorvimab", "Zorvi"), syllabus=Syllabus(name="plan", questions=tuple(questions)), research=research
    )


def statement(number: int, text: str = "", **fields: Any) -> Statement:
    """A checked statement of its own source, with a citation."""
    text = text or f"In cohort {number} survival with zorvimab was {10 + number} months."
    given = {"quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED}
    return Statement(text=text, **{**given, "citation_id": f"cit_{number:03}", **fields})


def finding(question: Question, *statements: Statement) -> Finding:
    """The answer to a question, and its digest."""
    digest = " ".join(one.text for one in statements)
    return Finding(answer=Answer(question=question.key, statements=statements), digest=digest)


FINDINGS = [
    finding(EFFICACY, statement(1), statement(2), statement(3)),
    finding(SAFETY, statement(4, "Fatigue was common in patients who took zorvimab."), statement(1)),
]


def finder(findings: Sequence[Finding] = FINDINGS) -> Callable[[str], Any]:
    """Finds the sources of these findings: records whose text is the statements' quotes."""
    texts: dict[str, str] = {}
    for one in findings:
        for said in one.answer.all_statements:
            texts[said.source_ids[0]] = f"{texts.get(said.source_ids[0], '')} {said.quote}".strip()

    async def find(source_id: str) -> Source | None:
        if source_id not in texts:
            return None
        number = int(source_id.removeprefix("src_"))
        hit = Hit.of("pubmed", str(number), "", f"Zorvimab study {number}", text=texts[source_id])
        return Source(source_id=source_id, number=number, hit=hit, questions=(EFFICACY.key,))

    return find


def heading(name: str, *questions: str, level: int = 1, tables: Sequence[str] = ()) -> dict[str, Any]:
    """A heading as a model plans it."""
    return {"heading": name, "level": level, "questions": list(questions), "tables": list(tables)}


HEADINGS = [heading("Survival with zorvimab", "efficacy"), heading("Adverse events", "safety")]


def numbers_in(shown: str) -> list[int]:
    """The numbers of the statements in a prompt."""
    return [int(label.removeprefix("statement ")) for label, _ in fences(shown) if label.startswith("statement ")]


def role_of(prompt: str) -> str:
    """Who is asked: who plans the outline, writes a section, judges or compresses."""
    fields = asked(prompt)
    names = {"findings": "outline", "outline": "section", "pairs": "judge", "words": "digest"}
    return next(role for name, role in names.items() if name in fields)


def in_order(prompt: str) -> Any:
    """A section of all statements shown, in their own words."""
    return [{"sentences": [{"number": n, "text": ""} for n in numbers_in(asked(prompt)["statements"])]}]


def compiling(
    outline: Callable[[str], Any] = lambda prompt: HEADINGS,
    section: Callable[[str], Any] = in_order,
    *,
    title: str = "Zorvimab in trials",
    digest: str = "Survival was longer with zorvimab.",
    unsupported: Sequence[str] = (),
    dialect: Callable[..., str] = chat,
) -> Callable[[str], str]:
    """A model that plans and writes so; a reply that is a text is given as it is."""

    def reply(prompt: str) -> str:
        role = role_of(prompt)
        if role == "outline":
            made = outline(prompt)
            return made if isinstance(made, str) else dialect(title=title, headings=made)
        if role == "section":
            made = section(prompt)
            return made if isinstance(made, str) else dialect(paragraphs=made)
        if role == "digest":
            return dialect(digest=digest)
        pairs = [shown for label, shown in fences(asked(prompt)["pairs"]) if label.startswith("statement")]
        verdicts = ["unsupported" if any(w in shown for w in unsupported) else "supported" for shown in pairs]
        return dialect(verdicts=[{"number": n, "verdict": v, "reason": "no"} for n, v in enumerate(verdicts, start=1)])

    return reply
