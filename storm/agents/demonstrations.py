"""Adapts an agent's instruction and demonstrations to the tools of a job, which may differ from those of training."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import cycle, islice
from typing import Any

import dspy

from storm.agents.tool_calls import clean_tool_name

#: The names of tools that search a database.
_SEARCH = re.compile(r"\bsearch_\w+")


def adapt_predictor(predictor: dspy.Predict, tools: Sequence[str]) -> dspy.Predict:
    """A copy of the predictor whose instruction and demonstrations name only available tools."""
    adapted = copy(predictor)
    adapted.demos = adapt_demonstrations(predictor.demos, tools)
    instructions = predictor.signature.instructions
    if replacements := _map_searches(instructions, tools):
        adapted.signature = predictor.signature.with_instructions(_rename_tools(instructions, replacements))
    return adapted


def adapt_demonstrations(demos: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> list[Any]:
    """The demonstrations, with missing search tools replaced by those of this job, in rotation.

    A demonstration that calls another missing tool is left out, and so is one that calls none: some optimisers add
    whole examples of the task.
    """
    fitting = []
    for number, demo in enumerate(demos):
        replacements = _map_searches("\n".join(map(str, dict(demo).values())), tools, number)
        fitted = {name: _rename_tools(value, replacements) for name, value in dict(demo).items()}
        if (called := _called_tools(fitted)) and called <= {*tools}:
            fitting.append(dspy.Example(fitted))
    return fitting


def _map_searches(text: str, tools: Sequence[str], first: int = 0) -> dict[str, str]:
    """An available search tool for each missing one in the text; `first` is the index of the first to use."""
    searches = [tool for tool in tools if _SEARCH.fullmatch(tool)]
    missing = dict.fromkeys(tool for tool in _SEARCH.findall(text) if tool not in tools)
    return dict(zip(missing, islice(cycle(searches), first, None), strict=False))


def _called_tools(demo: Mapping[str, Any]) -> set[str]:
    """The tools that a demonstration calls."""
    if "next_tool_name" not in demo:
        return set()
    further = demo.get("more_calls") or []
    return {
        clean_tool_name(str(name)) for name in (demo["next_tool_name"], *(call.get("tool", "") for call in further))
    }


def _rename_tools(value: Any, replacements: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _SEARCH.sub(lambda found: replacements.get(found[0], found[0]), value)
    if isinstance(value, Mapping):
        return {name: _rename_tools(part, replacements) for name, part in value.items()}
    if isinstance(value, list):
        return [_rename_tools(part, replacements) for part in value]
    return value
