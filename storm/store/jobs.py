"""The jobs of a store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from storm.errors import Code, StoreSchemaError, UnknownJob, UsageError
from storm.models import Job, JobRequest, JobState, RunSettings
from storm.store.client import JobScripts, StoreClient
from storm.store.events import shorten_message
from storm.store.faults import damage_error, reject_undecodable_reply
from storm.store.holder import is_alive
from storm.store.integrity import check_collection
from storm.store.job_records import DESCRIBED, ENDED, JobSummary, is_foreign, make_job, make_summary
from storm.store.keys import INDEX, SCHEMA, JobKeys
from storm.store.lease import Lease, require_ended_holder
from storm.store.requests import StoredRequest, read_request, request_to_json, unreadable_error
from storm.version import __version__

if TYPE_CHECKING:
    from storm.ports import EventSink

#: Jobs in one call: a script must not block others for long.
_LISTED_AT_ONCE = 500
#: The damage of metadata that storm did not write.
_METADATA = "its metadata cannot be read"


class JobList(NamedTuple):
    """The jobs of a store, and the ids of those written by another version of storm, and of those that lost data."""

    jobs: tuple[JobSummary, ...]
    unreadable: tuple[str, ...]
    damaged: tuple[str, ...]


class JobRegistry:
    """Creates, finds and ends jobs, and takes their leases."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def create(
        self,
        request: JobRequest,
        job_id: str,
        settings: RunSettings | None = None,
        mode_version: int = 1,
        *,
        user_id: int = 0,
        org_id: int | None = None,
    ) -> Job:
        """Create a queued job of this user, with these settings and this version of its mode; UsageError if it exists.
        Its questions are written when there is a plan."""
        settings = settings or request.settings
        keys, now = JobKeys.of_new(job_id), self._client.clock()
        fields = {
            "drug": request.subject,
            "syllabus": request.syllabus.name if request.syllabus else "",
            "mode": settings.mode,
            "questions": "",
            "state": JobState.QUEUED.value,
            "created": now.isoformat(),
            "request": request_to_json(request),
            "settings": settings.model_dump_json(),
            "last_number": "0",
            "databases": "{}",
            "version": __version__,
            "mode_version": str(mode_version),
            **({"update_of": request.update_of} if request.update_of else {}),
            **({"user_id": str(user_id)} if user_id else {}),
            **({"org_id": str(org_id)} if org_id is not None else {}),
        }
        pairs = [part for pair in fields.items() for part in pair]
        token = secrets.token_hex(8)
        created = await self._client.run_script(
            "create_job", keys.all_keys(()), ("", self._client.ttl_ms, SCHEMA, now.isoformat(), token, *pairs)
        )
        if not created:
            raise UsageError(
                f"there is already a job {job_id}",
                hint=f"continue it: storm.resume({job_id!r})",
                code=Code.JOB_EXISTS,
                job=job_id,
                setting="job_id",
            )
        await self._add_to_index(job_id, now)
        return make_job(job_id, StoredRequest(request, None), fields, is_held=False)

    async def get(self, job_id: str) -> Job:
        """The job; UnknownJob, naming close matches, if there is none."""
        job = await self._load_job(job_id)
        if job is None:
            await self._check_remains(job_id)
            raise await self._unknown_job_error(job_id)
        return job

    async def check(self, job_id: str, *, check_records: bool = False) -> Job:
        """The job, after checking its keys (the records of hits only with `check_records`); CollectionDamaged if they
        cannot be read or contradict each other."""
        job = await self.get(job_id)
        await check_collection(self._client, JobKeys(job_id), check_records=check_records)
        return job

    async def _check_remains(self, job_id: str) -> None:
        """CollectionDamaged if a job's metadata is gone, but other keys of it are not."""
        keys = JobKeys(job_id)
        _, *rest = keys.all_keys(())
        if await self._client.run_command(lambda redis: redis.exists(*rest)):
            raise damage_error(job_id, ["its metadata is gone"])

    async def all(self) -> JobList:
        """All jobs, newest first; expired ones are removed from the index."""
        found, foreign, lost, gone = [], [], [], []
        listed = await self._list_job_ids()
        for start in range(0, len(listed), _LISTED_AT_ONCE):
            job_ids = listed[start : start + _LISTED_AT_ONCE]
            for job_id, answer in zip(job_ids, await self._read_summaries(job_ids), strict=True):
                if answer is None:
                    lost.append(job_id)
                    continue
                *fields, lease, is_there = answer
                if not is_there:
                    gone.append(job_id)
                elif summary := make_summary(job_id, fields, lease):
                    found.append(summary)
                elif is_foreign(fields):
                    foreign.append(job_id)
                else:
                    lost.append(job_id)
        if gone:
            await self._client.run_command(lambda redis: redis.zrem(INDEX, *gone))
        found.sort(key=lambda job: job.created, reverse=True)
        return JobList(tuple(found), tuple(foreign), tuple(lost))

    async def summaries(self, job_ids: Sequence[str]) -> list[JobSummary | str]:
        """The summary of each of these jobs, in order; instead of one `gone` if there is no such job, or `damaged`."""
        found: list[JobSummary | str] = []
        for start in range(0, len(job_ids), _LISTED_AT_ONCE):
            part = job_ids[start : start + _LISTED_AT_ONCE]
            for job_id, answer in zip(part, await self._read_summaries(part), strict=True):
                if answer is not None and not answer[-1]:
                    found.append("gone")
                else:
                    found.append((answer and make_summary(job_id, answer[:-2], answer[-2])) or "damaged")
        return found

    async def _read_summaries(self, job_ids: Sequence[str]) -> Sequence[Sequence[Any] | None]:
        """The answers of lua/list_jobs.lua; None for a job whose metadata is not text."""
        keys = [key for job_id in job_ids for key in JobKeys(job_id).all_keys(())]
        try:
            answers: Sequence[Any] = await self._client.run_script("list_jobs", keys, (), pipelined=False)
        except UnicodeDecodeError:
            if len(job_ids) == 1:
                return [None]
            return [answer for job_id in job_ids for answer in await self._read_summaries([job_id])]
        return answers

    async def hold(self, job_id: str, sinks: Sequence[EventSink] = (), expected_state: JobState | None = None) -> Lease:
        """Take the lease of the job, whose events then go to the `sinks`, too.

        JobHeld while a living process has it, UnknownJob if there is no such job, CollectionDamaged (and nothing
        written) if it lost data, JobCancelled if it was cancelled after the caller saw it in the `expected_state`; a
        job that was already cancelled is reopened.
        """
        job = await self.check(job_id, check_records=True)
        await self._add_to_index(job_id, job.created)
        return await Lease.take(self._client, job_id, expected_state=expected_state or job.state, sinks=sinks)

    async def cancel(self, job_id: str) -> None:
        """Stop the job, wherever it runs. Its results stay, and a resume reopens it. UsageError if it is finished."""
        await self.get(job_id)
        scripts = JobScripts(self._client, job_id, None)
        before = await scripts.run_as_holder("cancel_job", "", self._client.clock().isoformat())
        if before == JobState.FINISHED:
            raise UsageError(f"{job_id} is finished: there is nothing to cancel", code=Code.JOB_FINISHED, job=job_id)

    async def reopen(self, job_id: str) -> None:
        """Let a cancelled job be worked on again; others stay as they are. UnknownJob if there is no such job."""
        if (await self.get(job_id)).state is JobState.CANCELLED:
            async with await self.hold(job_id):
                pass  # whoever takes the lease of a cancelled job reopens it

    async def delete(self, job_id: str) -> None:
        """Delete all keys of a job, also of a damaged one. JobHeld while a living process works on it, UnknownJob if
        there is no such job."""
        lease = JobKeys(job_id).lease
        found = await self._client.run_command(partial(_scan_keys, job_id), pipelined=False)
        if not found:
            raise await self._unknown_job_error(job_id)
        keys = (lease, *sorted(set(found) - {lease}))
        ended = ""  # the token of a holder that has ended
        while reply := await self._client.run_script("delete_job", keys, (ended,)):
            ended = require_ended_holder(job_id, *reply)
        await self._client.run_command(lambda redis: redis.zrem(INDEX, job_id))

    async def finish(self, lease: Lease, exit_code: int) -> None:
        """Mark the job as finished, with the exit code of its command."""
        message = f"finished with exit code {exit_code}"
        await self._end_job(lease, JobState.FINISHED, "finished", message, exit_code, "progress", "1")

    async def fail(self, lease: Lease, message: str) -> None:
        """Mark the job as failed; it can be resumed."""
        await self._end_job(lease, JobState.FAILED, "failed", message, 1)

    async def change(self, lease: Lease, settings: RunSettings, message: str) -> Job:
        """Change the settings of the job, also for a resume; `message` says why."""
        await self._update_job(lease, self._client.clock(), "changed", message, "settings", settings.model_dump_json())
        return await self.get(lease.job_id)

    async def _end_job(
        self, lease: Lease, state: JobState, kind: str, message: str, exit_code: int, *more: str
    ) -> None:
        now = self._client.clock()
        fields = ("state", state.value, "finished", now.isoformat(), "exit_code", str(exit_code), *more)
        await self._update_job(lease, now, kind, message, *fields)

    async def _update_job(self, lease: Lease, now: datetime, kind: str, message: str, *fields: str) -> None:
        scripts = JobScripts(self._client, lease.job_id, lease)
        await scripts.notify_sinks(
            await scripts.run_write("update_job", now.isoformat(), kind, shorten_message(message), *fields)
        )

    async def _add_to_index(self, job_id: str, created: datetime) -> None:
        """A separate command, since a job's scripts access only keys of that job."""
        await self._client.run_command(lambda redis: redis.zadd(INDEX, {job_id: created.timestamp()}))

    async def _list_job_ids(self) -> list[str]:
        """The ids of all jobs, newest first; if the index was lost, they are found by their metadata."""
        listed: list[str] = await self._client.run_command(lambda redis: redis.zrange(INDEX, 0, -1, desc=True))
        return listed or await self._client.run_command(_scan_job_ids, pipelined=False)

    async def _load_job(self, job_id: str) -> Job | None:
        keys = JobKeys(job_id)
        with reject_undecodable_reply(job_id, _METADATA):
            values = await self._client.run_command(lambda redis: redis.hmget(keys.metadata, DESCRIBED))
        fields = {name: value for name, value in zip(DESCRIBED, values, strict=True) if value is not None}
        if not fields:
            return None
        if fields.get("schema") != SCHEMA:
            raise StoreSchemaError(f"{job_id} was written by another version of storm", hint="use that version")
        needed = ("request", "state", "created", *(("finished", "exit_code") if fields.get("state") in ENDED else ()))
        if lost := [name for name in needed if name not in fields]:
            raise damage_error(job_id, [f"its metadata has no {', '.join(lost)}"])
        lease = await self._client.run_command(lambda redis: redis.get(keys.lease))
        stored = read_request(job_id, fields)
        try:
            return make_job(job_id, stored, fields, is_held=is_alive(lease))
        except (UsageError, ValueError, TypeError) as exc:
            raise unreadable_error(job_id, fields, "metadata") from exc

    async def _unknown_job_error(self, job_id: str) -> UnknownJob:
        found = await self.all()
        close = _find_close_ids(job_id, [*(job.job_id for job in found.jobs), *found.unreadable, *found.damaged])
        unknown = f"there is no job {job_id} in this store"
        if close:
            return UnknownJob(unknown, hint=f"did you mean {' or '.join(close[:3])}?")
        return UnknownJob(unknown, hint="list the jobs: storm.jobs()", code=Code.JOB_UNKNOWN)


def _find_close_ids(job_id: str, listed: Sequence[str]) -> Sequence[str]:
    """The ids that may have been meant: those of the same drug, or nearly; two ids of one day are not alike by that."""
    import difflib  # needed for a wrong name only

    drugs = {name: name.rsplit("-", 2)[0] for name in listed}
    alike = difflib.get_close_matches(job_id.rsplit("-", 2)[0], set(drugs.values()), n=3, cutoff=0.75)
    close = difflib.get_close_matches(job_id, [name for name in listed if drugs[name] in alike], n=3)
    return close or [name for name in listed if name.startswith(job_id)]


async def _scan_keys(job_id: str, redis: Any) -> list[str]:
    return [key async for key in redis.scan_iter(match=f"{JobKeys(job_id).prefix}*", count=1000)]


async def _scan_job_ids(redis: Any) -> list[str]:
    before, after = JobKeys("x").metadata.split("x", 1)
    found = [key async for key in redis.scan_iter(match=f"{before}*{after}", count=1000)]
    return sorted(key.removeprefix(before).removesuffix(after) for key in found)
