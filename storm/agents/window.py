"""What an agent sees of its own past: the last steps, word for word, in a room that never grows.

A call is fenced with what came of it: its arguments are often copied from what was read before.
"""

from __future__ import annotations

import json
from collections import deque

from storm.agents.fencing import fenced, plain_line
from storm.models import Step, ToolCall

#: Characters of one token, as our estimates count them.
TOKEN = 4

_THOUGHT = 400
_VALUE = 100
_CALL = 1_000
#: How many calls that are no longer shown are listed, a line each.
_LISTED = 12
_LINE = 110


class Window:
    """The last steps of a run in at most so many tokens; what it shows follows from the steps alone.

    It is filled to the brim and then emptied by half, so that between two evictions each text begins like the one
    before it: providers bill such a beginning at a fraction. A step is written once and never cut again.
    """

    def __init__(self, tokens: int) -> None:
        self._room = tokens * TOKEN
        self._shown: deque[tuple[Step, str]] = deque()
        self._size = 0
        self._evicted = 0
        self._earlier: deque[ToolCall] = deque(maxlen=_LISTED)

    def add(self, step: Step) -> None:
        """Show one step more."""
        text = _told(step)
        self._shown.append((step, text))
        self._size += len(text)
        if self._size > self._room:
            self._empty(self._room // 2)

    def shrink(self) -> bool:
        """Show about half from now on; False if only the last step is left."""
        before = len(self._shown)
        self._room = self._size // 2
        self._empty(self._room)
        return len(self._shown) < before

    @property
    def text(self) -> str:
        """The steps that are shown."""
        if not self._shown:
            return "none yet"
        first = [f"(Steps 1 to {self._evicted} are no longer shown.)"] if self._evicted else []
        return "\n\n".join([*first, *(text for _, text in self._shown)])

    @property
    def earlier(self) -> str:
        """The last calls that are no longer shown, a line each."""
        lines = "\n".join(map(_line, self._earlier))
        return f"Earlier calls, in short:\n{fenced(lines, 'earlier')}" if lines else ""

    def _empty(self, size: int) -> None:
        while self._size > size and len(self._shown) > 1:
            step, text = self._shown.popleft()
            self._size -= len(text)
            self._evicted = step.number
            self._earlier.extend(step.calls)


def _told(step: Step) -> str:
    parts = [f"Step {step.number}. {plain_line(step.thought, _THOUGHT)}".rstrip()]
    if step.unreadable:
        parts += ["Your reply could not be read and nothing was done:", fenced(step.unreadable[:_THOUGHT], "fault")]
    for call in step.calls:
        parts += ["You called this and were told:", fenced(f"{_written(call)}\n{call.observation}", call.tool)]
    return "\n".join(parts)


def _line(call: ToolCall) -> str:
    return f"{plain_line(_written(call), _LINE)} → {plain_line(call.observation[: 2 * _LINE], _LINE)}"


def _written(call: ToolCall) -> str:
    """The call as in Python: braces would be rewritten, and then copied by the model."""
    values = ((name, json.dumps(value, ensure_ascii=False)) for name, value in json.loads(call.arguments).items())
    told = ", ".join(f"{plain_line(name, 40)}={plain_line(value, _VALUE)}" for name, value in values)
    return f"{call.tool}({plain_line(told, _CALL)})"
