"""The names of an agent's own fields, arguments and results, which differ from those of its task."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Self

from storm.errors import UsageError

#: Inputs that DSPy's predictors read as settings of the call.
_SETTINGS = frozenset(("config", "demos", "lm", "new_signature", "signature"))


class AgentFieldNames(NamedTuple):
    """The agent's own names; one that its task or a tool already uses gets the prefix `agent_`."""

    tools: str = "tools"
    recent_steps: str = "recent_steps"
    state: str = "state"
    next_thought: str = "next_thought"
    next_tool_name: str = "next_tool_name"
    next_tool_args: str = "next_tool_args"
    more_calls: str = "more_calls"
    steps: str = "steps"
    max_iters: str = "max_iters"
    stop_reason: str = "stop_reason"
    stop_detail: str = "stop_detail"
    trajectory: str = "trajectory"
    finish: str = "finish"

    @classmethod
    def choose_for(cls, fields: Collection[str], tools: Collection[str] = (), inputs: Collection[str] = ()) -> Self:
        """The names for a task with these fields and these tools; UsageError for an input that DSPy cannot pass on."""
        if passed_over := _SETTINGS & set(inputs):
            raise UsageError(
                f"DSPy takes {', '.join(sorted(passed_over))} for a setting of the call, not for an input of the task",
                hint="give the field another name",
            )
        names = {name: _free_name(name, fields) for name in cls._fields}
        return cls(**{**names, "finish": _free_name("finish", tools)})


def _free_name(name: str, taken: Collection[str]) -> str:
    return name if name not in taken else _free_name(f"agent_{name}", taken)
