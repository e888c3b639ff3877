"""`storm run trastuzumab --offline`: killed with kill -9 at random points and resumed; and how long it takes whole.

A second client follows the job's events. Each source whose save it has seen before the kill is acknowledged, and must
be in the store right after it, before anything resumes. The resumed dossier must equal that of a run that nobody
disturbed, times and the job's id aside. Each point has a fresh data directory with the sample already indexed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple

from _model_server import ModelServer
from _program import copied, discard, dossier_of, finish, indexed, start
from _report import Row, parser, report
from redis import Redis
from redis.exceptions import RedisError

from storm.app import utc_now
from storm.store import SourceCollector, open_store
from storm.store.embedded import EmbeddedServer
from storm.store.keys import INDEX, JobKeys
from storm.store.server_program import find_server_program

VARIANTS = ("program", "server", "both")
RUN = ("run", "trastuzumab", "--offline", "--quiet", "--format", "json", "--out", "report")
#: At most so many seconds pass between the event that was waited for and the kill.
MAX_DELAY = 0.02
PATIENCE = 60
TIMED = 5


class Job(NamedTuple):
    """What is run: the arguments of storm, the name of its report, and the model server that it asks, if any."""

    args: Sequence[str] = RUN
    report: str = "dossier"
    serve: Callable[[], AbstractContextManager[ModelServer | None]] = nullcontext


class Undisturbed(NamedTuple):
    """The run that nobody disturbed: its exit code, its dossier, its events, its seconds; and the data directory it
    began with."""

    job: Job
    code: int
    dossier: object
    events: int
    seconds: float
    template: Path


class Point(NamedTuple):
    """Where to kill whom: after that many events and a delay, or, with no events, after a delay from the start."""

    number: int
    variant: str
    events: int
    delay: float


class Outcome(NamedTuple):
    """What one kill did; `met` if a job was running, `went_on` if the program finished without a resume. Of a model's
    calls, how many were made twice, and how many of these had been answered before the kill."""

    point: Point
    met: bool
    acknowledged: int
    lost: int
    went_on: bool
    equal: bool
    asked_twice: int = 0
    paid_twice: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("run", "Whole runs: killed and resumed, and timed.")
    options.add_argument("--points", type=int, default=200, help="kills, shared out among program, server and both")
    options.add_argument("--mode", default="", help="the mode of the runs, if not storm's own choice")
    options.add_argument("--seed", type=int, default=1, help="of the random points")
    options.add_argument("--at-once", type=int, default=2, help="points under way at the same time")
    given = options.parse_args(argv)
    job = Job((*RUN, "--mode", given.mode) if given.mode else RUN)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        reference = undisturbed(Path(folder), job)
        timings = [timing(Path(folder), job, template) for template in (None, reference.template)]
        outcomes = kill_and_resume(Path(folder), reference, given.points, given.seed, given.at_once)
    report([*timings, *killed_rows(outcomes)], as_json=given.json)
    return 0


# Whole runs


def undisturbed(folder: Path, job: Job) -> Undisturbed:
    """Index the sample once, then run once on it with a client that watches."""
    template = indexed(folder / "template")
    data_dir = copied(template, folder / "undisturbed")
    with job.serve() as model:
        began = time.monotonic()
        process = start(data_dir, *job.args, **environment_of(model))
        watcher = Watcher(data_dir)
        while process.poll() is None:
            watcher.look(0.01)
        seconds = time.monotonic() - began
    watcher.close()
    dossier = dossier_of(data_dir, job.report)
    discard(data_dir)
    return Undisturbed(job, process.returncode, dossier, watcher.events, seconds, template)


def environment_of(model: ModelServer | None) -> Mapping[str, str]:
    """The variables by which storm asks the model."""
    return model.environment if model else {}


def timing(folder: Path, job: Job, template: Path | None) -> Row:
    """Seconds of a whole process, the start of its server included."""
    seconds = []
    for n in range(TIMED):
        data_dir = copied(template, folder / f"timed-{n}") if template else folder / f"timed-{n}"
        data_dir.mkdir(exist_ok=True)
        began = time.perf_counter()
        finish(data_dir, *job.args)
        seconds.append(time.perf_counter() - began)
        discard(data_dir)
    return {
        "variant": "sample already indexed" if template else "empty data directory", "n": TIMED,
        "min_s": round(min(seconds), 2), "median_s": round(statistics.median(seconds), 2),
    }  # fmt: skip


# Watching


class Watcher:
    """A second client of the job's server: counts its events and keeps the sources that were acknowledged."""

    def __init__(self, data_dir: Path) -> None:
        self.job_id = ""
        self.events = 0
        self.server_pid = 0
        self.acknowledged: dict[str, set[str]] = {}
        self._socket = EmbeddedServer(data_dir, engine()).socket
        self._redis = Redis(unix_socket_path=str(self._socket), decode_responses=True, socket_timeout=5)
        self._last = "0-0"

    def look(self, seconds: float) -> None:
        """Take in what has happened, waiting at most so long for it."""
        try:
            if not self._socket.exists() or not self._find_job():
                time.sleep(min(seconds, 0.002))
                return
            key = JobKeys(self.job_id).events
            found: Any = self._redis.xread({key: self._last}, block=max(1, int(seconds * 1000)))
        except RedisError:
            return
        for entry_id, event in found[0][1] if found else ():
            self._take(entry_id, event)

    def close(self) -> None:
        """Go away, so that the server may."""
        self._redis.close()

    def _find_job(self) -> bool:
        if not self.server_pid:
            self.server_pid = int(self._redis.info("server")["process_id"])
        if not self.job_id:
            jobs: Any = self._redis.zrange(INDEX, 0, -1)
            self.job_id = jobs[0] if jobs else ""
        return bool(self.job_id)

    def _take(self, entry_id: str, event: Mapping[str, str]) -> None:
        self._last = entry_id
        self.events += 1
        if event["kind"] == "saved":
            data = json.loads(event["data"])
            self.acknowledged.setdefault(data["source_id"], set()).update(data["questions"].split())


engine = cache(find_server_program)


# Killing


def kill_and_resume(folder: Path, reference: Undisturbed, points: int, seed: int, at_once: int) -> list[Outcome]:
    """Kill the job of the reference at so many random points."""
    chosen = chosen_points(points, random.Random(seed), reference)
    with ThreadPoolExecutor(at_once) as threads:
        return list(threads.map(partial(killed_at, folder, reference), chosen))


def chosen_points(count: int, dice: random.Random, reference: Undisturbed) -> list[Point]:
    """Three in four at a random event, the others at a random time from the start of the process; of a job that asks a
    model one in four, since most of its time passes in calls, between events."""
    points = []
    at_events = 3 if reference.job.serve is nullcontext else 1
    for n in range(count):
        variant = VARIANTS[n % len(VARIANTS)]
        if n // len(VARIANTS) % 4 < at_events:
            points.append(Point(n, variant, dice.randrange(1, reference.events), dice.uniform(0, MAX_DELAY)))
        else:
            points.append(Point(n, variant, 0, dice.uniform(0, reference.seconds)))
    return points


def killed_at(folder: Path, reference: Undisturbed, point: Point) -> Outcome:
    """One point, in a data directory of its own."""
    data_dir = copied(reference.template, folder / f"point-{point.number}")
    try:
        with reference.job.serve() as model:
            return killed_in(data_dir, reference, point, model)
    finally:
        discard(data_dir)


def killed_in(data_dir: Path, reference: Undisturbed, point: Point, model: ModelServer | None) -> Outcome:
    """Run, kill, look for what was acknowledged, resume, compare."""
    job, environment = reference.job, environment_of(model)
    process, watcher = start(data_dir, *job.args, **environment), Watcher(data_dir)
    wait_for(point, process, watcher)
    watcher.close()
    met = process.poll() is None and bool(watcher.job_id)
    kill(point.variant, process, watcher.server_pid)
    in_flight = model.in_flight() if model else []
    lost = asyncio.run(lost_sources(data_dir, watcher)) if watcher.job_id else set()
    said, _ = process.communicate(timeout=PATIENCE)
    went_on = met and process.returncode == reference.code
    resumed = start(data_dir, *(("resume", watcher.job_id, "--quiet") if watcher.job_id else job.args), **environment)
    said += resumed.communicate(timeout=PATIENCE)[0]
    equal = resumed.returncode == reference.code and dossier_of(data_dir, job.report) == reference.dossier
    repeated = model.repeated() if model else []
    outcome = Outcome(
        point, met, len(watcher.acknowledged), len(lost), went_on, equal, len(repeated), len({*repeated} - {*in_flight})
    )
    if lost or not equal or outcome.paid_twice or (met and point.variant == "server" and not went_on):
        print(f"{outcome}\n{said}", file=sys.stderr)
    return outcome


def wait_for(point: Point, process: Popen[str], watcher: Watcher) -> None:
    """Until the point is reached, or the program has ended before."""
    at = time.monotonic() + (PATIENCE if point.events else point.delay)
    while process.poll() is None and time.monotonic() < at:
        watcher.look(min(0.05, max(0.0, at - time.monotonic())))
        if point.events and watcher.events >= point.events:
            time.sleep(point.delay)
            return


def kill(variant: str, process: Popen[str], server_pid: int) -> None:
    """kill -9."""
    if variant in ("server", "both") and server_pid:
        os.kill(server_pid, signal.SIGKILL)
    if variant in ("program", "both"):
        process.kill()


async def lost_sources(data_dir: Path, watcher: Watcher) -> set[str]:
    """The acknowledged sources that storm no longer finds under all their questions."""
    store = await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=30), clock=utc_now)
    async with store:
        sources = await SourceCollector(store, watcher.job_id, None).load_sources()
    kept = {name: set(s.questions) for s in sources for name in (s.source_id, *s.aliases)}
    return {name for name, questions in watcher.acknowledged.items() if not questions <= kept.get(name, set())}


def killed_rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """A line for each variant and one for all."""
    groups = {variant: [o for o in outcomes if o.point.variant == variant] for variant in VARIANTS}
    groups["any of them"] = list(outcomes)
    return [killed_row(f"kill -9 of {name}", group) for name, group in groups.items() if group]


def killed_row(variant: str, outcomes: Sequence[Outcome]) -> Row:
    """One line."""
    return {
        "variant": variant,
        "n": len(outcomes),
        "met_a_running_job": sum(outcome.met for outcome in outcomes),
        "acknowledged": sum(outcome.acknowledged for outcome in outcomes),
        "lost": sum(outcome.lost for outcome in outcomes),
        "went_on_by_itself": sum(outcome.went_on for outcome in outcomes),
        "equal": sum(outcome.equal for outcome in outcomes),
        "calls_made_twice": sum(outcome.asked_twice for outcome in outcomes),
        "of_these_answered_before": sum(outcome.paid_twice for outcome in outcomes),
    }


if __name__ == "__main__":
    sys.exit(main())
