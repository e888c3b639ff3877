"""A dossier with one question, a statement and a conflict, from two references, for tests of what shows one."""

from __future__ import annotations

from datetime import UTC, datetime

from storm.models import (
    Answer,
    Conflict,
    Coverage,
    Dossier,
    QuestionText,
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
    }
    return Dossier.model_validate(values | fields)
