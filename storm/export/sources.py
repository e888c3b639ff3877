"""Writes `sources.json`: a collection with full texts, grouped by question."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from pydantic_core import to_json

from storm.evidence.design import design_of
from storm.evidence.participants import participants_of
from storm.evidence.score import rate_source
from storm.export.json_text import json_text
from storm.export.replacement import replace_file
from storm.models import Question, Source, Syllabus
from storm.models.collection import question_fields, source_fields

#: The evidence of so many sources is written: reading a text for it takes ten times as long as writing it.
MOST_RATED = 1_000
#: The line break and indent of a question's sources.
_MARGIN = "\n" + 8 * " "


async def write_sources(job_id: str, syllabus: Syllabus, sources: AsyncIterator[Source], folder: Path) -> Path:
    """`{job, total, questions: {key: CollectedQuestion.to_fields()}}`, sources by number; the first `MOST_RATED` with
    their evidence.

    Each source is read and encoded once, into a temporary file per question; these files are then concatenated. Only a
    few sources are in memory at a time.
    """
    path = folder / "sources.json"
    with replace_file(path) as partial, partial.open("w", encoding="utf-8") as file, ExitStack() as opened:
        parts = {key: opened.enter_context(_open_temporary(folder)) for key in syllabus.keys}
        counts = Counter[str]()
        total = 0
        async for source in sources:
            total += 1
            text = _encode_source(source, rated=total <= MOST_RATED)
            for key in source.questions:
                parts[key].write("," + text if counts[key] else text)
                counts[key] += 1
        _write_parts(file, {"job": job_id, "total": total, "rated": min(total, MOST_RATED)}, syllabus.questions, parts)
    return path


def _open_temporary(folder: Path) -> IO[str]:
    """Open an unnamed file on the same disk as the result; it is deleted automatically."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", dir=folder)


def _encode_source(source: Source, *, rated: bool) -> str:
    """The source as JSON, indented as a member of its question's list."""
    fields = {**source_fields(source), **(_list_evidence(source) if rated else {})}
    return _MARGIN + to_json(fields, indent=2).decode().replace("\n", _MARGIN)


def _list_evidence(source: Source) -> dict[str, Any]:
    """What the source weighs as evidence, under the names of a reference's fields."""
    hit = source.hit
    study = {"date": hit.date, "design": design_of(hit).value, "participants": participants_of(hit)}
    return {**study, "retraction": hit.retraction.value, **rate_source(source)._asdict()}


def _write_parts(
    file: IO[str], head: Mapping[str, Any], questions: Iterable[Question], parts: Mapping[str, IO[str]]
) -> None:
    """Write the whole file: the head, then each question with the sources from its temporary file."""
    described = {question.key: {**question_fields(question), "sources": []} for question in questions}
    pieces = json_text({**head, "questions": described}).split('"sources": []\n')
    for piece, part in zip(pieces, parts.values(), strict=False):
        file.write(f'{piece}"sources": [')
        if part.tell():
            part.seek(0)
            shutil.copyfileobj(part, file, 1 << 20)
            file.write("\n" + 6 * " ")
        file.write("]\n")
    file.write(pieces[-1])
