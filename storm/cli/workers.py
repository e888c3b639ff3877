"""`storm workers`: the workers that are there, and the jobs that wait for one."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import count_noun, name_program, print_json, print_line, print_table, run_async
from storm.settings import read_settings
from storm.store import Submission, WorkerRecord


def workers(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the workers that are there, and the jobs that no worker takes.

    Example: storm workers
    """

    async def read() -> tuple[list[WorkerRecord], dict[str, Submission]]:
        async with open_app(read_settings()) as app:
            return await app.store.submissions.workers(), dict(await app.store.submissions.all())

    found, submitted = run_async(read())
    running = {job_id for worker in found for job_id in worker.running}
    served = {queue for worker in found for queue in worker.queues}
    waiting = {job_id: each for job_id, each in submitted.items() if job_id not in running}
    unserved = [job_id for job_id, each in waiting.items() if each.queue not in served]
    if as_json:
        listed = [worker.model_dump(mode="json") for worker in found]
        print_json({"workers": listed, "waiting": len(waiting), "no_worker_fits": unserved})
        return
    if found:
        head = ("WORKER", "HOST", "PID", "STORM", "JOBS", "STARTED (UTC)", "CORPUS")
        print_table(head, [_row(worker) for worker in found])
    else:
        print_line(name_program("No worker is there. Start one: storm worker"))
    if waiting:
        print_line(f"{count_noun(len(waiting), 'job')} waiting.")
    if unserved:
        print_line(f"No worker that is there fits {count_noun(len(unserved), 'job')}: {', '.join(unserved[:5])}")


def _row(worker: WorkerRecord) -> tuple[str, ...]:
    jobs = f"{len(worker.running)} of {worker.jobs}"
    started = f"{worker.started:%Y-%m-%d %H:%M:%S}"
    return worker.worker_id, worker.host, str(worker.pid), worker.version, jobs, started, worker.corpus or "none"
