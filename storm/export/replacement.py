"""Replaces a file atomically: on failure the previous file remains."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from storm.errors import Code, StormError


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path` that replaces it on success, so that readers never see half a file.

    StormError if it cannot be written."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield partial
            partial.replace(path)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
    except OSError as exc:
        raise StormError(
            f"cannot write {path}: {exc.strerror}",
            hint="free some disk space or give another folder; the job is saved",
            code=Code.FILE_UNWRITABLE,
        ) from exc
