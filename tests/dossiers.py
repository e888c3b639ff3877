"""A dossier with one question, a statement and a conflict, from two references, for tests of what shows one."""

from __future__ import annotations

from datetime import UTC, datetime

from storm.models import (
    Answer,
    Conflict,
    Coverage,
    Dossier,
    Exclusion,
    FlowCounts,
    QuestionText,
    RecordFlow,
    Reference,
    SearchStatus,
    Statement,
    StatementCounts,
    Verdict,
)
from storm.models.dossier import AtAGlance, DatabaseUse, SearchLine

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SUPPORTED = Statement(text="It harms.", quote="It harms all.", source_ids=("src_002",), verdict=Verdict.SUPPORTED)
OTHER = Statement(text="It helps.", quote="It helps some.", source_ids=("src_001", "src_002"))

#: A flow in which each box has a number: of a database, of a single record, and of all ways to records.
FOUND = FlowCounts(
    identified=1_500, duplicates=400, automatic=100, screened=1_000, excluded=900, sought=100, not_retrieved=5,
    assessed=95, not_included=35, included=60,
    reasons={
        Exclusion.NO_QUESTION: 60, Exclusion.BELOW_CUT: 40, Exclusion.NOT_NAMED: 500, Exclusion.MINIMUM_MET: 300,
        Exclusion.NO_REPORT: 100, Exclusion.NOT_CITED: 35,
    },
)  # fmt: skip
ONE = FlowCounts(identified=1, screened=1, sought=1, assessed=1, included=1)
WHOLE = RecordFlow(databases={"pubmed": FOUND, "clinicaltrials": ONE}, others={"web": ONE, "chembl": ONE}, studies=50)


def reference(n: int) -> Reference:
    return Reference(
        n=n, source_id=f"src_{n:03}", source_type="pubmed", external_id=str(n), url=f"https://example.org/{n}",
        title=f"Paper {n}", authors=("Doe J",), year=2001,
    )  # fmt: skip


def dossier(**fields: object) -> Dossier:
    """The dossier, with these fields instead of its own."""
    conflict = Conflict(trial="NCT1", endpoint="survival", statements=(SUPPORTED, OTHER))
    answer = Answer(
        question="harm.x", statements=(SUPPORTED,), conflicts=(conflict,), gaps=("Little is known.",),
        counts=StatementCounts.of(supported=3, removed=0, marked=0),
    )  # fmt: skip
    line = SearchLine(
        database="pubmed", scope="PubMed", question="harm.x", query="q", at=NOW, status=SearchStatus.FOUND, total=2,
        hits=2, kept=2,
    )  # fmt: skip
    values: dict[str, object] = {
        "job_id": "trastuzumab-20261121-7f3a9c",
        "drug": "trastuzumab",
        "names": ("trastuzumab",),
        "engine": "none",
        "created": NOW,
        "retrieved": "2026-11-21",
        "stopped": "complete",
        "questions": (QuestionText(key="harm.x", label="Harm", description="What harm?"),),
        "exit_code": 0,
        "databases": (DatabaseUse(name="pubmed", scope="PubMed", searched=1, status=SearchStatus.FOUND),),
        "coverage": Coverage(questions=(), databases=("pubmed",), min_databases=1, total=2, ready=True),
        "at_a_glance": AtAGlance(),
        "answers": (answer,),
        "references": (reference(1), reference(2)),
        "search_log": (line,),
        "flow": RecordFlow(
            databases={"pubmed": FlowCounts(identified=2, screened=2, sought=2, assessed=2, included=2)}, studies=2
        ),
    }
    return Dossier.model_validate(values | fields)
