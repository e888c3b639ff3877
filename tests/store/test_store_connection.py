from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from stores import JOB, NOW

from storm.errors import StoreError, StoreRefused, StoreUnavailable, UsageError
from storm.models import DraftCitation, Hit, JobRequest, Syllabus
from storm.store import SourceCollector, Store, open_store, raw_command
from storm.store.embedded import EmbeddedServer, find_engine
from storm.store.keys import JobKeys


class External:
    """A server that storm did not start."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.socket = folder / "external.sock"
        self.process = subprocess.Popen(
            [find_engine().binary, "--port", "0", "--unixsocket", self.socket, "--save", "", "--dir", folder, *options],
            stdout=subprocess.DEVNULL,
        )
        self.url = f"unix://{self.socket}"
        while not self.listens():
            assert self.process.poll() is None

    def listens(self) -> bool:
        """Whether it can be connected to: its socket is there a moment before."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.socket)) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def external(tmp_path: Path) -> Iterator[Callable[..., External]]:
    started: list[External] = []

    def start(*options: str) -> External:
        started.append(External(tmp_path, *options))
        return started[-1]

    yield start
    for server in started:
        server.kill()


async def connect(url: str, patience: float = 20.0) -> Store:
    return await open_store(
        data_dir=Path("unused"), redis_url=url, job_ttl=timedelta(days=30), clock=lambda: NOW, patience=patience
    )


async def test_the_store_says_what_it_is(server: EmbeddedServer) -> None:
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.flushall()
    async with await connect(f"unix://{server.socket}") as store:
        info = await store.info()
    assert (info.engine, info.version) == ("valkey", ".".join(map(str, server.engine.version)))
    assert (info.address, info.embedded, info.jobs, info.persistent) == (str(server.socket), False, 0, True)
    assert info.memory_bytes > 100_000


async def test_a_server_that_keeps_nothing_says_so(external: Callable[..., External]) -> None:
    async with await connect(external().url) as store:
        assert (await store.info()).persistent is False


@pytest.mark.parametrize(
    "url",
    ["localhost:6379", "http://:geheim@localhost", "redis://:geheim@localhost:port", "redis://:gehe[im@localhost"],
)
async def test_a_bad_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(UsageError, match="is not a Redis URL") as caught:
        await connect(url)
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}"
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("secret", ["somebody:geheim@127.0.0.1:1/0", "127.0.0.1:1/0?password=geheim"])
async def test_no_server_is_told_at_once_and_without_the_password(secret: str) -> None:
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        await connect(f"redis://{secret}")
    assert time.monotonic() - began < 2
    assert caught.value.message == "no Redis server answers at 127.0.0.1:1"
    assert caught.value.hint == "start it, or change STORM_REDIS_URL"


@pytest.mark.parametrize("password", ["", ":wrong@"])
async def test_a_missing_or_wrong_password_is_told_at_once(
    external: Callable[..., External], password: str, tmp_path: Path
) -> None:
    external("--requirepass", "geheim")
    began = time.monotonic()
    with pytest.raises(StoreRefused, match="wants a password that the URL does not give"):
        await connect(f"unix://{password}{tmp_path / 'external.sock'}")
    assert time.monotonic() - began < 2


async def test_the_right_password_opens_and_is_not_shown(external: Callable[..., External], tmp_path: Path) -> None:
    external("--requirepass", "geheim")
    async with await connect(f"unix://:geheim@{tmp_path / 'external.sock'}") as store:
        assert (await store.info()).address == str(tmp_path / "external.sock")


async def test_a_read_only_replica_is_refused(external: Callable[..., External]) -> None:
    replica = external("--replicaof", "127.0.0.1 1")
    with pytest.raises(StoreRefused, match="is a read-only replica") as caught:
        await connect(replica.url)
    assert caught.value.hint == "give the address of its primary"


async def test_a_full_memory_stops_the_job_and_leaves_no_half_of_a_save(
    external: Callable[..., External], syllabus: Syllabus
) -> None:
    hit = Hit.of("pubmed", "11248153", "https://pubmed.ncbi.nlm.nih.gov/11248153/", "Trial", text="Median 7.4.")
    keys = JobKeys(JOB)
    async with await connect(external().url) as store:
        await store.jobs.create(JobRequest(drug="trastuzumab", syllabus=syllabus), JOB)
        async with await store.jobs.hold(JOB) as lease:
            collector = SourceCollector(store, JOB, lease)
            await collector.record_hits([hit])
            await store.run(lambda redis: redis.config_set("maxmemory", "1"))
            with pytest.raises(StoreRefused, match="out of memory"):
                await collector.save(hit, ["clinical.safety"], DraftCitation("It works.", "Median 7.4.", None))
            assert await store.run(lambda redis: redis.exists(keys.sources, keys.identifiers, keys.citations)) == 0
            assert await store.run(lambda redis: redis.hget(keys.metadata, "last_number")) == "0"


async def test_a_server_that_went_away_is_waited_for_as_long_as_was_said(external: Callable[..., External]) -> None:
    server = external()
    async with await connect(server.url, patience=0.3) as store:
        server.kill()
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="no Redis server answers") as caught:
            await store.jobs.all()
    assert time.monotonic() - began < 2
    assert "start it" in str(caught.value.hint)


async def test_a_lease_is_not_waited_for_when_the_server_is_gone(
    external: Callable[..., External], syllabus: Syllabus
) -> None:
    server = external()
    async with await connect(server.url, patience=0.5) as store:
        await store.jobs.create(JobRequest(drug="trastuzumab", syllabus=syllabus), JOB)
        lease = await store.jobs.hold(JOB)
        server.kill()
        with pytest.raises(StoreUnavailable):
            async with lease:
                await store.jobs.finish(lease, 0)
        assert lease.lost


async def test_a_server_that_comes_back_in_time_is_used_again(
    external: Callable[..., External], tmp_path: Path
) -> None:
    first = external()
    async with await connect(first.url) as store:
        first.kill()
        first.socket.unlink()
        external()
        assert (await store.jobs.all()).jobs == ()


@pytest.mark.parametrize(
    ("args", "printed"),
    [
        (["SET", "k", "v"], "OK"),
        (["GET", "k"], "v"),
        (["GET", "nothing"], ""),
        (["RPUSH", "l", "a", "b"], "2"),
        (["LRANGE", "l", "0", "-1"], "a\nb"),
        (["HSET", "h", "f", "ä"], "1"),
        (["HGETALL", "h"], "f\nä"),
        (["LRANGE", "nothing", "0", "-1"], ""),
        (["EVAL", "return {1, {'x', false}, 'y'}", "0"], "1\nx\n\ny"),
        (["ZADD", "z", "1.5", "m"], "1"),
        (["ZRANGE", "z", "0", "-1", "WITHSCORES"], "m\n1.5"),
        (["EXISTS", "k", "l"], "2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
async def test_a_raw_command_answers_like_redis_cli(server: EmbeddedServer, args: list[str], printed: str) -> None:
    with Redis(unix_socket_path=str(server.socket)) as redis, contextlib.suppress(RedisError):
        if args[0] in ("SET", "RPUSH", "HSET", "ZADD"):
            redis.delete(args[1])
    async with await connect(f"unix://{server.socket}") as store:
        assert await raw_command(store, args) == printed


async def test_a_refused_raw_command_is_an_error_in_the_servers_words(server: EmbeddedServer) -> None:
    async with await connect(f"unix://{server.socket}") as store:
        with pytest.raises(StoreError, match="unknown command"):
            await raw_command(store, ["NOSUCHCOMMAND"])
