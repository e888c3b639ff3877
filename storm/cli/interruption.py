"""Ends the process soon after Ctrl-C or SIGTERM.

asyncio cancels a job at its next await, Python waits for its threads, and a library may catch the exception; each may
take long. What a job found is in the store already, so the process is ended after a grace period.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from storm.cli.console import name_program, print_note
from storm.errors import Interrupted

T = TypeVar("T")

#: Seconds in which a job may end by itself.
GRACE = 1.0

_ENDING = frozenset((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


class Interruption:
    """Ends a command, a job or a batch at a signal. `job_id` or `batch` is set as soon as it is known, and
    `has_workers` where workers carry out its jobs."""

    def __init__(self) -> None:
        self.job_id = self.batch = ""
        self.has_workers = False
        self._is_over = threading.Event()

    def make_error(self) -> Interrupted:
        """The error that says what happened and how to go on."""
        if self.batch:
            rest = "the jobs that workers have go on" if self.has_workers else "what its jobs found is kept"
            return Interrupted(
                f"the batch {self.batch} was interrupted; {rest}",
                hint=name_program(f"go on: storm batch resume {self.batch}"),
            )
        if not self.job_id:
            return Interrupted("interrupted")
        return Interrupted(
            f"{self.job_id} was interrupted; what it found is kept",
            hint=name_program(f"go on: storm resume {self.job_id}"),
        )

    @contextmanager
    def watch_signals(self) -> Iterator[None]:
        """Inside, a signal ends the process within GRACE seconds."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals, written = os.pipe()
        os.set_blocking(written, False)
        before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        threading.Thread(target=self._end_at_signal, args=(signals,), daemon=True).start()
        try:
            yield
        finally:
            self._is_over.set()
            signal.set_wakeup_fd(before)
            os.close(written)

    async def hear_once(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work in the event loop of the main thread: the first Ctrl-C cancels it, and later ones do not disturb
        what then ends it, which asyncio would break off."""
        first = signal.getsignal(signal.SIGINT)

        def cancel(number: int, frame: FrameType | None) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if callable(first):
                first(number, frame)

        if callable(first) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, cancel)
        try:
            return await work
        finally:
            if signal.getsignal(signal.SIGINT) is cancel:
                signal.signal(signal.SIGINT, first)

    def _end_at_signal(self, signals: int) -> None:
        """Runs in a thread: Python calls no signal handler while the main thread is busy in C code, and a library may
        catch the exception that a handler raises."""
        with open(signals, "rb", buffering=0) as stream:
            while received := stream.read(1):
                if received[0] in _ENDING:
                    time.sleep(GRACE)  # the limit holds for the clean-up after the block, too: no event ends the wait
                    self._end_process()

    def _end_process(self) -> None:
        if not self._is_over.is_set():
            if sys.stderr.isatty():
                print_note("\x1b[?25h")  # the progress display hid the cursor
            error = self.make_error()
            print_note(f"Error: {error}" + (f"\n  {error.hint}" if error.hint else ""))
        os._exit(Interrupted.exit_code)
