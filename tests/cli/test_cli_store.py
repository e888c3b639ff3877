"""A store that cannot be used: one clear line, exit 1, and nothing worse."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from redis_servers import ExternalServer
from stores import set_pauses
from storm_program import DEADLINE, FinishedJob, Outcome, Program, dossiers, masked

from storm.api import job_request
from storm.app import App, utc_now
from storm.errors import StoreUnavailable
from storm.export import to_json
from storm.settings import Settings
from storm.store import open_store
from storm.store.keys import JobKeys
from storm.store.server_program import find_server_program

CONFIG = Path(__file__).parents[2] / "config"
RUN = ("run", "trastuzumab", "--offline")


def assert_refused(outcome: Outcome, *words: str, code: int = 1) -> None:
    assert outcome.code == code
    assert outcome.is_one_clear_error()
    for word in words:
        assert word in outcome.err


@pytest.mark.parametrize("command", [RUN, ("jobs",), ("resume", "a-job"), ("store", "info")])
def test_no_server_at_the_url_is_reported_at_once(
    program: Program, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = set_pauses(monkeypatch)
    outcome = program(*command, STORM_REDIS_URL="redis://127.0.0.1:1/0")
    assert_refused(outcome, "no Redis server answers at 127.0.0.1:1", "start it")
    assert pauses == []


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:6379", "localhost:6379", "redis://host:port/0", "redis://[", "redis"]
)
def test_what_is_no_redis_url_is_a_usage_error(program: Program, url: str) -> None:
    outcome = program("jobs", STORM_REDIS_URL=url)
    assert_refused(outcome, "is not a Redis URL", "redis://", code=2)


def test_a_host_that_does_not_exist_is_one_clear_line(program: Program) -> None:
    outcome = program("jobs", STORM_REDIS_URL="redis://no-such-host.invalid:6379/0")
    assert_refused(outcome, "no Redis server answers at no-such-host.invalid:6379")


def test_a_server_that_is_no_redis_is_one_clear_line(program: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        child = program.start("jobs", STORM_REDIS_URL=f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        assert_refused(child.end(), "127.0.0.1")


@pytest.fixture
def guarded(redis_server: Callable[..., ExternalServer]) -> ExternalServer:
    """A server with a password."""
    return redis_server(password="correct-horse")


def test_a_wrong_password_is_reported_at_once_and_never_shown(program: Program, guarded: ExternalServer) -> None:
    outcome = program(*RUN, STORM_REDIS_URL=f"redis://:wrong-battery@127.0.0.1:{guarded.port}/0")
    assert_refused(outcome, f"127.0.0.1:{guarded.port}", "password")
    assert "wrong-battery" not in outcome.text


def test_a_missing_password_is_asked_for(program: Program, guarded: ExternalServer) -> None:
    outcome = program(*RUN, STORM_REDIS_URL=guarded.url)
    assert_refused(outcome, "password")


@pytest.mark.slow
def test_the_right_password_works_and_is_never_shown(program: Program, guarded: ExternalServer) -> None:
    url = f"redis://:correct-horse@127.0.0.1:{guarded.port}/0"
    assert program(*RUN, STORM_REDIS_URL=url).code == 0
    info = program("store", "info", STORM_REDIS_URL=url)
    assert "(yours)" in info.out and "1 job," in info.out
    assert "correct-horse" not in info.text


def test_the_other_name_of_the_setting_works_and_the_first_goes_before(program: Program) -> None:
    nothing = "redis://127.0.0.1:1/0"
    assert program("jobs", REDIS_URL=nothing).code == 1
    outcome = program("jobs", REDIS_URL=nothing, STORM_REDIS_URL="redis://127.0.0.1:2/0")
    assert "127.0.0.1:2" in outcome.err


def test_a_read_only_replica_is_one_clear_line(program: Program, redis_server: Callable[..., ExternalServer]) -> None:
    server = redis_server("--replicaof", "127.0.0.1 1")
    assert_refused(program(*RUN, STORM_REDIS_URL=server.url), "read-only replica", "primary")


def test_a_server_without_memory_is_one_clear_line(
    program: Program, redis_server: Callable[..., ExternalServer]
) -> None:
    server = redis_server("--maxmemory", "1mb", "--maxmemory-policy", "noeviction")
    outcome = program(*RUN, STORM_REDIS_URL=server.url)
    assert_refused(outcome, "out of memory", "maxmemory")


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("resume", "metadata"),
        ("resume", "stages"),
        *(("inspect", k) for k in ("metadata", "sources", "hits", "events")),
    ],
)
def test_a_key_of_the_job_that_another_program_wrote_is_one_clear_line(
    program_with_job: Program, finished: FinishedJob, command: str, key: str
) -> None:
    program = program_with_job
    program.server().ensure_running()
    with program.redis() as redis:
        name = getattr(JobKeys(finished.job_id), key)
        redis.delete(name)
        redis.set(name, "mine")
        outcome = program(command, finished.job_id, "--json", *(("--sources",) if command == "inspect" else ()))
        assert redis.get(name) == "mine"
    assert_refused(outcome, "another type")


def test_a_job_of_another_version_is_refused(program_with_job: Program, finished: FinishedJob) -> None:
    program = program_with_job
    program("store", "cli", "HSET", JobKeys(finished.job_id).metadata, "schema", "99")
    assert_refused(program("resume", finished.job_id), "another version of storm")


def test_an_embedded_store_of_a_newer_engine_is_refused_and_left_alone(
    program_with_job: Program, finished: FinishedJob
) -> None:
    server = program_with_job.server()
    identity = server.directory / "engine.json"
    identity.write_text(json.dumps(json.loads(identity.read_text()) | {"version": "99.0.0"}))
    files = {path: path.read_bytes() for path in (server.directory / "appendonlydir").iterdir()}
    assert_refused(program_with_job("jobs"), "99.0.0", "must not open it")
    assert {path: path.read_bytes() for path in (server.directory / "appendonlydir").iterdir()} == files


def test_each_engine_has_a_store_of_its_own(program: Program) -> None:
    other = {"valkey": "redis", "redis": "valkey"}[find_server_program().name]
    (program.data / "store" / other / "appendonlydir").mkdir(parents=True)
    assert program.jobs() == []
    assert program.server().directory.name == find_server_program().name


def test_an_embedded_store_that_storm_did_not_write_is_refused(program_with_job: Program) -> None:
    server = program_with_job.server()
    (server.directory / "engine.json").unlink()
    assert_refused(program_with_job("jobs"), str(server.directory), "not written by storm")


def test_a_damaged_embedded_store_is_one_clear_line(program_with_job: Program) -> None:
    folder = program_with_job.server().directory / "appendonlydir"
    for file in folder.glob("*.aof"):
        file.write_bytes(b"this is no append-only file")
    assert_refused(program_with_job("jobs"), str(folder.parent), "cannot open the store")


async def until_saved(app: App, job_id: str, number: int) -> None:
    """Return as soon as the job has so many sources."""
    async with asyncio.timeout(DEADLINE):
        while (await app.collection(job_id).progress()).total < number:
            pass


@asynccontextmanager
async def open_app(program: Program, url: str, patience: float) -> AsyncIterator[App]:
    """What the app opens, with a patience of our choice."""
    settings = Settings(program.data, CONFIG, url, timedelta(days=1), True, CONFIG / "databases.yaml")
    store = await open_store(
        data_dir=program.data, redis_url=url, job_ttl=settings.job_ttl, clock=utc_now, patience=patience
    )
    async with store, AsyncExitStack() as opened:
        yield App(settings, store, opened)


@pytest.mark.slow
async def test_a_server_that_goes_away_in_a_run_is_reported_and_the_job_can_be_resumed(
    program: Program, finished: FinishedJob, redis_server: Callable[..., ExternalServer]
) -> None:
    server = redis_server()
    async with open_app(program, server.url, patience=1.0) as app:
        request = job_request("trastuzumab", app.settings, offline=True, out=program.folder / "reports")
        job_id = (await app.start(request)).job_id
        work = asyncio.create_task(app.work(job_id))
        await until_saved(app, job_id, 20)
        server.kill()
        with pytest.raises(StoreUnavailable, match="no Redis server answers") as outcome:
            await work
    assert outcome.value.exit_code == 1
    assert outcome.value.unfinished_job == job_id
    server.start()
    with server.client() as redis:
        assert redis.hlen(JobKeys(job_id).sources) >= 20
        redis.delete(JobKeys(job_id).lease)  # this process lives on; one that had ended would be taken over at once
    assert program.start("resume", job_id, STORM_REDIS_URL=server.url).end().code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)


@pytest.mark.slow
async def test_a_server_that_comes_back_in_time_is_waited_for(
    program: Program, finished: FinishedJob, redis_server: Callable[..., ExternalServer]
) -> None:
    server = redis_server()
    async with open_app(program, server.url, patience=30.0) as app:
        job_id = (await app.start(job_request("trastuzumab", app.settings, offline=True))).job_id
        work = asyncio.create_task(app.work(job_id))
        await until_saved(app, job_id, 20)
        server.kill()
        server.start()
        dossier = await work
    assert masked(to_json(dossier), job_id) == dossiers(finished.reports, finished.job_id)[1]


@pytest.mark.parametrize("command", [("MONITOR",), ("SUBSCRIBE", "news"), ("XREAD", "BLOCK", "0", "STREAMS", "s", "$")])
def test_ctrl_c_ends_a_stream_of_answers(program: Program, command: tuple[str, ...]) -> None:
    program.server().ensure_running()
    with program.redis() as redis, redis.monitor() as seen:
        child = program.start("store", "cli", *command)
        if command[0] == "XREAD":
            next(one for one in seen.listen() if one["command"].startswith("XREAD"))
        else:
            assert child.first_line().strip() in ("OK", "subscribe")
    child.send(signal.SIGINT)
    outcome = child.end()
    assert (outcome.code, outcome.err) == (130, "")
    assert not program.server().stop_server(force=False), "nobody uses the server any more"


@pytest.mark.slow
def test_a_server_that_may_evict_is_refused_and_reported_by_the_doctor(
    program: Program, redis_server: Callable[..., ExternalServer]
) -> None:
    url = redis_server("--maxmemory-policy", "allkeys-lfu").url
    for command in (RUN, ("doctor",)):
        outcome = program(*command, STORM_REDIS_URL=url)
        assert outcome.code == 1 and "CONFIG SET maxmemory-policy noeviction" in outcome.text
    outcome = program("doctor", STORM_REDIS_URL=url, STORM_REDIS_EVICTION="allow")
    assert "MAY EVICT the data of jobs (maxmemory-policy allkeys-lfu)" in outcome.out
    assert program(*RUN, STORM_REDIS_URL=url, STORM_REDIS_EVICTION="allow").code == 0
    assert_refused(program("jobs", STORM_REDIS_EVICTION="yes"), "STORM_REDIS_EVICTION", "refuse or allow", code=2)


@pytest.mark.parametrize("command", ["", " "])
def test_an_empty_redis_command_is_a_usage_error(program: Program, command: str) -> None:
    outcome = program("store", "cli", command)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "the Redis command is empty" in outcome.err
