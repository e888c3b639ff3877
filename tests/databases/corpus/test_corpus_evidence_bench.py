"""`scripts/bench evidence`: what it needs, and what it tells of made questions with known answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[3] / "scripts" / "benches" / "evidence.py"


def bench(*options: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BENCH), *map(str, options)], capture_output=True, text=True, check=False)


def write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.slow
def test_without_its_files_it_says_what_it_needs() -> None:
    result = bench("--json")
    assert result.returncode == 2
    assert "it needs the files: --prompts FILE --articles DIR" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.slow
def test_it_tells_how_often_article_and_sentence_are_found_beside_the_boost_before(tmp_path: Path) -> None:
    drugs = ("zorvimab", "qelvinib", "mirlostat", "dantrovir")
    articles = [
        {
            "database": "pmc", "external_id": f"PMC{number}", "url": f"https://example.org/{number}",
            "title": f"A trial of {drug}", "text": f"Background. Mortality fell by {number} % with {drug}. The end.",
        }
        for number, drug in enumerate(drugs, 1)
    ]  # fmt: skip
    prompts = [
        {
            "pmcid": f"PMC{number}", "intervention": drug, "outcome": "mortality", "comparator": "placebo",
            "gold": [f"Mortality fell by {number} % with {drug}."],
        }
        for number, drug in enumerate(drugs, 1)
    ]  # fmt: skip
    (tmp_path / "articles").mkdir()
    write_lines(tmp_path / "articles" / "own.jsonl", articles)
    questions = write_lines(tmp_path / "prompts.jsonl", prompts)
    result = bench("--json", "--prompts", questions, "--articles", tmp_path / "articles")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["rows"]
    whole = [row for row in rows if row.get("asked", "").startswith("intervention")]
    assert {row["variant"] for row in whole} == {"before (title 2)", "storm (title 0.3)"}
    assert sum(row["n"] for row in whole) == 2 * len(prompts)
    assert {row["first"] for row in whole if row["n"]} == {1.0}
    sentences = [row for row in rows if row.get("asked", "").startswith("sentence") and row["n"]]
    assert {row["first"] for row in sentences} == {1.0} and all("in_three" in row for row in sentences)
