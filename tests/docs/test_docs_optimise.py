"""docs/optimise.md: its example prints what the page says, and the page names what there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from agents.scripted import scripted_lm
from agents.writers import honest
from optimize.example import DATASET, script
from pages import ROOT, code_blocks, examples

from storm.agents.judge import SupportJudge
from storm.agents.program import (
    CrewProgram,
    DeepResearchProgram,
    RepurposingProgram,
    ResearchProgram,
    SavableProgram,
    crew_program,
)
from storm.agents.program_file import read_program
from storm.optimize import OPTIMIZERS
from storm.optimize.scoring import (
    COST,
    COVERAGE,
    DATABASES,
    DEEP_RESEARCH_WEIGHTS,
    MAX_TOKENS,
    QUOTES,
    REPORT_WEIGHTS,
    REPURPOSING_WEIGHTS,
)

PAGE = ROOT / "docs/optimise.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    ((command, printed),) = examples(PAGE)
    _, script, *options = command.split()
    done = subprocess.run(
        [sys.executable, ROOT / script, *options], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == printed
    program = crew_program(read_program(tmp_path / "example.json"))
    assert program.export_predictors() != CrewProgram().export_predictors()


def test_the_script_of_the_example_is_short_and_uses_no_internal_name() -> None:
    text = (ROOT / "scripts/optimize_example.py").read_text(encoding="utf-8")
    modules = re.findall(r"^(?:from|import) ((?:storm|scripted)[\w.]*)", text, re.M)
    assert modules == ["scripted_model", "storm.programs"]
    assert len(text.splitlines()) < 50


@pytest.mark.slow
async def test_the_program_of_the_page_learns_and_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block, judge_block = code_blocks(PAGE, "python")
    (tmp_path / "drugs.jsonl").write_text(DATASET.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / DATASET.with_suffix(".yaml").name).write_bytes(DATASET.with_suffix(".yaml").read_bytes())
    monkeypatch.chdir(tmp_path)
    model = script()
    names = {"lm": model.scripted_lm()}
    exec(compile(block, "docs/optimise.md", "exec"), names)
    learnt = json.loads((tmp_path / "better.json").read_text(encoding="utf-8"))["researcher.react"]["demos"]
    assert learnt and all("next_tool_name" in demo for demo in learnt)  # calls of the predictor, no whole cases
    assert crew_program(read_program(tmp_path / "better.json")).export_predictors() != CrewProgram().export_predictors()
    names["lm"] = scripted_lm(honest(unsupported=["very good"]))
    exec(compile(judge_block, "docs/optimise.md", "exec"), names)
    judge = SupportJudge()
    judge.load("judge.json")
    (demo,) = judge.assess.demos
    assert [one["verdict"] for one in demo["verdicts"]] == ["supported", "unsupported"]


def test_every_optimizer_is_in_the_table() -> None:
    assert re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\|$", TEXT, re.M) == list(OPTIMIZERS)


def test_the_formula_is_the_one_that_is_used() -> None:
    assert (
        f"{COVERAGE:.2f} · coverage + {QUOTES:.2f} · quotes + {DATABASES:.2f} · databases − {COST:.2f} · cost" in TEXT
    )
    assert f"against {MAX_TOKENS:,}" in TEXT
    research = " + ".join(f"{weight:.2f} · {name}" for name, weight in REPORT_WEIGHTS.items())
    assert f"`{research} − {COST:.2f} · cost`" in " ".join(TEXT.split())
    hypotheses = " + ".join(f"{weight:.2f} · {name}" for name, weight in REPURPOSING_WEIGHTS.items())
    assert f"`{hypotheses} − {COST:.2f} · cost`" in " ".join(TEXT.split())
    checklist = " + ".join(f"{weight:.2f} · {name}" for name, weight in DEEP_RESEARCH_WEIGHTS.items())
    assert f"`{checklist} − {COST:.2f} · cost`" in " ".join(TEXT.split())


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("storm run --mode parallel", ResearchProgram),
        ("storm repurpose", RepurposingProgram),
        ("storm ask", DeepResearchProgram),
    ],
)
def test_the_predictors_of_research_are_named(command: str, program: type[SavableProgram]) -> None:
    said = re.search(rf"`{command}`: ([^.]+)\.", " ".join(TEXT.split()))
    assert said
    named = [name.strip().replace(" ", "_") for name in re.split(r", | and ", said[1])]
    assert named == [name for name, _ in program().named_predictors()]
