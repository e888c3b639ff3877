"""Who carries out the jobs of a batch: the workers, where there are some that take them, or else this process."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

from storm.api.batches import LocalExecutor
from storm.app import App
from storm.cli.console import count_noun, make_printable, print_note
from storm.ports import JobExecutor
from storm.store import find_waiting_reason

#: How many jobs run here at a time, and how many are handed over for each that the workers carry out at once, so that
#: none of them is idle; unless a number is given.
_HERE, _AHEAD = 4, 2


async def find_executor(app: App, jobs: int | None) -> tuple[JobExecutor, int]:
    """What carries out jobs, and how many are handed over to it at a time: `jobs`, or what it can take."""
    workers = await app.store.submissions.workers()
    if not workers or find_spec("dramatiq") is None:
        return LocalExecutor(app), jobs or _HERE
    from storm.worker import QueueExecutor, find_needs, name_queue

    needs = await asyncio.to_thread(find_needs, app.settings)
    queue = name_queue(needs, "normal")
    if why := find_waiting_reason(queue, needs, workers):
        print_note(f"The jobs are carried out here: {why}.")
        return LocalExecutor(app), jobs or _HERE
    slots = [worker.jobs for worker in workers if queue in worker.queues]
    at_once = min(jobs or sum(slots), sum(slots))
    print_note(f"{count_noun(len(slots), 'worker')} for the jobs, {at_once} at a time.")
    return QueueExecutor(app, on_wait=_tell_waiting), jobs or _AHEAD * sum(slots)


def _tell_waiting(reason: str) -> None:
    print_note(make_printable(f"The jobs wait: {reason}." if reason else "A worker takes the jobs again."))
