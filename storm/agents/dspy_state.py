"""Reads files written by `save` of a DSPy program: the agent, writer and composer. Needs no DSPy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storm.errors import ConfigError
from storm.models.program import SAVED_BY_DSPY
from storm.version import __version__

#: A job's predictors by the last part of their names in BroadResearcher and AnswerSynthesizer.
_ROLES = {
    "agent": "agent", "react": "agent", "writer": "writer", "write": "writer", "composer": "composer",
    "compose": "composer",
}  # fmt: skip
#: The judge's predictor is ignored: a job judges only with its own.
_JUDGE = "assess"


def is_dspy_state(content: Any) -> bool:
    """Whether DSPy wrote this content."""
    metadata = content.get("metadata") if isinstance(content, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("dependency_versions"), dict)


def read_dspy_state(path: Path, content: Mapping[str, Any]) -> dict[str, Any]:
    """The content as that of a SavedProgram; ConfigError for a predictor that no job has, or a duplicate."""
    predictors: dict[str, Any] = {}
    for name, state in content.items():
        last = name.rpartition(".")[2]
        if name == "metadata" or last == _JUDGE:
            continue
        role = _ROLES.get(last)
        if role is None or role in predictors:
            raise ConfigError(
                f"{path}: a job has no predictor for {name!r}",
                hint="save a program of one BroadResearcher and one AnswerSynthesizer, or of one of the two",
            )
        predictors[role] = _read_predictor(path, name, state)
    return {
        "name": path.stem,
        "storm": __version__,
        "dspy": str(content["metadata"]["dependency_versions"].get("dspy")),
        "optimizer": SAVED_BY_DSPY,
        "created": datetime.fromtimestamp(path.stat().st_mtime, UTC),
        "predictors": predictors,
    }


def _read_predictor(path: Path, name: str, state: Any) -> dict[str, Any]:
    """Instruction and demonstrations, without model settings."""
    try:
        fields = [_field_name(field["prefix"]) for field in state["signature"]["fields"]]
        return {
            "fields": fields,
            "instructions": state["signature"]["instructions"],
            "demos": [dict(demo.items()) for demo in state["demos"]],
        }
    except (KeyError, TypeError, AttributeError) as exc:
        raise ConfigError(f"{path}: {name}: not a predictor as DSPy saves it ({exc})") from exc


def _field_name(prefix: str) -> str:
    """The field's name from the prefix that DSPy saves: "Next Tool Args:"."""
    return prefix.removesuffix(":").lower().replace(" ", "_")
