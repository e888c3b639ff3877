"""`storm cancel JOB`: stop a job, wherever it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import name_program, print_line, run_async
from storm.settings import read_settings


def cancel(job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")]) -> None:
    """Stop a job within two seconds, wherever it runs. No dossier is written. The sources that were found are kept, and
    `storm resume` reopens the job.

    Example: storm cancel trastuzumab-20261121-7f3a9c
    """

    async def cancel_job() -> None:
        async with open_app(read_settings()) as app:
            await app.store.jobs.cancel(job)
            await app.store.submissions.withdraw_job(job)

    run_async(cancel_job())
    print_line(name_program(f"{job} is cancelled. Reopen it: storm resume {job}"))
