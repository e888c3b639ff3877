"""Where a job's events go beside the stream in the store, and how often its source counts are reported."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from itertools import islice
from typing import TYPE_CHECKING

from storm.errors import UsageError
from storm.models import Event, Question, Syllabus, gathered_part

if TYPE_CHECKING:
    from storm.ports import EventSink, Journal, Observer

#: How many questions one event names.
_NAMED = 50


def event_sinks(observer: Observer | EventSink | None) -> tuple[EventSink, ...]:
    """The sinks of a job's events beside the store's stream; UsageError if the observer is neither kind."""
    if observer is None:
        return ()
    if callable(observer):
        return (_Called(observer),)
    if not callable(getattr(observer, "write", None)):
        raise UsageError(
            f"on_event is {observer!r}; it must be a function of an event, or an EventSink",
            hint="for example on_event=print, or an object with `async def write(self, event)`",
        )
    return (observer,)


class _Called:
    """A function as an EventSink."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    async def write(self, event: Event) -> None:
        answer = self._observer(event)
        if isawaitable(answer):
            await answer


class SourceProgress:
    """Reports how many sources each question has, whenever the total grows by a tenth or another question has enough.

    `find` reads the questions of these keys.
    """

    def __init__(self, find: Callable[[tuple[str, ...]], Awaitable[Syllabus | None]], journal: Journal) -> None:
        self._find = find
        self._journal = journal
        self._counted: tuple[str, ...] = ()
        self._questions: Sequence[Question] = ()
        self._next = 0
        self._complete = 0
        self._reported: dict[str, str] = {}

    async def report(self, counts: Mapping[str, int]) -> None:
        """Report these counts if they grew enough; of many questions, only those that changed."""
        questions = await self._find_questions(tuple(counts))
        filed = sum(counts.values())
        complete = sum(counts[q.key] >= q.min_sources for q in questions)
        if filed < self._next and complete <= self._complete:
            return
        self._next, self._complete = filed + 1 + filed // 10, complete
        needed = {q.key: f"/{q.min_sources}" for q in questions}
        state = {key: f"{count}{needed.get(key, '')}" for key, count in counts.items()}
        if len(state) > _NAMED:
            changed = ((key, count) for key, count in state.items() if self._reported.get(key) != count)
            state = dict(islice(changed, _NAMED))
            self._reported |= state
        part = gathered_part(questions, counts) if questions else 0.0
        await self._journal.report("progress", "sources per question", part, **state)

    async def _find_questions(self, counted: tuple[str, ...]) -> Sequence[Question]:
        """The questions with these keys."""
        if self._counted != counted:
            syllabus = await self._find(counted)
            self._questions = [q for q in (syllabus.questions if syllabus else ()) if q.key in counted]
            self._counted = counted
        return self._questions
