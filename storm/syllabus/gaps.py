"""What the sources of a question leave open, whoever writes its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.models import Question, Relation, Retraction, Source


def source_gaps(question: Question, sources: Sequence[Source]) -> Iterator[str]:
    """A sentence for each thing that is wanting in a question's sources: their number, text, subject or standing."""
    if len(sources) < question.min_sources:
        yield f"{len(sources)} of {question.min_sources} sources that this question needs were found."
    silent = sum(not source.hit.text.strip() for source in sources)
    if silent:
        yield f"{silent} of its sources have no text here, only a title."
    if question.itself_only and sources and all(source.relation is not Relation.ITSELF for source in sources):
        yield "All of its sources are about a relative of the drug."
    retracted = sum(source.hit.retraction is Retraction.RETRACTED for source in sources)
    if retracted:
        yield f"Retracted: {retracted} of its sources."
