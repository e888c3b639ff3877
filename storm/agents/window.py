"""What an agent sees of its own past: the last steps, word for word, in a room that never grows.

A call is fenced with what came of it, and so is a thought: both are often copied from what was read before.
"""

from __future__ import annotations

import json
from collections import deque

from storm.agents.fencing import fence_text, plain_line
from storm.agents.sizes import TOKEN_BYTES, count_bytes, cut_to_bytes
from storm.models import Step, ToolCall

#: Bytes to which any step can be shortened, and to which the last one is where nothing else helps.
LEAST_STEP = 3_000
_LAST_RESORT = 1_000
#: Bytes beside the steps, and between two of them.
_HEAD = 60
_BETWEEN = 2
#: Bytes of what one call says of itself that are shown in any case.
_LEAST = 40
_REST = "\n(the rest is not shown)"

_THOUGHT = 400
_VALUE = 100
_CALL = 1_000
#: How many calls that are no longer shown are listed, a line each.
_LISTED = 12
_LINE = 110
_EARLIER = 2_850


class Window:
    """The last steps of a run in at most so many tokens; what it shows follows from the steps alone.

    It is filled to the brim and then emptied by half, so that between two evictions each text begins like the one
    before it: providers bill such a beginning at a fraction. A step is written once, shortened where it alone is longer
    than the room, and not cut again unless the model finds the prompt too long.
    """

    def __init__(self, tokens: int) -> None:
        self._room = tokens * TOKEN_BYTES - _HEAD
        self._shown: deque[tuple[Step, str]] = deque()
        self._size = 0
        self._evicted = 0
        self._earlier: deque[ToolCall] = deque(maxlen=_LISTED)

    def add_step(self, step: Step) -> None:
        """Show one step more."""
        self._show_step(step, max(LEAST_STEP, self._room))
        if self._size > self._room:
            self._drop_steps(self._room // 2)

    def shrink(self) -> bool:
        """Show about half from now on, of the last step too if it is all that is left; False if that is no less."""
        before = self._size
        self._room = self._size // 2
        self._drop_steps(self._room)
        if self._size == before and self._shown:
            step, text = self._shown.pop()
            self._size -= count_bytes(text) + _BETWEEN
            self._show_step(step, max(_LAST_RESORT, self._room))
        return self._size < before

    @property
    def text(self) -> str:
        """The steps that are shown."""
        if not self._shown:
            return "none yet"
        first = [f"(Steps 1 to {self._evicted} are no longer shown.)"] if self._evicted else []
        return "\n\n".join([*first, *(text for _, text in self._shown)])

    @property
    def earlier_calls(self) -> str:
        """The last calls that are no longer shown, a line each."""
        lines = list(map(_summarize_call, self._earlier))
        while count_bytes(lines) + len(lines) > _EARLIER:
            del lines[0]
        text = "\n".join(lines)
        return f"Earlier calls, in short:\n{fence_text(text, 'earlier')}" if text else ""

    def _show_step(self, step: Step, room: int) -> None:
        text = _fit_step(step, room)
        self._shown.append((step, text))
        self._size += count_bytes(text) + _BETWEEN

    def _drop_steps(self, size: int) -> None:
        while self._size > size and len(self._shown) > 1:
            step, text = self._shown.popleft()
            self._size -= count_bytes(text) + _BETWEEN
            self._evicted = step.number
            self._earlier.extend(step.calls)


def _fit_step(step: Step, room: int) -> str:
    """The step in at most so many bytes: what is long in it gives way, and its fences are closed."""
    limit = room
    while count_bytes(text := _format_step(step, limit)) > room and limit > _LEAST:
        limit = limit * 3 // 4
    return text


def _format_step(step: Step, limit: int) -> str:
    parts = [f"Step {step.number}."]
    if thought := plain_line(step.thought, _THOUGHT):
        parts.append(fence_text(cut_to_bytes(thought, limit), "thought"))
    if step.unreadable:
        parts += ["Your reply could not be read and nothing was done:", fence_text(step.unreadable[:_THOUGHT], "fault")]
    for call in step.calls:
        told = f"{_format_call(call)}\n{call.observation}"
        told = told if count_bytes(told) <= limit else cut_to_bytes(told, limit) + _REST
        parts += ["You called this and were told:", fence_text(told, call.tool)]
    return "\n".join(parts)


def _summarize_call(call: ToolCall) -> str:
    return f"{plain_line(_format_call(call), _LINE)} → {plain_line(call.observation[: 2 * _LINE], _LINE)}"


def _format_call(call: ToolCall) -> str:
    """The call as in Python: braces would be rewritten, and then copied by the model."""
    values = ((name, json.dumps(value, ensure_ascii=False)) for name, value in json.loads(call.arguments).items())
    told = ", ".join(f"{plain_line(name, 40)}={plain_line(value, _VALUE)}" for name, value in values)
    return f"{call.tool}({plain_line(told, _CALL)})"
