"""A program with a data directory of its own, for what the pages tell its user to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from storm_program import Program


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A program that has run no job and has an empty corpus."""
    own = Program(tmp_path / "data", tmp_path)
    yield own
    own.server().stop_server(force=True)
