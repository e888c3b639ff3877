"""The jobs that were handed over to workers, and the running workers."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import ConfigDict, Field, ValidationError

from storm.errors import StoreSchemaError
from storm.models.base import Frozen
from storm.store.client import StoreClient
from storm.store.keys import SUBMISSIONS, WORKERS, attempts_key, requeue_lock_key, worker_key

_log = logging.getLogger("storm.store")


class JobNeeds(Frozen):
    """What a job needs of the worker that carries it out, and what a worker offers: the version of storm, and digests
    of the configuration and of the user's records (empty without any). Unknown fields (of later versions) are
    ignored."""

    model_config = ConfigDict(extra="ignore")

    version: str
    configuration: str
    corpus: str


class Submission(JobNeeds):
    """A job that waits for a worker or is with one: the queue that it is in, and since when. `raw` is the stored JSON,
    compared before deletion."""

    queue: str
    at: datetime
    raw: str = Field(default="", exclude=True, repr=False)


class WorkerRecord(JobNeeds):
    """A worker as it last reported itself: `jobs` is the most jobs that it carries out at a time, and `running` are the
    ids of those that it does now."""

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

    async def add_submission(self, job_id: str, queue: str, needs: JobNeeds) -> Submission:
        """Record that the job is handed over; earlier attempts at it no longer count."""
        fields = JobNeeds.model_fields
        added = Submission(queue=queue, at=self._client.clock(), **{name: getattr(needs, name) for name in fields})
        raw = added.model_dump_json()
        await self._client.run_transaction(
            lambda redis: redis.delete(attempts_key(job_id)), lambda redis: redis.hset(SUBMISSIONS, job_id, raw)
        )
        return added.model_copy(update={"raw": raw})

    async def find_submission(self, job_id: str) -> Submission | None:
        """The job's submission; None if it was not handed over, or has ended. StoreSchemaError if it cannot be read."""
        raw = await self._read_raw(job_id)
        return _read_submission(job_id, raw) if raw else None

    async def all(self) -> Mapping[str, Submission]:
        """All submissions by job id; one that cannot be read is logged and left out."""
        return {job_id: each for job_id, each in (await self._read_all()).items() if each}

    async def _read_raw(self, job_id: str) -> str | None:
        raw: str | None = await self._client.run_command(lambda redis: redis.hget(SUBMISSIONS, job_id))
        return raw

    async def _read_all(self) -> Mapping[str, Submission | None]:
        """All submissions by job id; None for one that cannot be read."""
        found: dict[str, Submission | None] = {}
        for job_id, raw in (await self._client.run_command(lambda redis: redis.hgetall(SUBMISSIONS))).items():
            try:
                found[job_id] = _read_submission(job_id, raw)
            except StoreSchemaError as error:
                _log.warning("submission_unreadable job=%s why=%s", job_id, error.message)
                found[job_id] = None
        return found

    async def count(self) -> int:
        """How many jobs wait for a worker or are with one."""
        return int(await self._client.run_command(lambda redis: redis.hlen(SUBMISSIONS)))

    async def waiting(self) -> Mapping[str, str]:
        """The jobs that were handed over and that no worker has begun, each with the reason why none takes it; the
        reason is empty if the job only waits for its turn."""
        submitted, workers = await self._read_all(), await self.workers()
        begun = {job_id for worker in workers for job_id in worker.running}
        return {
            job_id: find_waiting_reason(each.queue, each, workers) if each else "what it needs cannot be read"
            for job_id, each in submitted.items()
            if job_id not in begun
        }

    async def remove_submission(self, job_id: str, submission: Submission) -> bool:
        """Remove this submission of the job, and the attempts at it; False if the job was handed over again since."""
        return await self._remove(job_id, submission.raw)

    async def withdraw_job(self, job_id: str) -> None:
        """Remove the job's submission, if it has one, also one that cannot be read."""
        if raw := await self._read_raw(job_id):
            await self._remove(job_id, raw)

    async def _remove(self, job_id: str, raw: str) -> bool:
        keys = (SUBMISSIONS, attempts_key(job_id))
        return bool(await self._client.run_script("remove_submission", keys, (job_id, raw), pipelined=False))

    async def begin_attempt(self, job_id: str, attempt: str) -> int:
        """Record that a worker begins the job, in an attempt of this unique name. Returns how many attempts, with this
        one, have not ended."""
        key = attempts_key(job_id)
        *_, attempts = await self._client.run_transaction(
            lambda redis: redis.sadd(key, attempt),
            lambda redis: redis.pexpire(key, self._client.ttl_ms),
            lambda redis: redis.scard(key),
        )
        return int(attempts)

    async def count_attempts(self, job_id: str) -> int:
        """How many attempts have not ended."""
        return int(await self._client.run_command(lambda redis: redis.scard(attempts_key(job_id))))

    async def end_attempt(self, job_id: str, attempt: str) -> None:
        """Record that the attempt ended, and not by a fault of the job."""
        await self._client.run_command(lambda redis: redis.srem(attempts_key(job_id), attempt))

    async def acquire_requeue_lock(self, queue: str, worker_id: str, milliseconds: int) -> bool:
        """Acquire the lock of the search for lost messages of this queue, which expires after so many milliseconds;
        False if another worker has it."""
        acquired = await self._client.run_command(
            lambda redis: redis.set(requeue_lock_key(queue), worker_id, nx=True, px=milliseconds)
        )
        return bool(acquired)

    async def record_heartbeat(self, worker: WorkerRecord, milliseconds: int) -> None:
        """Store the worker's record, which expires after so many milliseconds."""
        key, raw = worker_key(worker.worker_id), worker.model_dump_json()
        await self._client.run_transaction(
            lambda redis: redis.set(key, raw, px=milliseconds), lambda redis: redis.sadd(WORKERS, worker.worker_id)
        )

    async def remove_worker(self, worker_id: str) -> None:
        """Delete the worker's record."""
        await self._client.run_transaction(
            lambda redis: redis.delete(worker_key(worker_id)), lambda redis: redis.srem(WORKERS, worker_id)
        )

    async def workers(self) -> list[WorkerRecord]:
        """The running workers, oldest first; those whose record has expired are removed from the list, and one whose
        record cannot be read is logged and left out."""
        ids = sorted(await self._client.run_command(lambda redis: redis.smembers(WORKERS)))
        if not ids:
            return []
        records = await self._client.run_command(lambda redis: redis.mget([worker_key(each) for each in ids]))
        if gone := [each for each, raw in zip(ids, records, strict=True) if raw is None]:
            await self._client.run_command(lambda redis: redis.srem(WORKERS, *gone))
        found = [_read_worker(each, raw) for each, raw in zip(ids, records, strict=True) if raw]
        return sorted(filter(None, found), key=lambda worker: worker.started)


def _read_submission(job_id: str, raw: str) -> Submission:
    try:
        return Submission.model_validate_json(raw).model_copy(update={"raw": raw})
    except ValidationError as exc:
        raise StoreSchemaError(
            f"the submission of {job_id} to the workers cannot be read", hint="cancel the job, and submit it again"
        ) from exc


def _read_worker(worker_id: str, raw: str) -> WorkerRecord | None:
    try:
        return WorkerRecord.model_validate_json(raw)
    except ValidationError:
        _log.warning("worker_unreadable key=%s", worker_key(worker_id))
        return None


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
