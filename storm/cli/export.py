"""`storm export JOB`: write a job's files again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.app import App, open_app
from storm.cli.console import FORMATS_HELP, print_line, print_note, run_async, split_list
from storm.cli.output_files import WrittenFiles, find_replaced, finish_files, folder_of, write_files
from storm.cli.output_options import OtherTemplateOption, Overwrite
from storm.errors import UsageError
from storm.export import BIBLIOGRAPHIES, FORMATS, PageSetup, check_folder, check_formats, check_template, find_template
from storm.models import Job, Paper, Syllabus
from storm.settings import read_settings


def export(
    job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the files; by default the job's own.")] = None,
    formats: Annotated[
        str | None, typer.Option("--format", help=f"{FORMATS_HELP}, sources; by default the job's own.")
    ] = None,
    paper: Annotated[
        str,
        typer.Option(metavar="SIZE", help="Paper of docx and pdf: a4 or letter; by default the job's own."),
    ] = "",
    template: OtherTemplateOption = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a finished job's files again. The format `sources` writes all sources with their full texts, also of an
    unfinished job.

    Example: storm export trastuzumab-20261121-7f3a9c --format md --out reports
    """
    given = None if formats is None else check_formats(split_list(formats), (*FORMATS, "sources"))
    if given:
        check_template(find_template(template), given)
    chosen_paper = Paper.of(paper) if paper else None

    async def write_all() -> WrittenFiles:
        async with open_app(read_settings()) as app:
            wanted = given or (await app.store.jobs.get(job)).request.formats
            chosen = [name for name in wanted if name != "sources"]
            if not given:
                check_template(find_template(template), wanted)
            references_only = BIBLIOGRAPHIES.issuperset(chosen)
            report = await app.report(job, references_only=references_only) if chosen else None
            stored = await (app.store.jobs.get(job) if chosen else app.store.jobs.check(job))  # the report was checked
            questions = await _read_questions(app, stored) if "sources" in wanted else None
            if out:
                check_folder(out)
            folder = out or folder_of(stored)
            replaced = find_replaced(folder, stored.request, overwrite)
            own = PageSetup.of(stored.request, template)
            pages = own._replace(paper=chosen_paper or own.paper)
            written = write_files(report, folder, chosen, pages) if report else WrittenFiles(())
            if questions:
                from storm.export.sources import write_sources  # reads texts, which no other format needs

                path = await write_sources(job, questions, app.collection(job).iter_sources(), folder)
                written = written._replace(paths=(*written.paths, path))
            finish_files(folder, written.paths, replaced, stored.request)
            if "changes" in chosen and not stored.request.update_of:
                print_note(f"The changes are empty: {job} updates no other job (storm update {job})")
            return written

    written = run_async(write_all())
    for path in written.paths:
        print_line(str(path))
    if written.unavailable:
        raise written.unavailable


async def _read_questions(app: App, stored: Job) -> Syllabus:
    """The job's questions; UsageError if it has none yet."""
    questions = await app.syllabus(stored)
    if questions is None:
        raise UsageError(f"{stored.job_id} has no questions yet", hint=f"go on with it: storm resume {stored.job_id}")
    return questions
