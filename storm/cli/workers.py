"""`storm workers`: the workers that are there, and the jobs that wait for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import count_noun, name_program, print_json, print_line, print_table, run_async
from storm.settings import read_settings
from storm.store import WorkerRecord


def workers(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the workers that are there, and the jobs that no worker takes.

    Example: storm workers
    """

    async def read() -> tuple[list[WorkerRecord], Mapping[str, str]]:
        async with open_app(read_settings()) as app:
            return await app.store.submissions.workers(), await app.store.submissions.waiting()

    found, waiting = run_async(read())
    if as_json:
        print_json({"workers": [worker.model_dump(mode="json") for worker in found], "waiting": waiting})
        return
    if found:
        head = ("WORKER", "HOST", "PID", "STORM", "JOBS", "STARTED (UTC)", "PRIORITIES", "CORPUS")
        print_table(head, [_row(worker) for worker in found])
    else:
        print_line(name_program("No worker is there. Start one: storm worker"))
    for line in describe_waiting(waiting):
        print_line(line)


def describe_waiting(waiting: Mapping[str, str]) -> list[str]:
    """How many jobs wait for a worker, and why: a line for each reason."""
    counts = Counter(waiting.values())
    return [
        f"{count_noun(number, 'job')} waiting for a worker{f': {reason}' if reason else ' to be free'}."
        for reason, number in sorted(counts.items())
    ]


def _row(worker: WorkerRecord) -> tuple[str, ...]:
    jobs = f"{len(worker.running)} of {worker.jobs}"
    started = f"{worker.started:%Y-%m-%d %H:%M:%S}"
    priorities = ",".join(queue.rpartition("-")[2] for queue in worker.queues)
    corpus = worker.corpus or "none"
    return worker.worker_id, worker.host, str(worker.pid), worker.version, jobs, started, priorities, corpus
