"""The jobs that were handed over to workers, and the workers that are there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from storm.models.base import Frozen
from storm.store.client import StoreClient
from storm.store.keys import SUBMISSION_ATTEMPTS, SUBMISSION_CHECK, SUBMISSIONS, WORKERS, worker_key


class Submission(Frozen):
    """A job that waits for a worker or is with one: the queue that it is in, and since when."""

    queue: str
    at: datetime


class WorkerRecord(Frozen):
    """A worker that was there some seconds ago; `running` are the ids of its jobs."""

    worker_id: str
    host: str
    pid: int
    version: str
    configuration: str
    corpus: str
    queues: tuple[str, ...]
    jobs: int
    started: datetime
    seen: datetime
    running: tuple[str, ...] = ()


class SubmissionRegistry:
    """Which jobs are with workers, how often each was begun, and which workers are there."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def add(self, job_id: str, queue: str) -> None:
        """Note that the job is handed over, as one that was never begun."""
        written = Submission(queue=queue, at=self._client.clock()).model_dump_json()
        await self._client.run_command(lambda redis: redis.hdel(SUBMISSION_ATTEMPTS, job_id))
        await self._client.run_command(lambda redis: redis.hset(SUBMISSIONS, job_id, written))

    async def find(self, job_id: str) -> Submission | None:
        """The job's submission; None if it is with no worker (any more)."""
        written = await self._client.run_command(lambda redis: redis.hget(SUBMISSIONS, job_id))
        return Submission.model_validate_json(written) if written else None

    async def all(self) -> Mapping[str, Submission]:
        """All submissions by job id."""
        written = await self._client.run_command(lambda redis: redis.hgetall(SUBMISSIONS))
        return {job_id: Submission.model_validate_json(text) for job_id, text in written.items()}

    async def remove(self, job_id: str) -> None:
        """Note that the job is with no worker any more."""
        await self._client.run_command(lambda redis: redis.hdel(SUBMISSIONS, job_id))
        await self._client.run_command(lambda redis: redis.hdel(SUBMISSION_ATTEMPTS, job_id))

    async def count_attempts(self, job_id: str) -> int:
        """How often a worker began the job and did not say how it went."""
        return int(await self._client.run_command(lambda redis: redis.hget(SUBMISSION_ATTEMPTS, job_id)) or 0)

    async def set_attempts(self, job_id: str, attempts: int) -> None:
        """Note how often. Written as a number, so that a command that is sent again counts once."""
        await self._client.run_command(lambda redis: redis.hset(SUBMISSION_ATTEMPTS, job_id, attempts))

    async def take_check(self, worker_id: str, milliseconds: int) -> bool:
        """Whether this worker, and no other within that time, looks for lost messages."""
        taken = await self._client.run_command(
            lambda redis: redis.set(SUBMISSION_CHECK, worker_id, nx=True, px=milliseconds)
        )
        return bool(taken)

    async def register(self, worker: WorkerRecord, milliseconds: int) -> None:
        """Note that the worker is there; it is forgotten after so long."""
        key, written = worker_key(worker.worker_id), worker.model_dump_json()
        await self._client.run_command(lambda redis: redis.set(key, written, px=milliseconds))
        await self._client.run_command(lambda redis: redis.sadd(WORKERS, worker.worker_id))

    async def forget(self, worker_id: str) -> None:
        """Note that the worker has gone."""
        await self._client.run_command(lambda redis: redis.delete(worker_key(worker_id)))
        await self._client.run_command(lambda redis: redis.srem(WORKERS, worker_id))

    async def workers(self) -> list[WorkerRecord]:
        """The workers that are there, the oldest first; those that were not seen for long are forgotten."""
        ids = sorted(await self._client.run_command(lambda redis: redis.smembers(WORKERS)))
        if not ids:
            return []
        written = await self._client.run_command(lambda redis: redis.mget([worker_key(each) for each in ids]))
        if gone := [each for each, text in zip(ids, written, strict=True) if text is None]:
            await self._client.run_command(lambda redis: redis.srem(WORKERS, *gone))
        found = [WorkerRecord.model_validate(json.loads(text)) for text in written if text]
        return sorted(found, key=lambda worker: worker.started)
