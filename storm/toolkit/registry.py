"""The tools by name. To add one of storm's own, describe it in a file of this folder and list it in BUILT_IN."""

from __future__ import annotations

import re

from storm.errors import UsageError, suggest_name
from storm.toolkit.deep_research import DEEP_RESEARCH
from storm.toolkit.jobs import REPORT, REPURPOSE, RUN_DRUG
from storm.toolkit.searches import GET_SOURCE, SEARCH_CORPUS, SEARCH_DATABASE
from storm.toolkit.tool import ToolConfig

BUILT_IN = (RUN_DRUG, REPORT, REPURPOSE, DEEP_RESEARCH, SEARCH_DATABASE, SEARCH_CORPUS, GET_SOURCE)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")  # what models' providers take

_tools = {tool.name: tool for tool in BUILT_IN}


def register_tool(tool: ToolConfig) -> None:
    """Add a tool to those of this process.

        storm.register_tool(storm.ToolConfig(name="count_letters", …))

    UsageError if its name is taken or not valid, or its schema does not describe an object (docs/tools.md).
    """
    from storm.toolkit.input_check import check_schema

    if not _NAME.fullmatch(tool.name):
        raise UsageError(
            f"{tool.name!r} is not a valid name of a tool",
            hint="a name has up to 64 letters, digits, _ and -, and begins with a letter",
        )
    if tool.name in _tools:
        raise UsageError(f"there is a tool {tool.name} already", hint="give it another name")
    if not tool.description.strip():
        raise UsageError(f"the tool {tool.name} has no description", hint="say when to use it, and when not")
    check_schema(tool)
    _tools[tool.name] = tool


def find_tool(name: str) -> ToolConfig:
    """The tool of that name; UsageError, with the nearest name, if there is none."""
    if name not in _tools:
        raise UsageError(
            f"there is no tool {str(name)[:64]!r}",
            hint=f"{suggest_name(str(name)[:64], _tools)}there are: {', '.join(_tools)}",
        )
    return _tools[name]


def list_tools() -> tuple[ToolConfig, ...]:
    """List the tools: storm's own, then those that were registered.

        names = [tool.name for tool in storm.list_tools()]

    Nothing that only running them needs is imported.
    """
    return tuple(_tools.values())
