"""Writes a report's files, each of them whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from storm.errors import Code, FormatUnavailable, UsageError
from storm.export.formats import FORMATS, check_formats, lay_out_report, render_report
from storm.export.pages import PageSetup
from storm.export.replacement import replace_file
from storm.reports import Report


def check_folder(folder: Path) -> None:
    """Raise UsageError if the folder is not writable, before any work is done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reachable = os.access(folder, os.W_OK | os.X_OK)
    except OSError as exc:
        why = "it is a file, not a folder" if isinstance(exc, FileExistsError) else exc.strerror
        if isinstance(exc, FileNotFoundError):  # where the system lets nobody make one: /proc
            why = "no folder can be made there"
        raise UsageError(
            f"cannot write to {folder}: {why}", hint="give another folder", code=Code.FOLDER_UNWRITABLE
        ) from exc
    if not reachable:
        raise UsageError(
            f"cannot write to {folder}: permission denied", hint="give another folder", code=Code.FOLDER_UNWRITABLE
        )


def write_report(report: Report, folder: Path, formats: Sequence[str], pages: PageSetup | None = None) -> list[Path]:
    """Write the report in each format and return the files in that order; StormError if that fails.

    FormatUnavailable if one lacks a library, or its template cannot be read: after the others are written, which it
    names."""
    laid_out = cache(lambda: lay_out_report(report))  # once, whatever the number of formats
    paths: list[Path] = []
    unavailable: list[FormatUnavailable] = []
    for name in check_formats(formats):
        try:
            contents = render_report(report, FORMATS[name], lambda _: laid_out(), pages)
        except FormatUnavailable as error:
            unavailable.append(error)
            continue
        paths += (_write_file(folder / f"{report.file_name}.{suffix}", text) for suffix, text in contents.items())
    if unavailable:
        reasons, hints = "; ".join(error.message for error in unavailable), (error.hint for error in unavailable)
        raise FormatUnavailable(reasons, hint=next(filter(None, hints), None), files=paths) from unavailable[0]
    return paths


def _write_file(path: Path, content: bytes) -> Path:
    with replace_file(path) as partial:
        partial.write_bytes(content)
    return path
