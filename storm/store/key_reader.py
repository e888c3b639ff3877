"""Two ways to read the keys of a job for a check: in batches from the server, however large, or as an atomic copy."""

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from storm.store.client import StoreClient, script_text
from storm.store.keys import JobKeys
from storm.store.pipelining import start_request

#: Entries per call.
_AT_ONCE = 1_000
#: A number of entries that no job has: one call reads all.
_ALL = 1_000_000_000


class CheckedSources(NamedTuple):
    """Some sources, with counts by lua/check_sources.lua: those without a record, identifiers that lead to their
    source, and sources in the set of each of their questions."""

    stored: Mapping[str, str]
    without_record: int
    resolved_identifiers: int
    indexed: Mapping[str, int]


class KeyReader(Protocol):
    """A way to read the keys of a job: `ServerKeys` or `CopiedKeys`."""

    async def read_hash(self, key: str) -> Mapping[str, str]:
        """A whole hash that is small."""
        ...

    def scan_hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        """A hash, in batches of fields."""
        ...

    async def read_list(self, key: str) -> Sequence[str]:
        """A whole list."""
        ...

    def scan_sources(self, keys: JobKeys, questions: Sequence[str]) -> AsyncIterator[CheckedSources]:
        """The sources of the job, in batches."""
        ...

    async def count_members(self, key: str) -> int:
        """The number of members of a sorted set."""
        ...

    async def count_fields(self, key: str) -> int:
        """The number of fields of a hash."""
        ...

    async def read_events(self, key: str, *, with_stages: bool) -> tuple[int, Sequence[str]]:
        """The number of events, and with `with_stages` the stages that they say have begun."""
        ...


class ServerKeys:
    """Reads each key from the server when it is needed."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def read_hash(self, key: str) -> Mapping[str, str]:
        found: Mapping[str, str] = await self._client.run_command(lambda redis: redis.hgetall(key))
        return found

    async def scan_hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        async for _, found in _scan_parts(
            lambda cursor: self._client.run_command(partial(_scan_hash, key, cursor), pipelined=False)
        ):
            yield found

    async def scan_sources(self, keys: JobKeys, questions: Sequence[str]) -> AsyncIterator[CheckedSources]:
        names = _checked_keys(keys, questions)
        async for answer in _scan_parts(
            lambda cursor: self._client.run_script("check_sources", names, (cursor, _AT_ONCE), pipelined=False)
        ):
            yield _checked_sources(questions, answer)

    async def read_list(self, key: str) -> Sequence[str]:
        found: Sequence[str] = await self._client.run_command(lambda redis: redis.lrange(key, 0, -1))
        return found

    async def count_members(self, key: str) -> int:
        return int(await self._client.run_command(lambda redis: redis.zcard(key)))

    async def count_fields(self, key: str) -> int:
        return int(await self._client.run_command(lambda redis: redis.hlen(key)))

    async def read_events(self, key: str, *, with_stages: bool) -> tuple[int, Sequence[str]]:
        number = int(await self._client.run_command(lambda redis: redis.xlen(key)))
        if not with_stages:
            return number, ()
        return number, _begun_stages(await self._client.run_command(lambda redis: redis.xrange(key), pipelined=False))


class CopiedKeys:
    """Reads from an atomic copy of all keys."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    async def read_hash(self, key: str) -> Mapping[str, str]:
        found: Mapping[str, str] = self._values[key]
        return found

    async def scan_hash(self, key: str) -> AsyncIterator[Mapping[str, str]]:
        yield self._values[key]

    async def read_list(self, key: str) -> Sequence[str]:
        found: Sequence[str] = self._values[key]
        return found

    async def scan_sources(self, keys: JobKeys, questions: Sequence[str]) -> AsyncIterator[CheckedSources]:
        yield _checked_sources(questions, self._values[keys.sources])

    async def count_members(self, key: str) -> int:
        return int(self._values[key])

    async def count_fields(self, key: str) -> int:
        return int(self._values[key])

    async def read_events(self, key: str, *, with_stages: bool) -> tuple[int, Sequence[str]]:
        entries = self._values[key]
        return len(entries), _begun_stages(entries if with_stages else ())


async def copy_keys(client: StoreClient, keys: JobKeys) -> CopiedKeys:
    """An atomic copy of the job's keys; of some only the size."""
    asked = await client.run_command(lambda redis: redis.hget(keys.metadata, "questions"), pipelined=False)
    while True:
        values = await _copy_values(client, keys, (asked or "").split())
        planned = values[keys.metadata].get("questions")
        if planned == asked:
            return CopiedKeys(values)
        asked = planned  # a plan was stored in between


async def _copy_values(client: StoreClient, keys: JobKeys, questions: Sequence[str]) -> Mapping[str, Any]:
    """The values of all keys, including those of these questions."""
    names = [
        keys.metadata, keys.sources, keys.identifiers, keys.hits, keys.citations, keys.journal, keys.stages,
        keys.events, keys.spending, keys.exclusions, *map(keys.question, questions),
    ]  # fmt: skip

    async def read_all(redis: Any) -> Sequence[Any]:
        async with redis.pipeline(transaction=True) as pipe:
            checked = _checked_keys(keys, questions)
            pipe.hgetall(keys.metadata).eval(script_text("check_sources"), len(checked), *checked, 0, _ALL)
            pipe.hlen(keys.identifiers).hlen(keys.hits).hgetall(keys.citations).lrange(keys.journal, 0, -1)
            pipe.hgetall(keys.stages).xrange(keys.events).hgetall(keys.spending)
            pipe.hgetall(keys.exclusions)
            for question in questions:
                pipe.zcard(keys.question(question))
            answers: Sequence[Any] = await pipe.execute()
        return answers

    return dict(zip(names, await client.run_command(read_all, pipelined=False), strict=True))


async def _scan_parts(after: Callable[[int], Coroutine[Any, Any, Sequence[Any]]]) -> AsyncIterator[Sequence[Any]]:
    """The answers of a scan, each of which begins with the next cursor; 0 ends it."""
    in_flight = await start_request(after(0))
    try:
        while True:
            answer = await in_flight
            cursor = int(answer[0])
            if cursor:
                in_flight = await start_request(after(cursor))
            yield answer
            if not cursor:
                return
    finally:
        in_flight.cancel()


async def _scan_hash(key: str, cursor: int, redis: Any) -> Any:
    return await redis.hscan(key, cursor, count=_AT_ONCE)


def _checked_keys(keys: JobKeys, questions: Sequence[str]) -> Sequence[str]:
    return (keys.sources, keys.identifiers, keys.hits, *map(keys.question, questions))


def _checked_sources(questions: Sequence[str], answer: Sequence[Any]) -> CheckedSources:
    _, stored, without_record, resolved_identifiers, *indexed = answer
    values = dict(zip(stored[::2], stored[1::2], strict=True))
    return CheckedSources(values, without_record, resolved_identifiers, dict(zip(questions, indexed, strict=True)))


def _begun_stages(entries: Sequence[tuple[str, Mapping[str, str]]]) -> Sequence[str]:
    return [fields["message"] for _, fields in entries if fields["kind"] == "stage"]
