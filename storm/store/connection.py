"""Opening the store: an external server by its URL, or the embedded one of the data directory."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from storm.errors import StoreError, StoreRefused, UsageError
from storm.store.client import PATIENCE, StoreClient
from storm.store.embedded import EmbeddedServer, find_engine
from storm.store.faults import translate
from storm.store.jobs import JobRegistry
from storm.store.keys import INDEX

#: The oldest server whose commands are all that we use.
_OLDEST = (6, 2)

_SCHEMES = ("redis", "rediss", "unix")


class StoreInfo(NamedTuple):
    """What the store is: `address` without its password, `memory_bytes` as the server counts them."""

    engine: str
    version: str
    address: str
    embedded: bool
    jobs: int
    memory_bytes: int
    persistent: bool


class Store(StoreClient):
    """An open store; leaving its context closes it, and shuts an embedded server down that nobody else uses."""

    def __init__(
        self,
        connect: Callable[..., Redis],
        *,
        address: str,
        job_ttl: timedelta,
        clock: Callable[[], datetime],
        server: EmbeddedServer | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._connect = connect
        self._server = server
        self._name = f"storm-{secrets.token_hex(8)}"
        super().__init__(
            connect(client_name=self._name, decode_responses=True, protocol=3, legacy_responses=False),
            address=address,
            job_ttl=job_ttl,
            clock=clock,
            revive=server.ensure_running if server else None,
            patience=patience,
        )
        self.jobs = JobRegistry(self)

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Give the connections back; an embedded server goes when no other client and no lease needs it."""
        await self._trips.drop()
        await self._redis.aclose()
        if self._server:
            await asyncio.to_thread(self._server.stop_if_unused, self._name)

    async def info(self) -> StoreInfo:
        """What the server says of itself."""
        said = await self.run(lambda redis: redis.info("default"))
        return StoreInfo(
            engine="valkey" if "valkey_version" in said else "redis",
            version=str(said.get("valkey_version", said["redis_version"])),
            address=self.address,
            embedded=self._server is not None,
            jobs=await self.run(lambda redis: redis.zcard(INDEX)),
            memory_bytes=int(said["used_memory"]),
            persistent=bool(said["aof_enabled"]) or await self._saves_snapshots(),
        )

    async def _saves_snapshots(self) -> bool:
        try:
            configured = await self._redis.config_get("save")
        except ResponseError:
            return False  # a hosted server that hides its configuration: not known to keep anything
        return bool(configured.get("save"))

    async def ping(self) -> None:
        """Whether it answers; an embedded server that another program has just shut down is started again."""
        await self.run(lambda redis: redis.ping())

    async def probe(self) -> None:
        """One write that changes nothing, not retried: what is wrong with the address is told at once."""
        try:
            await self._redis.zrem(INDEX, "")
            said = await self._redis.info("server")
        except RedisError as exc:
            raise translate(exc, self.address) from exc
        version = str(said["redis_version"])
        if tuple(map(int, version.split(".")[:2])) < _OLDEST:
            raise StoreRefused(f"the store at {self.address} is redis {version}; 6.2 or newer is needed")

    async def raw(self, args: list[str]) -> Any:
        """The server's plain answer to one command (RESP2, nothing decoded); StoreError for its errors."""
        plain: Any = self._connect(client_name=self._name, protocol=2)
        plain.response_callbacks.clear()
        async with plain:
            try:
                return await plain.execute_command(*args)
            except ResponseError as exc:
                raise StoreError(str(exc)) from exc
            except RedisError as exc:
                raise translate(exc, self.address) from exc


async def open_store(
    *,
    data_dir: Path,
    redis_url: str | None,
    job_ttl: timedelta,
    clock: Callable[[], datetime],
    patience: float = PATIENCE,
) -> Store:
    """The store at the URL, or the embedded one under `data_dir`.

    UsageError for a bad URL, StoreUnavailable where no server answers or can be started, StoreRefused where it
    refuses. `patience` is how many seconds a server may be away later on.
    """
    if redis_url:
        connect, address = _external(redis_url)
        server = None
    else:
        server = EmbeddedServer(data_dir, await asyncio.to_thread(find_engine))
        await asyncio.to_thread(server.ensure_running)
        connect, address = _embedded(server.socket), str(server.socket)
    store = Store(connect, address=address, job_ttl=job_ttl, clock=clock, server=server, patience=patience)
    try:
        await (store.ping() if server else store.probe())
    except StoreError:
        await store.close()
        raise
    return store


def _embedded(socket: Path) -> Callable[..., Redis]:
    def connect(**options: Any) -> Redis:
        return Redis(unix_socket_path=str(socket), retry=_never(), **options)

    return connect


def _external(url: str) -> tuple[Callable[..., Redis], str]:
    """How to connect, and the address without user and password. The client's own words on a bad URL are left out:
    they may quote the password."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in _SCHEMES:
            raise ValueError("scheme")
        address = parts.path if parts.scheme == "unix" else f"{parts.hostname or 'localhost'}:{parts.port or 6379}"
        Redis.from_url(url)
    except ValueError:
        raise UsageError(
            "STORM_REDIS_URL (or REDIS_URL) is not a Redis URL",
            hint="write redis://[:PASSWORD@]HOST[:PORT][/NUMBER], rediss://… or unix:///PATH",
        ) from None

    def connect(**options: Any) -> Redis:
        return Redis.from_url(url, retry=_never(), **options)

    return connect, address


def _never() -> Retry:
    """The client itself never tries again: StoreClient.run does, for a time it knows."""
    return Retry(NoBackoff(), 0)


async def raw_command(store: Store, args: list[str]) -> str:
    """What redis-cli prints for a command when it does not write to a terminal."""
    return "\n".join(_plain(await store.raw(args)))


def _plain(answer: Any) -> list[str]:
    if isinstance(answer, list):
        return [line for element in answer for line in _plain(element)]
    if isinstance(answer, bytes):
        return [answer.decode("utf-8", errors="replace")]
    return ["" if answer is None else str(answer)]
