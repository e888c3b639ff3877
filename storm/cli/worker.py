"""`storm worker`: carry out jobs that were submitted."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import Annotated

import typer

from storm.cli.console import print_note, split_list
from storm.cli.submission import check_workers_installed
from storm.errors import UsageError
from storm.settings import read_settings


def worker(
    jobs: Annotated[int, typer.Option(min=1, max=500, help="The most jobs at a time.")] = 4,
    queues: Annotated[str, typer.Option(help="The priorities it takes, separated by commas.")] = "high,normal,low",
) -> None:
    """Carry out submitted jobs until it is stopped, on any number of machines that share STORM_REDIS_URL.

    SIGTERM and Ctrl-C put running jobs back, and another worker goes on with them; a second signal ends it at once.

    Example: storm worker --jobs 8
    """
    check_workers_installed()
    from storm.worker.needs import PRIORITIES
    from storm.worker.working import JobWorker

    wanted = split_list(queues)
    if not wanted or any(name not in PRIORITIES for name in wanted):
        raise UsageError(f"--queues is {queues!r}; it takes {', '.join(PRIORITIES)}")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("dramatiq").setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    stop = threading.Event()

    def put_back(number: int, frame: object) -> None:
        if stop.is_set():
            os._exit(128 + number)
        print_note("Stopping: running jobs are put back.")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, put_back)
    JobWorker(read_settings(), jobs, [name for name in PRIORITIES if name in wanted]).run(stop)
