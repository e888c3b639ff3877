"""The lease of a job: held by one process at a time, and renewed while that runs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType

from storm.errors import Code, JobCancelled, JobHeld, LeaseLost, StoreError, StoreUnavailable, UnknownJob
from storm.models import JobState
from storm.ports import EventSink
from storm.store.client import CachedProgress, JobScripts, StoreClient
from storm.store.events import EventSinks
from storm.store.holder import Holder

#: Milliseconds that a lease lasts without renewal.
LEASE_MS = 15_000

#: Seconds between two renewals, and until a cancelled job, or one taken by another process, stops.
RENEWED_EVERY = 1.5


class Lease:
    """A held lease; leaving its context releases it. `lost` says that another process may now work on the job."""

    def __init__(
        self, client: StoreClient, job_id: str, value: str, renewed_every: float, sinks: EventSinks | None
    ) -> None:
        self.job_id = job_id
        self.value = value
        self.sinks = sinks
        self.lost = False
        self.questions: tuple[str, ...] | None = None
        self.cached_progress: CachedProgress | None = None
        self.has_unconfirmed_write = False
        self._scripts = JobScripts(client, job_id, self)
        self._on_loss: Callable[[], object] | None = None
        self._renewal = asyncio.create_task(self._keep_renewing(renewed_every), name=f"lease of {job_id}")

    @classmethod
    async def take(
        cls,
        client: StoreClient,
        job_id: str,
        *,
        seen: JobState = JobState.QUEUED,
        sinks: Sequence[EventSink] = (),
        renewed_every: float = RENEWED_EVERY,
    ) -> Lease:
        """Take the job's lease, at once if its holder was a process of this host that has ended.

        JobHeld while the holder lives, JobCancelled if the job was cancelled after it was `seen` in that state. The
        job's events also go to the `sinks`.
        """
        scripts = JobScripts(client, job_id, None)
        value = Holder.of_this_process(client.clock()).to_json()
        taken_over = ""
        while answer := await scripts.run_as_holder("acquire_lease", value, LEASE_MS, taken_over, seen.value):
            if not answer[0]:
                raise cancelled_job_error(job_id)
            taken_over = require_ended_holder(job_id, *answer, known=taken_over)
        return cls(client, job_id, value, renewed_every, EventSinks(sinks) if sinks else None)

    @contextlib.contextmanager
    def stopping_task(self) -> Iterator[None]:
        """Stop the current task with LeaseLost as soon as the lease is found lost."""
        task = asyncio.current_task()
        assert task is not None, "a lease is taken by a task"
        self._on_loss = task.cancel
        try:
            yield
        except asyncio.CancelledError:
            if not self.lost or task.uncancel():
                raise
            raise LeaseLost(
                f"this process no longer holds {self.job_id}; nothing was written",
                code=Code.LEASE_LOST,
                job=self.job_id,
            ) from None
        finally:
            self._on_loss = None

    async def release(self) -> None:
        """Release the lease; a lost one is left to its new holder."""
        await self._stop_renewing()
        if not self.lost:
            self.lost = True
            # In a separate task: this one may be cancelled, and the lease must still be released.
            with contextlib.suppress(UnknownJob):  # deleted, and its lease with it
                await asyncio.shield(self._scripts.run_as_holder("release_lease", self.value))

    async def __aenter__(self) -> Lease:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, StoreUnavailable):  # it cannot be released, and expires by itself
            await self._stop_renewing()
            self.lost = True
        else:
            await self.release()

    async def _stop_renewing(self) -> None:
        self._renewal.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._renewal

    async def _keep_renewing(self, every: float) -> None:
        while not self.lost:
            await asyncio.sleep(every)
            try:
                self.lost = await self._scripts.run_as_holder("renew_lease", self.value, LEASE_MS) == 0
            except UnknownJob:
                self.lost = True
            except StoreError:
                continue  # the next write meets the same fault and raises it
        if self._on_loss:
            self._on_loss()


def require_ended_holder(job_id: str, value: str, milliseconds_left: int, *, known: str) -> str:
    """The lease's value if its holder has certainly ended; JobHeld if it may live, or if it was `known` before."""
    holder = Holder.from_json(value)
    if value == known or not holder.has_ended():
        raise _held_error(job_id, holder, milliseconds_left)
    return value


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
