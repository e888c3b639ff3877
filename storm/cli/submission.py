"""Within `storm submit`, the commands that start jobs hand them over to workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec

from storm.app import open_app
from storm.cli.console import name_program, print_json, print_line, print_note, run_async
from storm.errors import StormError, name_install
from storm.models import JobRequest
from storm.settings import Settings


class Submission:
    """How jobs are handed over."""

    def __init__(self, priority: str) -> None:
        self._priority = priority

    def submit(self, settings: Settings, request: JobRequest, job_id: str, *, as_json: bool) -> None:
        """Create the job, hand it over and print its id."""
        check_workers_installed()
        from storm.worker import submit_request

        async def submit() -> tuple[str, str]:
            async with open_app(settings) as app:
                done = await submit_request(app, request, job_id, self._priority)
                return done.job_id, done.waits

        submitted, waits = run_async(submit())
        if as_json:
            print_json({"job_id": submitted, "waits": waits or None})
            return
        print_line(submitted)
        if waits:
            print_note(name_program(f"It waits: {waits}. Start one: storm worker"))
        print_note(name_program(f"Follow it: storm watch {submitted}; when it is finished: storm export {submitted}"))


_submission: ContextVar[Submission | None] = ContextVar("submission", default=None)


def current_submission() -> Submission | None:
    """How the jobs of this command are handed over; None where they are worked on here."""
    return _submission.get()


@contextmanager
def submitting(priority: str) -> Iterator[None]:
    """Within the context, jobs are handed over."""
    token = _submission.set(Submission(priority))
    try:
        yield
    finally:
        _submission.reset(token)


def check_workers_installed() -> None:
    """StormError unless the queue's library is installed."""
    if find_spec("dramatiq") is None or find_spec("prometheus_client") is None:
        raise StormError(
            "workers need Dramatiq and prometheus_client, which are not installed",
            hint=f"install it: {name_install('workers')}",
        )
