"""The page of the Python interface is made from the docstrings."""

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import storm
import storm.programs
import storm.testing

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_page_is_as_the_docstrings_are() -> None:
    command = [sys.executable, "scripts/python_page.py", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("module", [storm, storm.programs, storm.testing])
def test_every_public_name_shows_an_example(module: ModuleType) -> None:
    named = {name: getattr(module, name) for name in module.__all__ if name != "__version__"}
    assert [name for name, value in named.items() if "\n\n    " not in (inspect.getdoc(value) or "")] == []
