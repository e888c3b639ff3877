"""Reading a job's keys to check them: a part at a time, however large they are, or all at one moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from storm.store.client import StoreClient
from storm.store.keys import JobKeys

#: Entries that one call is to bring.
_AT_ONCE = 1_000


class Parts(Protocol):
    """The keys of a job as they are read."""

    async def whole(self, key: str) -> Mapping[str, str]:
        """All of a hash that is small, or that is read as one."""
        ...

    def hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        """A hash, some of its fields at a time."""
        ...

    async def list(self, key: str) -> Sequence[str]:
        """All of a list."""
        ...

    async def members(self, key: str) -> Sequence[str]:
        """All members of a sorted set, in their order."""
        ...

    async def size(self, key: str) -> int:
        """How many fields a hash has."""
        ...

    async def events(self, key: str, *, all_of_them: bool) -> tuple[int, Sequence[str]]:
        """How many events there are, and with `all_of_them` the stages that they say have begun."""
        ...


class LiveParts:
    """Each part as it is when it is read."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def whole(self, key: str) -> Mapping[str, str]:
        found: Mapping[str, str] = await self._client.run(lambda redis: redis.hgetall(key))
        return found

    async def hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        def after(cursor: int) -> asyncio.Task[Any]:
            return asyncio.create_task(self._client.run(partial(_scan, key, cursor), alone=True))

        under_way = after(0)
        try:
            while True:
                cursor, found = await under_way
                if cursor:
                    under_way = after(cursor)  # the server looks for them while these are worked on
                yield found
                if not cursor:
                    return
        finally:
            under_way.cancel()

    async def list(self, key: str) -> Sequence[str]:
        found: Sequence[str] = await self._client.run(lambda redis: redis.lrange(key, 0, -1))
        return found

    async def members(self, key: str) -> Sequence[str]:
        found: Sequence[str] = await self._client.run(lambda redis: redis.zrange(key, 0, -1))
        return found

    async def size(self, key: str) -> int:
        return int(await self._client.run(lambda redis: redis.hlen(key)))

    async def events(self, key: str, *, all_of_them: bool) -> tuple[int, Sequence[str]]:
        number = int(await self._client.run(lambda redis: redis.xlen(key)))
        entries = await self._client.run(lambda redis: redis.xrange(key), alone=True) if all_of_them else ()
        return number, _stages(entries)


class CopiedParts:
    """What all keys held at one moment."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    async def whole(self, key: str) -> Mapping[str, str]:
        found: Mapping[str, str] = self._values[key]
        return found

    async def hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        yield self._values[key]

    async def list(self, key: str) -> Sequence[str]:
        found: Sequence[str] = self._values[key]
        return found

    async def members(self, key: str) -> Sequence[str]:
        found: Sequence[str] = self._values[key]
        return found

    async def size(self, key: str) -> int:
        return len(self._values[key])

    async def events(self, key: str, *, all_of_them: bool) -> tuple[int, Sequence[str]]:
        entries = self._values[key]
        return len(entries), _stages(entries if all_of_them else ())


async def copied_parts(client: StoreClient, keys: JobKeys) -> CopiedParts:
    """A copy of all that the job has but its hits, of which only the identifiers."""
    asked = await client.run(lambda redis: redis.hget(keys.metadata, "questions"), alone=True)
    while True:
        values = await _copy(client, keys, (asked or "").split())
        planned = values[keys.metadata].get("questions")
        if planned == asked:
            return CopiedParts(values)
        asked = planned  # by a plan that was made in between


async def _copy(client: StoreClient, keys: JobKeys, questions: Sequence[str]) -> Mapping[str, Any]:
    """What all keys hold, with those of these questions."""
    names = [
        keys.metadata, keys.sources, keys.identifiers, keys.hits, keys.citations, keys.journal, keys.stages,
        keys.events, keys.spending, *map(keys.question, questions),
    ]  # fmt: skip

    async def read(redis: Any) -> Sequence[Any]:
        async with redis.pipeline(transaction=True) as pipe:
            pipe.hgetall(keys.metadata).hgetall(keys.sources).hgetall(keys.identifiers).hkeys(keys.hits)
            pipe.hgetall(keys.citations).lrange(keys.journal, 0, -1).hgetall(keys.stages).xrange(keys.events)
            pipe.hgetall(keys.spending)
            for question in questions:
                pipe.zrange(keys.question(question), 0, -1)
            answers: Sequence[Any] = await pipe.execute()
        return answers

    return dict(zip(names, await client.run(read, alone=True), strict=True))


async def _scan(key: str, cursor: int, redis: Any) -> Any:
    return await redis.hscan(key, cursor, count=_AT_ONCE)


def _stages(entries: Sequence[tuple[str, Mapping[str, str]]]) -> Sequence[str]:
    return [fields["message"] for _, fields in entries if fields["kind"] == "stage"]
