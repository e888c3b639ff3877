"""`storm delete JOB`: forget a job."""

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
    jobs: Annotated[list[str], typer.Argument(metavar="JOB...", help="The jobs' ids, as `storm jobs` lists them.")],
) -> None:
    """Delete jobs from the store: their sources, citations and answers. Reports that were written stay. A job that is
    being worked on is not deleted; the others are, and the exit code says that one was not.

    Example: storm delete trastuzumab-20261121-7f3a9c
    """

    exit_with(run_async(_delete_jobs(dict.fromkeys(jobs))))


async def _delete_jobs(jobs: Iterable[str]) -> int:
    """Each job that can be deleted is, whatever is wrong with another; the exit code of what was wrong first."""
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
