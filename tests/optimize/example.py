"""The scripted model of scripts/optimize_example.py, which does what it is asked or shown, and what runs it."""

from __future__ import annotations

import importlib.util
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from storm.agents.model_choice import ROLES, ModelChoice
from storm.case_runner import REFLECTION, run_optimization
from storm.models import JobLimits
from storm.optimize import Effort, TrainingResult, read_cases, split_cases
from storm.settings import Settings

ROOT = Path(__file__).parents[2]
DATASET = ROOT / "scripts/optimize_example.jsonl"
MODELS = dict.fromkeys((*ROLES, REFLECTION), ModelChoice(name="openai/scripted", context=128_000))


#: A dataset of the mode `parallel`: with seed 0 it is learnt from the question, and measured on the drug.
LINES = (
    {"drug": "metformin", "syllabus": DATASET.with_suffix(".yaml").name},
    {"question": "How well does trastuzumab work, and is it safe for the heart?"},
)


def write_dataset(folder: Path) -> Path:
    """A file of these lines."""
    path = folder / "mixed.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    (folder / DATASET.with_suffix(".yaml").name).write_bytes(DATASET.with_suffix(".yaml").read_bytes())
    return path


def script() -> Any:
    """The module of the scripted model, loaded anew."""
    spec = importlib.util.spec_from_file_location("scripted_model", ROOT / "scripts/scripted_model.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settings(folder: Path) -> Settings:
    """Settings of a user who has nothing yet."""
    config = ROOT / "config"
    return Settings(folder / "data", config, None, timedelta(days=1), True, config / "databases.yaml")


def trained(
    folder: Path,
    optimizer: str,
    make: Any = None,
    limits: JobLimits | None = None,
    report: Any = None,
    dataset: Path = DATASET,
    mode: str = "broad",
    **effort: int,
) -> TrainingResult:
    """What the optimiser makes of the example's dataset, or of another, with the scripted model."""
    return run_optimization(
        settings(folder),
        MODELS,
        split_cases(read_cases(dataset, ROOT / "config"), 0.5, seed=0),
        name="made",
        mode=mode,
        optimizer=optimizer,
        effort=Effort(**effort),
        limits=limits or JobLimits(),
        report=report or (lambda line: None),
        make=make or script().ScriptedModel().make_lm,
    )
