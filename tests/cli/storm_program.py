"""The program as its user meets it: called in this process, or a process of its own where a test needs one."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from python_process import PythonProcess
from redis import Redis
from service_lists import NOBODY

from storm.cli.main import main
from storm.store.embedded import EmbeddedServer
from storm.store.keys import JobKeys
from storm.store.server_program import find_server_program

#: Seconds after which a test gives up on a process or an event.
DEADLINE = 60.0

_OURS = (
    "STORM_DATA_DIR", "STORM_REDIS_URL", "REDIS_URL", "STORM_JOB_TTL_DAYS", "NO_COLOR", "FORCE_COLOR", "STORM_HTTP",
    "STORM_CONTACT", "STORM_ROBOTS", "STORM_REDIS_EVICTION", "STORM_TRACES_URL", "STORM_QUEUE_URL",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
)  # fmt: skip


class Outcome(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that the user saw."""
        return self.out + self.err

    def json(self) -> Any:
        """What a program reads of it."""
        return json.loads(self.out)

    def is_one_clear_error(self) -> bool:
        """One line that says what is wrong, at most one more with what to do, and no traceback."""
        said = [line for line in self.err.splitlines() if line.strip()]
        after = said[next((n for n, line in enumerate(said) if line.startswith("Error: ")), len(said)) :]
        return 1 <= len(after) <= 2 and "Traceback" not in self.text


class Program:
    """`storm` with a data directory and a working directory of its own."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.data = data
        self.folder = folder

    @property
    def _own(self) -> dict[str, str]:
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        return {"STORM_DATA_DIR": str(self.data), "STORM_DATABASES": str(NOBODY), "PATH": path}

    def __call__(self, *argv: str | Path, **env: str) -> Outcome:
        """The command, run to its end in this process."""
        out, err, code = io.StringIO(), io.StringIO(), 0
        with pytest.MonkeyPatch.context() as patch, contextlib.chdir(self.folder):
            for name in _OURS:
                patch.delenv(name, raising=False)
            for name, value in (self._own | env).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["storm", *map(str, argv)])
            patch.setattr(gc, "freeze", lambda: None)  # this process goes on, and what a command leaves is to be freed
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    main()
                except SystemExit as ended:
                    code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        return Outcome(code, out.getvalue(), err.getvalue())

    def start(self, *argv: str | Path, **env: str) -> Child:
        """The command as a process of its own."""
        return self.start_python("-m", "storm", *argv, **env)

    def start_by(self, starter: Sequence[str], *argv: str) -> Child:
        """The command as a process that those words start."""
        command = [*starter, sys.executable, "-m", "storm", *argv]
        return Child(
            subprocess.Popen(
                command, cwd=self.folder, env=self.environment({}), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
            )
        )  # fmt: skip

    def start_python(self, *argv: str | Path, **env: str) -> Child:
        """A Python process in the program's surroundings."""
        return Child(PythonProcess(argv, self.folder, self.environment(env)))

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """What a child process of the program finds in its environment."""
        kept = {name: value for name, value in os.environ.items() if name not in _OURS}
        return kept | self._own | dict(env)

    def jobs(self, **env: str) -> list[dict[str, Any]]:
        """What `storm jobs --json` lists."""
        listed: list[dict[str, Any]] = self("jobs", "--json", **env).json()
        return listed

    def sources(self, job_id: str, **env: str) -> list[dict[str, Any]]:
        """What `storm inspect --sources --json` lists."""
        found: list[dict[str, Any]] = self("inspect", job_id, "--sources", "--json", **env).json()["sources"]
        return found

    def server(self) -> EmbeddedServer:
        """The embedded server of the data directory."""
        return EmbeddedServer(self.data, find_server_program())

    @contextlib.contextmanager
    def redis(self) -> Iterator[Redis]:
        """A client of the embedded server, which stays up while one is connected."""
        with Redis(unix_socket_path=str(self.server().socket), decode_responses=True, protocol=3) as redis:
            yield redis


class Child:
    """A process that is killed when a test takes too long, so that nothing waits for ever."""

    def __init__(self, process: PythonProcess | subprocess.Popen[bytes]) -> None:
        self.process = process
        self._said = b""
        self._watchdog = threading.Timer(DEADLINE, self.process.kill)
        self._watchdog.start()

    def job_id(self) -> str:
        """The job that the process works on, as soon as it says so."""
        assert self.process.stderr
        for line in iter(self.process.stderr.readline, b""):
            self._said += line
            if match := re.match(r"Job (\S+)$", line.decode()):
                return match[1]
        raise AssertionError(f"the process ended without a job: {self._said.decode()}")

    def await_note(self, beginning: str) -> str:
        """The next line on standard error that begins so, as soon as it is there."""
        assert self.process.stderr
        for line in iter(self.process.stderr.readline, b""):
            self._said += line
            if line.decode().startswith(beginning):
                return line.decode()
        raise AssertionError(f"the process ended without {beginning}: {self._said.decode()}")

    def first_line(self) -> str:
        """The first line on standard output, as soon as it is there."""
        assert self.process.stdout
        return self.process.stdout.readline().decode()

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        self.process.send_signal(number)

    def end(self) -> Outcome:
        """Wait for the process to end."""
        out, err = self.process.communicate()
        self._watchdog.cancel()
        return Outcome(self.process.returncode, out.decode(), (self._said + err).decode())

    def kill(self) -> None:
        """SIGKILL, and wait."""
        self.send(signal.SIGKILL)
        self.end()


class FinishedJob(NamedTuple):
    """A finished job of trastuzumab on the sample: never written to, only copied."""

    data: Path
    job_id: str
    reports: Path
    outcome: Outcome


def await_event(program: Program, job_id: str, kind: str, number: int) -> None:
    """Return as soon as the job has reported its `number`th event of that kind."""
    events, last, silent_seconds = JobKeys(job_id).events, "0-0", 0
    with program.redis() as redis:
        while silent_seconds < DEADLINE:
            entries = list(_entries(redis.xread({events: last}, block=1000), events))
            silent_seconds = 0 if entries else silent_seconds + 1
            for entry_id, fields in entries:
                last = entry_id
                number -= fields["kind"] == kind
                if number == 0:
                    return
    raise AssertionError(f"{job_id} reported no further {kind!r}: {number} short")


def _entries(answer: Any, key: str) -> Iterator[tuple[str, dict[str, str]]]:
    for batch in (answer or {}).get(key, ()):
        yield from batch


def masked(text: str, *job_ids: str) -> str:
    """A dossier without what differs from run to run: the job's id and the times."""
    for job_id in job_ids:
        text = text.replace(job_id, "JOB")
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", text)
    return re.sub(r'(retrieved|searched on|Bundled sample:|"retrieved":) "?\d{4}-\d\d-\d\d', r"\1 DAY", text)


def dossiers(folder: Path, job_id: str) -> tuple[str, str]:
    """The masked Markdown and JSON of a job."""
    found = [masked((folder / name).read_text(encoding="utf-8"), job_id) for name in ("dossier.md", "dossier.json")]
    return found[0], found[1]


def newest_job(program: Program, **env: str) -> str:
    """The id of the job that was started last."""
    return str(program.jobs(**env)[0]["job_id"])
