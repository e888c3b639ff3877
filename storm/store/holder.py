"""The holder of a lease: a process, distinguished from a later one with the same PID."""

import json
import os
import secrets
import socket
import subprocess
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Self

from storm.errors import StoreSchemaError


class Holder(NamedTuple):
    """A process on a host; `token` distinguishes leases of the same process."""

    host: str
    boot: str
    namespace: str
    pid: int
    started: str
    since: str
    token: str

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
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The holder in a lease's value; StoreSchemaError if storm did not write it."""
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as exc:
            raise StoreSchemaError(f"a job's lease was not written by storm: {text[:80]!r}") from exc

    def to_json(self) -> str:
        """The lease's value."""
        return json.dumps(self._asdict(), ensure_ascii=False)

    def has_ended(self) -> bool:
        """Whether the process has certainly ended; False on other hosts and in other containers, where nobody knows."""
        if self.host != socket.gethostname():
            return False
        if self.boot != _read_boot_id():
            return True
        return self.namespace == _read_pid_namespace() and process_start(self.pid) != self.started


def is_alive(lease: str | None) -> bool:
    """Whether a lease's holder may still be at work; assumed of a value that storm did not write."""
    if lease is None:
        return False
    try:
        return not Holder.from_json(lease).has_ended()
    except StoreSchemaError:
        return True


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
    if linux.exists():
        return linux.read_text().strip()
    asked = subprocess.run(["sysctl", "-n", "kern.bootsessionuuid"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def _read_pid_namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
