"""The references of a compiled report: numbered as it is read, each cited."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from researched import HARM, HELP, IDENTITY, QUESTIONS, place, research, section, statement

from storm.models import (
    Answer,
    Approval,
    Dossier,
    DrugIdentity,
    Hit,
    Job,
    JobRequest,
    JobState,
    Plan,
    Question,
    RecordFacts,
    RequestKind,
    ResearchReport,
    RunSettings,
    SearchRecord,
    SearchStatus,
    Source,
    StopReason,
    Syllabus,
    TableName,
)
from storm.reports import DossierMaterial, compile_dossier, document_of

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SYLLABUS = Syllabus(
    name="planned", min_databases=1,
    questions=tuple(
        Question(key=one.key, label=one.label, description=one.description, min_sources=1, importance=one.importance)
        for one in QUESTIONS
    ),
)  # fmt: skip
APPROVED = RecordFacts(approvals=(Approval(agency="FDA", date="2001-02-03", product="Brand"),), sponsor="A company")


def source(number: int, database: str = "pubmed", **fields: Any) -> Source:
    hit = Hit.of(database, str(1000 + number), f"https://example.org/{number}", f"Paper {number}", **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(HELP, HARM))


#: A label, whose facts a dossier shows first, and papers that are cited from the last to the first.
SOURCES = (source(1, "openfda", facts=APPROVED), *map(source, range(2, 7)))
ANSWERS = (
    Answer(question=HELP, statements=(statement(1, 6), statement(2, 5))),
    Answer(question=HARM, statements=(statement(3, 4), statement(4, 3), statement(5, 2))),
)
SECTIONS = (
    section("harms", (place(statement(4, 3), HARM),), tables=("approvals",)),
    section("more", (place(statement(2, 5), HELP), place(statement(1, 6), HELP))),
)


def compiled(
    kind: RequestKind = RequestKind.QUESTION, identity: DrugIdentity | None = None, sources: Any = SOURCES,
    searches: tuple[SearchRecord, ...] = (),
) -> Dossier:  # fmt: skip
    request = JobRequest(kind=kind, text="Does it help or harm?" if kind is RequestKind.QUESTION else "drug")
    job = Job(job_id="x-1", request=request, settings=RunSettings(), state=JobState.RUNNING, created=NOW)
    plan = Plan(names=("chronic pain", "exercise", "elderly", "walking"), syllabus=SYLLABUS, identity=identity)
    made = research(sections=SECTIONS if sources else ())
    answers = ANSWERS if sources else ()
    return compile_dossier(
        DossierMaterial(job, plan, "none", StopReason.COMPLETE, sources, answers, searches, research=made)
    )


@pytest.mark.parametrize(
    ("kind", "identity", "report"),
    [
        (RequestKind.QUESTION, None, ResearchReport), (RequestKind.QUESTION, IDENTITY, ResearchReport),
        (RequestKind.DRUG, IDENTITY, Dossier),
    ],
)  # fmt: skip
def test_numbers_ascend_in_the_document_and_each_reference_is_cited(
    kind: RequestKind, identity: DrugIdentity | None, report: type[Dossier]
) -> None:
    shown = compiled(kind, identity)
    assert type(shown) is report
    assert list(dict.fromkeys(document_of(shown).marks)) == [1, 2, 3, 4, 5, 6]
    assert [one.n for one in shown.references] == [1, 2, 3, 4, 5, 6]


def test_a_report_without_a_drug_has_no_facts_that_records_state_of_one() -> None:
    glance = compiled().at_a_glance
    assert not (glance.approvals or glance.sponsors or glance.names)
    assert set(glance.designs) == {HELP, HARM}
    assert compiled(identity=IDENTITY).at_a_glance.approvals


def test_approvals_that_records_state_are_a_table_in_any_report() -> None:
    (approvals,) = (table for table in compiled().tables if table.name is TableName.APPROVALS)
    assert [row.source_id for row in approvals.rows] == ["src_001"]


def test_the_questions_keep_their_importance() -> None:
    assert [one.importance for one in compiled().questions] == [0.9, 0.45]


def test_an_empty_report_names_the_terms_that_were_searched_for_and_not_the_question() -> None:
    failed = SearchRecord(
        database="pubmed", scope="PubMed", question=HARM, query="q", at=NOW, status=SearchStatus.FAILED, total=0
    )
    assert compiled(sources=(), searches=(failed,)).notes[-1] == (
        "Nothing could be searched, so this report says nothing about chronic pain, exercise, elderly."
    )
