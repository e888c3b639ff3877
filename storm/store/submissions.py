"""The jobs that were handed over to workers, and the running workers."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import ConfigDict

from storm.models.base import Frozen
from storm.store.client import StoreClient
from storm.store.keys import SUBMISSIONS, WORKERS, attempts_key, check_key, worker_key


class JobNeeds(Frozen):
    """What a job needs of the worker that carries it out, and what a worker offers: the version of storm, and digests
    of the configuration and of the user's records (empty without any). Unknown fields (of later versions) are
    ignored."""

    model_config = ConfigDict(extra="ignore")

    version: str
    configuration: str
    corpus: str


class Submission(JobNeeds):
    """A job that waits for a worker or is with one: the queue that it is in, and since when."""

    queue: str
    at: datetime


class WorkerRecord(JobNeeds):
    """A worker as it last reported itself; `running` are the ids of its jobs."""

    worker_id: str
    host: str
    pid: int
    queues: tuple[str, ...]
    jobs: int
    started: datetime
    seen: datetime
    running: tuple[str, ...] = ()


class SubmissionRegistry:
    """Which jobs are with workers, how often each was begun, and which workers are running."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def add(self, job_id: str, queue: str, needs: JobNeeds) -> Submission:
        """Record that the job is handed over; earlier attempts at it no longer count."""
        fields = JobNeeds.model_fields
        added = Submission(queue=queue, at=self._client.clock(), **{name: getattr(needs, name) for name in fields})
        written = added.model_dump_json()
        await self._client.run_command(lambda redis: redis.delete(attempts_key(job_id)))
        await self._client.run_command(lambda redis: redis.hset(SUBMISSIONS, job_id, written))
        return added

    async def find(self, job_id: str) -> Submission | None:
        """The job's submission; None if it was not handed over, or has ended."""
        written = await self._client.run_command(lambda redis: redis.hget(SUBMISSIONS, job_id))
        return Submission.model_validate_json(written) if written else None

    async def all(self) -> Mapping[str, Submission]:
        """All submissions by job id."""
        written = await self._client.run_command(lambda redis: redis.hgetall(SUBMISSIONS))
        return {job_id: Submission.model_validate_json(text) for job_id, text in written.items()}

    async def count(self) -> int:
        """How many jobs wait for a worker or are with one."""
        return int(await self._client.run_command(lambda redis: redis.hlen(SUBMISSIONS)))

    async def waiting(self) -> Mapping[str, str]:
        """The jobs that were handed over and that no worker has begun, each with the reason why none takes it; the
        reason is empty if the job only waits for its turn."""
        submitted, workers = await self.all(), await self.workers()
        begun = {job_id for worker in workers for job_id in worker.running}
        return {
            job_id: find_waiting_reason(each.queue, each, workers)
            for job_id, each in submitted.items()
            if job_id not in begun
        }

    async def end(self, job_id: str, submission: Submission) -> bool:
        """Remove this submission of the job; False if the job was handed over again since."""
        arguments = (job_id, submission.model_dump_json())
        if not await self._client.run_script("end_submission", (SUBMISSIONS,), arguments, alone=True):
            return False
        await self._client.run_command(lambda redis: redis.delete(attempts_key(job_id)))
        return True

    async def withdraw(self, job_id: str) -> None:
        """Remove the job's submission, if it has one."""
        if submission := await self.find(job_id):
            await self.end(job_id, submission)

    async def begin_attempt(self, job_id: str, attempt: str) -> int:
        """Record that a worker begins the job, in an attempt of this unique name. Returns how many attempts, with this
        one, have not ended."""
        key = attempts_key(job_id)
        await self._client.run_command(lambda redis: redis.sadd(key, attempt))
        await self._client.run_command(lambda redis: redis.pexpire(key, self._client.ttl_ms))
        return int(await self._client.run_command(lambda redis: redis.scard(key)))

    async def count_attempts(self, job_id: str) -> int:
        """How many attempts have not ended."""
        return int(await self._client.run_command(lambda redis: redis.scard(attempts_key(job_id))))

    async def end_attempt(self, job_id: str, attempt: str) -> None:
        """Record that the attempt ended, and not by a fault of the job."""
        await self._client.run_command(lambda redis: redis.srem(attempts_key(job_id), attempt))

    async def take_check(self, queue: str, worker_id: str, milliseconds: int) -> bool:
        """Claim the search for lost messages of this queue; False if another worker did so within that time."""
        taken = await self._client.run_command(
            lambda redis: redis.set(check_key(queue), worker_id, nx=True, px=milliseconds)
        )
        return bool(taken)

    async def register(self, worker: WorkerRecord, milliseconds: int) -> None:
        """Store the worker's record, which expires after so many milliseconds."""
        key, written = worker_key(worker.worker_id), worker.model_dump_json()
        await self._client.run_command(lambda redis: redis.set(key, written, px=milliseconds))
        await self._client.run_command(lambda redis: redis.sadd(WORKERS, worker.worker_id))

    async def forget(self, worker_id: str) -> None:
        """Delete the worker's record."""
        await self._client.run_command(lambda redis: redis.delete(worker_key(worker_id)))
        await self._client.run_command(lambda redis: redis.srem(WORKERS, worker_id))

    async def workers(self) -> list[WorkerRecord]:
        """The running workers, oldest first; those whose record has expired are removed from the list."""
        ids = sorted(await self._client.run_command(lambda redis: redis.smembers(WORKERS)))
        if not ids:
            return []
        written = await self._client.run_command(lambda redis: redis.mget([worker_key(each) for each in ids]))
        if gone := [each for each, text in zip(ids, written, strict=True) if text is None]:
            await self._client.run_command(lambda redis: redis.srem(WORKERS, *gone))
        found = [WorkerRecord.model_validate(json.loads(text)) for text in written if text]
        return sorted(found, key=lambda worker: worker.started)


def find_waiting_reason(queue: str, needs: JobNeeds, workers: Sequence[WorkerRecord]) -> str:
    """Why no worker takes the jobs of this queue; empty if one does, or will when it is free."""
    if any(queue in worker.queues for worker in workers):
        return ""
    if not workers:
        return "no worker is running"
    differences = sorted({_compare(needs, queue, worker) for worker in workers})
    return f"none of the running workers takes it: {'; '.join(differences)}"


def _compare(needs: JobNeeds, queue: str, worker: WorkerRecord) -> str:
    if worker.version != needs.version:
        difference = f"is storm {worker.version}, and the job needs {needs.version}"
    elif worker.configuration != needs.configuration:
        difference = "has another configuration (the lists of databases and models, or which keys are set)"
    elif worker.corpus != needs.corpus:
        difference = "has other records of its own (corpus)"
    else:
        difference = f"does not take jobs of priority {queue.rpartition('-')[2]}"
    return f"worker {worker.pid} on {worker.host} {difference}"
