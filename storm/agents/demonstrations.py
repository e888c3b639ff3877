"""An agent's demonstrations in the tools of the job that they are shown in: they may be learnt with other databases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import Any

import dspy

#: What the tools that search a database are called, whichever it is.
_SEARCH = re.compile(r"\bsearch_\w+")


def fit_demonstrations(demos: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> list[Any]:
    """The demonstrations with a search of this job for each one that is not there: the next database in each of them.

    One that calls another tool that is not there is left out, and so is one that calls none: a whole example of the
    task, as some optimisers add them.
    """
    searches = [tool for tool in tools if _SEARCH.fullmatch(tool)]
    fitting = []
    for place, demo in enumerate(demos):
        missing = dict.fromkeys(tool for tool in _SEARCH.findall(_text(demo)) if tool not in tools)
        replacements = dict(zip(missing, islice(cycle(searches), place, None), strict=False))
        fitted = {name: _renamed(value, replacements) for name, value in dict(demo).items()}
        if (called := _called(fitted)) and called <= {*tools}:
            fitting.append(dspy.Example(fitted))
    return fitting


def _called(demo: Mapping[str, Any]) -> set[str]:
    """The tools that it calls."""
    further = demo.get("more_calls") or []
    return {demo["next_tool_name"], *(call.get("tool", "") for call in further)} if "next_tool_name" in demo else set()


def _text(demo: Mapping[str, Any]) -> str:
    return "\n".join(map(str, dict(demo).values()))


def _renamed(value: Any, replacements: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _SEARCH.sub(lambda found: replacements.get(found[0], found[0]), value)
    if isinstance(value, Mapping):
        return {name: _renamed(part, replacements) for name, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, replacements) for part in value]
    return value
