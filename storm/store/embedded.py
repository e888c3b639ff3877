"""The embedded server: started in the data directory, and shut down when nobody uses it.

It runs in its own session and outlives a killed program, so that another process can inspect or resume the job. A file
lock guards starting and stopping. While the file `kept` exists beside its data, the server keeps running when nobody
uses it, and a command that finds it dead starts it again.
"""

import contextlib
import fcntl
import json
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError, ResponseError
from redis.retry import Retry

from storm.errors import Code, JobHeld, StoreError, StoreRefused, StoreUnavailable
from storm.store.faults import translate_error
from storm.store.holder import live_holder, process_start
from storm.store.keys import INDEX
from storm.store.server_program import ServerProgram, find_binaries, find_server_program
from storm.store.server_socket import make_private, socket_path

#: Seconds that a server may take to answer, and to end.
START_SECONDS = 10.0
#: The name under which the launcher itself connects.
_LAUNCHER_NAME = "storm-launcher"
#: Seconds between two looks at a server that starts or loads. It is ready after some 35 ms.
_LOOK_SECONDS = 0.001

#: `appendfsync no`: acknowledged writes have reached the kernel, so that kill -9 loses none. With `everysec` the server
#: delays writes during an fsync, but acknowledges them at once. A power cut may lose the last half minute; the job is
#: resumed from before it.
_OPTIONS = (
    "--port", "0", "--unixsocketperm", "700", "--daemonize", "yes", "--appendonly", "yes", "--appendfsync", "no",
    "--save", "", "--maxmemory-policy", "noeviction", "--loglevel", "warning", "--logfile", "server.log",
)  # fmt: skip


#: Words in the log of a server whose disk is full, also while it writes a file that `_BAD_DATA` names.
_FULL_DISK = re.compile(r"no space left|disk quota|disk full", re.I)
#: Words in the log of a server that cannot read its data.
_BAD_DATA = re.compile(r"bad file format|unrecoverable error|AOF|append.only|manifest|RDB|corrupt|checksum", re.I)


def _suggest_remedy(why: str) -> str:
    """A hint for a server that did not start although its data is sound."""
    if re.search(r"open file|ulimit", why, re.I):
        return "its data is as it was; raise the limit: ulimit -n 1024"
    if _FULL_DISK.search(why):
        return "its data is as it was; free disk space"
    return "its data is as it was; try again, and if it stays so read server.log there"


class ServerStatus(NamedTuple):
    """The status of an embedded server: `pid` is 0 if none is running, `kept` says whether it keeps running when nobody
    uses it, and `held_job` is a job that is being worked on, or empty."""

    engine: str
    version: str
    address: str
    pid: int
    kept: bool
    held_job: str


class EmbeddedServer:
    """The server of one server program, in `data_dir/store/<engine>/`."""

    def __init__(self, data_dir: Path, program: ServerProgram) -> None:
        self.program = program
        self.directory = data_dir / "store" / program.name
        self.socket = socket_path(self.directory)
        self._state_file = self.directory / "engine.json"
        self._log = self.directory / "server.log"
        self._kept = self.directory / "kept"

    @classmethod
    def find_installed(cls, data_dir: Path) -> Self:
        """The installed server; the version of a running one is not determined again."""
        if binary := next(find_binaries(), None):
            server = cls(data_dir, ServerProgram(binary.name.removesuffix("-server"), (), binary))
            if server.is_alive():
                return cls(data_dir, server.program._replace(version=_version_of(server._read_identity())))
        return cls(data_dir, find_server_program())

    @property
    def is_kept(self) -> bool:
        """Whether it is to keep running when nobody uses it."""
        return self._kept.exists()

    def ensure_running(self) -> None:
        """Start the server unless it runs; concurrent callers get the same one. StoreError if it cannot start."""
        with self._hold_lock():
            self._start_if_down()

    def keep_running(self) -> tuple[ServerStatus, bool]:
        """Keep it running until `stop_server`; returns its status, and whether this is new."""
        with self._hold_lock():
            was_kept = self._start_if_down() and self.is_kept
            self._kept.touch()
            return self._describe_status(), not was_kept

    def read_status(self) -> ServerStatus | None:
        """Its status, without starting it; None if it was never started here."""
        if not self.directory.is_dir():
            return None
        with self._hold_lock():
            return self._describe_status()

    def _describe_status(self) -> ServerStatus:
        identity = self._read_identity()
        pid, held_job = 0, ""
        if self._is_answering():
            pid = int(identity.get("pid", 0))
            with self._open_connection() as redis:
                held = live_holder(redis)
            held_job = held[0] if held else ""
        version = identity.get("version", "")
        return ServerStatus(self.program.name, version, str(self.socket), pid, self.is_kept, held_job)

    def _start_if_down(self) -> bool:
        """Start it unless it answers; returns whether it answered."""
        if self._is_answering():
            return True
        self._check_identity()
        self._start_process()
        return False

    def stop_if_unused(self, client_name: str) -> bool:
        """Shut down unless it is to keep running, another client is connected, or a job is held."""
        with self._hold_lock():
            if self.is_kept:
                return False
            with self._open_connection() as redis:  # the only one: every command that reads a job ends with this
                if not self._await_answer(redis):
                    return False
                if {client["name"] for client in redis.client_list()} - {client_name, _LAUNCHER_NAME}:
                    return False
                if _has_unwritten_data(redis) or live_holder(redis):
                    return False
                self._shut_down(redis)
            return True

    def stop_server(self, *, force: bool) -> bool:
        """Shut down for good; False if it is not running, JobHeld while a job is held unless forced."""
        if not self.directory.is_dir():
            return False
        with self._hold_lock():
            if not self._is_answering():
                self._kept.unlink(missing_ok=True)
                return False
            with self._open_connection() as redis:
                if not force:
                    self._require_unneeded(redis)
                self._kept.unlink(missing_ok=True)
                self._shut_down(redis)
            return True

    def _require_unneeded(self, redis: Redis) -> None:
        if held := live_holder(redis):
            job_id, holder = held
            by = f"by process {holder.pid} on {holder.host}" if holder else "under a lease that storm did not write"
            raise JobHeld(
                f"{job_id} is being worked on {by}",
                hint="wait for it, or stop the store anyway with force=True; the job can be resumed",
                code=Code.STORE_IN_USE,
            )
        if _has_unwritten_data(redis):
            raise StoreRefused(
                f"the store in {self.directory} holds data that it could not write to disk",
                hint="free disk space, or lose what is not written with force=True",
                code=Code.STORE_UNWRITTEN,
            )

    @contextlib.contextmanager
    def _hold_lock(self) -> Iterator[None]:
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
    def _open_connection(self) -> Iterator[Redis]:
        redis = Redis(
            unix_socket_path=str(self.socket), client_name=_LAUNCHER_NAME, decode_responses=True,
            socket_timeout=START_SECONDS, retry=Retry(NoBackoff(), 0), protocol=3, legacy_responses=False,
            driver_info=None,
        )  # fmt: skip
        with redis:
            try:
                yield redis
            except RedisError as exc:
                raise translate_error(exc, str(self.socket)) from exc

    def _is_answering(self) -> bool:
        """Whether a server answers; one that is still loading is waited for."""
        with self._open_connection() as redis:
            return self._await_answer(redis)

    def _await_answer(self, redis: Redis) -> bool:
        """Whether it answers, once it has loaded. It is asked for a key: ECHO is answered while it loads, and PING is
        refused when its disk is full."""
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                redis.exists(INDEX)
                return True
            except BusyLoadingError:
                until = time.monotonic() + START_SECONDS
            except ResponseError:
                return True  # a refusal is an answer, too
            except RedisError:
                if not self.is_alive() or time.monotonic() > until:
                    return False
            time.sleep(_LOOK_SECONDS)

    def is_alive(self) -> bool:
        """Whether the last started process still runs, by its number and start time; it may not answer yet."""
        identity = self._read_identity()
        return bool(identity) and process_start(int(identity.get("pid", 0))) == identity.get("started", "")

    def _read_identity(self) -> dict[str, str]:
        if not self._state_file.exists():
            return {}
        try:
            identity = json.loads(self._state_file.read_text(encoding="utf-8"))
            return {str(name): str(value) for name, value in identity.items()}
        except (ValueError, AttributeError) as exc:
            raise self._unopenable_error(f"{self._state_file} cannot be read") from exc

    def _check_identity(self) -> None:
        identity = self._read_identity()
        if not identity:
            if (self.directory / "appendonlydir").exists():
                raise self._unopenable_error("its data was not written by storm")
            return
        if self.is_alive():
            raise StoreError(
                f"the server of {self.directory} (process {identity['pid']}) does not answer on its socket",
                hint=f"stop it with: kill {identity['pid']}",
            )
        if self.program.version < _version_of(identity):
            raise StoreError(
                f"the store in {self.directory} was written by {self.program.name} {identity['version']};"
                f" the older {self.program} must not open it",
                hint="install that version again, or choose another place with STORM_DATA_DIR",
            )

    def _unopenable_error(self, why: str) -> StoreError:
        return StoreError(
            f"the store in {self.directory} cannot be opened: {why}",
            hint="move that folder away, or choose another place with STORM_DATA_DIR",
        )

    def _start_process(self) -> None:
        pid_file = self.directory / "server.pid"
        pid_file.unlink(missing_ok=True)
        offset = self._log.stat().st_size if self._log.exists() else 0
        self._write_identity({})
        # Relative names, so that no character of the path can be misread.
        socket = self.socket.name if self.socket.parent == self.directory else self.socket
        places = {"--dir": ".", "--unixsocket": socket, "--pidfile": pid_file.name}
        command = [str(self.program.binary), *(str(part) for place in places.items() for part in place), *_OPTIONS]
        try:
            make_private(self.socket.parent)
            subprocess.run(
                command, cwd=self.directory, start_new_session=True, check=True, timeout=START_SECONDS, umask=0o077,
                stdin=subprocess.DEVNULL, capture_output=True,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as exc:
            why = self._last_log_line(offset) or f"{exc}"
            raise StoreUnavailable(f"{self.program} cannot be started: {why}", hint=_suggest_remedy(why)) from exc
        self._await_start(pid_file, offset)

    def _await_start(self, pid_file: Path, offset: int) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            pid = pid_file.read_text().strip() if pid_file.exists() else ""
            started = process_start(int(pid)) if pid else None
            if started:
                self._write_identity({"pid": pid, "started": started})
                if self._is_answering():
                    return
            if pid and not started:
                break
            time.sleep(_LOOK_SECONDS)
        why = self._last_log_line(offset)
        if _BAD_DATA.search(why) and not _FULL_DISK.search(why):
            raise StoreError(
                f"{self.program} cannot open the store in {self.directory}: {why}",
                hint="move that folder away to begin with an empty store, or restore it from a backup",
            )
        raise StoreUnavailable(
            f"{self.program} ended while it was starting in {self.directory}: {why or 'its log says nothing'}",
            hint=_suggest_remedy(why),
        )

    def _write_identity(self, process: dict[str, str]) -> None:
        """Write a new file and rename it, so that a crash leaves the old or the new one."""
        version = ".".join(map(str, self.program.version))
        temp_path = self._state_file.with_suffix(".new")
        temp_path.write_text(json.dumps({"engine": self.program.name, "version": version, **process}), encoding="utf-8")
        temp_path.replace(self._state_file)

    def _last_log_line(self, offset: int) -> str:
        """The last relevant line of the server's log from this offset in bytes on."""
        if not self._log.exists():
            return ""
        with self._log.open("rb") as log:
            log.seek(offset)
            text = log.read().decode(errors="replace")
        lines = [line.partition("# ")[2] for line in text.splitlines()]
        return next((line for line in reversed(lines) if line and not line.startswith("WARNING ")), "")

    def _shut_down(self, redis: Redis) -> None:
        """Shut down and wait for the end under the lock, so that nobody connects to a server that is ending."""
        redis.shutdown(nosave=True)
        until = time.monotonic() + START_SECONDS
        while self.is_alive() and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        if self.socket.parent != self.directory:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()


def _version_of(identity: Mapping[str, str]) -> tuple[int, ...]:
    """The version that an identity names."""
    return tuple(int(part) for part in re.findall(r"\d+", identity.get("version", "")))


def _has_unwritten_data(redis: Redis) -> bool:
    """Whether it could not write to disk what it has acknowledged, as on a full one; it goes on trying."""
    return bool(redis.info("persistence").get("aof_last_write_status", "ok") != "ok")
