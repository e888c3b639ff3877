"""A real worker in a process of its own, with heartbeats so short that a test need not wait for the usual ones."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from python_process import PythonProcess

#: Milliseconds until the messages of a worker that was killed go to another, and seconds until lost ones are missed.
HEARTBEAT_MS, CHECK_EVERY = 1_500, 1.0
#: Seconds after which a worker is killed.
DEADLINE = 90.0

_PROGRAM = f"""
import logging, os, signal, sys, threading
from storm import errors
from storm.app import App
from storm.settings import read_settings
from storm.worker import needs
from storm.worker.working import JobWorker
needs.__version__ = os.environ.get("OTHER_VERSION", needs.__version__)
logging.basicConfig(level=logging.INFO, format="%(message)s")
class Poisoned(JobWorker):
    async def _work(self, attempt):
        if attempt.job.job_id == os.environ.get("POISONED"):
            os._exit(1)  # as a fault in C code, or the system's killer of processes, would end it
        await super()._work(attempt)
carry_out, faults = App.work, os.environ.get("FAULTS", "").split()
async def disturb(self, *given, **named):
    if faults:
        raise getattr(errors, faults.pop())("a fault of the test")
    return await carry_out(self, *given, **named)
App.work = disturb
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
Poisoned(read_settings(), jobs=2, heartbeat_ms={HEARTBEAT_MS}, check_every={CHECK_EVERY}).run(stop)
"""


class WorkerProcess:
    """A worker on the store of a data directory; its log is read line by line."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        env = {**os.environ, "STORM_DATA_DIR": str(data_dir), "STORM_TRACES_URL": "off", **environment}
        self.process = PythonProcess(["-c", _PROGRAM], Path.cwd(), env)
        self._watchdog = threading.Timer(DEADLINE, self.process.kill)  # so that nothing waits for ever
        self._watchdog.start()
        self.seen: list[str] = []
        self.wait_for("worker_started")

    def wait_for(self, beginning: str) -> str:
        """The next line of the log that begins so; AssertionError, with the log, if the worker ends before."""
        for line in map(bytes.decode, self.process.stderr):
            self.seen.append(line.rstrip())
            if line.startswith(beginning):
                return line.rstrip()
        raise AssertionError(f"the worker ended without {beginning}: {self.seen}")

    def send_signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self) -> None:
        """End it as a supervisor would; what its log says until then is seen."""
        self._watchdog.cancel()
        if self.process.stderr.closed:
            return
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self.process.kill()
        _, rest = self.process.communicate()
        self.seen += rest.decode().splitlines()
