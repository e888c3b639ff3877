"""Sending commands and scripts to the server: retried while it is away; redis-py's errors become storm's."""

import asyncio
import hashlib
import itertools
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import JsonValue
from redis.asyncio import Redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import NoScriptError, RedisError

from storm.errors import Code, LeaseLost, StepMismatch, UnknownJob
from storm.models import CollectionProgress, Event
from storm.store.events import EventSinks, read_event, shorten_message
from storm.store.faults import is_loading, is_transient, translate_error, unwrap_pipeline_error
from storm.store.keys import SCHEMA, JobKeys
from storm.store.pipelining import AutoPipeline, Command

#: Seconds that a server may be away during a job before the job gives up.
PATIENCE = 20.0

_Reply = TypeVar("_Reply")

_LUA = Path(__file__).parent / "lua"

#: Shared Lua files that a script needs before it.
_INCLUDES = {
    "limit": (), "list_jobs": (), "delete_job": (), "find_records": ("records",), "find_source": ("records",),
    "remove_submission": (), "count_missing": (), "list_sources": ("records",), "check_sources": ("records",),
    "find_record_headers": ("records",), "find_record_summaries": ("records",),
    "save_source": ("guard", "sources"), "refile_source": ("guard", "sources"),
    "register_citation": ("guard", "sources"),
    "record_hits": ("guard", "sources", "hits"), "log_search": ("guard", "sources", "hits"),
    "hold_batch": ("batch",), "release_batch": ("batch",), "begin_batch_job": ("batch",), "end_batch_job": ("batch",),
    "create_batch": ("batch",), "fill_batch": ("batch",),
}  # fmt: skip


@cache
def script_text(name: str) -> str:
    """The Lua source of one script, with the shared files it needs."""
    parts = (*_INCLUDES.get(name, ("guard",)), name)
    return "\n".join((_LUA / f"{part}.lua").read_text(encoding="utf-8") for part in parts)


@cache
def _script_digest(name: str) -> str:
    """The SHA-1 digest by which the server caches a script."""
    return hashlib.sha1(script_text(name).encode(), usedforsecurity=False).hexdigest()


class StoreClient:
    """A client with one connection pool. `revive` restarts a dead embedded server; an external one is waited for."""

    def __init__(
        self,
        redis: Redis,
        *,
        address: str,
        job_ttl: timedelta,
        clock: Callable[[], datetime],
        revive: Callable[[], None] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.address = address
        self.clock = clock
        self.ttl_ms = int(job_ttl / timedelta(milliseconds=1))
        self._redis = redis
        self._revive = revive
        self._patience = patience
        self._backoff = ExponentialWithJitterBackoff(cap=2, base=0.1)
        self._pipeline = AutoPipeline(redis)
        self._known_scripts: set[str] = set()
        self.resend_count = 0  # how often a command was sent again: the server may have lost data meanwhile

    async def run_command(self, command: Command, *, pipelined: bool = True) -> Any:
        """Run a command and return its reply. After a lost connection it is sent again, so it must be idempotent; only
        an event, or a change of a batch, may then be in its stream twice.

        Commands of the same moment share one round trip, in order; one that is slow, urgent, or several commands is
        sent separately, with `pipelined=False`.
        """
        began = time.monotonic()
        for failures in itertools.count(1):
            try:
                return await self._pipeline.request_reply(command, pipelined=pipelined)
            except NoScriptError:
                raise
            except RedisError as exc:
                if not is_transient(exc):
                    raise translate_error(exc, self.address) from exc
                self.resend_count += 1
                pause = self._backoff.compute(failures)
                if time.monotonic() + pause - began > self._patience:
                    raise translate_error(exc, self.address) from exc
            if self._revive and failures % 2:  # and again: what seemed alive may have been about to end
                await asyncio.to_thread(self._revive)
            else:
                await asyncio.sleep(pause)
        raise AssertionError("unreachable: the loop above only ends by returning or raising")

    async def run_transaction(self, *commands: Command) -> Sequence[Any]:
        """Run these commands atomically, in one MULTI, and return their replies; sent again as in `run_command`."""

        async def run_all(redis: Any) -> Sequence[Any]:
            async with redis.pipeline(transaction=True) as pipe:
                for command in commands:
                    command(pipe)
                try:
                    replies: Sequence[Any] = await pipe.execute()
                except RedisError as exc:
                    raise unwrap_pipeline_error(exc) from exc
            return replies

        replies: Sequence[Any] = await self.run_command(run_all, pipelined=False)
        return replies

    async def retry_while_loading(self, request: Callable[[], Awaitable[_Reply]]) -> _Reply:
        """The reply to `request`, which is repeated only while the server is loading its data."""
        began = time.monotonic()
        for failures in itertools.count(1):
            try:
                return await request()
            except RedisError as exc:
                pause = self._backoff.compute(failures) if is_loading(exc) else math.inf
                if time.monotonic() + pause - began > self._patience:
                    raise translate_error(exc, self.address) from exc
            await asyncio.sleep(pause)
        raise AssertionError("unreachable: the loop above only ends by returning or raising")

    async def run_script(
        self, name: str, keys: Sequence[str], args: Sequence[str | int | bytes], *, pipelined: bool = True
    ) -> Any:
        """Run one of lua/*.lua by its digest; its source is sent if the server does not have it."""
        if name in self._known_scripts:
            with suppress(NoScriptError):
                return await self.run_command(
                    lambda redis: redis.evalsha(_script_digest(name), len(keys), *keys, *args), pipelined=pipelined
                )
        reply = await self.run_command(
            lambda redis: redis.eval(script_text(name), len(keys), *keys, *args), pipelined=pipelined
        )
        self._known_scripts.add(name)
        return reply


class CachedProgress(NamedTuple):
    """The progress of a collection, as of this many resent commands and changes of its counts."""

    resend_count: int
    changes: int
    progress: CollectionProgress


class LeaseState(Protocol):
    """What a script must know of a lease. Only its holder changes the collection, so what is cached here stays true,
    unless a write was cancelled and nobody knows its result (`has_unconfirmed_write`). `sinks` get the job's events."""

    questions: tuple[str, ...] | None
    cached_progress: CachedProgress | None
    has_unconfirmed_write: bool
    sinks: EventSinks | None

    @property
    def token(self) -> str: ...

    @property
    def is_held(self) -> bool: ...


class JobScripts:
    """Runs the scripts of one job with its keys, lease and time to live."""

    def __init__(self, client: StoreClient, job_id: str, lease: LeaseState | None) -> None:
        self.client = client
        self.keys = JobKeys(job_id)
        self._lease = lease
        self._known_questions: tuple[str, ...] = ()

    async def read_questions(self) -> tuple[str, ...]:
        """The keys of the job's questions, in order; empty without a plan. UnknownJob if there is no such job."""
        known = self._cached_questions
        if known is None:
            text = await self.client.run_command(lambda redis: redis.hget(self.keys.metadata, "questions"))
            if text is None:
                raise UnknownJob(f"there is no job {self.keys.job_id} in this store", code=Code.JOB_UNKNOWN)
            known = self._cached_questions or tuple(text.split())  # others may have been set meanwhile
            self._cache_questions(known)
        return known

    @property
    def _cached_questions(self) -> tuple[str, ...] | None:
        """The cached questions. Only the lease's holder sets them; a reader reads again until there are some."""
        return self._lease.questions if self._lease else self._known_questions or None

    def _cache_questions(self, questions: tuple[str, ...]) -> None:
        if self._lease:
            self._lease.questions = questions
        else:
            self._known_questions = questions

    async def set_questions(self, questions: Sequence[str]) -> None:
        """Write the job's questions; they can be replaced while no source is filed.

        StepMismatch, and nothing written, if sources are filed under other questions.
        """
        before, wanted = await self.read_questions(), tuple(questions)
        if before == wanted:
            return
        self._cache_questions(wanted)  # the call names their keys
        try:
            written, *progress = await self.run_write("set_questions", " ".join(wanted))
        except BaseException:
            self._cache_questions(before)
            raise
        if not written:
            self._cache_questions(before)
            raise StepMismatch(
                f"sources of {self.keys.job_id} are filed under other questions: {', '.join(before)}",
                hint="nothing was written; start another job for these",
            )
        await self.cache_progress(progress)

    async def read_progress(self) -> CollectionProgress:
        """The collection's progress; from the cache where this process holds the lease."""
        lease = self._lease
        known = lease.cached_progress if lease and lease.is_held and not lease.has_unconfirmed_write else None
        if known and known.resend_count == self.client.resend_count:
            return known.progress
        return await self.cache_progress(await self.run_read("progress"))

    async def cache_progress(self, reply: Sequence[Any]) -> CollectionProgress:
        """Cache and return the progress in a script's reply (`describe_progress` in guard.lua); report its events."""
        appended, changes, total, dropped, databases, *counts = reply
        by_question = dict(zip(await self.read_questions(), counts, strict=True)) if counts else {}
        progress = CollectionProgress(by_question, total, tuple(sorted(json.loads(databases))), dropped)
        found = CachedProgress(self.client.resend_count, changes, progress)
        if self._lease and (self._lease.cached_progress is None or found[:2] >= self._lease.cached_progress[:2]):
            self._lease.cached_progress = found
        await self.notify_sinks(appended)
        return progress

    async def report_event(self, kind: str, message: str, progress: float, data: Mapping[str, JsonValue]) -> None:
        """Append an event to the stream, and pass it to the sinks."""
        at, stored = self.client.clock().isoformat(), json.dumps(data, ensure_ascii=False)
        await self.notify_sinks(
            await self.run_write("report_event", at, kind, shorten_message(message), stored, f"{progress:.4f}")
        )

    async def report_detail(self, kind: str, message: str, data: Mapping[str, JsonValue]) -> None:
        """Pass an event that the stream does not have to the sinks that take details."""
        if self._lease is None or self._lease.sinks is None:
            return
        at, job_id = self.client.clock(), self.keys.job_id
        event = Event(job_id=job_id, at=at, kind=kind, message=shorten_message(message), data=dict(data))
        await self._report_faults(await self._lease.sinks.write_detail(event))

    async def notify_sinks(self, appended: Sequence[Sequence[str]]) -> None:
        """Pass appended events (`append_event` in guard.lua) to the sinks; a failed sink is reported in the stream."""
        if self._lease is None or self._lease.sinks is None:
            return
        for entry_id, *fields in appended:
            event = read_event(self.keys.job_id, entry_id, dict(zip(fields[::2], fields[1::2], strict=True)))
            await self._report_faults(await self._lease.sinks.write(event))

    async def _report_faults(self, faults: Sequence[str]) -> None:
        for fault in faults:
            await self.report_event("observer", f"an event sink failed and gets no more events: {fault}", 0.0, {})

    async def run_write(self, name: str, *args: str | int) -> Any:
        """Run a script that changes the job; LeaseLost, and nothing written, if this process holds no lease on it."""
        if self._lease is None:
            raise LeaseLost(f"{self.keys.job_id} was opened for reading only; nothing was written")
        if not self._lease.is_held:
            raise LeaseLost(
                f"this process no longer holds {self.keys.job_id}; nothing was written",
                code=Code.LEASE_LOST,
                job=self.keys.job_id,
            )
        try:
            return await self.run_as_holder(name, self._lease.token, *args)
        except asyncio.CancelledError:
            self._lease.has_unconfirmed_write = True
            raise

    async def run_read(self, name: str) -> Any:
        """Run a script that only reads; it needs no lease."""
        return await self.run_as_holder(name, "")

    async def run_as_holder(self, name: str, token: str, *args: str | int) -> Any:
        """Run a script with this lease token, as needed to acquire, renew and release the lease itself."""
        keys = self.keys.all_keys(await self.read_questions())
        return await self.client.run_script(name, keys, (token, self.client.ttl_ms, SCHEMA, *args))
