"""Who carries out the jobs of a batch: the workers, where there are some that take them, or else this process."""

from __future__ import annotations

from importlib.util import find_spec

from storm.api.batches import LocalExecutor
from storm.app import App
from storm.cli.console import count_noun, print_note
from storm.ports import JobExecutor
from storm.store import find_waiting_reason

#: How many jobs are handed over for each that the workers carry out at once, so that none of them is idle.
_AHEAD = 2


async def find_executor(app: App, jobs: int) -> tuple[JobExecutor, int]:
    """What carries out jobs, and how many are handed over to it at a time: `jobs`, or what the workers can take."""
    workers = await app.store.submissions.workers()
    if not workers or find_spec("dramatiq") is None:
        return LocalExecutor(app), jobs
    from storm.worker import QueueExecutor, find_needs, name_queue

    needs = find_needs(app.settings)
    queue = name_queue(needs, "normal")
    if why := find_waiting_reason(queue, needs, workers):
        print_note(f"The jobs are carried out here: {why}.")
        return LocalExecutor(app), jobs
    slots = sum(worker.jobs for worker in workers if queue in worker.queues)
    print_note(f"{count_noun(len(workers), 'worker')} for the jobs, {slots} at a time.")
    return QueueExecutor(app), _AHEAD * slots
