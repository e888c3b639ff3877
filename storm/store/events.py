"""The events of a job: reading them from its stream, and passing them to other sinks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from storm.models import Event

if TYPE_CHECKING:
    from storm.ports import EventSink

_log = logging.getLogger(__name__)

#: Maximum characters of an event's message.
MAX_MESSAGE = 1_000


class EventSinks:
    """The sinks that get a job's events beside the stream, while this process holds the job."""

    def __init__(self, sinks: Sequence[EventSink]) -> None:
        self._sinks = list(sinks)
        self._lock = asyncio.Lock()
        self._writing_task: asyncio.Task[object] | None = None
        self._progress = 0.0

    async def write(self, event: Event) -> Sequence[str]:
        """Pass the event to each sink, one event at a time. Returns the faults of the sinks that failed, which get no
        more events.

        Events that arrive together may be passed in another order than the stream's; progress still never falls. An
        event that a sink itself reports goes to the stream only.
        """
        return await self._write_to_all(event)

    async def write_detail(self, event: Event) -> Sequence[str]:
        """Pass an event that is not in the stream to the sinks that take details, as `write` does."""
        return await self._write_to_all(event, is_detail=True)

    async def _write_to_all(self, event: Event, *, is_detail: bool = False) -> Sequence[str]:
        if self._writing_task is asyncio.current_task():
            return ()
        async with self._lock:
            self._writing_task = asyncio.current_task()
            try:
                self._progress = max(self._progress, event.progress)
                shown = event.model_copy(update={"progress": self._progress})
                faults = [await self._write_to(sink, shown, is_detail) for sink in tuple(self._sinks)]
                return [fault for fault in faults if fault]
            finally:
                self._writing_task = None

    async def _write_to(self, sink: EventSink, event: Event, is_detail: bool) -> str:
        try:
            if not is_detail:
                await sink.write(event)
            elif write_detail := getattr(sink, "write_detail", None):  # a DetailSink
                await write_detail(event)
        except Exception as exc:
            self._sinks.remove(sink)
            _log.warning("%s: an observer failed and gets no more events", event.job_id, exc_info=exc)
            return f"{type(exc).__name__}: {exc}"
        return ""


def read_event(job_id: str, entry_id: str, fields: Mapping[str, str]) -> Event:
    """An entry of the stream; ValueError or KeyError if storm did not write it."""
    progress, data = float(fields.get("progress", "0")), json.loads(fields["data"])
    if not isinstance(data, dict) or not 0 <= progress <= 1:
        raise ValueError(f"storm did not write the event {entry_id}")
    # Its fields are converted here; building the validator takes longer than to read the events that a command shows.
    return Event.model_construct(
        id=entry_id,
        job_id=job_id,
        at=datetime.fromisoformat(fields["at"]),
        kind=fields["kind"],
        message=fields["message"],
        stage=fields.get("stage", ""),
        progress=progress,
        data=data,
    )


def shorten_message(message: str) -> str:
    """The message, cut to the maximum length."""
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
