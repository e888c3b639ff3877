"""What an agent has learnt, in the tools of the job that it is shown in: they may be others than it was learnt with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import cycle, islice
from typing import Any

import dspy

from storm.agents.tool_calls import clean_tool_name

#: What the tools that search a database are called, whichever it is.
_SEARCH = re.compile(r"\bsearch_\w+")


def fit_predictor(predictor: Any, tools: Sequence[str]) -> Any:
    """A copy of the predictor that calls in its instruction and its demonstrations only tools that are there."""
    fitted = copy(predictor)
    fitted.demos = fit_demonstrations(predictor.demos, tools)
    instructions = predictor.signature.instructions
    if replacements := _replace_searches(instructions, tools):
        fitted.signature = predictor.signature.with_instructions(_rename_tools(instructions, replacements))
    return fitted


def fit_demonstrations(demos: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> list[Any]:
    """The demonstrations with a search of this job for each one that is not there: the next database in each of them.

    One that calls another tool that is not there is left out, and so is one that calls none: a whole example of the
    task, as some optimisers add them.
    """
    fitting = []
    for place, demo in enumerate(demos):
        replacements = _replace_searches("\n".join(map(str, dict(demo).values())), tools, place)
        fitted = {name: _rename_tools(value, replacements) for name, value in dict(demo).items()}
        if (called := _called_tools(fitted)) and called <= {*tools}:
            fitting.append(dspy.Example(fitted))
    return fitting


def _replace_searches(text: str, tools: Sequence[str], first: int = 0) -> dict[str, str]:
    """A search that is there for each one in the text that is not; `first` is the place of the first one to take."""
    searches = [tool for tool in tools if _SEARCH.fullmatch(tool)]
    missing = dict.fromkeys(tool for tool in _SEARCH.findall(text) if tool not in tools)
    return dict(zip(missing, islice(cycle(searches), first, None), strict=False))


def _called_tools(demo: Mapping[str, Any]) -> set[str]:
    """The tools that it calls."""
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
