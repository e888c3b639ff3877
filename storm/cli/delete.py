"""`storm delete JOB`: forget a job."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import run_async, say
from storm.settings import read_settings


def delete(
    jobs: Annotated[list[str], typer.Argument(metavar="JOB...", help="The jobs' ids, as `storm jobs` lists them.")],
) -> None:
    """Delete jobs from the store: their sources, citations and answers. Reports that were written stay. A job that is
    being worked on is not deleted.

    Example: storm delete trastuzumab-20261121-7f3a9c
    """

    async def forget() -> None:
        async with open_app(read_settings()) as app:
            for job in jobs:
                await app.store.jobs.delete(job)
                say(f"{job} is deleted.")

    run_async(forget())
