"""The jobs of a store."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from storm.errors import StoreSchemaError, UnknownJob, UsageError
from storm.models import Job, JobRequest, JobState
from storm.store.client import JobScripts, StoreClient
from storm.store.holder import is_alive
from storm.store.keys import INDEX, SCHEMA, JobKeys
from storm.store.lease import Lease


class JobList(NamedTuple):
    """The jobs of a store, and the ids of those that another version of storm wrote."""

    jobs: tuple[Job, ...]
    unreadable: tuple[str, ...]


class JobRegistry:
    """Makes, finds and ends jobs, and gives out their leases."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def create(self, request: JobRequest, job_id: str) -> Job:
        """A new job, running; UsageError if there is one of that name."""
        keys, now = JobKeys(job_id), self._client.clock()
        fields = {
            "drug": request.drug,
            "syllabus": request.syllabus.name,
            "mode": request.mode,
            "questions": " ".join(request.syllabus.keys),
            "state": JobState.RUNNING.value,
            "created": now.isoformat(),
            "request": request.model_dump_json(),
            "last_number": "0",
            "databases": "{}",
        }
        pairs = [part for pair in fields.items() for part in pair]
        created = await self._client.script(
            "create_job",
            keys.all(request.syllabus.keys),
            ("", self._client.ttl_ms, SCHEMA, now.isoformat(), *pairs),
        )
        if not created:
            raise UsageError(f"there is already a job {job_id}", hint=f"go on with it: storm resume {job_id}")
        await self._list(job_id, now)
        return Job(job_id=job_id, request=request, state=JobState.RUNNING, created=now)

    async def get(self, job_id: str) -> Job:
        """The job; UnknownJob, naming close matches, if there is none."""
        job = await self._load(job_id)
        if job is None:
            raise await self._unknown(job_id)
        return job

    async def all(self) -> JobList:
        """All jobs, newest first; those that have expired are forgotten."""
        found, unreadable = [], []
        for job_id in await self._listed():
            try:
                job = await self._load(job_id)
            except StoreSchemaError:
                unreadable.append(job_id)
                continue
            if job:
                found.append(job)
            else:
                await self._forget(job_id)
        return JobList(tuple(found), tuple(unreadable))

    async def _forget(self, job_id: str) -> None:
        await self._client.run(lambda redis: redis.zrem(INDEX, job_id))

    async def hold(self, job_id: str) -> Lease:
        """The right to work on the job; JobHeld while a living process has it, UnknownJob if there is no such job."""
        job = await self.get(job_id)
        lease = await Lease.take(self._client, job_id)
        await self._list(job_id, job.created)
        return lease

    async def finish(self, lease: Lease, exit_code: int) -> None:
        """The job is done, with the exit code that its command had."""
        await self._end(lease, JobState.FINISHED, "finished", f"finished with exit code {exit_code}", exit_code)

    async def fail(self, lease: Lease, message: str) -> None:
        """The job ended in an error; it can be resumed."""
        await self._end(lease, JobState.FAILED, "failed", message, 1)

    async def change(self, lease: Lease, request: JobRequest, message: str) -> Job:
        """The job with another request: what it goes on with, also when it is resumed; `message` says why."""
        await self._update(lease, self._client.clock(), "changed", message, "request", request.model_dump_json())
        return await self.get(lease.job_id)

    async def _end(self, lease: Lease, state: JobState, kind: str, message: str, exit_code: int) -> None:
        now = self._client.clock()
        fields = ("state", state.value, "finished", now.isoformat(), "exit_code", str(exit_code))
        await self._update(lease, now, kind, message, *fields)

    async def _update(self, lease: Lease, now: datetime, kind: str, message: str, *fields: str) -> None:
        scripts = JobScripts(self._client, lease.job_id, lease)
        await scripts.write("update_job", now.isoformat(), kind, message, *fields)

    async def _list(self, job_id: str, created: datetime) -> None:
        """In a call of its own: the index is in another slot than the job."""
        await self._client.run(lambda redis: redis.zadd(INDEX, {job_id: created.timestamp()}))

    async def _listed(self) -> list[str]:
        listed: list[str] = await self._client.run(lambda redis: redis.zrange(INDEX, 0, -1, desc=True))
        return listed

    async def _load(self, job_id: str) -> Job | None:
        keys = JobKeys(job_id)
        names = ("schema", "request", "state", "created", "finished", "exit_code")
        values = await self._client.run(lambda redis: redis.hmget(keys.metadata, names))
        fields = {name: value for name, value in zip(names, values, strict=True) if value is not None}
        if not fields:
            return None
        if fields.get("schema") != SCHEMA:
            raise StoreSchemaError(f"{job_id} was written by another version of storm", hint="use that version")
        lease = await self._client.run(lambda redis: redis.get(keys.lease))
        try:
            return _job(job_id, fields, is_held=is_alive(lease))
        except (UsageError, ValidationError) as exc:
            raise StoreSchemaError(f"{job_id} was asked for in a way that this version does not take") from exc

    async def _unknown(self, job_id: str) -> UnknownJob:
        import difflib  # of use for a wrong name only

        found = await self.all()
        listed = [*(job.job_id for job in found.jobs), *found.unreadable]
        close = difflib.get_close_matches(job_id, listed, n=3) or [name for name in listed if name.startswith(job_id)]
        hint = f"did you mean {' or '.join(close[:3])}?" if close else "storm jobs lists them"
        return UnknownJob(f"there is no job {job_id} in this store", hint=hint)


def _job(job_id: str, fields: Mapping[str, str], *, is_held: bool) -> Job:
    """A running job that no process holds was interrupted."""
    state = JobState(fields["state"])
    ended = state in (JobState.FINISHED, JobState.FAILED)
    return Job(
        job_id=job_id,
        request=JobRequest.model_validate_json(fields["request"]),
        state=JobState.INTERRUPTED if state == JobState.RUNNING and not is_held else state,
        created=datetime.fromisoformat(fields["created"]),
        finished=datetime.fromisoformat(fields["finished"]) if ended else None,
        exit_code=int(fields["exit_code"]) if ended else None,
    )
