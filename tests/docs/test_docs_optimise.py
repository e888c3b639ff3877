"""docs/optimise.md: its example prints what the page says, and the page names what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from pages import ROOT, examples

from storm.optimize import OPTIMIZERS
from storm.optimize.metric import COST, COVERAGE, DATABASES, MOST_TOKENS, QUOTES

PAGE = ROOT / "docs/optimise.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    ((command, told),) = examples(PAGE)
    _, script, *options = command.split()
    done = subprocess.run(
        [sys.executable, ROOT / script, *options], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == told
    assert (tmp_path / "example.json").is_file()


def test_every_optimizer_is_in_the_table() -> None:
    assert re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\|$", TEXT, re.M) == list(OPTIMIZERS)


def test_the_formula_is_the_one_that_is_used() -> None:
    assert (
        f"{COVERAGE:.2f} · coverage + {QUOTES:.2f} · quotes + {DATABASES:.2f} · databases − {COST:.2f} · cost" in TEXT
    )
    assert f"against {MOST_TOKENS:,}" in TEXT
