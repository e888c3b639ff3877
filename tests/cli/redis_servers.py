"""A Redis of the user's own: a server process that storm neither starts nor stops."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from pathlib import Path

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError, ResponseError
from redis.retry import Retry

from storm.store.server_program import find_server_program

#: Runs the server under a limit on the size of its files, which is to it what a full disk is. Python ignores the
#: signal that comes with that limit, and the server inherits this.
_LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1))
os.execv(sys.argv[2], sys.argv[2:])
"""


class ExternalServer:
    """One server on a free port; what it holds is on disk, so that it survives `kill` and `start`."""

    def __init__(
        self, folder: Path, *options: str, password: str | None = None, max_file_bytes: int | None = None
    ) -> None:
        folder.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._password = password
        limited = [sys.executable, "-c", _LIMITED, str(max_file_bytes)] if max_file_bytes else []
        self._command = [
            *limited, str(find_server_program().binary), "--port", str(self.port), "--bind", "127.0.0.1",
            "--dir", str(folder),
            "--save", "", "--appendonly", "yes", "--appendfsync", "no", "--logfile", "server.log",
            *(("--requirepass", password) if password else ()), *options,
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start the process and wait until it answers."""
        self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with self.client(retry=Retry(ConstantBackoff(0.02), 500), retry_on_error=[ConnectionError]) as redis:
            redis.ping()

    def client(self, **options: object) -> Redis:
        """A client of it, to be closed by the caller."""
        return Redis(port=self.port, password=self._password, decode_responses=True, **options)  # type: ignore[arg-type]

    def allow_any_size(self) -> None:
        """Lift the limit on its files, and wait until it writes again."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        with self.client(retry=Retry(ConstantBackoff(0.05), 200), retry_on_error=[ResponseError]) as redis:
            redis.delete("nothing")

    def kill(self) -> None:
        """SIGKILL, and wait."""
        self.process.kill()
        self.process.wait()
