"""The last steps of an agent, word for word, in a prompt section of bounded size.

Calls with their results, and thoughts, are fenced: both often copy public text.
"""

from __future__ import annotations

import json
from collections import deque

from storm.agents.fencing import fence_text, plain_line
from storm.agents.sizes import BYTES_PER_TOKEN, count_bytes, cut_to_bytes
from storm.models import Step, ToolCall

#: Bytes to which any step can be shortened, and the last step as a last resort.
MIN_STEP_BYTES = 3_000
_LAST_RESORT = 1_000
#: Bytes besides the steps, and between two of them.
_HEAD = 60
_BETWEEN = 2
#: Minimum bytes shown of a call.
_MIN_CALL_BYTES = 40
_REST = "\n(the rest is not shown)"

#: Characters shown of a thought, of an argument's value and of a call.
_THOUGHT = 400
_VALUE = 100
_CALL = 1_000
#: How many calls that are no longer shown are listed, one line each.
_LISTED = 12
#: Characters of such a line's call, and bytes of all the lines.
_LINE = 110
_EARLIER = 2_850


class Window:
    """The last steps of a run in at most so many tokens; its text depends on the steps alone.

    When full it drops half, so that between two evictions each text starts with the previous one: providers bill such
    a prefix at a fraction. A step is formatted once, shortened if it alone exceeds the room, and not cut again unless
    the model finds the prompt too long.
    """

    def __init__(self, tokens: int) -> None:
        self._room = tokens * BYTES_PER_TOKEN - _HEAD
        self._shown: deque[tuple[Step, str]] = deque()
        self._size = 0
        self._evicted = 0
        self._earlier: deque[ToolCall] = deque(maxlen=_LISTED)

    def add_step(self, step: Step) -> None:
        """Add a step."""
        self._show_step(step, max(MIN_STEP_BYTES, self._room))
        if self._size > self._room:
            self._drop_steps(self._room // 2)

    def shrink(self) -> bool:
        """Halve the room, shortening the last step if nothing else is left; False if nothing was gained."""
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
        """The text of the steps shown."""
        if not self._shown:
            return "none yet"
        first = [f"(Steps 1 to {self._evicted} are no longer shown.)"] if self._evicted else []
        return "\n\n".join([*first, *(text for _, text in self._shown)])

    @property
    def earlier_calls(self) -> str:
        """The last calls that are no longer shown, one line each."""
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
    """The step in at most so many bytes, with long parts shortened and fences closed."""
    limit = room
    while count_bytes(text := _format_step(step, limit)) > room and limit > _MIN_CALL_BYTES:
        limit = limit * 3 // 4
    return text


def _format_step(step: Step, limit: int) -> str:
    parts = [f"Step {step.number}."]
    if thought := plain_line(step.thought, _THOUGHT):
        parts.append(fence_text(cut_to_bytes(thought, limit), "thought"))
    if step.unreadable:
        parts += ["Your reply could not be read and nothing was done:", fence_text(step.unreadable[:_THOUGHT], "fault")]
    for call in step.calls:
        lines = f"{_format_call(call)}\n{call.observation}"
        lines = lines if count_bytes(lines) <= limit else cut_to_bytes(lines, limit) + _REST
        parts += ["You called this, with this result:", fence_text(lines, call.tool)]
    return "\n".join(parts)


def _summarize_call(call: ToolCall) -> str:
    return f"{plain_line(_format_call(call), _LINE)} → {plain_line(call.observation[: 2 * _LINE], _LINE)}"


def _format_call(call: ToolCall) -> str:
    """The call in Python syntax: fencing would rewrite the braces of JSON, and the model would copy that."""
    values = ((name, json.dumps(value, ensure_ascii=False)) for name, value in json.loads(call.arguments).items())
    arguments = ", ".join(f"{plain_line(name, 40)}={plain_line(value, _VALUE)}" for name, value in values)
    return f"{call.tool}({plain_line(arguments, _CALL)})"
