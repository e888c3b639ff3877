"""What stands behind one wrapper of a call to a model: a script in place of all that comes after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from storm.agents.calls import Call


class Inner:
    """Answers calls with these outputs in order, or raises those that are exceptions; `calls` are what reached it."""

    def __init__(self, *results: Any) -> None:
        self.calls: list[Call] = []
        self._results: Sequence[Any] = results

    def __call__(self, call: Call) -> Any:
        self.calls.append(call)
        result = self._results[len(self.calls) - 1]
        if isinstance(result, Exception):
            raise result
        return result

    async def acall(self, call: Call) -> Any:
        return self(call)


def call(prompt: str = "Is it?", **options: Any) -> Call:
    """A call of an agent that is sent by nobody."""
    return Call("agent", "openai/x", prompt, None, {"max_tokens": 100, **options}, lambda: None)
