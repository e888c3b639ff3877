"""The state of an agent's run: derived from its steps alone, so that a run can be resumed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from storm.agents.window import Window
from storm.models import Step

#: The tool that ends a run, and its result.
FINISH = "finish"
FINISHED = "Completed."
#: Retries after an unreadable reply.
RETRIES = 2


class Run:
    """The steps of a run, and what follows from them."""

    def __init__(self, window: int, patience: int | None, steps: Sequence[Step] = (), finish: str = FINISH) -> None:
        self.window = Window(window)
        self.steps: list[Step] = []
        self.was_reminded = False
        self.fault = ""
        self._patience = patience
        self._finish = finish
        self._finished = False
        self._unreadable = 0
        self._idle = 0
        self._best = 0
        for step in steps:
            self.add_step(step)
        if self._unreadable > RETRIES:  # that ended the run; a resumed run may have a better model
            self._unreadable = 0

    @property
    def last_number(self) -> int:
        """The number of the last step."""
        return self.steps[-1].number if self.steps else 0

    @property
    def last_state(self) -> str:
        """The state after the last step. An interrupted step may have changed it: it is made again from this state, and
        its calls are idempotent."""
        return self.steps[-1].state if self.steps else ""

    def add_step(self, step: Step) -> None:
        """Add a step."""
        self.steps.append(step)
        self.window.add_step(step)
        self.fault = step.unreadable
        self._unreadable = self._unreadable + 1 if step.unreadable else 0
        self._idle += 1
        if step.progress > self._best:
            self._best, self._idle, self.was_reminded = step.progress, 0, False
        if step.calls and step.calls[-1].tool == self._finish:
            self._finished = step.calls[-1].observation == FINISHED
            self.was_reminded = True

    def find_stop_reason(self, max_iters: int) -> str:
        """Why the run ends; empty while it goes on."""
        if self._finished:
            return "complete"
        if self._unreadable > RETRIES:
            return "model_error"
        if self._patience is not None and self._idle >= self._patience:
            return "no_progress"
        return "max_iters" if len(self.steps) >= max_iters else ""


def build_trajectory(steps: Sequence[Step]) -> dict[str, Any]:
    """The calls, numbered as in `dspy.ReAct`: `thought_0`, `tool_name_0`, `tool_args_0`, `observation_0` and so on."""
    made: dict[str, Any] = {}
    calls = [(step, call) for step in steps for call in step.calls]
    for number, (step, call) in enumerate(calls):
        made[f"thought_{number}"] = step.thought
        made[f"tool_name_{number}"] = call.tool
        made[f"tool_args_{number}"] = json.loads(call.arguments)
        made[f"observation_{number}"] = call.observation
    return made
