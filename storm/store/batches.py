"""The batches of a store: the jobs of each, the process that works on it, and how its jobs ended."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from storm.errors import Code, JobHeld, StoreError, StoreSchemaError, UnknownJob, UsageError
from storm.store.client import StoreClient
from storm.store.holder import Holder, is_alive
from storm.store.keys import BATCH_INDEX, SCHEMA, BatchKeys
from storm.store.lease import LEASE_MS

_log = logging.getLogger("storm.store")

#: Rows in one command: it must not block others for long.
_AT_ONCE = 1_000
#: Seconds after which the lease of a batch is renewed.
_RENEWED_S = 5.0


class BatchRow(NamedTuple):
    """One job of a batch: its id, the options of its row as JSON, and its priority (a higher one starts first)."""

    job_id: str
    options: str
    priority: int = 0


class BatchState(NamedTuple):
    """What is known of a batch as a whole. `limits` is JSON; `held_since` is when the process that works on it began,
    as ISO 8601, empty if none does; `retries` is whether it was started to run failed jobs again, too; `ended` is how
    many jobs have an end."""

    name: str
    created: str
    total: int
    limits: str
    state: str
    held_since: str
    retries: bool = False
    ended: int = 0

    @property
    def is_held(self) -> bool:
        """Whether a process works on the batch."""
        return bool(self.held_since)

    @property
    def has_ended(self) -> bool:
        """Whether every job has an end, and no process works on the batch."""
        return not self.is_held and self.ended >= self.total


class BatchRegistry:
    """Creates and finds batches, and records how their jobs end."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def create(self, name: str, digest: str, rows: Sequence[BatchRow], limits: str) -> None:
        """Create the batch with these limits, or find it as it is; UsageError if the batch of that name has other
        jobs. One that a killed process left unfinished is replaced."""
        now = self._client.clock()
        fields = {"created": now.isoformat(), "limits": limits, "state": "open", "total": str(len(rows))}
        pairs = [part for pair in fields.items() for part in pair]
        is_own = await self._run(name, "create_batch", "", digest, *pairs)
        for start in range(0, max(1, len(rows)), _AT_ONCE):
            schema = SCHEMA if start + _AT_ONCE >= len(rows) else ""
            is_own = is_own and await self._run(name, "fill_batch", "", digest, schema, *_flatten_rows(rows, start))
        if not is_own:
            raise UsageError(
                f"there is already a batch {name}, and its rows or options are others",
                hint="give this one another name, or give the same rows",
                code=Code.BATCH_EXISTS,
            )
        await self._client.run_command(lambda redis: redis.zadd(BATCH_INDEX, {name: now.timestamp()}, nx=True))

    async def get(self, name: str) -> BatchState:
        """What is known of the batch; UnknownJob if there is none."""
        keys = BatchKeys(name)
        names = ("retries", "schema", "created", "total", "limits", "state")
        retries, schema, *values = await self._client.run_command(lambda redis: redis.hmget(keys.metadata, names))
        if schema is None:
            raise UnknownJob(f"there is no batch {name} in this store", code=Code.BATCH_UNKNOWN)
        if schema != SCHEMA or None in values:
            raise StoreSchemaError(f"the batch {name} is damaged or of another version of storm", hint="start it again")
        lease = await self._client.run_command(lambda redis: redis.get(keys.lease))
        ended = await self._client.run_command(lambda redis: redis.hlen(keys.ended))
        created, total, limits, state = values
        return BatchState(name, created, int(total), limits, state, _find_since(lease), bool(retries), int(ended))

    async def all(self) -> tuple[list[BatchState], list[str]]:
        """All batches, newest first, and the names of those that are damaged or of another version."""
        names = await self.names()
        found = await asyncio.gather(*map(self.get, names), return_exceptions=True)
        batches: list[BatchState] = []
        unreadable: list[str] = []
        for name, one in zip(names, found, strict=True):
            if isinstance(one, BatchState):
                batches.append(one)
            elif isinstance(one, StoreSchemaError):
                unreadable.append(name)
            elif not isinstance(one, UnknownJob):  # it expired at this moment
                raise one
        return batches, unreadable

    async def delete(self, name: str) -> None:
        """Delete the batch; its jobs stay. UnknownJob if there is none, JobHeld while a process works on it."""
        if name not in await self.names():
            raise UnknownJob(f"there is no batch {name} in this store", code=Code.BATCH_UNKNOWN)
        async with self.hold(name):
            first, *others = BatchKeys(name).all_keys()
            await self._client.run_command(lambda redis: redis.delete(first, *others))
            await self._client.run_command(lambda redis: redis.zrem(BATCH_INDEX, name))

    async def names(self) -> list[str]:
        """The names of all batches, newest first; expired ones are removed from the index."""
        listed = await self._client.run_command(lambda redis: redis.zrange(BATCH_INDEX, 0, -1, desc=True))
        there = await asyncio.gather(*map(self._exists, listed))
        if gone := [name for name, exists in zip(listed, there, strict=True) if not exists]:
            await self._client.run_command(lambda redis: redis.zrem(BATCH_INDEX, *gone))
        return [name for name, exists in zip(listed, there, strict=True) if exists]

    async def _exists(self, name: str) -> bool:
        return bool(await self._client.run_command(lambda redis: redis.exists(BatchKeys(name).metadata)))

    async def job_ids(self, name: str) -> list[str]:
        """The jobs of the batch, in the order in which they start."""
        found: list[str] = await self._client.run_command(lambda redis: redis.zrange(BatchKeys(name).order, 0, -1))
        return found

    async def options(self, name: str, job_id: str) -> str:
        """The options of a job's row, as JSON; UnknownJob if the batch has no such job."""
        found: str | None = await self._client.run_command(lambda redis: redis.hget(BatchKeys(name).rows, job_id))
        if found is None:
            raise UnknownJob(f"the batch {name} has no job {job_id}", code=Code.BATCH_UNKNOWN)
        return found

    async def all_options(self, name: str) -> Mapping[str, str]:
        """The options of every row, by its job's id."""
        found: dict[str, str] = await self._client.run_command(lambda redis: redis.hgetall(BatchKeys(name).rows))
        return found

    async def running(self, name: str) -> set[str]:
        """The jobs that were handed over and whose end is not recorded."""
        return set(await self._client.run_command(lambda redis: redis.smembers(BatchKeys(name).running)))

    async def ended(self, name: str) -> Mapping[str, str]:
        """How jobs ended, as JSON by their ids."""
        found: dict[str, str] = await self._client.run_command(lambda redis: redis.hgetall(BatchKeys(name).ended))
        return found

    async def last_change(self, name: str) -> str:
        """The id of the last change: another one means that a job began or ended since."""
        found = await self._client.run_command(lambda redis: redis.xrevrange(BatchKeys(name).changes, count=1))
        return str(found[0][0]) if found else ""

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[str]:
        """Hold the batch, and yield the lease's token; JobHeld while another process works on it.

        If the store does not answer, the lease may expire meanwhile; `begin_job` then lets no job start.
        """
        token = Holder.of_this_process(self._client.clock()).to_json()
        keys = BatchKeys(name)
        before = await self._client.run_command(lambda redis: redis.get(keys.lease))
        dead = before if before and not is_alive(before) else ""
        if await self._run(name, "hold_batch", token, LEASE_MS, dead) != token:
            raise JobHeld(
                f"another process works on the batch {name}; nothing was started here", code=Code.BATCH_HELD, batch=name
            )
        renewal = asyncio.create_task(self._renew(name, token))
        try:
            yield token
        finally:
            renewal.cancel()
            with suppress(asyncio.CancelledError):
                await renewal
            with suppress(StoreError):  # the lease ends by itself, and an error of the work itself is the one to show
                await self._run(name, "release_batch", token)

    async def _renew(self, name: str, token: str) -> None:
        while True:
            await asyncio.sleep(_RENEWED_S)
            try:
                if await self._run(name, "hold_batch", token, LEASE_MS, "") != token:
                    return
            except StoreError as error:  # the next time it may be there again
                _log.warning("batch_lease_not_renewed batch=%s why=%s", name, error.message)

    async def begin_job(self, name: str, token: str, job_id: str) -> bool:
        """Record that a job is handed over; False if the batch was cancelled, or its lease no longer has this token."""
        return bool(await self._run(name, "begin_batch_job", token, job_id))

    async def end_job(self, name: str, job_id: str, ending: str) -> None:
        """Record how a job ended, as JSON; nothing if the batch, or the job in it, is gone."""
        await self._run(name, "end_batch_job", "", job_id, ending)

    async def cancel(self, name: str) -> None:
        """Let no further job of the batch start, until it is started again."""
        await self.get(name)
        await self._client.run_command(lambda redis: redis.hset(BatchKeys(name).metadata, "state", "cancelled"))

    async def reopen(self, name: str, limits: str = "", *, retries: bool = False) -> None:
        """Let jobs of the batch, which the caller holds, start again, with `retries` the failed ones, too; with
        `limits` (JSON), within these."""
        fields = {"state": "open", "retries": "1" if retries else "", **({"limits": limits} if limits else {})}
        await self._client.run_command(lambda redis: redis.hset(BatchKeys(name).metadata, mapping=fields))

    async def _run(self, name: str, script: str, token: str, *more: str | int) -> str | int:
        answer: str | int = await self._client.run_script(
            script, BatchKeys(name).all_keys(), (token, self._client.ttl_ms, *more)
        )
        return answer


def _flatten_rows(rows: Sequence[BatchRow], start: int) -> list[str | int]:
    """The arguments of fill_batch.lua for the rows from `start` on that one command writes."""
    part = enumerate(rows[start : start + _AT_ONCE], start)
    return [each for n, row in part for each in (row.job_id, n - row.priority * 10_000_000, row.options)]


def _find_since(lease: str | None) -> str:
    return Holder.from_json(lease).since if lease and is_alive(lease) else ""
