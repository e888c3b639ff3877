"""Opening the store: an external server by its URL, or the embedded one of the data directory."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from redis.asyncio import ConnectionPool, Redis, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from storm.errors import Code, StoreError, StoreRefused, UsageError
from storm.store.addresses import check_address
from storm.store.batches import BatchRegistry
from storm.store.client import PATIENCE, StoreClient
from storm.store.embedded import EmbeddedServer
from storm.store.faults import translate_error
from storm.store.jobs import JobRegistry
from storm.store.keys import INDEX
from storm.store.server_program import ServerProgram, find_binaries
from storm.store.submissions import SubmissionRegistry

#: The oldest server with all commands that storm uses.
_OLDEST = (6, 2)

#: The only policy under which a full server refuses writes and evicts nothing.
_NO_EVICTION = "noeviction"

#: Keys that storm never writes: deleting them shows whether keys of such names may be written.
_PROBED = ("source_collection:{}:probe", "rate_limit:{}", "job_batch:{}:probe")

#: Commands whose answers do not end.
_ENDLESS_COMMANDS = frozenset(("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR"))
#: Commands that turn the connection into a replica's.
_REPLICATION_COMMANDS = frozenset(("SYNC", "PSYNC", "REPLCONF"))

_log = logging.getLogger(__name__)


class StoreInfo(NamedTuple):
    """The store's server: `address` is without password; `memory_bytes` are counted by the server."""

    engine: str
    version: str
    address: str
    embedded: bool
    jobs: int
    memory_bytes: int
    persistent: bool
    eviction: str

    @property
    def never_evicts(self) -> bool:
        """Whether it never evicts a key."""
        return self.eviction == _NO_EVICTION


class Store(StoreClient):
    """An open store; leaving its context closes it, and shuts down an embedded server that nobody else uses."""

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
        self.batches = BatchRegistry(self)
        self.submissions = SubmissionRegistry(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; an embedded server is shut down if no other client and no lease needs it."""
        await self._pipeline.cancel_pending()
        await self._redis.aclose()
        if self._server and not self._server.is_kept:
            await asyncio.to_thread(self._server.stop_if_unused, self._name)

    async def info(self) -> StoreInfo:
        """The server's description of itself."""
        server_info = await self.run_command(lambda redis: redis.info("default"))
        return StoreInfo(
            engine="valkey" if "valkey_version" in server_info else "redis",
            version=str(server_info.get("valkey_version", server_info["redis_version"])),
            address=self.address,
            embedded=self._server is not None,
            jobs=await self.run_command(lambda redis: redis.zcard(INDEX)),
            memory_bytes=int(server_info["used_memory"]),
            persistent=bool(server_info["aof_enabled"]) or await self._saves_snapshots(),
            eviction=await self._eviction_policy(server_info) or "unknown",
        )

    async def _saves_snapshots(self) -> bool:
        try:
            configured = await self._redis.config_get("save")
        except ResponseError:
            return False  # a hosted server that hides its configuration: persistence is unknown
        return bool(configured.get("save"))

    async def check_embedded(self, *, may_evict: bool = False) -> None:
        """Check that the embedded server answers, and its eviction policy, which `storm store cli` can set; one that
        another program has just shut down is restarted.

        Not by PING, which a server with a full disk refuses although it can be read.
        """
        configured = await self.run_command(lambda redis: redis.config_get("maxmemory-policy"))
        self._check_policy(configured.get("maxmemory-policy"), may_evict=may_evict, code=Code.STORE_EVICTS)

    async def check_server(self, *, may_evict: bool = False) -> None:
        """Check the kind, version and eviction policy of the server, and that storm may write. Only a server that is
        still loading its data is waited for; any other fault is raised at once."""
        self._check_policy(await self.retry_while_loading(self._probe_server), may_evict=may_evict)

    def _check_policy(self, policy: str | None, *, may_evict: bool, code: Code | None = None) -> None:
        if policy is None:
            _log.warning("the store at %s does not say whether it evicts keys; a job's data may be lost", self.address)
        elif policy != _NO_EVICTION and not may_evict:
            raise StoreRefused(
                f"the store at {self.address} may evict the data of jobs (maxmemory-policy {policy})",
                hint=f"on the server: CONFIG SET maxmemory-policy {_NO_EVICTION} (or STORM_REDIS_EVICTION=allow)",
                code=code,
            )

    async def _probe_server(self) -> str | None:
        server_info = await self._redis.info("default")
        self._check_kind(server_info)
        await self._redis.zrem(INDEX, "")
        await self._redis.delete(*_PROBED)
        return await self._eviction_policy(server_info)

    def _check_kind(self, server_info: Mapping[str, Any]) -> None:
        """StoreRefused unless it is a single server of a supported version."""
        mode = server_info.get("redis_mode", server_info.get("server_mode", ""))
        if mode == "sentinel":
            raise StoreRefused(
                f"what answers at {self.address} is a Sentinel, which holds no data", hint="give its primary's address"
            )
        if mode == "cluster" or int(server_info.get("cluster_enabled", 0)):
            raise StoreRefused(
                f"the store at {self.address} is a node of a cluster", hint="give the address of a single server"
            )
        version = str(server_info["redis_version"])
        if tuple(map(int, version.split(".")[:2])) < _OLDEST:
            raise StoreRefused(f"the store at {self.address} is redis {version}; 6.2 or newer is needed")

    async def _eviction_policy(self, server_info: Mapping[str, Any]) -> str | None:
        """The server's eviction policy, even without a memory limit, as it may get one at any time; None if it does
        not say."""
        if "maxmemory_policy" in server_info:
            return str(server_info["maxmemory_policy"])
        try:
            configured = await self._redis.config_get("maxmemory-policy")
        except ResponseError:
            return None
        return configured.get("maxmemory-policy")

    async def run_raw(self, args: Sequence[str]) -> AsyncGenerator[Any, None]:
        """The server's raw answers to one command (RESP2, not decoded), as they arrive; StoreError for its errors.

        The answers of a subscription and of MONITOR do not end; a blocking command is waited for. UsageError for an
        empty command.
        """
        if not args or not args[0].strip():
            raise UsageError("the Redis command is empty", hint="give one: PING", code=Code.STORE_COMMAND_EMPTY)
        if args[0].upper() in _REPLICATION_COMMANDS:
            raise UsageError(f"the answer to {args[0].upper()} is not text", hint="use redis-cli: docs/redis-keys.md")
        plain: Any = self._connect(client_name=self._name, protocol=2, socket_timeout=None)
        async with plain:
            try:
                connection = await plain.connection_pool.get_connection()
                await connection.send_command(*args)
                yield await connection.read_response(disable_decoding=True)
                while args[0].upper() in _ENDLESS_COMMANDS:
                    yield await connection.read_response(disable_decoding=True)
            except ResponseError as exc:
                raise StoreError(str(exc)) from exc
            except RedisError as exc:
                raise translate_error(exc, self.address) from exc


async def open_store(
    *,
    data_dir: Path,
    redis_url: str | None,
    job_ttl: timedelta,
    clock: Callable[[], datetime],
    patience: float = PATIENCE,
    may_evict: bool = False,
) -> Store:
    """The store at the URL, or the embedded one under `data_dir`.

    UsageError for a bad URL, StoreUnavailable if no server answers or can be started, StoreRefused if it refuses.
    `patience` is how many seconds a server may be away later; `may_evict` accepts one that may evict keys.
    """
    if redis_url:
        connect, address = _connect_external(redis_url)
        server = None
    else:
        if _has_live_server(data_dir):  # it may be loading or ending; `run_command` finds out
            server = EmbeddedServer.find_installed(data_dir)
        else:
            server = await asyncio.to_thread(_start_installed, data_dir)
        connect, address = _connect_embedded(server.socket), str(server.socket)
    store = Store(connect, address=address, job_ttl=job_ttl, clock=clock, server=server, patience=patience)
    try:
        check = store.check_embedded if server else store.check_server
        await check(may_evict=may_evict)
    except StoreError:
        await store.close()
        raise
    return store


def _has_live_server(data_dir: Path) -> bool:
    """Whether the server of the first program of this machine is alive; unlike its version, it takes no process to find
    that out."""
    binary = next(find_binaries(), None)
    if binary is None:
        return False
    return EmbeddedServer(data_dir, ServerProgram(binary.name.removesuffix("-server"), (), binary)).is_alive()


def _start_installed(data_dir: Path) -> EmbeddedServer:
    server = EmbeddedServer.find_installed(data_dir)
    if not server.is_alive():
        server.ensure_running()
    return server


class _SocketConnection(UnixDomainSocketConnection):
    """A connection that greets the server once: redis-py does so as it connects, and once more afterwards."""

    async def on_connect(self) -> None:
        pass


def _connect_embedded(socket: Path) -> Callable[..., Redis]:
    def make_client(**options: Any) -> Redis:
        # Without the client's name for itself, whose version it would look up among all installed packages.
        options |= {"path": str(socket), "retry": _no_retry(), "driver_info": None}
        return Redis.from_pool(ConnectionPool(_SocketConnection, **options))

    return make_client


def _connect_external(url: str) -> tuple[Callable[..., Redis], str]:
    """How to connect, and the address without user and password."""
    address = check_address(url, "STORM_REDIS_URL (or REDIS_URL)")

    def make_client(**options: Any) -> Redis:
        return Redis.from_url(url, retry=_no_retry(), **options)

    return make_client, address


def _no_retry() -> Retry:
    """The client itself never retries: StoreClient.run_command does, for a limited time."""
    return Retry(NoBackoff(), 0)


async def raw_command(store: Store, args: Sequence[str]) -> AsyncGenerator[str, None]:
    """The answers to a command as redis-cli prints them to a pipe."""
    async with contextlib.aclosing(store.run_raw(args)) as answers:
        async for answer in answers:
            yield "\n".join(_format_answer(answer))


def _format_answer(answer: Any) -> list[str]:
    if isinstance(answer, list):
        return [line for element in answer for line in _format_answer(element)]
    if isinstance(answer, bytes):
        return [answer.decode("utf-8", errors="replace")]
    return ["" if answer is None else str(answer)]
