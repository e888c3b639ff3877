"""Real workers (`storm worker`) on a store, and jobs that are handed over to them."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from _program import command, environment

from storm.api import job_request
from storm.app import App, open_app
from storm.models import Dossier, JobState
from storm.settings import Environment, Settings, read_settings
from storm.store import stop_embedded
from storm.worker.needs import find_needs, name_queue
from storm.worker.queue import JobQueue

#: Seconds after which a measurement gives up.
PATIENCE = 1_800.0


#: A worker that says it is of another version.
_OTHER_VERSION = """
from storm.worker import needs
needs.__version__ = "{version}"
from storm.cli.main import main
main()
"""


class Line(NamedTuple):
    """A line of a worker's log, and when it was read."""

    at: float
    text: str


class WorkerProcess:
    """One worker; its log is read as it is written."""

    def __init__(self, data_dir: Path, jobs: int, version: str = "", **env: str) -> None:
        arguments = command("worker", "--jobs", str(jobs))
        if version:
            arguments = [sys.executable, "-c", _OTHER_VERSION.format(version=version), *arguments[-3:]]
        own = {"STORM_TRACES_URL": "off", **env}
        self.process = subprocess.Popen(
            arguments, env=environment(data_dir) | own, cwd=data_dir, text=True, stderr=subprocess.PIPE
        )
        self.lines: list[Line] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.await_line("worker_started")

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.lines.append(Line(time.monotonic(), line.rstrip()))

    def await_line(self, part: str, after: float = 0.0) -> Line:
        """The first line with these words that came after that moment; SystemExit if the worker ends before, or says
        nothing of it for `PATIENCE`."""
        began = time.monotonic()
        while True:
            ended = self.process.poll() is not None
            if found := next((line for line in list(self.lines) if part in line.text and line.at >= after), None):
                return found
            if ended:
                raise SystemExit(f"a worker ended without {part}: {self.lines[-5:]}")
            if time.monotonic() - began > PATIENCE:
                raise SystemExit(f"a worker did not say {part}: {self.lines[-5:]}")
            time.sleep(0.01)

    def running(self) -> set[str]:
        """The jobs that it has begun, and of which its log says no more."""
        begun: set[str] = set()
        for line in list(self.lines):
            if found := re.search(r"job_(\w+) job=(\S+)", line.text):
                (begun.add if found[1] == "started" else begun.discard)(found[2])
        return begun

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def memory(self) -> float:
        """Its proportional share of memory, in MB."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="utf-8")
        found = re.search(r"^Pss:\s+(\d+) kB", text, re.M)
        return int(found[1]) / 1000 if found else 0.0

    def stop(self) -> None:
        """End it as a supervisor would."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)
                self.process.terminate()
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join()


@contextmanager
def workers(data_dir: Path, number: int, jobs: int, **env: str) -> Iterator[list[WorkerProcess]]:
    """So many workers. The list may be changed: whatever is in it at the end is stopped."""
    started = [WorkerProcess(data_dir, jobs, **env) for _ in range(number)]
    try:
        yield started
    finally:
        for each in started:
            each.stop()


def settings_of(data_dir: Path, **env: str) -> Settings:
    """The settings of the workers on that folder."""
    own = read_settings()._replace(data_dir=data_dir, redis_url=env.get("STORM_REDIS_URL"), traces_url="off")
    return own._replace(queue_url=env.get("STORM_QUEUE_URL"), environment=Environment(environment(data_dir) | env))


def submit_jobs(settings: Settings, numbers: Iterable[int], model: str = "", **options: Any) -> list[str]:
    """Hand these jobs over. All are of one drug; with a model each has another name beside it, so that no two ask the
    same. The options are those of a request."""

    async def submit() -> list[str]:
        async with open_app(settings) as app:
            needs = find_needs(settings)
            queue_name, queue = name_queue(needs, "normal"), JobQueue(app)
            job_ids = []
            for number in numbers:
                also, prefill = ([f"bench-{number}"], "none") if model else ([], "")
                given = {"offline": True, "also": also, "model": model, "prefill": prefill, **options}
                request = job_request("trastuzumab", settings, **given)
                job = await app.start(request, f"trastuzumab-{number:05}")
                await app.store.submissions.add_submission(job.job_id, queue_name, needs)
                await asyncio.to_thread(queue.send, job.job_id, queue_name)
                job_ids.append(job.job_id)
            queue.close()
            return job_ids

    return asyncio.run(submit())


async def await_end(settings: Settings, look: Callable[[], object] = lambda: None) -> None:
    """Return when no job is with the workers any more; SystemExit if that takes too long."""
    end = time.monotonic() + PATIENCE
    async with open_app(settings) as app:
        while left := await app.store.submissions.all():
            if time.monotonic() > end:
                raise SystemExit(f"{len(left)} jobs did not end: {sorted(left)[:5]}")
            look()
            await asyncio.sleep(0.2)


async def find_finished(app: App, job_ids: Sequence[str]) -> list[str]:
    """Those of the jobs that are finished."""
    found = zip(job_ids, await app.store.jobs.summaries(list(job_ids)), strict=True)
    return [job_id for job_id, one in found if not isinstance(one, str) and one.state is JobState.FINISHED]


async def read_result(app: App, job_id: str) -> list[object]:
    """The job's sources and their questions, and what its dossier says with its references: equal for equal jobs."""
    dossier = await app.report(job_id)
    assert isinstance(dossier, Dossier)
    said = [statement.text for answer in dossier.answers for statement in answer.statements]
    found = await app.collection(job_id).load_sources()
    sources = [(one.hit, one.questions, sorted(one.citation_ids), one.relation) for one in found]
    return [said, [reference.url for reference in dossier.references], sources]


def discard(data_dir: Path) -> None:
    """Stop the server of the folder."""
    asyncio.run(stop_embedded(data_dir, force=True))
