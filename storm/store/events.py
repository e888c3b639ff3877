"""The events of a job: as its stream holds them, and on their way to the other sinks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence

from storm.models import Event
from storm.ports import EventSink

_log = logging.getLogger(__name__)

#: Characters of a message that the stream keeps.
MAX_MESSAGE = 1_000


class EventSinks:
    """What takes a job's events beside the stream, for as long as one process holds the job."""

    def __init__(self, sinks: Sequence[EventSink]) -> None:
        self._sinks = list(sinks)
        self._turn = asyncio.Lock()
        self._giver: asyncio.Task[object] | None = None
        self._progress = 0.0

    async def write(self, event: Event) -> Sequence[str]:
        """Give each sink the event, one event at a time; what was wrong with those that failed: they get no more.

        Answers that arrive together may be passed on in another order than the stream's: progress does not fall then.
        What a sink reports while it is given an event stands in the stream only.
        """
        if self._giver is asyncio.current_task():
            return ()
        async with self._turn:
            self._giver = asyncio.current_task()
            try:
                self._progress = max(self._progress, event.progress)
                shown = event.model_copy(update={"progress": self._progress})
                return [fault for sink in tuple(self._sinks) if (fault := await self._give_event(sink, shown))]
            finally:
                self._giver = None

    async def _give_event(self, sink: EventSink, event: Event) -> str:
        try:
            await sink.write(event)
        except Exception as exc:
            self._sinks.remove(sink)
            _log.warning("%s: an observer failed and gets no more events", event.job_id, exc_info=exc)
            return f"{type(exc).__name__}: {exc}"
        return ""


def read_event(job_id: str, entry_id: str, fields: Mapping[str, str]) -> Event:
    """An entry of the stream; ValueError or KeyError if it is none of ours."""
    return Event.model_validate({**fields, "id": entry_id, "job_id": job_id, "data": json.loads(fields["data"])})


def shorten_message(message: str) -> str:
    """The message as the stream takes it."""
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
