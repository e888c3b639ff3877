"""Hand jobs over to workers."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from storm.app import App
from storm.models import JobRequest, JobState
from storm.store import find_waiting_reason
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
    return await _hand_over(app, job_id, priority)


async def _hand_over(app: App, job_id: str, priority: str) -> Submitted:
    needs = await asyncio.to_thread(find_needs, app.settings)
    queue = name_queue(needs, priority if priority in PRIORITIES else PRIORITIES[1])
    await app.store.submissions.add(job_id, queue, needs)
    sender = JobQueue(app)
    try:
        await asyncio.to_thread(sender.send, job_id, queue)
    finally:
        sender.close()
    return Submitted(job_id, queue, find_waiting_reason(queue, needs, await app.store.submissions.workers()))


class QueueExecutor:
    """A JobExecutor that has jobs carried out by the workers."""

    def __init__(self, app: App, priority: str = "normal") -> None:
        self._app, self._priority = app, priority

    async def execute(self, job_id: str) -> None:
        """Hand the job over, and return when its record has an end and no worker tries again."""
        await _hand_over(self._app, job_id, self._priority)
        while await self._app.store.submissions.find(job_id):
            if (await self._app.store.jobs.get(job_id)).state in (JobState.FINISHED, JobState.CANCELLED):
                return
            await asyncio.sleep(PAUSE)
