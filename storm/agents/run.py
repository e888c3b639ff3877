"""How far one run of an agent has come: all of it follows from the steps, so that a run can be taken up again."""

from __future__ import annotations

from collections.abc import Sequence

from storm.agents.window import Window
from storm.models import Step

#: The tool that ends a run, and what it answers when it does.
FINISH = "finish"
FINISHED = "Completed."
#: How many replies after an unreadable one may be unreadable, too.
RETRIES = 2


class Run:
    """The steps made, and what they come to."""

    def __init__(self, window: int, patience: int | None, steps: Sequence[Step] = ()) -> None:
        self.window = Window(window)
        self.steps: list[Step] = []
        self.objected = False
        self.fault = ""
        self._patience = patience
        self._finished = False
        self._unreadable = 0
        self._idle = 0
        self._best = 0
        for step in steps:
            self.add(step)
        if self._unreadable > RETRIES:  # that ended the run; who takes it up again has a model that may do better
            self._unreadable = 0

    @property
    def number(self) -> int:
        """The number of the last step."""
        return self.steps[-1].number if self.steps else 0

    @property
    def state(self) -> str:
        """How things stood after the last step. A step that was cut off may have changed them since: it is decided on
        once more as it was, and its calls find done what they did."""
        return self.steps[-1].state if self.steps else ""

    def add(self, step: Step) -> None:
        """One step more."""
        self.steps.append(step)
        self.window.add(step)
        self.fault = step.unreadable
        self._unreadable = self._unreadable + 1 if step.unreadable else 0
        self._idle += 1
        if step.progress > self._best:
            self._best, self._idle, self.objected = step.progress, 0, False
        if step.calls and step.calls[-1].tool == FINISH:
            self._finished = step.calls[-1].observation == FINISHED
            self.objected = True

    def ended(self, max_iters: int) -> str:
        """Why nothing more is to be done; empty while the run goes on."""
        if self._finished:
            return "complete"
        if self._unreadable > RETRIES:
            return "model_error"
        if self._patience is not None and self._idle >= self._patience:
            return "no_progress"
        return "max_iters" if len(self.steps) >= max_iters else ""
