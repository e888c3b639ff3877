"""`storm update JOB`: bring a dossier up to date, in a new job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.app import App, open_app, utc_now
from storm.cli.console import FORMATS_HELP, exit_with, split_list
from storm.cli.interruption import Interruption
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.output_files import folder_of
from storm.cli.output_options import AsJson, OtherTemplateOption, Overwrite, Quiet, Verbose
from storm.cli.work import OutputOptions, mention_unfinished, run_job, work_on
from storm.errors import Code, UsageError
from storm.export import check_folder, check_formats
from storm.models import Job, JobLimits, new_job_id
from storm.settings import read_settings


def update(
    job: Annotated[str, typer.Argument(help="The finished job, as `storm jobs` lists it.")],
    model: Annotated[
        str, typer.Option(help="Another language model than the job's, which had one: all answers are written again.")
    ] = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    job_id: Annotated[str, typer.Option(help="An id of your own for the new job, as of `storm run`.")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the files; by default ./storm-reports/NEW-JOB/")] = None,
    formats: Annotated[
        str | None, typer.Option("--format", help=f"{FORMATS_HELP}; by default the job's, and changes.")
    ] = None,
    template: OtherTemplateOption = None,
    overwrite: Overwrite = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Bring a finished job's dossier up to date, in a new job: search for what is new, and say what changed.

    The job itself and its files stay as they are. Exit codes as of `storm run`.

    Example: storm update trastuzumab-20261121-7f3a9c
    """
    settings = read_settings()
    chosen = check_formats(split_list(formats)) if formats else ()
    limits = JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes)
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose)

    async def start_job(app: App) -> Job:
        previous = await app.store.jobs.get(job)
        new_id = job_id or new_job_id(previous.request.subject, utc_now())
        folder = out or Path("storm-reports", new_id)
        if not overwrite and folder.resolve() == folder_of(previous).resolve():
            raise UsageError(f"{folder} is the folder of {job}, whose files stay", code=Code.FOLDER_TAKEN)
        check_folder(out or folder.parent)
        # Absolute, for a resume from another folder.
        return await app.start_update(
            job,
            new_id,
            model=model,
            limits=None if limits == JobLimits() else limits,
            out=str(folder.absolute()),
            formats=chosen,
            template=template,
        )

    async def update_job(interruption: Interruption) -> int:
        async with open_app(settings) as app:
            started = await start_job(app)
            if not (quiet or as_json):
                await mention_unfinished(app, started)
            return await work_on(app, started, wanted, interruption)

    exit_with(run_job(update_job))
