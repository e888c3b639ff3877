"""Arguments and results of a collection's methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from storm.models.source import Citation, QuoteCheck, Source
from storm.models.syllabus import Question


class DraftCitation(NamedTuple):
    """A citation before it has an id; `quote_verified` is None if the quote was not checked."""

    claim: str
    quote: str
    quote_verified: bool | None
    context: str = ""
    metadata: Mapping[str, str] = {}
    answer_to: str = ""
    section: str = ""


class Saved(NamedTuple):
    """The result of saving a source."""

    source_id: str
    number: int
    created: bool
    assigned_to: tuple[str, ...]
    citation_id: str
    citation_existed: bool
    counts: Mapping[str, int]


class Refiled(NamedTuple):
    """The result of filing a source anew: its id, and the sources per question."""

    source_id: str
    counts: Mapping[str, int]


class Registered(NamedTuple):
    """A registered citation, and whether it existed before."""

    citation: Citation
    existed: bool


def question_fields(question: Question) -> dict[str, Any]:
    """The JSON fields of a question in a collection, without its sources."""
    return {"label": question.label, "description": question.description, "min_sources": question.min_sources}


def source_fields(source: Source) -> dict[str, Any]:
    """The JSON fields of a source in a collection: its record with the full text."""
    hit = source.hit
    return {
        "source_id": source.source_id,
        "source_type": hit.database,
        "external_id": hit.external_id,
        "url": hit.url,
        "title": hit.title,
        "year": hit.year,
        "publication_types": list(hit.publication_types),
        "text": hit.text,
        "citations": list(source.citation_ids),
    }


class CollectedQuestion(NamedTuple):
    """All that a question's answer is written from: its sources by number, and their citations that were registered
    while gathering, in the order of the sources."""

    question: Question
    sources: tuple[Source, ...]
    citations: tuple[Citation, ...] = ()

    def to_fields(self) -> dict[str, Any]:
        """Its part of a collection as JSON, as `storm export --format sources` writes it."""
        return {**question_fields(self.question), "sources": [source_fields(source) for source in self.sources]}

    def quotes(self) -> dict[str, tuple[Citation, ...]]:
        """By source id, the citations whose quote was found in the source's text and is not its title."""
        titles = {source.source_id: source.hit.title for source in self.sources}
        found: dict[str, tuple[Citation, ...]] = {}
        for citation in self.citations:
            source_id = citation.source_id
            if citation.quote_check is QuoteCheck.VERIFIED and citation.quote != titles.get(source_id):
                found[source_id] = (*found.get(source_id, ()), citation)
        return found


class Progress(NamedTuple):
    """The progress of a collection: sources per question, all sources, the databases they came from, and how many
    works were dropped."""

    counts: Mapping[str, int]
    total: int
    databases: tuple[str, ...]
    dropped: int = 0
