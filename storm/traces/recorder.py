"""Records a job as a trace, from its events. A trace that cannot be written is reported once, and the job goes on."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from types import TracebackType
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from storm.errors import StormError, UsageError
from storm.models import Event, Job
from storm.settings import Settings
from storm.traces.job_record import JobRecord
from storm.traces.opening import open_writer
from storm.traces.trace import Owner, TraceEvent, TraceStatus, utc_now
from storm.traces.writer import TraceWriter

_log = logging.getLogger(__name__)

#: Seconds between two writes of a trace.
PAUSE = 1.0
#: Lines of a timeline that wait for a database that is away; later ones are lost.
MAX_WAITING = 5_000

#: How old an open trace is that is taken for interrupted where nothing is known of its job. If its process lives, the
#: next write takes that back.
ABANDONED_AFTER = timedelta(days=1)

#: Whether a process works on each job that is known; None if that cannot be found out now.
FindWorked: TypeAlias = Callable[[], Awaitable[Mapping[str, bool] | None]]


class NewTrace(NamedTuple):
    """The trace that a recorder writes; one of that id is gone on with."""

    trace_id: str
    tool_name: str
    input_params: Mapping[str, JsonValue]


class TraceRecorder:
    """A DetailSink that writes what the events say as one trace: the first at once, then some seconds' worth at a time.

        async with TraceRecorder(connect, describe_job(job)) as recorder:
            await app.store.jobs.hold(job.job_id, (recorder,))

    `connect` makes the writer when something is first written. A job that ends without an ending event, as one that
    is interrupted, leaves the trace `in_progress`. `report_loss`, which may be set later, is awaited once with the
    reason, at the next event, if a trace cannot be written; that is tried again with each write. `find_worked` finds
    out which jobs a process works on: the open traces of others, and old ones without a job, are marked as interrupted.
    """

    def __init__(
        self,
        connect: Callable[[], TraceWriter],
        trace: NewTrace,
        *,
        pause: float = PAUSE,
        find_worked: FindWorked | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.report_loss: Callable[[str], Awaitable[object]] | None = None
        self._connect = connect
        self._trace = trace
        self._pause = pause
        self._find_worked = find_worked
        self._clock = clock
        self._record = JobRecord()
        self._waiting: list[TraceEvent] = []
        self._lost_lines = 0
        self._writer: TraceWriter | None = None
        self._has_begun = False
        self._written: TraceStatus | None = None
        self._turn = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_news = False
        self._loss = ""
        self._is_loss_reported = False

    async def __aenter__(self) -> TraceRecorder:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close(interrupted=error is not None)

    @property
    def stage(self) -> str:
        """The stage under way."""
        return self._record.stage

    async def write(self, event: Event) -> None:
        """Take in an event; the trace is written soon, and at once when the job ends."""
        line = self._record.add(event)
        if line and len(self._waiting) < MAX_WAITING:
            self._waiting.append(line)
        elif line:
            self._lost_lines += 1
        self._has_news = True
        if self._record.ending:
            await self.flush()
        elif self._timer is None:
            pause = self._pause if self._writer else 0  # a job that is killed soon has a trace, too
            self._timer = asyncio.get_running_loop().call_later(pause, self._begin_write)
        if self._loss and self.report_loss and not self._is_loss_reported:
            self._is_loss_reported = True  # here, since nobody waits for `write` while a trace is written
            await self.report_loss(self._loss)

    async def write_detail(self, event: Event) -> None:
        """Take in an event that only recorders get."""
        await self.write(event)

    def set_result(
        self, result: Mapping[str, JsonValue], status: TraceStatus = TraceStatus.COMPLETED, error: str = ""
    ) -> None:
        """What the trace keeps as its result when the job is finished, and as what it then ends: `completed`,
        `max_iterations`, or `failed` with an `error`."""
        self._record.result, self._record.done = dict(result), status
        self._record.failure = error

    async def flush(self) -> None:
        """Write what is not written yet; never an error."""
        self._stop_timer()
        async with self._turn:
            if self._has_news:
                await self._try(self._write_news)

    async def close(self, *, interrupted: bool = False) -> None:
        """Write the rest. Of an `interrupted` job without an ending the trace says so, and a resume goes on with it."""
        await self.flush()
        if interrupted and self._has_begun and not self._record.ending:
            async with self._turn:
                await self._try(self._mark_interrupted)

    def _begin_write(self) -> None:
        self._timer = None
        self._task = asyncio.get_running_loop().create_task(self.flush())

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    async def _try(self, write: Callable[[], Awaitable[None]]) -> None:
        try:
            try:
                await write()
            finally:
                if self._writer:
                    await self._writer.disconnect()
        except Exception as exc:  # whatever it is, the job goes on
            self._note_loss(exc)

    async def _write_news(self) -> None:
        # What PostgreSQL needs is imported beside the job, which need not wait for it.
        if self._writer is None:
            self._writer = await asyncio.to_thread(self._connect)
        writer = self._writer
        if not self._has_begun:
            await self._begin(writer)
        self._has_news, lines = False, list(self._waiting)
        try:
            await self._write(writer, lines)
        except BaseException:
            self._has_news = True
            raise
        del self._waiting[: len(lines)]

    async def _begin(self, writer: TraceWriter) -> None:
        """Create the trace, or go on with it."""
        trace_id, tool_name, input_params = self._trace
        try:
            await writer.create_trace(tool_name, input_params, trace_id=trace_id)
        except UsageError:  # an earlier process has created it
            found = await writer.resume_trace(trace_id)
            self._record.go_on(found.state, found.metrics)
        self._has_begun = True
        if self._find_worked:
            await self._mark_others(writer, self._find_worked)

    async def _mark_others(self, writer: TraceWriter, find_worked: FindWorked) -> None:
        """Mark the open traces whose process has ended without saying so."""
        others = [each for each in await writer.list_open() if each.trace_id != self._trace.trace_id]
        worked = await find_worked() if others else None
        if worked is not None:
            old = self._clock() - ABANDONED_AFTER
            ended = [each for each in others if not worked.get(each.job_id, each.created_at >= old)]
            await writer.mark_interrupted([each.trace_id for each in ended])

    async def _write(self, writer: TraceWriter, lines: list[TraceEvent]) -> None:
        record, trace_id = self._record, self._trace.trace_id
        ending, error = record.ending, record.error  # the job goes on while this is written
        if self._written is TraceStatus.COMPLETED:
            return
        if self._written:  # a failure of one part, after which the job went on
            await writer.resume_trace(trace_id)
            self._written = None
        metrics = record.metrics | ({"timeline_lost": self._lost_lines} if self._lost_lines else {})
        await writer.update_progress(
            trace_id, record.progress, stage=record.stage, state=record.state, metrics=metrics, events=lines
        )
        if ending is TraceStatus.COMPLETED and record.done is not TraceStatus.FAILED:
            await writer.complete_trace(trace_id, record.result, status=record.done)
        elif ending in (TraceStatus.COMPLETED, TraceStatus.FAILED):
            await writer.fail_trace(trace_id, error or record.failure, record.result)
        elif ending is TraceStatus.CANCELLED:
            await writer.cancel_trace(trace_id)
        self._written = ending

    async def _mark_interrupted(self) -> None:
        if self._writer:
            await self._writer.mark_interrupted([self._trace.trace_id])

    def _note_loss(self, error: Exception) -> None:
        if self._loss:
            return
        self._loss = f"the trace {self._trace.trace_id} is not written, and the job goes on: {error}"
        _log.warning(self._loss, exc_info=None if isinstance(error, StormError) else error)


def describe_job(job: Job, tool_name: str = "") -> NewTrace:
    """The trace of a job: its id begins with the job's, and is the same when the job is resumed, by whomever. The tool
    is named by the job's mode, unless it is given."""
    whose = f"{job.user_id} {job.org_id} {job.job_id} {job.created.isoformat()}"
    digest = hashlib.sha256(whose.encode()).hexdigest()[:12]
    asked = job.request.model_dump(
        mode="json", exclude={"syllabus": True, "settings": {"program"}}, exclude_defaults=True
    )
    return NewTrace(f"{job.job_id}-{digest}", tool_name or job.settings.mode, {"job_id": job.job_id, **asked})


def record_job(
    settings: Settings, job: Job, *, tool_name: str = "", find_worked: FindWorked | None = None
) -> TraceRecorder:
    """A recorder of the job, for its owner, in the settings' database. Between two writes it holds no connection."""
    trace, owner = describe_job(job, tool_name), Owner(user_id=job.user_id, org_id=job.org_id)
    return TraceRecorder(lambda: open_writer(settings, owner), trace, find_worked=find_worked)
