"""The lease of a job: held by one process at a time, and renewed while that runs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from storm.errors import Code, JobCancelled, JobHeld, LeaseLost, StoreError, StoreUnavailable, UnknownJob
from storm.models import JobState
from storm.store.client import CachedProgress, JobScripts, StoreClient
from storm.store.events import EventSinks
from storm.store.holder import Holder

if TYPE_CHECKING:
    from storm.ports import EventSink

#: Milliseconds that a lease lasts without renewal.
LEASE_MS = 15_000

#: Seconds between two renewals, and until a cancelled job, or one taken by another process, stops.
RENEWED_EVERY = 1.5


class Lease:
    """A lease; leaving its context releases it. `token` is its value in Redis (JSON of its Holder); `is_held` is False
    once it is released or lost, and another process may work on the job."""

    def __init__(
        self, client: StoreClient, job_id: str, token: str, renewed_every: float, sinks: EventSinks | None
    ) -> None:
        self.job_id = job_id
        self.token = token
        self.sinks = sinks
        self.is_held = True
        self.questions: tuple[str, ...] | None = None
        self.cached_progress: CachedProgress | None = None
        self.has_unconfirmed_write = False
        self._scripts = JobScripts(client, job_id, self)
        self._cancel_task: Callable[[], object] | None = None
        self._renewal = asyncio.create_task(self._keep_renewing(renewed_every), name=f"lease of {job_id}")

    @classmethod
    async def take(
        cls,
        client: StoreClient,
        job_id: str,
        *,
        expected_state: JobState = JobState.QUEUED,
        sinks: Sequence[EventSink] = (),
        renewed_every: float = RENEWED_EVERY,
    ) -> Lease:
        """Take the job's lease, at once if its holder was a process of this host that has ended.

        JobHeld while the holder lives, JobCancelled if the job was cancelled after the caller saw it in the
        `expected_state`. The job's events also go to the `sinks`.
        """
        scripts = JobScripts(client, job_id, None)
        token = Holder.of_this_process(client.clock()).to_json()
        ended = ""  # the token of a holder that has ended
        while reply := await scripts.run_as_holder("acquire_lease", token, LEASE_MS, ended, expected_state.value):
            held_by, milliseconds_left = reply
            if not held_by:
                raise cancelled_job_error(job_id)
            ended = require_ended_holder(job_id, held_by, milliseconds_left)
        return cls(client, job_id, token, renewed_every, EventSinks(sinks) if sinks else None)

    @contextlib.contextmanager
    def cancel_current_task_on_loss(self) -> Iterator[None]:
        """Cancel the current task, which ends with LeaseLost, as soon as the lease is found lost."""
        task = asyncio.current_task()
        assert task is not None, "a lease is taken by a task"
        self._cancel_task = task.cancel
        try:
            yield
        except asyncio.CancelledError:
            if self.is_held or task.uncancel():
                raise
            raise LeaseLost(
                f"this process no longer holds {self.job_id}; nothing was written",
                code=Code.LEASE_LOST,
                job=self.job_id,
            ) from None
        finally:
            self._cancel_task = None

    async def release(self) -> None:
        """Release the lease; a lost one is left to its new holder."""
        await self._stop_renewing()
        if self.is_held:
            self.is_held = False
            # In a separate task: this one may be cancelled, and the lease must still be released.
            with contextlib.suppress(UnknownJob):  # deleted, and its lease with it
                await asyncio.shield(self._scripts.run_as_holder("release_lease", self.token))

    async def __aenter__(self) -> Lease:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, StoreUnavailable):  # it cannot be released, and expires by itself
            await self._stop_renewing()
            self.is_held = False
        else:
            await self.release()

    async def _stop_renewing(self) -> None:
        self._renewal.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._renewal

    async def _keep_renewing(self, every: float) -> None:
        while self.is_held:
            await asyncio.sleep(every)
            try:
                self.is_held = bool(await self._scripts.run_as_holder("renew_lease", self.token, LEASE_MS))
            except UnknownJob:
                self.is_held = False
            except StoreError:
                continue  # the next write meets the same fault and raises it
        if self._cancel_task:
            self._cancel_task()


def require_ended_holder(job_id: str, token: str, milliseconds_left: int) -> str:
    """The lease's token if its holder has certainly ended; JobHeld if it may live."""
    holder = Holder.from_json(token)
    if not holder.has_ended():
        raise _held_error(job_id, holder, milliseconds_left)
    return token


def cancelled_job_error(job_id: str) -> JobCancelled:
    """The error for a process whose job was cancelled."""
    return JobCancelled(
        f"{job_id} was cancelled; what it found is kept",
        hint=f"reopen it: storm.resume({job_id!r})",
        code=Code.JOB_CANCELLED,
        job=job_id,
    )


def _held_error(job_id: str, holder: Holder, milliseconds_left: int) -> JobHeld:
    seconds = max(1, round(milliseconds_left / 1000))
    here = holder.host == socket.gethostname()
    left = "" if here else f" (if it has died, the job is free in {seconds} s)"
    return JobHeld(
        f"{job_id} is being worked on by process {holder.pid} on {holder.host} since {holder.since}{left}",
        hint=f"wait for it, or stop it: app.store.jobs.cancel({job_id!r})",
        code=Code.JOB_HELD,
        job=job_id,
    )
