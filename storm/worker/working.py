"""A worker: a process that carries out jobs from the queue until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import NamedTuple

from dramatiq import Worker
from dramatiq.asyncio import EventLoopThread, set_event_loop_thread
from dramatiq.errors import Retry

from storm.api.pace import list_busy_services
from storm.app import App, open_app, utc_now
from storm.errors import (
    JobCancelled,
    JobHeld,
    LeaseLost,
    ModelError,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    StormError,
    UnknownJob,
    UsageError,
)
from storm.models import Job, JobState
from storm.settings import Settings
from storm.store import JobNeeds, Submission, WorkerRecord
from storm.worker.log import Fact
from storm.worker.metrics import WorkerMetrics
from storm.worker.needs import PRIORITIES, find_needs, name_queue
from storm.worker.queue import HEARTBEAT_MS, JobQueue

_log = logging.getLogger("storm.worker")

#: After how many attempts that killed their worker, or whose end nobody recorded, a job is set aside.
MOST_ATTEMPTS = 3
#: Seconds between two updates of the worker's record, and milliseconds after which a record expires.
_RECORD_EVERY, _RECORD_MS = 5.0, 16_000
#: Seconds between two searches for jobs whose message was lost; younger submissions are left out.
_CHECK_EVERY = 30.0
#: Seconds between two checks whether the worker should stop.
_STOP_CHECK_EVERY = 0.5
#: Why a worker ends by itself.
_OUTDATED = "the configuration (databases, models, which keys are set) or the corpus has changed since it was started"
#: Milliseconds until a job that another process works on is delivered again.
_HELD_MS = 5_000
#: Milliseconds that stopping waits for running jobs to store what they have.
_STOP_MS = 20_000
_ENDED = (JobState.FINISHED, JobState.CANCELLED)
#: How often a model may fail in a job of one worker; the growing pauses between come to some four minutes.
_MOST_MODEL_FAILURES = 8
#: Outcomes of an attempt that are not faults.
_GOOD_OUTCOMES = ("finished", "cancelled", "put_back")


class _Attempt(NamedTuple):
    """One attempt at a job, under a unique name; `number` counts it and the earlier ones whose end nobody recorded."""

    job: Job
    submission: Submission
    name: str
    number: int


class JobWorker:
    """Carries out the jobs of the queues that fit its settings, `jobs` at a time, in threads of this process."""

    def __init__(
        self,
        settings: Settings,
        jobs: int = 4,
        priorities: Sequence[str] = PRIORITIES,
        *,
        heartbeat_ms: int = HEARTBEAT_MS,
        check_every: float = _CHECK_EVERY,
    ) -> None:
        self._settings = settings._replace(unattended=True)
        self._jobs, self._heartbeat_ms = jobs, heartbeat_ms
        self._check_every = check_every
        self._needs: JobNeeds = find_needs(settings)
        self.queues = tuple(name_queue(self._needs, priority) for priority in priorities)
        self._id = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._started = utc_now()
        self._running: dict[str, Submission | None] = {}
        self._model_failures: Counter[str] = Counter()
        self.metrics = WorkerMetrics(jobs)
        self.metrics.running.set_function(lambda: len(self._running))
        self._is_outdated = False
        self._last_attempts = asyncio.Lock()
        self._opened = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._app: App
        self._queue: JobQueue

    def run(self, stop: threading.Event) -> None:
        """Carry out jobs until `stop` is set; running jobs are then put back into the queue, for another worker.

        StoreError if the store or the queue cannot be used; UsageError, after the running jobs, if the configuration or
        the user's records have changed meanwhile.
        """
        loop = EventLoopThread(logging.getLogger("dramatiq.asyncio"))
        loop.start(timeout=10)
        set_event_loop_thread(loop)
        try:
            loop.run_coroutine(self._open())
            self._serve(stop)
            if self._is_outdated:
                raise UsageError(f"the worker has ended: {_OUTDATED}", hint="start the worker again")
        finally:
            loop.run_coroutine(self._close())
            loop.stop()  # type: ignore[no-untyped-call]
            set_event_loop_thread(None)

    def _serve(self, stop: threading.Event) -> None:
        self._queue.serve(self.queues, self._jobs, self.carry_out)
        worker = Worker(self._queue.broker, queues=set(self.queues), worker_threads=self._jobs)
        worker.queue_prefetch = self._jobs  # running jobs count: more would be kept from other workers
        _log.info(Fact("worker_started", worker=self._id, jobs=self._jobs, queues=",".join(self.queues)))
        worker.start()  # from here on, jobs write to the log
        try:
            while not stop.wait(_STOP_CHECK_EVERY) and (self._running or not self._is_outdated):
                pass
        finally:
            _log.info(Fact("worker_stopping", worker=self._id, running=len(self._running)))
            worker.stop(_STOP_MS)

    async def carry_out(self, job_id: str) -> None:
        """Carry out a job of the queue, unless it has ended or runs here already."""
        await self._check_needs()
        if job_id in self._running:
            await self._check_repeat(job_id)
            return
        if self._is_outdated:
            raise Retry("this worker takes no further job", delay=_HELD_MS)
        self._running[job_id] = None
        try:
            if found := await self._find_job(job_id):
                self._running[job_id] = found[1]
                await self._begin(*found)
        finally:
            del self._running[job_id]

    async def _check_needs(self) -> None:
        """Mark this worker as outdated if it no longer has the configuration and corpus that its queues need."""
        if not self._is_outdated and await asyncio.to_thread(find_needs, self._settings) != self._needs:
            self._is_outdated = True
            _log.warning(Fact("worker_outdated", worker=self._id, why=_OUTDATED))

    async def _check_repeat(self, job_id: str) -> None:
        """Raise Retry for a later submission of a job that still runs here for an earlier one."""
        submission = await self._app.store.submissions.find_submission(job_id)
        if submission and submission != self._running.get(job_id):
            raise Retry("an earlier submission of the job is still being worked on", delay=_HELD_MS)

    async def _find_job(self, job_id: str) -> tuple[Job, Submission] | None:
        """The job and its submission, if it is still to be carried out."""
        submissions = self._app.store.submissions
        while submission := await submissions.find_submission(job_id):
            try:
                job = await self._app.store.jobs.get(job_id)
            except UnknownJob:
                job = None
            except (StoreUnavailable, StoreRefused):
                raise
            except StoreError as error:  # its record is damaged, or of another version
                self._record_outcome("failed", job_id, why=error.message)
                job = None
            if job and job.state is JobState.RUNNING:
                raise Retry("another process works on the job", delay=_HELD_MS)
            if job and job.state not in _ENDED:
                return job, submission
            await submissions.remove_submission(job_id, submission)  # unless it is handed over again at this moment
        return None

    async def _begin(self, job: Job, submission: Submission) -> None:
        if await self._app.store.submissions.count_attempts(job.job_id) < MOST_ATTEMPTS - 1:
            await self._attempt(job, submission)
            return
        async with self._last_attempts:  # one at a time: if it kills the worker, no other job is blamed
            await self._attempt(job, submission)

    async def _attempt(self, job: Job, submission: Submission) -> None:
        name = f"{self._id}-{secrets.token_hex(4)}"
        attempt = _Attempt(job, submission, name, await self._app.store.submissions.begin_attempt(job.job_id, name))
        if attempt.number > MOST_ATTEMPTS:
            await self._set_aside(attempt)
            return
        _log.info(Fact("job_started", job=job.job_id, attempt=attempt.number))
        with self.metrics.seconds.time():
            await self._work(attempt)

    async def _work(self, attempt: _Attempt) -> None:
        submissions, job_id = self._app.store.submissions, attempt.job.job_id
        try:
            report = await self._app.work(job_id, self.metrics, expected_state=attempt.job.state)
        except asyncio.CancelledError:  # the worker stops, which is not an attempt
            self._record_outcome("put_back", job_id)
            await asyncio.shield(submissions.end_attempt(job_id, attempt.name))
            raise
        except JobHeld as held:
            await submissions.end_attempt(job_id, attempt.name)
            raise Retry(held.message, delay=_HELD_MS) from held
        except LeaseLost:  # another worker has it: it froze here, or the network was cut
            await submissions.end_attempt(job_id, attempt.name)
            self._record_outcome("taken_over", job_id)
        except (StoreUnavailable, StoreRefused) as away:  # no attempt, either, if the store comes back soon
            self._record_outcome("interrupted", job_id, attempt=attempt.number, why=away.message)
            with contextlib.suppress(StoreError):
                await submissions.end_attempt(job_id, attempt.name)
            raise
        except ModelError as failed:
            await submissions.end_attempt(job_id, attempt.name)
            self._model_failures[job_id] += 1
            if self._model_failures[job_id] < _MOST_MODEL_FAILURES:
                self._record_outcome("interrupted", job_id, attempt=attempt.number, why=failed.message)
                raise
            del self._model_failures[job_id]
            await submissions.remove_submission(job_id, attempt.submission)
            self._record_outcome("failed", job_id, why=failed.message)
        except JobCancelled:
            await submissions.remove_submission(job_id, attempt.submission)
            self._record_outcome("cancelled", job_id)
        except StormError as error:
            await submissions.remove_submission(job_id, attempt.submission)
            self._record_outcome("failed", job_id, why=error.message)
        else:
            await submissions.remove_submission(job_id, attempt.submission)
            if report.can_go_on:
                self._record_outcome("failed", job_id, why="a part could not be done; the job can be resumed")
            else:
                self._record_outcome("finished", job_id, exit_code=report.exit_code)

    def _record_outcome(self, outcome: str, job_id: str, **values: str | int) -> None:
        """Log and count how an attempt at a job ended."""
        level = logging.INFO if outcome in _GOOD_OUTCOMES else logging.WARNING
        _log.log(level, Fact(f"job_{outcome}", job=job_id, **values))
        self.metrics.ended.labels(outcome).inc()

    async def _set_aside(self, attempt: _Attempt) -> None:
        job_id = attempt.job.job_id
        if (await self._app.store.jobs.get(job_id)).state in _ENDED:  # another delivery was faster
            await self._app.store.submissions.remove_submission(job_id, attempt.submission)
            return
        reason = f"set aside: it ended its worker {MOST_ATTEMPTS} times, or the worker was killed each time"
        try:
            async with await self._app.store.jobs.hold(job_id) as lease:
                await self._app.store.jobs.fail(lease, reason)
        except JobHeld as held:
            await self._app.store.submissions.end_attempt(job_id, attempt.name)
            raise Retry(held.message, delay=_HELD_MS) from held
        await self._app.store.submissions.remove_submission(job_id, attempt.submission)
        self._record_outcome("set_aside", job_id, attempts=MOST_ATTEMPTS)

    async def _open(self) -> None:
        self._app = await self._opened.enter_async_context(open_app(self._settings))
        self._queue = JobQueue(self._app, heartbeat_ms=self._heartbeat_ms)
        self._opened.callback(self._queue.close)
        await asyncio.to_thread(self._queue.list_waiting, self.queues)  # raises if the queue cannot be used
        await self._update_record()
        self._tasks = [
            asyncio.create_task(self._repeat(self._update_record, _RECORD_EVERY)),
            asyncio.create_task(self._repeat(self._send_lost, self._check_every)),
            asyncio.create_task(self._repeat(self._check_needs, self._check_every)),
        ]

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks:
            with contextlib.suppress(StoreError):
                await self._app.store.submissions.remove_worker(self._id)
            _log.info(Fact("worker_stopped", worker=self._id))
        await self._opened.aclose()

    async def _repeat(self, work: Callable[[], Awaitable[None]], every: float) -> None:
        while True:
            await asyncio.sleep(every)
            try:
                await work()
            except StormError as error:  # the next time the store, or a file, may be as it should again
                _log.warning(Fact("store_away" if isinstance(error, StoreError) else "worker_fault", why=error.message))

    async def _update_record(self) -> None:
        """Write this worker's record, which expires unless it is written again."""
        record = WorkerRecord(
            worker_id=self._id,
            host=socket.gethostname(),
            pid=os.getpid(),
            **self._needs.model_dump(),
            queues=self.queues,
            jobs=self._jobs,
            started=self._started,
            seen=utc_now(),
            running=tuple(sorted(self._running)),
        )
        await self._app.store.submissions.record_heartbeat(record, _RECORD_MS)
        busy = {one.service: one.next_slot for one in await list_busy_services(self._app)}
        self.metrics.show_store(await self._app.store.submissions.count(), busy)

    async def _send_lost(self) -> None:
        """Send jobs of this worker's queues again whose message is in no queue: its server may have lost its data."""
        submissions = self._app.store.submissions
        period = int(self._check_every * 900)
        queues = [queue for queue in self.queues if await submissions.acquire_requeue_lock(queue, self._id, period)]
        old = utc_now() - timedelta(seconds=self._check_every)
        open_ = {job: each for job, each in (await submissions.all()).items() if each.queue in queues}
        candidates = {job: each.queue for job, each in open_.items() if each.at <= old}
        if not candidates:
            return
        waiting = await asyncio.to_thread(self._queue.list_waiting, self.queues)
        for job_id, queue in candidates.items():
            if job_id not in waiting and job_id not in self._running:
                _log.warning(Fact("message_lost", job=job_id))
                await asyncio.to_thread(self._queue.send, job_id, queue)
