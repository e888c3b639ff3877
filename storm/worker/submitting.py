"""Hand jobs over to workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from storm.app import App
from storm.errors import Code, StoreUnavailable
from storm.models import JobRequest, JobState
from storm.store import JobNeeds, Submission, find_waiting_reason
from storm.worker.needs import PRIORITIES, find_needs, name_queue
from storm.worker.queue import JobQueue

#: Seconds between two looks at a job that a worker carries out.
PAUSE = 1.0


class Submitted(NamedTuple):
    """A job that was handed over; `waits` says why no worker takes it, empty if one does."""

    job_id: str
    queue: str
    waits: str


async def submit_request(app: App, request: JobRequest, job_id: str = "", priority: str = "normal") -> Submitted:
    """Create a job and hand it over to the workers; nothing is searched here. UsageError as of `App.start`.

    StoreUnavailable if the queue is away: the job then waits in the store, and a worker finds it there.
    """
    job = await app.start(request, job_id)
    return await submit_job(app, job.job_id, priority)


async def submit_job(app: App, job_id: str, priority: str = "normal") -> Submitted:
    """Hand a job of the store over to the workers, as one that was never begun; a cancelled one is reopened.
    UnknownJob if there is none."""
    await app.store.jobs.reopen(job_id)
    return await _hand_over(app, job_id, priority, await asyncio.to_thread(find_needs, app.settings))


async def _hand_over(app: App, job_id: str, priority: str, needs: JobNeeds) -> Submitted:
    queue = name_queue(needs, priority if priority in PRIORITIES else PRIORITIES[1])
    await app.store.submissions.add_submission(job_id, queue, needs)
    sender = JobQueue(app)
    try:
        await asyncio.to_thread(sender.send, job_id, queue)
    finally:
        sender.close()
    return Submitted(job_id, queue, find_waiting_reason(queue, needs, await app.store.submissions.workers()))


class QueueExecutor:
    """A JobExecutor that has jobs carried out by the workers. `on_wait` gets why no worker takes them, each time that
    this changes; an empty text says that one does."""

    def __init__(self, app: App, priority: str = "normal", on_wait: Callable[[str], object] | None = None) -> None:
        self._app, self._priority, self._on_wait = app, priority, on_wait
        self._needs = find_needs(app.settings)
        self._reason = ""
        self._next_look = 0.0

    async def execute(self, job_id: str) -> None:
        """Hand the job over, and return when its record has an end and no worker tries again."""
        try:
            await _hand_over(self._app, job_id, self._priority, self._needs)
        except StoreUnavailable as away:
            if away.code is not Code.QUEUE_UNAVAILABLE:
                raise  # without the queue, a worker finds the job in the store
        while submission := await self._app.store.submissions.find_submission(job_id):
            if (await self._app.store.jobs.get(job_id)).state in (JobState.FINISHED, JobState.CANCELLED):
                return
            await self._watch_workers(submission)
            await asyncio.sleep(PAUSE)

    async def _watch_workers(self, submission: Submission) -> None:
        """Look once a second, for whichever job, whether there are workers for the jobs."""
        now = asyncio.get_running_loop().time()
        if not self._on_wait or now < self._next_look:
            return
        self._next_look = now + PAUSE
        reason = find_waiting_reason(submission.queue, submission, await self._app.store.submissions.workers())
        if reason != self._reason:
            self._reason = reason
            self._on_wait(reason)
