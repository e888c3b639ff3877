"""The reports of a batch as files, from the documents in the store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from storm.api.batches.status import BatchTable, read_batch
from storm.api.batches.tables import to_csv, to_html, to_json
from storm.app import App
from storm.errors import Code, FormatUnavailable, StormError, UsageError
from storm.export import PageSetup, check_folder, check_formats, check_template, write_report
from storm.export.replacement import replace_file
from storm.models import JobState


class BatchResults(NamedTuple):
    """The batch; why jobs have no files, by their ids; and the error of a format that lacks its library: the others
    are written."""

    table: BatchTable
    without: dict[str, str]
    lacking: FormatUnavailable | None


async def write_results(
    app: App,
    name: str,
    out: Path,
    formats: Sequence[str],
    pages: PageSetup | None = None,
    *,
    overwrite: bool = False,
) -> BatchResults:
    """Write the files of every finished job to OUT/JOB/, of a failed one what it has so far, and an index as HTML, CSV
    and JSON; each file is replaced whole.

    UsageError, before any file is written, if there is no such format, the template cannot be read, or OUT has the
    index of another batch and `overwrite` is not set.
    """
    wanted = check_formats(formats)
    if pages:
        check_template(pages.template, wanted)
    check_folder(out)
    if not overwrite:
        _check_index(out, name)
    table = await read_batch(app, name)
    links: dict[str, str] = {}
    without: dict[str, str] = {}
    lacking: FormatUnavailable | None = None
    for job in table.jobs:
        if job.state not in (JobState.FINISHED, JobState.FAILED):
            without[job.job_id] = job.reason or job.state
            continue
        try:
            report = await app.report(job.job_id)
        except StormError as error:
            without[job.job_id] = job.reason if job.state == JobState.FAILED else error.message
            continue
        check_folder(out / job.job_id)
        try:
            files: Sequence[Path] = write_report(report, out / job.job_id, wanted, pages)
        except FormatUnavailable as error:
            files, lacking = error.files, lacking or error
        if files:
            page = next((file for file in files if file.suffix == ".html"), files[0])
            links[job.job_id] = f"{job.job_id}/{page.name}"
    indexes = {"index.csv": to_csv, "index.html": to_html, "index.json": to_json}
    for file, text in ((name, render(table, links)) for name, render in indexes.items()):
        with replace_file(out / file) as partial:
            partial.write_text(text, encoding="utf-8")
    return BatchResults(table, without, lacking)


def _check_index(out: Path, name: str) -> None:
    """UsageError if the folder has the index of another batch."""
    try:
        other = json.loads((out / "index.json").read_text(encoding="utf-8"))["batch"]
    except (OSError, ValueError, KeyError, TypeError):  # there is none, or it is not a batch's
        return
    if other != name:
        raise UsageError(
            f"{out} has the results of another batch, {str(other)[:100]!r}",
            hint="give another folder, or have them replaced",
            code=Code.FOLDER_TAKEN,
        )
