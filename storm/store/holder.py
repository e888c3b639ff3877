"""Who holds a lease: a process, told apart from a later one that got its number."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from storm.errors import StoreSchemaError


class Holder(NamedTuple):
    """One process on one host since one moment; `token` tells two leases of the same process apart."""

    host: str
    boot: str
    namespace: str
    pid: int
    started: str
    since: str
    token: str

    @classmethod
    def of_this_process(cls, now: datetime) -> Holder:
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
    def from_json(cls, text: str) -> Holder:
        """The holder that a lease's value names; StoreSchemaError if it was not written by us."""
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as exc:
            raise StoreSchemaError(f"a job's lease was not written by storm: {text[:80]!r}") from exc

    def to_json(self) -> str:
        """The lease's value."""
        return json.dumps(self._asdict(), ensure_ascii=False)

    def is_gone(self) -> bool:
        """Whether that process has certainly ended: only told on its own host, and never across containers."""
        if self.host != socket.gethostname():
            return False
        if self.boot != _read_boot_id():
            return True
        return self.namespace == _read_pid_namespace() and process_start(self.pid) != self.started


def is_alive(lease: str | None) -> bool:
    """Whether a lease's value names a holder that may still be at work; one that we did not write may be anybody's."""
    if lease is None:
        return False
    try:
        return not Holder.from_json(lease).is_gone()
    except StoreSchemaError:
        return True


def process_start(pid: int) -> str | None:
    """When a process was started, in the system's own words; None if there is no such process (a zombie is none)."""
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
