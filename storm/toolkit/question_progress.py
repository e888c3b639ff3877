"""The events of a job that answers a question in rounds, as progress that a chat shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from storm.toolkit.tool import ToolProgress

if TYPE_CHECKING:
    from storm.models import Event

#: The stages that every round has, and the tool's name for each of the others.
_OF_ROUNDS = frozenset(("queries", "search", "file", "check", "answer", "judge"))
_STAGES = {"": "refining", "refine": "refining", "plan": "checklist", "section": "synthesizing"}
_LAST = "synthesizing"
#: The kind of what says that an iteration begins; any other is of the event of that kind.
ITERATION = "iteration"
#: Events whose message is shown as it is.
_SHOWN = ("results", "answer", "failed", "model", "changed")


class QuestionProgress:
    """Turns one event after the other into progress, for at most so many iterations."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._iteration = 0
        self._unsearched: set[str] = set()

    def read_event(self, event: Event) -> Iterator[ToolProgress]:
        """What a chat shows of the event: the beginning of an iteration, and what happened; often nothing."""
        part, _, turn = event.stage.partition(":")
        iteration = (int(turn) if turn.isdecimal() else 1) if part in _OF_ROUNDS else 0
        stage = f"iteration_{iteration}" if iteration else _STAGES.get(part, _LAST)
        if iteration > self._iteration:
            self._iteration = iteration
            data = {"job_id": event.job_id, "kind": ITERATION, "iteration": iteration, "iterations": self._most}
            yield ToolProgress(stage, f"Iteration {iteration}/{self._most}", event.progress, data)
        if message := self._describe_event(event, part):
            data = {**event.data, "job_id": event.job_id, "kind": event.kind}
            yield ToolProgress(stage, message, event.progress, data)

    def _describe_event(self, event: Event, part: str) -> str:
        if event.kind == "stage":
            return self._describe_stage(part)
        if event.kind == "search":
            return self._describe_search(event)
        if event.kind == "questions":
            return f"Checklist: {'; '.join(map(str, event.data.values()))}"
        if event.kind == "checklist":
            return f"Checklist: {event.message}"
        if event.kind == "finished":
            return "Finished"
        return event.message if event.kind in _SHOWN else ""

    def _describe_stage(self, part: str) -> str:
        from storm.app.stage_names import OF_QUESTION, describe_stage

        return "" if part in ("search", "file", "report") else describe_stage(part, OF_QUESTION)

    def _describe_search(self, event: Event) -> str:
        from storm.models import SearchStatus, database_label

        data = event.data
        name = database_label(str(data.get("database", "")))
        if data.get("status") == SearchStatus.FAILED:
            return f"{name} could not be searched: {data.get('reason') or 'no reason given'}"
        if data.get("status") == SearchStatus.NOT_APPLICABLE:
            return self._describe_unsearched(name, str(data.get("reason") or "no reason given"))
        return f"Searching {name}: {data.get('query', '')}"

    def _describe_unsearched(self, name: str, reason: str) -> str:
        """That the database is not searched, once."""
        message = f"{name} is not searched: {reason.removeprefix('not searched: ')}"
        known = message in self._unsearched
        self._unsearched.add(message)
        return "" if known else message
