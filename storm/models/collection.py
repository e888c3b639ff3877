"""What a job has collected, as it is handed on."""

from typing import Any, NamedTuple

from storm.models.citation import Citation, QuoteCheck
from storm.models.source import Source
from storm.models.syllabus import Question


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
