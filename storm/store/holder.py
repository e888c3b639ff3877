"""The holder of a lease: a process, distinguished from a later one with the same PID."""

import contextlib
import hashlib
import json
import os
import secrets
import socket
import subprocess
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Self

from redis import Redis

from storm.errors import StoreSchemaError
from storm.store.keys import INDEX, JobKeys

#: Leases that one command reads: it must not block others for long.
_ASKED_AT_ONCE = 500


class Holder(NamedTuple):
    """A process on a host; `token` distinguishes leases of the same process. `machine` is a digest of the machine's id,
    empty if it has none, or in a lease of an earlier version."""

    host: str
    boot: str
    namespace: str
    pid: int
    started: str
    since: str
    token: str
    machine: str = ""

    @classmethod
    def of_this_process(cls, now: datetime) -> Self:
        """This process, with a new token."""
        return cls(
            host=socket.gethostname(),
            boot=_read_boot_id(),
            namespace=_read_pid_namespace(),
            pid=os.getpid(),
            started=process_start(os.getpid()) or "",
            since=now.isoformat(timespec="seconds"),
            token=secrets.token_hex(8),
            machine=_read_machine_id(),
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The holder in a lease's token; StoreSchemaError if storm did not write it."""
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as exc:
            raise StoreSchemaError(f"a job's lease was not written by storm: {text[:80]!r}") from exc

    def to_json(self) -> str:
        """The lease's token."""
        return json.dumps(self._asdict(), ensure_ascii=False)

    def has_ended(self) -> bool:
        """Whether the process has certainly ended; False on other machines, on those without an id, and in other
        containers, where nobody knows."""
        if self.host != socket.gethostname():
            return False
        if self.boot != _read_boot_id():  # restarted, or another machine of that name
            return self.machine != "" and self.machine == _read_machine_id()
        return self.namespace == _read_pid_namespace() and process_start(self.pid) != self.started


def is_alive(lease: str | None) -> bool:
    """Whether a lease's holder may still be at work; assumed of a value that storm did not write."""
    if lease is None:
        return False
    try:
        return not Holder.from_json(lease).has_ended()
    except StoreSchemaError:
        return True


def live_holder(redis: Redis) -> tuple[str, Holder | None] | None:
    """A job that a living process holds, and its holder; None for that of a lease that storm did not write, which
    counts as held."""
    job_ids = list(map(str, redis.zrange(INDEX, 0, -1)))
    for start in range(0, len(job_ids), _ASKED_AT_ONCE):
        asked = job_ids[start : start + _ASKED_AT_ONCE]
        leases = redis.mget([JobKeys(job_id).lease for job_id in asked])
        for job_id, value in zip(asked, leases, strict=True):
            if value and is_alive(str(value)):
                return job_id, _read_holder(str(value))
    return None


def _read_holder(lease: str) -> Holder | None:
    with contextlib.suppress(StoreSchemaError):
        return Holder.from_json(lease)
    return None


def process_start(pid: int) -> str | None:
    """The start time of a process in the system's format; None if there is no such process, or it is a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() else _start_by_ps(pid)
    except ProcessLookupError:
        return None
    fields = stat.rpartition(")")[2].split()  # the command before it may hold spaces and brackets
    state, start_ticks = fields[0], fields[19]
    return None if state in "ZX" else start_ticks


def _start_by_ps(pid: int) -> str | None:
    listed = subprocess.run(["ps", "-o", "state=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, started = listed.stdout.strip().partition(" ")
    return started.strip() if started and not state.startswith("Z") else None


def _read_boot_id() -> str:
    linux = Path("/proc/sys/kernel/random/boot_id")
    return linux.read_text().strip() if linux.exists() else _read_system_value("kern.bootsessionuuid")


def _read_machine_id() -> str:
    """A digest of the machine's id, which is not to be published itself; empty if it has none."""
    linux = Path("/etc/machine-id")
    if linux.exists():
        machine = linux.read_text().strip()
    else:
        machine = "" if Path("/proc").exists() else _read_system_value("kern.uuid")
    return hashlib.sha256(f"storm {machine}".encode()).hexdigest()[:16] if machine else ""


def _read_system_value(name: str) -> str:
    """A value of the kernel of macOS."""
    answer = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def _read_pid_namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
