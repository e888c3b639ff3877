from __future__ import annotations

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import BusyLoadingError
from stores import JOB, NOW, set_pauses

from storm.errors import StoreError, StoreRefused, StoreUnavailable, UsageError
from storm.models import DraftCitation, Hit, JobRequest, Syllabus
from storm.store import JobJournal, SourceCollector, Store, StoreLimiter, open_store, raw_command
from storm.store.addresses import check_address
from storm.store.embedded import EmbeddedServer
from storm.store.faults import ACL_RULES
from storm.store.keys import JobKeys
from storm.store.server_program import find_server_program


class External:
    """A server that storm did not start."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.socket = folder / "external.sock"
        self.process = subprocess.Popen(
            [
                find_server_program().binary,
                "--port",
                "0",
                "--unixsocket",
                self.socket,
                "--save",
                "",
                "--dir",
                folder,
                *options,
            ],
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
    assert (info.engine, info.version) == ("valkey", ".".join(map(str, server.program.version)))
    assert (info.address, info.embedded, info.jobs, info.persistent) == (str(server.socket), False, 0, True)
    assert info.memory_bytes > 100_000


async def test_a_server_that_keeps_nothing_says_so(external: Callable[..., External]) -> None:
    async with await connect(external().url) as store:
        assert (await store.info()).persistent is False


@pytest.mark.parametrize(
    "url",
    ["localhost:6379", "http://:geheim@localhost", "redis://:geheim@localhost:port", "redis://:gehe[im@localhost"],
)
async def test_a_bad_url_is_reported_without_its_password(url: str) -> None:
    with pytest.raises(UsageError, match="is not a Redis URL") as caught:
        await connect(url)
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}"
    assert caught.value.__cause__ is None


async def test_the_url_of_a_sentinel_is_answered_with_what_to_give_instead() -> None:
    with pytest.raises(UsageError, match="is the URL of a Sentinel: give the address of its primary"):
        await connect("redis+sentinel://127.0.0.1:26379/0")


async def test_a_url_with_two_databases_is_refused() -> None:
    with pytest.raises(UsageError, match="names two databases"):
        await connect("redis://127.0.0.1:6379/1?db=3")


@pytest.mark.parametrize("secret", ["somebody:geheim@127.0.0.1:1/0", "127.0.0.1:1/0?password=geheim"])
async def test_no_server_is_reported_at_once_and_without_the_password(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = set_pauses(monkeypatch)
    with pytest.raises(StoreUnavailable) as caught:
        await connect(f"redis://{secret}")
    assert pauses == []
    assert caught.value.message == "no Redis server answers at 127.0.0.1:1"
    assert caught.value.hint == "start it, or change STORM_REDIS_URL"


@pytest.mark.parametrize(
    ("credentials", "expected"),
    [
        ("", "wants a password that the URL does not give"),
        (":wrong@", "refuses the user or the password of the URL"),
        ("w:wrong@", "refuses the user or the password of the URL"),
        ("nobody:geheim@", "refuses the user or the password of the URL"),
    ],
)
async def test_a_missing_password_and_a_wrong_one_are_distinguished_at_once(
    external: Callable[..., External], credentials: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    external("--requirepass", "geheim")
    pauses = set_pauses(monkeypatch)
    with pytest.raises(StoreRefused, match=expected) as caught:
        await connect(f"unix://{credentials}{tmp_path / 'external.sock'}")
    assert pauses == []
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}"


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
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
        async with await store.jobs.hold(JOB) as lease:
            collector = SourceCollector(store, JOB, lease)
            await collector.set_questions(syllabus.keys)
            await collector.record_hits([hit])
            await store.run_command(lambda redis: redis.config_set("maxmemory", "1"))
            with pytest.raises(StoreRefused, match="out of memory"):
                await collector.save(hit, ["clinical.safety"], DraftCitation("It works.", "Median 7.4.", None))
            assert (
                await store.run_command(lambda redis: redis.exists(keys.sources, keys.identifiers, keys.citations)) == 0
            )
            assert await store.run_command(lambda redis: redis.hget(keys.metadata, "last_number")) == "0"


async def test_a_server_that_went_away_is_tried_again_until_the_next_pause_would_pass_the_patience(
    external: Callable[..., External], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = external()
    pauses = set_pauses(monkeypatch, 0, 0, 3601)
    async with await connect(server.url, patience=3600) as store:
        server.kill()
        with pytest.raises(StoreUnavailable, match="no Redis server answers") as caught:
            await store.jobs.all()
    assert pauses == [0, 0, 3601]
    assert "start it" in str(caught.value.hint)


def load_for(monkeypatch: pytest.MonkeyPatch, commands: int) -> None:
    """So many writes are refused as by a server that is still loading its data."""
    left = iter(range(commands))
    zrem = AsyncRedis.zrem

    async def refused(self: AsyncRedis, *args: str) -> int:
        if next(left, None) is not None:
            raise BusyLoadingError("Redis is loading the dataset in memory")
        return int(await zrem(self, *args))

    monkeypatch.setattr(AsyncRedis, "zrem", refused)


async def test_a_server_that_is_still_loading_its_data_is_waited_for_when_it_is_opened(
    external: Callable[..., External], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_for(monkeypatch, 2)
    pauses = set_pauses(monkeypatch, 0, 0)
    async with await connect(external().url) as store:
        assert (await store.jobs.all()).jobs == ()
    assert pauses == [0, 0]


async def test_a_server_that_loads_longer_than_the_patience_is_reported(
    external: Callable[..., External], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_for(monkeypatch, 9)
    set_pauses(monkeypatch, 0, 3601)
    with pytest.raises(StoreUnavailable, match="is still loading its data"):
        await connect(external().url, patience=3600)


async def test_a_lease_is_not_waited_for_when_the_server_is_gone(
    external: Callable[..., External], syllabus: Syllabus
) -> None:
    server = external()
    async with await connect(server.url, patience=0.5) as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
        lease = await store.jobs.hold(JOB)
        server.kill()
        with pytest.raises(StoreUnavailable):
            async with lease:
                await store.jobs.finish(lease, 0)
        assert not lease.is_held


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
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.delete("k", "l", "h", "z")
        written = (["SET", "k", "v"], ["RPUSH", "l", "a", "b"], ["HSET", "h", "f", "ä"], ["ZADD", "z", "1.5", "m"])
        for command in written:
            if command != args:
                redis.execute_command(*command)
    async with await connect(f"unix://{server.socket}") as store:
        assert [answer async for answer in raw_command(store, args)] == [printed]


async def test_a_refused_raw_command_is_an_error_in_the_servers_words(server: EmbeddedServer) -> None:
    async with await connect(f"unix://{server.socket}") as store:
        with pytest.raises(StoreError, match="unknown command"):
            await anext(raw_command(store, ["NOSUCHCOMMAND"]))


@pytest.mark.parametrize("command", ["SYNC", "psync"])
async def test_a_command_that_makes_a_replica_is_refused(server: EmbeddedServer, command: str) -> None:
    async with await connect(f"unix://{server.socket}") as store:
        with pytest.raises(UsageError, match="is not text"):
            await anext(raw_command(store, [command]))


@pytest.mark.parametrize("command", [["SUBSCRIBE", "news"], ["PSUBSCRIBE", "n*"], ["SSUBSCRIBE", "news"], ["MONITOR"]])
async def test_a_stream_of_answers_goes_on(server: EmbeddedServer, command: list[str]) -> None:
    confirmation = f"{command[0].lower()}\n{command[1]}\n1" if len(command) > 1 else "OK"
    async with await connect(f"unix://{server.socket}") as store, aclosing(raw_command(store, command)) as answers:
        assert await anext(answers) == confirmation
        with Redis(unix_socket_path=str(server.socket)) as redis:
            for text in ("one", "two"):
                redis.execute_command("SPUBLISH" if command[0] == "SSUBSCRIBE" else "PUBLISH", "news", text)
                while text not in await anext(answers):
                    pass


async def test_a_command_that_blocks_is_waited_for_longer_than_any_timeout(server: EmbeddedServer) -> None:
    async with await connect(f"unix://{server.socket}") as store:
        assert store._connect(socket_timeout=None).connection_pool.connection_kwargs["socket_timeout"] is None
        assert [answer async for answer in raw_command(store, ["BLPOP", "nothing-there", "0.01"])] == [""]


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
async def test_a_server_that_may_evict_keys_is_refused_with_the_line_that_fixes_it(
    external: Callable[..., External], policy: str
) -> None:
    server = external("--maxmemory-policy", policy)
    with pytest.raises(StoreRefused, match=rf"may evict the data of jobs \(maxmemory-policy {policy}\)") as caught:
        await connect(server.url)
    assert "CONFIG SET maxmemory-policy noeviction" in str(caught.value.hint)
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.config_set("maxmemory-policy", "noeviction")
    async with await connect(server.url) as store:
        assert (await store.info()).never_evicts


async def test_a_server_that_may_evict_keys_is_taken_where_that_was_allowed(external: Callable[..., External]) -> None:
    url = external("--maxmemory-policy", "allkeys-lru").url
    async with await open_store(
        data_dir=Path("unused"), redis_url=url, job_ttl=timedelta(days=30), clock=lambda: NOW, may_evict=True
    ) as store:
        info = await store.info()
    assert (info.eviction, info.never_evicts) == ("allkeys-lru", False)


async def test_a_server_that_hides_its_configuration_still_says_its_policy(
    external: Callable[..., External], tmp_path: Path
) -> None:
    server = external("--maxmemory-policy", "allkeys-lru")
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.acl_setuser("managed", enabled=True, passwords=["+p"], keys=["*"], categories=["+@all"])
        redis.execute_command("ACL", "SETUSER", "managed", "-config")
    with pytest.raises(StoreRefused, match="may evict"):
        await connect(f"unix://managed:p@{tmp_path / 'external.sock'}")


async def test_a_server_whose_policy_nobody_knows_is_taken_with_a_warning(
    external: Callable[..., External], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def unknown(store: Store, said: object) -> None:
        return None

    monkeypatch.setattr(Store, "_eviction_policy", unknown)
    async with await connect(external().url) as store:
        assert (await store.info()).eviction == "unknown"
    assert "does not say whether it evicts keys" in caplog.text


async def test_a_node_of_a_cluster_is_refused(external: Callable[..., External]) -> None:
    node = external("--cluster-enabled", "yes")
    with pytest.raises(StoreRefused, match="is a node of a cluster") as caught:
        await connect(node.url)
    assert caught.value.hint == "give the address of a single server"


async def test_a_sentinel_is_refused(tmp_path: Path) -> None:
    socket_path = tmp_path / "sentinel.sock"
    (tmp_path / "sentinel.conf").write_text(f"port 0\nunixsocket {socket_path}\n")
    command = [find_server_program().binary, tmp_path / "sentinel.conf", "--sentinel"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: ASYNC220
        try:
            while not (socket_path.exists() and process.poll() is None):
                assert process.poll() is None
            with pytest.raises(StoreRefused, match="is a Sentinel, which holds no data"):
                await connect(f"unix://{socket_path}")
        finally:
            process.kill()


async def test_the_rules_that_the_hint_gives_are_enough_for_all_that_storm_does(
    external: Callable[..., External], tmp_path: Path, syllabus: Syllabus
) -> None:
    server = external()
    url = f"unix://storm:p@{tmp_path / 'external.sock'}"
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.execute_command("ACL", "SETUSER", "storm", "on", ">p", "~source_collection*", "+@all", "-@dangerous")
        with pytest.raises(StoreRefused, match="does not let this user do that") as caught:
            await connect(url)
        redis.execute_command("ACL", "SETUSER", "storm", "+info")
        with pytest.raises(StoreRefused):  # its rate limits cannot be written
            await connect(url)
        rules = str(caught.value.hint).partition("SETUSER NAME ")[2].split()
        redis.execute_command("ACL", "SETUSER", "storm", "resetkeys", "nocommands", *rules)
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Trial", text="Median 7.4.")
    async with await connect(url) as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
        async with await store.jobs.hold(JOB) as lease:
            collector = SourceCollector(store, JOB, lease)
            await collector.set_questions(syllabus.keys)
            await collector.record_hits([hit])
            await collector.save(hit, ["clinical.safety"], DraftCitation("It works.", "Median 7.4.", None))
            await collector.load_sources()
            await JobJournal(store, JOB, lease).events(1)
        await StoreLimiter(store).wait("pubmed", 1000.0)
        assert len((await store.jobs.all()).jobs) == 1
        await store.info()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://:geheim@localhost/abc", "a database after the slash that is not a number"),
        ("redis://:geheim@localhost/0/1", "a database after the slash that is not a number"),
        ("redis://:geheim@localhost?foo=bar", "not accept: foo"),
        ("redis://:geheim@localhost?decode_responses=False", "does not accept: decode_responses"),
        ("redis://:geheim@localhost?ssl_ca_certs=/ca.pem", "does not accept without TLS: ssl_ca_certs"),
        ("rediss://:geheim@localhost?ssl_ca_certs=/none.pem", "does not exist: ssl_ca_certs=/none.pem"),
        ("rediss://:geheim@localhost?ssl_cert_reqs=some", "an option with an invalid value"),
    ],
)
async def test_what_is_wrong_with_a_url_is_named(url: str, expected: str) -> None:
    with pytest.raises(UsageError, match=re.escape(expected)) as caught:
        await connect(url)
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate of localhost that nobody has signed."""
    if not shutil.which("openssl"):
        pytest.skip("openssl, which makes the certificate, is not on this machine")
    made = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", made, "-out", f"{made}.crt", "-days",
         "2", "-subj", "/CN=localhost"], check=True, capture_output=True,
    )  # fmt: skip
    made.write_text(made.read_text() + Path(f"{made}.crt").read_text())
    return made


@pytest.mark.slow
async def test_a_certificate_that_is_not_trusted_is_reported_as_that(certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with await asyncio.start_server(lambda reader, writer: None, "localhost", 0, ssl=context) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(StoreUnavailable, match=r"the certificate of the store .* is not trusted: self-signed") as c:
            await connect(f"rediss://localhost:{port}")
    assert "ssl_ca_certs" in str(c.value.hint)


@pytest.mark.parametrize(
    ("scheme", "answer", "expected", "hint"),
    [
        ("rediss", b"-ERR unknown command\r\n", "does not speak TLS as requested", "redis://"),
        ("redis", b"", "closed the connection without an answer", "rediss://"),
        ("redis", b"\x15\x03\x03\x00\x02\x02\x46", "is not a Redis server", "rediss://"),
    ],
    ids=["TLS to a plain port", "plain to a TLS port that closes", "plain to a TLS port that alerts"],
)
async def test_a_port_that_speaks_otherwise_is_reported_as_that(
    scheme: str, answer: bytes, expected: str, hint: str
) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(reply, "localhost", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(StoreUnavailable, match=expected) as caught:
            await connect(f"{scheme}://localhost:{port}")
    assert hint in str(caught.value.hint)


@pytest.mark.parametrize(
    "url",
    [
        "redis://user:12?geheim@host/0",
        "redis://:12?password=geheim@host:6379/0",
        "redis://:1#geheim@h:1/0",
        "redis://:ge/heim@host:6379/0",
        "redis://:1/geheim@host/0",
        "redis://:pass?geheim@word@host/0",
        "unix://:pa/geheim@/run/redis.sock",
    ],
)
async def test_a_character_that_ends_the_password_too_early_is_refused_without_showing_the_rest(url: str) -> None:
    with pytest.raises(UsageError, match="percent-encode") as caught:
        await connect(url)
    assert "heim" not in f"{caught.value.message}{caught.value.hint}"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://:1%23ge%3Fhe%2Fim%40@h:1/0", "h:1"),
        ("redis://h/0?password=ge%40heim", "h:6379"),
        ("unix:///run/redis-server@6379.sock", "/run/redis-server@6379.sock"),
    ],
)
def test_a_percent_encoded_password_and_an_at_sign_in_a_path_are_taken(url: str, address: str) -> None:
    assert check_address(url, "STORM_REDIS_URL") == address


@pytest.mark.parametrize("missing", ["~source_collection*", "~rate_limit:*", "~job_*"])
async def test_a_user_who_may_not_write_all_keys_of_storm_is_refused_when_the_store_is_opened(
    external: Callable[..., External], tmp_path: Path, missing: str
) -> None:
    server = external()
    rules = [rule for rule in ACL_RULES.split() if rule != missing]
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.execute_command("ACL", "SETUSER", "storm", "on", ">p", *rules)
    with pytest.raises(StoreRefused, match="does not let this user do that") as caught:
        await connect(f"unix://storm:p@{tmp_path / 'external.sock'}")
    assert missing in str(caught.value.hint)
