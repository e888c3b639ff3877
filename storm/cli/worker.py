"""`storm worker`: carry out jobs that were submitted."""

from __future__ import annotations

import os
import signal
import threading
from typing import Annotated

import typer

from storm.cli.console import print_note, split_list
from storm.cli.submission import check_workers_installed
from storm.errors import UsageError
from storm.settings import read_settings
from storm.value_wording import list_choices

#: Where metrics are served unless another address is given: this machine alone.
_HOST = "127.0.0.1"


def worker(
    jobs: Annotated[int, typer.Option(min=1, max=500, help="The most jobs at a time.")] = 4,
    queues: Annotated[str, typer.Option(help="The priorities to work on, separated by commas.")] = "high,normal,low",
    log_format: Annotated[
        str, typer.Option(metavar="FORMAT", help="Log format on standard error: text or json.")
    ] = "text",
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="Serve Prometheus metrics at http://HOST:PORT/metrics.")
    ] = None,
    metrics_host: Annotated[
        str, typer.Option(help="The address for the metrics; 0.0.0.0 lets other machines read them.")
    ] = _HOST,
) -> None:
    """Carry out submitted jobs until it is stopped, on any number of machines that share STORM_REDIS_URL.

    SIGTERM and Ctrl-C put running jobs back, and another worker goes on with them; a second signal ends it at once.

    Example: storm worker --jobs 8
    """
    check_workers_installed()
    from storm.worker.log import LogFormat, start_log
    from storm.worker.needs import PRIORITIES
    from storm.worker.working import JobWorker

    wanted = split_list(queues)
    if not wanted or any(name not in PRIORITIES for name in wanted):
        raise UsageError(f"--queues is {queues!r}; each must be {list_choices(PRIORITIES)}")
    if metrics_host != _HOST and not metrics_port:
        raise UsageError("--metrics-host without --metrics-port", hint="name the port, too")
    if log_format not in (formats := [*LogFormat]):
        raise UsageError(f"--log-format is {log_format!r}; it must be {list_choices(formats)}")
    start_log(LogFormat(log_format))
    started = JobWorker(read_settings(), jobs, [name for name in PRIORITIES if name in wanted])
    if metrics_port:
        started.metrics.serve(metrics_host, metrics_port)
    stop = threading.Event()

    def put_back(number: int, frame: object) -> None:
        if stop.is_set():
            os._exit(128 + number)
        if log_format != LogFormat.JSON:
            print_note("Stopping: running jobs are put back.")
        stop.set()

    signal.set_wakeup_fd(-1)  # to put jobs back may take longer than other commands may go on after a signal
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, put_back)
    started.run(stop)
