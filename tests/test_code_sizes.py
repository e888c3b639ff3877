"""scripts/code_sizes.py: what is too long, or imported where no contract sees it, is named."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from pages import ROOT

LONG = "def long():\n" + "    print()\n" * 60
SHORT = "def short():\n    print()\n" * 20


@pytest.fixture(scope="module")
def sizes() -> ModuleType:
    spec = importlib.util.spec_from_file_location("code_sizes", ROOT / "scripts/code_sizes.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (SHORT + LONG, "a/b.py:41 long: 61 lines, at most 60"),
        (SHORT + "\n" * 311, "a/b.py: 351 lines, at most 350 are allowed"),
        ("def f():\n" + "    print()\n" * 30, "0.0% of the functions have 20 lines or fewer"),
        (SHORT + "def f():\n    from storm.app import App\n", "23.81 own imports inside functions in a thousand lines"),
        (SHORT + "from importlib import import_module\nimport_module('storm.app')\n", "a module is imported by name"),
    ],
    ids=["a long function", "a long module", "few short functions", "imports in functions", "an import by name"],
)
def test_each_limit_that_is_passed_is_named(sizes: ModuleType, tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.py").write_text(text)
    assert [one for one in sizes.list_faults(tmp_path) if fault in one]


def test_code_within_the_limits_has_no_fault(sizes: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("import storm\n" + SHORT)
    assert list(sizes.list_faults(tmp_path)) == []
