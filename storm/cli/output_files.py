"""The files of a job: their folder, whose files are there already, and the writing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from storm.cli.console import print_note
from storm.errors import FormatUnavailable, UsageError
from storm.export import PageSetup, check_subject, mark_subject, name_files, write_report
from storm.models import Job, JobRequest
from storm.reports import Report


class WrittenFiles(NamedTuple):
    """The files that were written, and why one is not among them."""

    paths: Sequence[Path]
    unavailable: FormatUnavailable | None = None


def folder_of(job: Job) -> Path:
    """The folder that the job was started with, for its files."""
    return Path(job.request.out or Path("storm-reports") / job.job_id)


def find_replaced(folder: Path, request: JobRequest, overwrite: bool) -> set[Path]:
    """The files of another drug or question in the folder, which may be replaced if `overwrite`; else UsageError."""
    try:
        check_subject(folder, request)
    except UsageError:
        if not overwrite:
            raise
        return {path for name in (name_files(request.kind), "sources") for path in folder.glob(f"{name}.*")}
    return set()


def finish_files(folder: Path, written: Sequence[Path], replaced: set[Path], request: JobRequest) -> None:
    """Note in the folder whose the written files are, and mention those of another drug or question that were kept."""
    for name in dict.fromkeys(path.name.partition(".")[0] for path in written):
        mark_subject(folder, name, request.text)
    if left := sorted(path.name for path in replaced.difference(written)):
        print_note(f"Kept files of another {request.kind.noun}: {', '.join(left)}")


def write_files(report: Report, folder: Path, formats: Sequence[str], pages: PageSetup) -> WrittenFiles:
    """Write the files, and print what their reader should know; what a format lacks is an error to raise later."""
    try:
        return WrittenFiles(write_report(report, folder, formats, pages._replace(report_note=print_note)))
    except FormatUnavailable as error:
        return WrittenFiles(error.files, error)
