"""The finished collection as a mode hands it on; never a tool of the agent."""

from __future__ import annotations

from typing import Any

from storm.models import Source, Syllabus
from storm.ports import Collection


async def finalize_sources(collection: Collection, job_id: str, syllabus: Syllabus) -> dict[str, Any]:
    """`{job, total, questions: {key: {label, description, min_sources, sources: [...]}}}`, sources by number."""
    sources = await collection.sources()
    return {
        "job": job_id,
        "total": len(sources),
        "questions": {
            question.key: {
                "label": question.label,
                "description": question.description,
                "min_sources": question.min_sources,
                "sources": [_described(source) for source in sources if question.key in source.questions],
            }
            for question in syllabus.questions
        },
    }


def _described(source: Source) -> dict[str, Any]:
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
