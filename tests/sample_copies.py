"""The bundled sample is indexed once for all tests: whoever would index it gets a copy."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from storm.databases.corpus import database


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
