"""Records, answers and hypotheses on metformin for Alzheimer's disease."""

from __future__ import annotations

from storm.models import (
    Answer,
    Disease,
    Hit,
    HypothesisLink,
    MechanismHypothesis,
    Plan,
    ProposedHypothesis,
    Question,
    Section,
    Source,
    Statement,
    Syllabus,
)

KEYS = ("mechanism.drug", "mechanism.disease", "mechanism.models", "clinical.benefit", "clinical.harm")
NAMES = ("Alzheimer's disease", "dementia")


def make_plan() -> Plan:
    questions = tuple(
        Question(
            key=key, label=key, description=key, min_sources=1, names=NAMES if key == "mechanism.disease" else ()
        )
        for key in KEYS
    )  # fmt: skip
    syllabus = Syllabus(name="repurposing", questions=questions)
    return Plan(names=("metformin",), syllabus=syllabus, disease=Disease(label=NAMES[0], names=NAMES))


def make_source(number: int, text: str, title: str = "Metformin in patients with dementia", **fields: object) -> Source:
    label = str(fields.pop("label", "RESULTS"))
    database = str(fields.pop("database", "pubmed"))
    hit = Hit.of(
        database, str(number), f"https://example.org/{number}", title,
        sections=(Section(label=label, text=text),), **fields,
    )  # fmt: skip
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=KEYS)


def make_statement(source: Source, **fields: object) -> Statement:
    text = source.hit.sections[0].text
    return Statement.model_validate(
        {"text": text, "quote": text, "source_ids": (source.source_id,), "citation_id": f"cit_{source.number}"} | fields
    )


def answer(question: str, *sources: Source) -> Answer:
    return Answer(question=question, statements=tuple(map(make_statement, sources)))


def propose(
    target: str = "not stated", effect: str = "slower cognitive decline", action: str = ""
) -> ProposedHypothesis:
    basis = (HypothesisLink(link="target", source_id="src_900", quote=action),) if action else ()
    return ProposedHypothesis(
        hypothesis=MechanismHypothesis(drug="metformin", target=target, effect=effect), basis=basis
    )
