"""Writes `sources.json`: a collection with full texts, grouped by question."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from storm.export.files import replace_file
from storm.models import Question, Source, Syllabus
from storm.models.collection import question_fields, source_fields

#: The line break and indent of a question's sources.
_MARGIN = "\n" + 8 * " "
_encode = json.JSONEncoder(ensure_ascii=False).encode


async def write_sources(job_id: str, syllabus: Syllabus, sources: AsyncIterator[Source], folder: Path) -> Path:
    """`{job, total, questions: {key: CollectedQuestion.to_fields()}}`, sources by number.

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
            text = _encode_source(source)
            for key in source.questions:
                parts[key].write("," + text if counts[key] else text)
                counts[key] += 1
        _write_parts(file, {"job": job_id, "total": total}, syllabus.questions, parts)
    return path


def _open_temporary(folder: Path) -> IO[str]:
    """Open an unnamed file on the same disk as the result; it is deleted automatically."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", dir=folder)


def _encode_source(source: Source) -> str:
    """Encode the source as indented JSON, field by field, which is several times faster than `json` with an indent."""
    lines = (
        f'"{name}": {_encode_list(value) if isinstance(value, list) else _encode(value)}'
        for name, value in source_fields(source).items()
    )
    inner = f",{_MARGIN}  ".join(lines)
    return f"{_MARGIN}{{{_MARGIN}  {inner}{_MARGIN}}}"


def _encode_list(values: Sequence[str]) -> str:
    inner = f",{_MARGIN}    ".join(map(_encode, values))
    return f"[{_MARGIN}    {inner}{_MARGIN}  ]" if values else "[]"


def _write_parts(
    file: IO[str], head: Mapping[str, Any], questions: Iterable[Question], parts: Mapping[str, IO[str]]
) -> None:
    """Write the whole file: the head, then each question with the sources from its temporary file."""
    described = {question.key: {**question_fields(question), "sources": []} for question in questions}
    pieces = _to_json({**head, "questions": described}).split('"sources": []\n')
    for piece, part in zip(pieces, parts.values(), strict=False):
        file.write(f'{piece}"sources": [')
        if part.tell():
            part.seek(0)
            shutil.copyfileobj(part, file, 1 << 20)
            file.write("\n" + 6 * " ")
        file.write("]\n")
    file.write(f"{pieces[-1]}\n")


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
