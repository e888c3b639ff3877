"""`storm open JOB`: show a job's report in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import print_line, print_note, run_async
from storm.cli.output_files import folder_of
from storm.errors import UsageError
from storm.export import check_subject, write_report
from storm.models import Job
from storm.reports import Report
from storm.settings import read_settings


def open(job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")]) -> None:
    """Show a finished job's report in the browser. Its HTML file is written first if it is not there.

    Example: storm open trastuzumab-20261121-7f3a9c
    """

    async def find_file() -> Path:
        async with open_app(read_settings()) as app:
            report = await app.report(job)
            return _write_missing(report, await app.store.jobs.get(job))

    path = run_async(find_file())
    print_line(str(path))
    if not webbrowser.open(path.absolute().as_uri()):
        print_note("No browser could be started here: open the file yourself.")


def _write_missing(report: Report, job: Job) -> Path:
    """The job's HTML file, which is written if it is missing; UsageError if another job's is in its place."""
    folder = folder_of(job)
    path = folder / f"{report.file_name}.html"
    if path.exists() and f">{job.job_id}<" in path.read_text(encoding="utf-8", errors="replace"):
        return path
    if path.exists():
        raise UsageError(
            f"{path} is not of the job {job.job_id}",
            hint=f"write its own elsewhere, and open that: storm export {job.job_id} --format html --out DIR",
        )
    check_subject(folder, job.request)
    (written,) = write_report(report, folder, ["html"])
    return written
