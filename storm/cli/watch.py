"""`storm watch JOB`: follow a running job from another terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import clean_text, print_line, run_async
from storm.models import Event, JobState
from storm.settings import read_settings


def watch(job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")]) -> None:
    """Follow a job until it ends. Earlier events are printed first. Ctrl-C stops watching, not the job.

    Example: storm watch trastuzumab-20261121-7f3a9c
    """

    def print_event(event: Event) -> None:
        counts = ", ".join(f"{key} {value}" for key, value in event.data.items())
        message = clean_text(counts if event.kind == "progress" else event.message)
        print_line(f"{event.at:%H:%M:%S}  {event.progress:4.0%}  {event.kind}: {message}")

    async def follow_job() -> None:
        async with open_app(read_settings()) as app:
            await app.store.jobs.get(job)
            async for event in app.journal(job).follow():
                print_event(event)
            state = (await app.store.jobs.get(job)).state
            can_go_on = state in (JobState.QUEUED, JobState.INTERRUPTED, JobState.CANCELLED)
            print_line(f"{job} is {state}." + (f" Go on with it: storm resume {job}" if can_go_on else ""))

    run_async(follow_job())
