"""`storm delete JOB`: delete jobs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import exit_with, print_error, print_line, run_async
from storm.cli.hints import hint_of
from storm.errors import JobHeld, UsageError
from storm.settings import read_settings


def delete(
    jobs: Annotated[list[str], typer.Argument(metavar="JOB", help="The jobs' ids, as `storm jobs` lists them.")],
) -> None:
    """Delete jobs from the store. Their sources, citations and answers go with them; written files stay. A running job
    is not deleted; the others are, and the exit code is not 0.

    Example: storm delete trastuzumab-20261121-7f3a9c
    """

    exit_with(run_async(_delete_jobs(dict.fromkeys(jobs))))


async def _delete_jobs(jobs: Iterable[str]) -> int:
    """Delete every job that can be deleted; the exit code of the first error."""
    exit_code = 0
    async with open_app(read_settings()) as app:
        for job in jobs:
            try:
                await app.store.jobs.delete(job)
            except (UsageError, JobHeld) as error:
                print_error(str(error), hint_of(error))
                exit_code = exit_code or error.exit_code
            else:
                print_line(f"{job} is deleted.")
    return exit_code
