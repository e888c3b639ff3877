"""Workers, their store and their queue, disturbed while jobs run: what is run again, lost, repeated, and how soon.

Each fault has a store of its own. One job is finished before anything is disturbed; each of the others must end with
the same sources and statements. With `--model`, an agent asks a model on loopback; its jobs differ by a name, so that
no two ask it the same, and what is asked twice was repeated.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from _bibliographer import fields, inputs_of, next_step
from _model_server import MODEL, ModelServer, served
from _program import command, environment, indexed
from _redis_server import Proxy, RedisServer
from _report import Row, parser, report
from _workers import (
    PATIENCE,
    WorkerProcess,
    await_end,
    discard,
    find_finished,
    read_result,
    settings_of,
    submit_jobs,
    workers,
)

from storm.app import open_app
from storm.errors import JobHeld
from storm.settings import Settings
from storm.worker.working import MOST_ATTEMPTS

#: Seconds that a server is away, and that a worker is frozen or cut off: longer than its lease.
AWAY, SILENT = 3.0, 20.0
_JOBS_A_WORKER = 8
_NAME = re.compile(r"bench-\d+")


class AgentModel(ModelServer):
    """The model of an agent that saves what it finds; it takes so many seconds for a reply."""

    def __init__(self, pause: float) -> None:
        super().__init__(lambda: pause)

    def reply(self, prompt: str) -> str:
        given = inputs_of(prompt)
        return next_step(given["recent_steps"], given["state"]) if "recent_steps" in given else fields(statements=[])

    def most_repeated(self) -> int:
        """The most calls that were repeated of one job."""
        jobs = Counter(found[0] for prompt in self.repeated() if (found := _NAME.search(prompt)))
        return max(jobs.values(), default=0)


class Scene(NamedTuple):
    """What a fault may disturb. The queue has a server of its own; the first worker reaches the store by the proxy."""

    data_dir: Path
    store: RedisServer
    queue: RedisServer
    proxy: Proxy
    env: dict[str, str]
    started: list[WorkerProcess]

    def add_worker(self) -> None:
        """Start another worker."""
        self.started.append(WorkerProcess(self.data_dir, _JOBS_A_WORKER, **self.env))

    def replace_ended(self) -> None:
        """Start a worker for each that has ended."""
        for place, each in enumerate(self.started):
            if each.process.poll() is not None:
                self.started[place] = WorkerProcess(self.data_dir, _JOBS_A_WORKER, **self.env)

    def await_again(self, jobs: set[str], since: float) -> float:
        """Seconds from that moment until the last of these jobs was begun by another worker than the first; SystemExit
        if one is not within `PATIENCE`."""
        others = self.started[1:]
        begun: dict[str, float] = {}
        while jobs - begun.keys():
            for line in (line for other in others for line in list(other.lines)):
                found = re.search(r"job_started job=(\S+)", line.text)
                if found and found[1] in jobs and line.at >= since:
                    begun.setdefault(found[1], line.at)
            if time.monotonic() - since > PATIENCE:
                raise SystemExit(f"no other worker began {', '.join(sorted(jobs - begun.keys()))}")
            time.sleep(0.01)
        return max(begun.values(), default=since) - since


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("faults", "Workers that are disturbed while jobs run.")
    options.add_argument("--faults", nargs="+", choices=[*FAULTS, "twice"], default=[*FAULTS, "twice"])
    options.add_argument("--jobs", type=int, default=8, help="jobs of each fault")
    options.add_argument("--model", action="store_true", help="with a model, which takes --pause seconds for a reply")
    options.add_argument("--pause", type=float, default=0.1)
    options.add_argument("--minutes", type=float, default=1.0, help="how long `random` disturbs")
    options.add_argument("--seed", type=int, default=1, help="of `random`")
    given = options.parse_args(argv)
    random.seed(given.seed)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        for number, name in enumerate(given.faults):
            place = indexed(Path(folder) / str(number))
            if name == "twice":
                rows.append(start_batch_twice(place))
            else:
                minutes = given.minutes if name == "random" else 0.0
                rows.append(disturb(place, name, given.jobs, given.pause if given.model else None, minutes))
    report(rows, as_json=given.json)
    return 0


def disturb(data_dir: Path, name: str, jobs: int, pause: float | None, minutes: float) -> Row:
    """Have so many jobs carried out, and disturb that; one more was finished before."""
    with ExitStack() as stack:
        store, queue = RedisServer(data_dir / "server"), RedisServer(data_dir / "queue", keeps=False)
        stack.callback(store.kill)
        stack.callback(queue.kill)
        proxy = Proxy(store.port)
        model = stack.enter_context(served(AgentModel(pause or 0.0)))
        env = {
            **model.environment, "STORM_REDIS_URL": f"redis://127.0.0.1:{store.port}/0",
            "STORM_QUEUE_URL": f"redis://127.0.0.1:{queue.port}/0",
        }  # fmt: skip
        by_proxy = {**env, "STORM_REDIS_URL": f"redis://127.0.0.1:{proxy.port}/0"}
        started = stack.enter_context(workers(data_dir, 1, _JOBS_A_WORKER, **by_proxy))
        scene = Scene(data_dir, store, queue, proxy, env, started)
        settings = settings_of(data_dir, **env)
        asked = MODEL if pause is not None else ""
        (whole,) = submit_jobs(settings, range(1), asked)
        asyncio.run(await_end(settings))
        job_ids = submit_jobs(settings, range(1, jobs + 1), asked)
        started[0].await_line(f"job_started job={job_ids[0]}")
        scene.add_worker()
        seconds = FAULTS[name](scene, minutes)
        asyncio.run(await_end(settings))
        finished, equal = asyncio.run(compare(settings, whole, job_ids))
        log = [line.text for each in started for line in each.lines]
    return {
        "variant": name, "n": jobs, "finished": finished, "equal": equal,
        "begun_again_after_s": "" if seconds is None else round(seconds, 1),
        "model_calls_repeated_at_most": model.most_repeated(),
        "set_aside": sum("job_set_aside" in line for line in log), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


async def compare(settings: Settings, whole: str, job_ids: Sequence[str]) -> tuple[int, int]:
    """How many of the jobs are finished, and how many equal the one that nobody disturbed."""
    async with open_app(settings) as app:
        finished = await find_finished(app, job_ids)
        expected = await read_result(app, whole)
        return len(finished), sum([await read_result(app, job_id) == expected for job_id in finished])


# Faults; each returns the seconds after which the jobs of the first worker were begun again, if that is known


def kill_worker(scene: Scene, _: float) -> float | None:
    """kill -9."""
    lost, since = scene.started[0].running(), time.monotonic()
    scene.started[0].send(signal.SIGKILL)
    return scene.await_again(lost, since)


def stop_worker(scene: Scene, _: float) -> float | None:
    """SIGTERM, as of a supervisor."""
    lost, since = scene.started[0].running(), time.monotonic()
    scene.started[0].send(signal.SIGTERM)
    return scene.await_again(lost, since)


def freeze_worker(scene: Scene, _: float) -> float | None:
    """Stopped for longer than its lease lasts, then awake."""
    lost, since = scene.started[0].running(), time.monotonic()
    scene.started[0].send(signal.SIGSTOP)
    seconds = scene.await_again(lost, since)
    time.sleep(max(0.0, SILENT - seconds))
    scene.started[0].send(signal.SIGCONT)
    return seconds


def cut_worker_off(scene: Scene, _: float) -> float | None:
    """The network between the first worker and the store hangs for longer than its lease lasts."""
    scene.proxy.cut()
    time.sleep(SILENT)
    scene.proxy.repair()
    return None


def kill_store(scene: Scene, _: float) -> float | None:
    """kill -9 of the store, which comes back with what was on disk."""
    return _kill_server(scene.store)


def kill_queue(scene: Scene, _: float) -> float | None:
    """kill -9 of the queue, which comes back empty."""
    return _kill_server(scene.queue)


def fill_store(scene: Scene, _: float) -> float | None:
    """The store takes no more for some seconds."""
    scene.store.limit_memory(0)
    time.sleep(AWAY)
    scene.store.limit_memory(None)
    return None


def poison_job(scene: Scene, _: float) -> float | None:
    """One job ends each worker that begins it, three times."""
    poisoned = next(iter(scene.started[0].running()))
    for _attempt in range(MOST_ATTEMPTS):
        while not (holders := [each for each in scene.started if poisoned in each.running()]):
            time.sleep(0.01)
        holders[0].send(signal.SIGKILL)
        holders[0].process.wait()
        holders[0].lines.clear()
        scene.add_worker()
    return None


def run_two_versions(scene: Scene, _: float) -> float | None:
    """A worker that says it is of another version is there, too; every other worker is stopped and started again."""
    other = WorkerProcess(scene.data_dir, _JOBS_A_WORKER, version="99.0", **scene.env)
    scene.started.append(other)
    for each in scene.started[:-1]:
        each.stop()
    scene.started[:-1] = [WorkerProcess(scene.data_dir, _JOBS_A_WORKER, **scene.env)]
    asyncio.run(await_end(settings_of(scene.data_dir, **scene.env)))
    if begun := [line.text for line in other.lines if "job_started" in line.text]:
        raise SystemExit(f"a worker of another version began jobs: {begun}")
    return None


def disturb_at_random(scene: Scene, minutes: float) -> float | None:
    """Any of the others, one after the other, for so many minutes; as many workers as before."""
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        victim = random.choice(scene.started)
        match random.choice(("kill", "stop", "freeze", "store", "queue", "memory")):
            case "kill":
                victim.send(signal.SIGKILL)
            case "stop":
                victim.send(signal.SIGTERM)
            case "freeze":
                victim.send(signal.SIGSTOP)
                time.sleep(random.uniform(1, SILENT))
                victim.send(signal.SIGCONT)
            case "store":
                _kill_server(scene.store)
            case "queue":
                _kill_server(scene.queue)
            case "memory":
                fill_store(scene, 0.0)
        time.sleep(random.uniform(1, 10))
        scene.replace_ended()
    return None


def _kill_server(server: RedisServer) -> float | None:
    server.kill()
    time.sleep(AWAY)
    server.start()
    return None


FAULTS: Mapping[str, Callable[[Scene, float], float | None]] = {
    "kill -9": kill_worker, "SIGTERM": stop_worker, "frozen": freeze_worker, "cut off": cut_worker_off,
    "store killed": kill_store, "queue killed": kill_queue, "store full": fill_store, "poisoned": poison_job,
    "two versions": run_two_versions, "random": disturb_at_random,
}  # fmt: skip


# The same batch by two processes


def start_batch_twice(data_dir: Path) -> Row:
    """Two processes start the same batch at once: one of them does, and each job is finished once."""
    (data_dir / "drugs.txt").write_text("trastuzumab\nmetformin\npertuzumab\n", encoding="utf-8")
    words = command("batch", "drugs.txt", "--offline", "--name", "twice")
    both = [
        subprocess.Popen(words, env=environment(data_dir), cwd=data_dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for each in both:
        each.communicate()
    refused = sum(each.returncode == JobHeld.exit_code for each in both)

    async def count_ends() -> list[int]:
        async with open_app(settings_of(data_dir)) as app:
            jobs = (await app.store.jobs.all()).jobs
            events = [await app.journal(job.job_id).events(1_000) for job in jobs]
        return [sum(event.kind == "finished" for event in found) for found in events]

    ends = asyncio.run(count_ends())
    discard(data_dir)
    return {
        "variant": "batch started twice", "n": len(ends), "finished": sum(count > 0 for count in ends),
        "finished_once": sum(count == 1 for count in ends), "processes_refused": refused,
    }  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
