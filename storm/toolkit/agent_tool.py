"""Tools for agents that are written with DSPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from storm.errors import UsageError, name_install
from storm.toolkit.registry import find_tool
from storm.toolkit.running import call_tool
from storm.toolkit.tool import ToolContext


def as_dspy_tool(name: str, context: ToolContext | None = None) -> Any:
    """A tool as a `dspy.Tool`, for `dspy.ReAct` and others, synchronous or not, also in a notebook.

        agent = dspy.ReAct("question -> answer", tools=[storm.as_dspy_tool("search_database")])

    What it returns to the model is the text of the tool's result, at most 2,000 tokens; errors are text, too. Each call
    opens an App of its own, with the settings of the `context`, since an App belongs to one event loop. UsageError if
    there is no such tool, or no DSPy.
    """
    tool = find_tool(name)
    try:
        from storm.agents.dspy_tool import make_dspy_tool
    except ModuleNotFoundError as exc:
        raise UsageError(
            f"as_dspy_tool needs the package {exc.name}",
            hint=name_install("agents"),
        ) from exc
    given = context or ToolContext()
    settings = given.app.settings if given.app else given.settings
    used = replace(given, app=None, settings=settings)

    async def call(arguments: Mapping[str, Any]) -> str:
        return (await call_tool(name, arguments, used)).text

    return make_dspy_tool(tool.name, tool.description, tool.input_schema, call)
