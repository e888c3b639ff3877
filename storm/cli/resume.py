"""`storm resume JOB`: go on with a job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import FORMATS_HELP, exit_with, split_list
from storm.cli.interruption import Interruption
from storm.cli.output_options import AsJson, OtherTemplateOption, Overwrite, Quiet, Verbose
from storm.cli.work import OutputOptions, run_job, work_on
from storm.export import check_folder, check_formats
from storm.settings import read_settings


def resume(
    job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")],
    model: Annotated[
        str, typer.Option(help="Another language model for every role from here on. What was spent still counts.")
    ] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the files; by default the job's own.")] = None,
    formats: Annotated[str | None, typer.Option("--format", help=f"{FORMATS_HELP}.")] = None,
    template: OtherTemplateOption = None,
    overwrite: Overwrite = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Go on with an unfinished job. A finished job's files are written again. Exit codes as of `storm run`.

    Example: storm resume trastuzumab-20261121-7f3a9c
    """
    settings = read_settings()
    chosen = check_formats(split_list(formats)) if formats else None

    async def resume_job(interruption: Interruption) -> int:
        async with open_app(settings) as app:
            found = await app.store.jobs.get(job)
            if out:
                check_folder(out)
            wanted = OutputOptions(out, chosen, overwrite, quiet, as_json, settings.progress_plain, verbose, template)
            return await work_on(app, found, wanted, interruption, model)

    exit_with(run_job(resume_job))
