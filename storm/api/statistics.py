"""Numbers of a whole store: its jobs, workers and batches, and what their pace depends on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from storm.api.pace import BusyService, find_limits, list_busy_services
from storm.app import App
from storm.models import JobState
from storm.store import StoreInfo, WorkerRecord


class StoreStatistics(NamedTuple):
    """`jobs` counts those of each state, `unreadable` jobs and batches that are damaged or of another version.
    `waiting` are the jobs that no worker has begun, each with why none takes it; `batches` those that a process works
    on. `limits` says what limits the pace of the running jobs."""

    jobs: Mapping[str, int]
    unreadable: int
    waiting: Mapping[str, str]
    workers: tuple[WorkerRecord, ...]
    batches: tuple[str, ...]
    services: tuple[BusyService, ...]
    limits: tuple[str, ...]
    store: StoreInfo

    @property
    def slots(self) -> int:
        """The most jobs that the workers carry out at a time."""
        return sum(worker.jobs for worker in self.workers)

    @property
    def working(self) -> int:
        """The jobs that workers carry out."""
        return sum(len(worker.running) for worker in self.workers)


async def read_statistics(app: App) -> StoreStatistics:
    """The numbers of the store as they are now."""
    found, waiting, workers, (batches, others), services, info = await asyncio.gather(
        app.store.jobs.all(),
        app.store.submissions.waiting(),
        app.store.submissions.workers(),
        app.store.batches.all(),
        list_busy_services(app),
        app.store.info(),
    )
    running = [job.job_id for job in found.jobs if job.state is JobState.RUNNING]
    return StoreStatistics(
        jobs=Counter(job.state.value for job in found.jobs),
        unreadable=len(found.unreadable) + len(found.damaged) + len(others),
        waiting=waiting,
        workers=tuple(workers),
        batches=tuple(batch.name for batch in batches if batch.is_held),
        services=tuple(services),
        limits=tuple(await find_limits(app, services, running)),
        store=info,
    )
