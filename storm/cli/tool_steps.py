"""The steps of a tool as lines of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from storm.cli.console import print_line
from storm.toolkit import ToolProgress, ToolResult


def print_step(step: ToolProgress | ToolResult) -> None:
    """Print the progress or the result as one line of JSON."""
    kind = "result" if isinstance(step, ToolResult) else "progress"
    print_line(json.dumps({"type": kind, **to_plain(asdict(step))}, ensure_ascii=False))


def to_plain(value: Any) -> Any:
    """The value as JSON has it; what JSON has no form for is its text."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))
