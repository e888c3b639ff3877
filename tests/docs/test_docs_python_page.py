"""The page of the Python interface is made from the docstrings."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import storm

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_page_is_as_the_docstrings_are() -> None:
    command = [sys.executable, "scripts/python_page.py", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_every_public_function_shows_an_example() -> None:
    functions = [value for name in storm.__all__ if inspect.isroutine(value := getattr(storm, name))]
    assert functions and all("\n\n    " in (inspect.getdoc(function) or "") for function in functions)
