"""Gaps in the sources of a question, in every mode of writing its answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from storm import wording
from storm.models import Question, Relation, RelationKind, Retraction, Source


def source_gaps(question: Question, sources: Sequence[Source], answering: Collection[str]) -> Iterator[str]:
    """A sentence for each gap in a question's sources: their number, full text, subject or retraction.

    `answering` are the ids of the sources that the answer cites.
    """
    if not answering:
        yield from list_missing(question)
    found = sum(source.relation_kind.is_evidence for source in sources)
    if found < question.min_sources:
        yield wording.TOO_FEW_SOURCES.format(found=found, needed=question.min_sources)
    elif 0 < len(answering) < question.min_sources:
        yield wording.TOO_FEW_ANSWER.format(answering=len(answering), needed=question.min_sources, found=found)
    silent = sum(not source.hit.text.strip() for source in sources)
    if silent:
        yield wording.TITLES_ONLY.format(number=silent)
    if question.itself_only and sources and not any(map(_is_own, sources)):
        yield wording.RELATIVES_ONLY
    retracted = sum(source.hit.retraction is Retraction.RETRACTED for source in sources)
    if retracted:
        yield wording.RETRACTED_SOURCES.format(number=retracted)


def list_missing(question: Question) -> Iterator[str]:
    """A sentence on what a question without an answer is narrowed to: what it compares with, or all that it names."""
    compared = [one.label for one in question.about if one.role == "comparator"]
    named = [one.label for one in question.about if one.role != "comparator"]
    if compared:
        yield wording.NO_COMPARISON_WITH.format(
            what=", ".join(compared), named=f" ({', '.join(named)})" if named else ""
        )
    elif named:
        yield wording.NOTHING_ON.format(what=", ".join(named))


def _is_own(source: Source) -> bool:
    """Whether a source is about the drug itself, not a relative; a trial that compares another drug with it counts."""
    return source.relation is Relation.ITSELF or source.relation_kind is RelationKind.COMPARATOR
