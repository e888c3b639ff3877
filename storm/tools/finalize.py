"""The finished collection of a question, for a mode; not a tool of the agent."""

from __future__ import annotations

from storm.models import CollectedQuestion, Question
from storm.ports import Collection


async def finalize_sources(collection: Collection, question: Question) -> CollectedQuestion:
    """A question with its sources by number, and their citations that were registered while gathering.

    Read from the store on each call: the sources' records may have grown since they were saved.
    """
    sources = tuple([source async for source in collection.iter_sources(question.key)])
    named = dict.fromkeys(name for source in sources for name in source.citation_ids)
    found = await collection.find_citations(list(named))
    return CollectedQuestion(question, sources, tuple(citation for citation in found if not citation.answer_to))
