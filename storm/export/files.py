"""Writing a dossier's files: all of a file, or the one that was there before."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from storm.citations.verification import reference_problems
from storm.errors import StormError, UsageError
from storm.export.markdown import to_markdown
from storm.models import Dossier


def _checked_markdown(dossier: Dossier) -> str:
    """The Markdown, each of its marks with a reference and each reference marked; StormError if that does not hold."""
    text = to_markdown(dossier)
    problems = reference_problems(text.rpartition("\n## References")[0], dossier.references)
    if problems:
        raise StormError(f"the dossier was not written, its references do not hold: {problems[0]}", hint="report this")
    return text


def to_json(dossier: Dossier) -> str:
    """The dossier as JSON, its fields in their order."""
    return json.dumps(dossier.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


#: Each format with its file's name and what writes it.
FORMATS = {"md": ("dossier.md", _checked_markdown), "json": ("dossier.json", to_json)}


def check_formats(formats: Sequence[str], known: Collection[str] = tuple(FORMATS)) -> tuple[str, ...]:
    """The formats, each once; UsageError for one that is not `known`."""
    unknown = [name for name in formats if name not in known]
    if unknown or not formats:
        raise UsageError(f"no such format: {', '.join(unknown) or '(none given)'}", hint=f"known: {', '.join(known)}")
    return tuple(dict.fromkeys(formats))


def check_folder(folder: Path) -> None:
    """UsageError if files could not be written there, before any work is done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reachable = os.access(folder, os.W_OK | os.X_OK)
    except OSError as exc:
        why = "it is a file, not a folder" if folder.is_file() else exc.strerror
        raise UsageError(f"cannot write to {folder}: {why}", hint="give another folder with --out") from exc
    if not reachable:
        raise UsageError(f"cannot write to {folder}: permission denied", hint="give another folder with --out")


def write_dossier(dossier: Dossier, folder: Path, formats: Sequence[str]) -> list[Path]:
    """The files written, in the order of `formats`; StormError if the folder cannot take them."""
    paths = []
    for name in check_formats(formats):
        file_name, render = FORMATS[name]
        paths.append(_write(folder / file_name, render(dossier)))
    return paths


def write_sources(sources: Mapping[str, Any], folder: Path) -> Path:
    """`sources.json`: the collection as `finalize_sources` gives it."""
    return _write(folder / "sources.json", json.dumps(sources, ensure_ascii=False, indent=2) + "\n")


def _write(path: Path, text: str) -> Path:
    """Written beside its place and moved there, so that a reader never meets half a file."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as exc:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise StormError(
            f"cannot write {path}: {exc.strerror}",
            hint="make room or give another folder; the job is kept: storm export JOB --out DIR",
        ) from exc
    return path
