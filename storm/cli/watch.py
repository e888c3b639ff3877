"""`storm watch JOB`: follow a running job from another terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import typer

from storm.app import App, open_app
from storm.cli.console import exit_with, name_program, print_line, print_note, run_async
from storm.cli.inspect import RESUMABLE, describe_event
from storm.cli.output_files import folder_of
from storm.cli.work import is_answered
from storm.errors import JobCancelled
from storm.models import Event, Job, JobState
from storm.settings import read_settings

#: States after which no worker tries again; a failed job that is with one is tried again.
_FINAL = (JobState.FINISHED, JobState.CANCELLED)
#: Seconds between two looks at a job that waits for a worker.
_PAUSE = 1.0
#: Events of a job that has ended; `--all` prints the rest.
_LAST = 10


def watch(
    job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")],
    every: Annotated[bool, typer.Option("--all", help="Print all events of a job that has ended.")] = False,
) -> None:
    """Follow a job until it ends. Earlier events are printed first; of a job that has ended, the last ten. Ctrl-C stops
    watching, not the job. A job that waits for a worker is waited for. The exit code is that of the job; 130 if it was
    cancelled.

    Example: storm watch trastuzumab-20261121-7f3a9c
    """

    def print_event(event: Event) -> None:
        described = describe_event(event.kind, event.message, event.data)
        print_line(f"{event.at:%H:%M:%S}  {event.progress:4.0%}  {described}")

    async def follow_job() -> int:
        async with open_app(read_settings()) as app:
            state = (await app.store.jobs.get(job)).state
            is_submitted = state not in _FINAL and await app.store.submissions.find_submission(job)
            has_ended = state is not JobState.RUNNING and not is_submitted
            events = _read_last(app, job) if has_ended and not every else _follow(app, job)
            async for event in events:
                print_event(event)
            ended = await app.store.jobs.get(job)
            if ended.state is JobState.FINISHED and not every:
                _print_folder(ended)
            can_go_on = ended.state in RESUMABLE
            print_line(
                f"{job} is {ended.state}." + (name_program(f" Go on with it: storm resume {job}") if can_go_on else "")
            )
            return JobCancelled.exit_code if ended.state is JobState.CANCELLED else ended.exit_code or 0

    exit_with(run_async(follow_job()))


async def _follow(app: App, job_id: str) -> AsyncIterator[Event]:
    """The events of the job as they arrive, also while it waits for a worker, or for another one."""
    last, is_announced = "0-0", False
    while True:
        async for event in app.journal(job_id).follow(last):
            last = event.id or last
            yield event
        submission = await app.store.submissions.find_submission(job_id)
        if submission is None or (await app.store.jobs.get(job_id)).state in _FINAL:
            return
        if not is_announced:
            reason = (await app.store.submissions.waiting()).get(job_id)
            print_note(f"It waits for a worker{f': {reason}' if reason else ''}.")
            is_announced = True
        await asyncio.sleep(_PAUSE)


async def _read_last(app: App, job_id: str) -> AsyncIterator[Event]:
    """The last events of the job; says that there are earlier ones."""
    events = await app.journal(job_id).events(_LAST + 1)
    if len(events) > _LAST:
        print_line(name_program(f"Earlier events: storm watch {job_id} --all"))
    for event in events[-_LAST:]:
        yield event


def _print_folder(job: Job) -> None:
    """Print where the job's files are, or how to write them."""
    folder = folder_of(job).absolute()
    if folder.is_dir():
        print_line(f"Its files: {folder}")
    elif is_answered(job):
        print_line(name_program(f"Read its answer: storm resume {job.job_id}"))
    else:
        print_line(name_program(f"Write its files: storm export {job.job_id}"))
