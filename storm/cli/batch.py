"""`storm batch …`: many jobs from a file, checked, started, followed and collected together."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import typer
from typer.core import TyperGroup

from storm.api.batches import (
    BatchLimits,
    BatchTable,
    JobEnd,
    LocalExecutor,
    RowFormat,
    check_options,
    check_rows,
    read_batch,
    run_batch,
    stop_batch,
    to_csv,
    to_html,
    to_json,
    write_results,
)
from storm.api.research import read_research
from storm.app import App, open_app
from storm.cli.batch_executor import find_executor
from storm.cli.batch_table import explain_nothing, name_state, print_batch, summarize_batch
from storm.cli.console import (
    count_noun,
    exit_with,
    make_printable,
    name_program,
    print_line,
    print_note,
    print_table,
    run_async,
    split_list,
)
from storm.cli.interruption import Interruption
from storm.cli.job_options import (
    FORMATS,
    Databases,
    Formats,
    Model,
    Offline,
    Program,
    Questions,
    Set,
    SettingsFile,
    Unsupported,
)
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.new_job import split_databases
from storm.cli.output_options import Overwrite, PaperOption, TemplateOption
from storm.cli.research_settings import read_settings_given
from storm.cli.work import run_job
from storm.errors import JobHeld, RowsRefused, UsageError
from storm.export import PageSetup, find_template
from storm.models import Paper
from storm.settings import read_settings
from storm.value_wording import list_choices

T = TypeVar("T")


class BatchCommands(TyperGroup):
    """`storm batch FILE` starts a batch: what is not the name of a command is a file, or an option before it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, "--help"}:
            args = ["start", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=BatchCommands,
    help="Run many jobs from a file.\n\n`storm batch FILE` is short for `storm batch start FILE`.\n\n"
    "Example: storm batch drugs.txt --offline --name oncology",
    rich_markup_mode=None,
    no_args_is_help=True,
)
#: What a file is by its name; others, and standard input, are what their first line looks like.
_FORMATS = {".csv": RowFormat.CSV, ".jsonl": RowFormat.JSONL, ".ndjson": RowFormat.JSONL}
#: Seconds between two looks of `watch`.
_PAUSE = 2.0

_Batch = Annotated[str, typer.Argument(metavar="BATCH", help="The batch's name, as `storm batch list` shows it.")]
_Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, max=500, help="How many jobs run at a time; by default 4, or all that workers take."),
]


@app.command("start")
def start(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Names, CSV or JSON lines; - is standard input.")],
    name: Annotated[str, typer.Option(help="The batch's name; by default made from its rows and options.")] = "",
    jobs: _Jobs = None,
    rows: Annotated[
        RowFormat | None,
        typer.Option("--rows", metavar="FORMAT", help="names, csv or jsonl; by default as it looks."),
    ] = None,
    priority: Annotated[int, typer.Option(min=-1000, max=1000, help="Of rows that have none: high starts first.")] = 0,
    max_batch_usd: Annotated[float | None, typer.Option(min=0.001, help="Budget of all jobs in US dollars.")] = None,
    max_batch_tokens: Annotated[int | None, typer.Option(min=1, help="Budget of all jobs in tokens.")] = None,
    max_batch_calls: Annotated[int | None, typer.Option(min=1, help="Budget of all jobs in calls of models.")] = None,
    offline: Offline = False,
    databases: Databases = None,
    syllabus: Questions = None,
    model: Model = "",
    program: Program = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    mode: Annotated[str, typer.Option(help="The mode of rows that name none, as in `storm run`.")] = "",
    unsupported: Unsupported = "remove",
    prefill: Annotated[str, typer.Option(help="rules or none, as in `storm run`.")] = "",
    settings_given: Set = None,
    settings_file: SettingsFile = None,
) -> None:
    """Check every row, and run the jobs, several at a time. The same rows again run only what is missing.

    Example: storm batch start drugs.csv --offline --jobs 4
    """
    given: dict[str, Any] = {
        "offline": offline, "databases": split_databases(databases),
        "syllabus": str(syllabus.absolute()) if syllabus else "", "model": model, "program": program,
        "max_usd": max_usd, "max_tokens": max_tokens, "max_calls": max_calls, "max_minutes": max_minutes,
        "mode": mode, "unsupported": unsupported, "prefill": prefill, "priority": priority,
        "settings": read_settings_given(settings_file, settings_given),
    }  # fmt: skip
    options = {key: value for key, value in given.items() if value}
    read_research(None, given["settings"], model)  # a wrong option is not a wrong row
    check_options(mode, unsupported, prefill)
    limits = BatchLimits(usd=max_batch_usd, tokens=max_batch_tokens, calls=max_batch_calls)

    async def check_and_run(opened: App, interruption: Interruption) -> int:
        with _open_rows(file) as stream:
            shown, form = "standard input" if file == "-" else file, rows or _FORMATS.get(Path(file).suffix.lower())
            checked = await check_rows(opened, stream, shown, options, form)
        batch = name or checked.name
        for line in checked.merged:
            print_note(make_printable(line))
        await opened.store.batches.create(batch, checked.digest, checked.rows, limits.model_dump_json())
        print_note(name_program(f"Batch {batch}: {count_noun(len(checked.rows), 'job')} (storm batch watch {batch})"))
        return await _run_here(opened, interruption, batch=batch, jobs=jobs, limits=limits)

    try:
        exit_with(_run_interruptibly(check_and_run))
    except RowsRefused as refused:
        for problem in refused.problems:
            print_note(make_printable(problem))
        raise


@app.command("status")
def status(
    batch: _Batch,
    form: Annotated[str, typer.Option("--format", help="text, csv, json or html.")] = "text",
) -> None:
    """Print the status of each job of a batch.

    Example: storm batch status oncology --format csv
    """
    if form not in (forms := {"text": None, "csv": to_csv, "json": to_json, "html": to_html}):
        raise UsageError(f"--format is {form!r}; it must be {list_choices(forms)}")
    table = _run_opened(lambda opened: read_batch(opened, batch))
    if render := forms[form]:
        print_line(render(table).rstrip("\n"))
    else:
        print_batch(table)


@app.command("watch")
def watch(batch: _Batch) -> None:
    """Follow a batch until nobody works on it, and end with its exit code.

    Example: storm batch watch oncology
    """
    import asyncio

    async def follow(opened: App) -> BatchTable:
        seen: str | None = None
        while (await opened.store.batches.get(batch)).is_held:
            change = await opened.store.batches.last_change(batch)
            if change != seen:
                seen = change
                print_note(summarize_batch(await read_batch(opened, batch)))
            await asyncio.sleep(_PAUSE)
        return await read_batch(opened, batch)

    table = _run_opened(follow)
    print_batch(table)
    exit_with(table.exit_code)


@app.command("cancel")
def cancel(batch: _Batch) -> None:
    """Start no further job of a batch, and stop those that run. Starting it again goes on.

    Example: storm batch cancel oncology
    """
    stopped = _run_opened(lambda opened: stop_batch(opened, batch))
    print_line(f"{batch} is cancelled; {count_noun(len(stopped), 'running job')} stopped")


@app.command("resume")
def resume(batch: _Batch, jobs: _Jobs = None) -> None:
    """Run what is missing of a batch: jobs that did not begin, or were interrupted, cancelled or deleted.

    Example: storm batch resume oncology
    """
    exit_with(_run_interruptibly(partial(_run_here, batch=batch, jobs=jobs)))


@app.command("retry")
def retry(batch: _Batch, jobs: _Jobs = None) -> None:
    """Run the failed jobs of a batch again, and what is missing.

    Example: storm batch retry oncology
    """

    exit_with(_run_interruptibly(partial(_run_here, batch=batch, jobs=jobs, retry=True)))


@app.command("results")
def results(
    batch: _Batch,
    out: Annotated[Path, typer.Option(help="Folder for the files; each job gets one of its own in it.")],
    formats: Formats = FORMATS,
    paper: PaperOption = "a4",
    template: TemplateOption = None,
    overwrite: Overwrite = False,
) -> None:
    """Write the files of the finished jobs, partial results of failed jobs, and an index.

    Example: storm batch results oncology --out reports --format md,html
    """
    pages = PageSetup(Paper.of(paper), find_template(template))
    wanted = split_list(formats)
    table, without, lacking = _run_opened(
        lambda opened: write_results(opened, batch, out, wanted, pages, overwrite=overwrite)
    )
    for job_id, reason in without.items():
        print_note(make_printable(f"Not written: {job_id}: {reason}"))
    print_line(f"{count_noun(len(table.jobs) - len(without), 'job')} written: {out / 'index.html'}")
    if lacking:
        raise lacking


@app.command("delete")
def delete(batch: _Batch) -> None:
    """Delete a batch from the store. Its jobs stay: storm delete JOB.

    Example: storm batch delete oncology
    """
    _run_opened(lambda opened: opened.store.batches.delete(batch))
    print_line(f"The batch {batch} is deleted; its jobs are still there.")


@app.command("list")
def list_batches() -> None:
    """List the batches in this store, newest first.

    Example: storm batch list
    """

    async def read_all(opened: App) -> list[tuple[str, str, str, str]]:
        found, unreadable = await opened.store.batches.all()
        return [
            *((one.name, str(one.total), name_state(one), one.created[:19].replace("T", " ")) for one in found),
            *((name, "", "damaged or of another version", "") for name in unreadable),
        ]

    if found := _run_opened(read_all):
        print_table(("BATCH", "JOBS", "STATE", "CREATED (UTC)"), found)
    else:
        print_line(name_program("No batches yet. Start one: storm batch drugs.txt --offline"))


async def _run_here(
    opened: App,
    interruption: Interruption,
    *,
    batch: str,
    jobs: int | None,
    retry: bool = False,
    limits: BatchLimits | None = None,
) -> int:
    interruption.batch = batch
    ended: list[JobEnd] = []

    def tell(end: JobEnd) -> None:
        ended.append(end)
        print_note(f"{end.job_id}: {end.state}")

    try:
        executor, at_once = await find_executor(opened, jobs)
        interruption.has_workers = not isinstance(executor, LocalExecutor)
        stopped = await run_batch(opened, batch, executor, at_once, retry=retry, limits=limits, on_end=tell)
    except JobHeld as error:
        error.details.setdefault("batch", batch)
        raise
    table = await read_batch(opened, batch)
    print_batch(table)
    if stopped:
        print_note(f"No further job was started: {stopped}")
    elif not ended:
        print_note(name_program(explain_nothing(table)))
    return table.exit_code


def _run_interruptibly(work: Callable[[App, Interruption], Awaitable[int]]) -> int:
    async def open_and_work(interruption: Interruption) -> int:
        async with open_app(read_settings()._replace(unattended=True)) as opened:
            return await work(opened, interruption)

    return run_job(open_and_work)


def _run_opened(work: Callable[[App], Awaitable[T]]) -> T:
    async def open_and_work() -> T:
        async with open_app(read_settings()) as opened:
            return await work(opened)

    return run_async(open_and_work())


def _open_rows(file: str) -> BinaryIO:
    if file == "-":
        if sys.stdin.isatty():
            raise UsageError("no rows come from standard input", hint="name a file, or pipe the rows in")
        return sys.stdin.buffer
    try:
        return Path(file).open("rb")
    except OSError as exc:
        raise UsageError(f"{file} cannot be read: {exc.strerror}", hint="name a text file of rows") from exc
