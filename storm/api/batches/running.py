"""Carry out the jobs of a batch, several at a time, in this process or by another executor (workers)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from inspect import isawaitable
from typing import Any, NamedTuple

from pydantic import Field

from storm.api.batches.rows import Questions, make_request
from storm.api.batches.status import BatchTable, read_batch, read_ending, read_spent
from storm.app import App
from storm.errors import (
    Code,
    JobHeld,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    StormError,
    UnknownJob,
    UsageError,
)
from storm.models import JobState, is_job_of_request
from storm.models.base import Frozen
from storm.ports import EventSink, JobExecutor, Observer

#: States of jobs that a batch runs when it is started again.
_MISSING = ("waiting", "gone", JobState.QUEUED, JobState.RUNNING, JobState.INTERRUPTED, JobState.CANCELLED)
_FAILED = (JobState.FAILED, "refused")
_ENDED = (JobState.FINISHED, JobState.FAILED, JobState.CANCELLED)
#: States of jobs that a batch does not run again by itself.
_DONE = (JobState.FINISHED, *_FAILED, "damaged")
#: Seconds between two checks of a job that another process carries out.
_PAUSE = 1.0
#: How often a cancelled batch is checked for jobs that were just being handed over.
_CHECKS = 20


class BatchLimits(Frozen):
    """What the jobs of a batch may spend together.

        storm.run_many(["trastuzumab", "metformin"], batch_limits=storm.BatchLimits(usd=20))

    In US dollars, tokens and calls of models; None means no limit.
    """

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    calls: int | None = Field(default=None, gt=0)


class JobEnd(NamedTuple):
    """How a job of a batch ended: its state and why, and the error that was raised here, if any."""

    job_id: str
    state: str
    reason: str
    error: StormError | None


OnEnd = Callable[[JobEnd], Awaitable[object] | object]


class LocalExecutor:
    """Carries out jobs in this process."""

    def __init__(self, app: App, observer: Observer | EventSink | None = None) -> None:
        self._app, self._observer = app, observer

    async def execute(self, job_id: str) -> None:
        """Work on the job to its end, unless it has ended or was cancelled."""
        job = await self._app.store.jobs.get(job_id)
        if job.state not in (JobState.FINISHED, JobState.CANCELLED):
            await self._app.work(job_id, self._observer, expected_state=job.state)


async def run_batch(
    app: App,
    name: str,
    executor: JobExecutor,
    at_once: int = 4,
    *,
    retry: bool = False,
    limits: BatchLimits | None = None,
    on_end: OnEnd | None = None,
) -> str:
    """Carry out the jobs of a batch that have not ended, with `retry` also those that failed; a cancelled batch is
    reopened. `limits` replace its own. `on_end` gets each job's end; what it raises ends the batch.

    Returns why no further job was started; empty if all were. JobHeld while another process works on the batch.
    """
    if at_once < 1:
        raise UsageError(f"{at_once} jobs at a time are too few", hint="give at least 1")
    await app.store.batches.get(name)  # raises for an unknown batch before anything is written
    async with app.store.batches.hold(name) as token:
        await app.store.batches.reopen(name, limits.model_dump_json() if limits else "", retries=retry)
        table = await read_batch(app, name)
        wanted = (*_MISSING, *_FAILED) if retry else _MISSING
        run = _BatchRun(app, name, token, executor, on_end, BatchLimits.model_validate_json(table.batch.limits))
        jobs = iter([job.job_id for job in table.jobs if job.state in wanted])
        run.load_spending(table)
        await run.record_earlier_ends(table)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(run.carry_out(jobs))
        except ExceptionGroup as faults:
            raise faults.exceptions[0] from None
        return run.stopped


class _BatchRun:
    """The state of a batch while this process works on it."""

    def __init__(
        self,
        app: App,
        name: str,
        token: str,
        executor: JobExecutor,
        on_end: OnEnd | None,
        limits: BatchLimits,
    ) -> None:
        self._app, self._name, self._token = app, name, token
        self._executor, self._on_end, self._limits = executor, on_end, limits
        self._ended: dict[str, Mapping[str, Any]] = {}
        self._working: set[str] = set()
        self.stopped = ""
        self._questions = Questions(app.settings)

    def load_spending(self, table: BatchTable) -> None:
        """Take the spending of ended jobs from the table; that of the others is read while they run."""
        begun = [job for job in table.jobs if job.state not in ("waiting", "gone")]
        self._ended = {job.job_id: job._asdict() for job in begun if job.has_ended}
        self._working = {job.job_id for job in begun if not job.has_ended}

    async def record_earlier_ends(self, table: BatchTable) -> None:
        """Record the ends of jobs that finished outside of this batch."""
        recorded = await self._app.store.batches.ended(self._name)
        for job in table.jobs:
            if job.state == JobState.FINISHED and job.job_id not in recorded:
                ending = json.dumps(await read_ending(self._app, job.job_id), ensure_ascii=False)
                await self._app.store.batches.end_job(self._name, job.job_id, ending)

    async def carry_out(self, jobs: Iterator[str]) -> None:
        """Carry out jobs one after the other, until none is left or none may start."""
        for job_id in jobs:
            self.stopped = self.stopped or await self._find_limit()
            if self.stopped:
                return
            if not await self._app.store.batches.begin_job(self._name, self._token, job_id):
                self.stopped = "the batch was cancelled, or another process works on it"
                return
            self._working.add(job_id)
            began = asyncio.get_running_loop().time()
            ending, error = await self._carry_out_job(job_id)
            ending["minutes"] = round((asyncio.get_running_loop().time() - began) / 60, 2)
            self._working.discard(job_id)
            self._ended[job_id] = ending
            if ending["state"] in (*_ENDED, "refused"):
                await self._app.store.batches.end_job(self._name, job_id, json.dumps(ending, ensure_ascii=False))
            if self._on_end:
                pending = self._on_end(JobEnd(job_id, ending["state"], ending["reason"], error))
                if isawaitable(pending):
                    await pending

    async def _carry_out_job(self, job_id: str) -> tuple[dict[str, Any], StormError | None]:
        """How the job ended, by its record, and the error that was raised; a job that could not be created, or was
        deleted, counts as refused."""
        failure: StormError | None = None
        try:
            await self._prepare_job(job_id)
            await self._executor.execute(job_id)
        except (StoreUnavailable, StoreRefused):  # nothing more can be done in this batch
            raise
        except StormError as error:
            failure = error
        try:
            if isinstance(failure, JobHeld):
                await self._wait_for_other(job_id)
                failure = None
            return await read_ending(self._app, job_id), failure
        except (StoreUnavailable, StoreRefused):
            raise
        except UnknownJob:
            reason = failure.message if failure else "its record is gone"
            exit_code = failure.exit_code if failure else 1
            return self._describe("refused", exit_code, reason), failure
        except StoreError as error:  # of this job alone: its record is damaged
            return self._describe("damaged", error.exit_code, error.message), error

    def _describe(self, state: str, exit_code: int, reason: str) -> dict[str, Any]:
        at = self._app.store.clock().isoformat()
        return {"state": state, "exit_code": exit_code, "reason": reason, "at": at}

    async def _prepare_job(self, job_id: str) -> None:
        """Create the job from its row, unless it exists; reopen it if it was cancelled."""
        (found,) = await self._app.store.jobs.summaries([job_id])
        if found != "gone":
            await self._app.store.jobs.reopen(job_id)
            return
        row = json.loads(await self._app.store.batches.options(self._name, job_id))
        request = make_request(row, self._app.settings, self._questions)
        if not is_job_of_request(job_id, request):
            raise UsageError("a file that its row names, or a setting, has changed since", hint="start a new batch")
        try:
            await self._app.start(request, job_id)
        except UsageError as error:
            if error.code is not Code.JOB_EXISTS:
                raise

    async def _wait_for_other(self, job_id: str) -> None:
        while True:
            if (await self._app.store.jobs.get(job_id)).state is not JobState.RUNNING:
                return
            await asyncio.sleep(_PAUSE)

    async def _find_limit(self) -> str:
        """Which limit of the batch is reached; empty if none is."""
        limits = self._limits.model_dump(exclude_none=True)
        if not limits:
            return ""
        spent = await read_spent(self._app, sorted(self._working - self._ended.keys()))
        amounts = {"usd": spent.usd or 0.0, "tokens": spent.tokens, "calls": spent.calls}
        for what in amounts:
            amounts[what] += sum(ending.get(what) or 0 for ending in self._ended.values())
        for what, limit in limits.items():
            if amounts[what] >= limit:
                unit = "dollars" if what == "usd" else what
                return f"the batch's limit of {limit:,} {unit} is reached ({amounts[what]:,.6g} spent)"
        return ""


async def stop_batch(app: App, name: str) -> list[str]:
    """Start no further job of the batch and cancel those that run; their ids. UsageError if all have ended."""
    batches = app.store.batches
    table = await read_batch(app, name)
    if not table.batch.is_held and all(job.state in _DONE for job in table.jobs):
        raise UsageError(f"the batch {name} has ended: there is nothing to cancel", code=Code.BATCH_ENDED, batch=name)
    await batches.cancel(name)
    stopped: dict[str, None] = {}
    for _ in range(_CHECKS):  # a job that is just being handed over is created after the first check
        running = sorted(await batches.running(name))
        for job_id, found in zip(running, await app.store.jobs.summaries(running), strict=True):
            if not isinstance(found, str) and found.state not in _ENDED:
                await app.store.jobs.cancel(job_id)
                await app.store.submissions.withdraw_job(job_id)
                stopped[job_id] = None
        if not running or not (await batches.get(name)).is_held:
            break
        await asyncio.sleep(_PAUSE / 4)
    return list(stopped)
