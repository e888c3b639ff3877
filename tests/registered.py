"""Tools of a test's own in the registry, which has none of them after the test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from storm.toolkit import Executor, ToolConfig, registry
from storm.toolkit.registry import register_tool

SCHEMA = {
    "type": "object",
    "properties": {
        "word": {"type": "string", "minLength": 1, "maxLength": 20},
        "times": {"type": "integer", "minimum": 1, "maximum": 50, "default": 1},
        "form": {"type": "string", "enum": ["plain", "loud"]},
        "parts": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    "required": ["word"],
    "additionalProperties": False,
}


def make_tool(executor: Executor, name: str = "repeat", schema: Mapping[str, Any] = SCHEMA) -> ToolConfig:
    return ToolConfig(name=name, description="Repeat a word. At once.", input_schema=schema, executor=executor)


def use_tool(monkeypatch: pytest.MonkeyPatch, executor: Executor, name: str = "repeat") -> None:
    """Register a tool that takes SCHEMA, for this test."""
    monkeypatch.setattr(registry, "_tools", dict(registry._tools))
    register_tool(make_tool(executor, name))
