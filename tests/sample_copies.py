"""The bundled sample is indexed once for all tests, and its records are read once a process."""

from __future__ import annotations

import shutil
import tempfile
from collections import deque
from pathlib import Path

import pytest

from storm.databases.corpus import database
from storm.evidence import readings


def share_index(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have data directories get a copy of the index in that folder, which the first one makes."""
    build, index = database._build_sample, folder / "index"

    def copy(building: Path, files: Path) -> None:
        if files != database.SAMPLE_FOLDER:
            build(building, files)
            return
        if not index.exists():
            made = Path(tempfile.mkdtemp(dir=folder))
            build(made, files)
            database._move_into_place(made, index)
        shutil.copytree(index, building, dirs_exist_ok=True)

    patch.setattr(database, "_build_sample", copy)


def keep_readings(patch: pytest.MonkeyPatch) -> None:
    """Have what was read of a record of the sample kept for all jobs of a process, of its papers in full, too."""
    patch.setattr(readings, "_LONGEST", 10_000_000)
    patch.setattr(readings, "_recent", deque(maxlen=24))
