"""`storm worker`: many jobs on one and two processes, the limit that workers share, and the list of many jobs.

The jobs are of one drug on the bundled sample, without a model; those at a time in one process ask a service and a
model on loopback.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _at_once import at_once_rows
from _program import command, environment, indexed
from _report import Row, parser, report
from _shared_limit import limit_rows
from _workers import await_end, discard, find_finished, settings_of, submit_jobs, workers

from storm.app import App, open_app
from storm.store.keys import INDEX, JobKeys

PARTS = ("workers", "at-once", "limit", "list")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("scale", "Many jobs: workers, the shared limit, the list of jobs.")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what is measured")
    options.add_argument("--jobs", type=int, default=1_000, help="jobs for the workers")
    options.add_argument("--at-once", type=int, nargs="+", default=[1, 10, 50, 100, 200], help="jobs at a time")
    options.add_argument("--model-pause", type=float, default=1.0, help="seconds of a call of the model")
    options.add_argument("--service-pause", type=float, default=0.3, help="seconds of a call of the service")
    options.add_argument("--service-rate", type=float, default=1_000, help="calls a second that the service allows")
    options.add_argument("--listed", type=int, default=2_000, help="finished jobs in the list")
    options.add_argument("--processes", type=int, default=8, help="processes that share a limit")
    options.add_argument("--seconds", type=float, default=30, help="how long a limit is measured")
    given = options.parse_args(argv)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as name:
        folder = Path(name)
        if "workers" in given.parts:
            rows += worker_rows(folder, given.jobs)
        if "at-once" in given.parts:
            rows += at_once_rows(folder, given.at_once, given.model_pause, given.service_pause, given.service_rate)
        if "limit" in given.parts:
            rows += asyncio.run(limit_rows(folder / "limit", given.processes, 3.0, given.seconds))
        if "list" in given.parts:
            rows += list_rows(folder / "list", given.listed)
    report(rows, as_json=given.json)
    return 0


# Workers


def worker_rows(folder: Path, jobs: int) -> list[Row]:
    """One command for each job, one after the other; then one worker process, and two."""
    alone = max(3, jobs // 100)
    rows = [_run_commands(indexed(folder / "commands"), alone)]
    base = 0.0
    for processes in (1, 2):
        row = _run_workers(indexed(folder / f"workers-{processes}"), processes, jobs)
        base = base or float(str(row["jobs_a_minute"]))
        rows.append({**row, "efficiency": round(float(str(row["jobs_a_minute"])) / base / processes, 2)})
    return rows


def _run_commands(data_dir: Path, jobs: int) -> Row:
    began = time.monotonic()
    for number in range(jobs):
        arguments = command("run", "trastuzumab", "--offline", "--quiet", "--out", f"report-{number}")
        subprocess.run(arguments, env=environment(data_dir), cwd=data_dir, check=True, capture_output=True)
    minutes = (time.monotonic() - began) / 60
    discard(data_dir)
    return {
        "variant": "storm run, one after the other", "n": jobs, "jobs_a_minute": round(jobs / minutes, 1),
        "finished": jobs, "worker_mb": 0.0, "load": os.getloadavg()[0], "efficiency": 1.0,
    }  # fmt: skip


def _run_workers(data_dir: Path, processes: int, jobs: int) -> Row:
    settings = settings_of(data_dir)
    job_ids = submit_jobs(settings, range(jobs))
    memory: list[float] = []

    async def count() -> int:
        async with open_app(settings) as app:
            return len(await find_finished(app, job_ids))

    with workers(data_dir, processes, jobs=4) as started:
        began = time.monotonic()
        asyncio.run(await_end(settings, lambda: memory.append(max(one.memory() for one in started))))
        seconds = time.monotonic() - began
    finished = asyncio.run(count())
    discard(data_dir)
    return {
        "variant": f"{processes} storm worker --jobs 4", "n": jobs, "jobs_a_minute": round(jobs / seconds * 60, 1),
        "finished": finished, "worker_mb": round(max(memory), 1), "load": os.getloadavg()[0],
    }  # fmt: skip


# The list of jobs


def list_rows(data_dir: Path, jobs: int) -> list[Row]:
    """`storm jobs` with one finished job, and with copies of it."""
    indexed(data_dir)
    settings = settings_of(data_dir)
    arguments = command("run", "trastuzumab", "--offline", "--quiet", "--out", "report")
    subprocess.run(arguments, env=environment(data_dir), cwd=data_dir, check=True, capture_output=True)

    async def fill() -> tuple[float, float]:
        async with open_app(settings) as app:
            (job,) = (await app.store.jobs.all()).jobs
            one = await _time_list(data_dir)
            before = (await app.store.info()).memory_bytes
            await _copy_job(app, job.job_id, jobs)
            grown = (await app.store.info()).memory_bytes - before
            many = await _time_list(data_dir)
            return many - one, grown / jobs / 1000

    own, memory = asyncio.run(fill())
    discard(data_dir)
    return [{"variant": "storm jobs", "n": jobs, "ms_more_than_with_1": round(own * 1000, 1), "kb_a_job": memory}]


async def _time_list(data_dir: Path) -> float:
    def measure() -> float:
        began = time.monotonic()
        subprocess.run(command("jobs"), env=environment(data_dir), cwd=data_dir, check=True, capture_output=True)
        return time.monotonic() - began

    return statistics.median([await asyncio.to_thread(measure) for _ in range(7)])


async def _copy_job(app: App, job_id: str, copies: int) -> None:
    keys = JobKeys(job_id)

    async def find(redis: Any) -> list[str]:
        return [key async for key in redis.scan_iter(match=f"{keys.prefix}*", count=1_000)]

    found = await app.store.run_command(find)
    for number in range(copies):
        other = f"{job_id[:-6]}{number:06x}"
        for key in found:
            copy = key.replace(job_id, other)
            await app.store.run_command(lambda redis, key=key, copy=copy: redis.copy(key, copy))  # type: ignore[misc]
        await app.store.run_command(lambda redis, other=other: redis.zadd(INDEX, {other: 1.0}))  # type: ignore[misc]


if __name__ == "__main__":
    raise SystemExit(main())
