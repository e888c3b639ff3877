"""`storm store …`: manage the Redis that holds the jobs."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import count_noun, make_printable, name_program, print_json, print_line, run_async
from storm.errors import UsageError
from storm.settings import read_settings
from storm.store import (
    ServerStatus,
    StoreInfo,
    clear_abandoned,
    embedded_status,
    keep_embedded,
    raw_command,
    stop_embedded,
)

app = typer.Typer(
    help="Manage the Redis that holds the jobs.\n\nExample: storm store info",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("info")
def show_info(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the server: its version, address and content.

    Example: storm store info
    """

    async def read_info() -> StoreInfo:
        async with open_app(read_settings()) as app:
            return await app.store.info()

    found = run_async(read_info())
    if as_json:
        print_json(found._asdict())
        return
    kind = "embedded, started by storm" if found.embedded else "yours"
    print_line(f"{found.engine} {found.version} at {make_printable(found.address)} ({kind})")
    kept = "kept on disk" if found.persistent else "NOT kept on disk"
    evicts = "" if found.never_evicts else f", MAY EVICT the data of jobs (maxmemory-policy {found.eviction})"
    print_line(f"{count_noun(found.jobs, 'job')}, {found.memory_bytes / 1e6:.1f} MB in memory, {kept}{evicts}")


@app.command("start")
def start_server() -> None:
    """Start the embedded server, and keep it running until `storm store stop`: for redis-cli or a notebook.

    Example: storm store start
    """

    settings = read_settings()
    if settings.redis_url:
        raise UsageError(
            "the jobs are on a server of your own (STORM_REDIS_URL): storm neither starts nor stops it",
            hint="unset STORM_REDIS_URL to use the embedded server",
        )
    clear_abandoned(settings.data_dir)
    found, changed = run_async(keep_embedded(settings.data_dir))
    before = "Running" if changed else "It was kept up already: running"
    place = f"{make_printable(found.address)} (process {found.pid})"
    print_line(name_program(f"{before} at {place}. It stays until: storm store stop"))
    print_line(f"Attach: redis-cli -s {shlex.quote(found.address)}")


@app.command("status")
def show_status(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show whether the embedded server is running. This does not start it.

    Example: storm store status
    """

    settings = read_settings()
    found = run_async(embedded_status(settings.data_dir))
    if as_json:
        print_json([_status_fields(one) for one in found])
        return
    for one in found:
        print_line(_describe_server(one))
    if not found:
        print_line("No embedded server was started here yet; a command that needs it starts it.")
    if settings.redis_url:
        print_line(name_program("Jobs go to a server of your own (STORM_REDIS_URL): storm store info"))


def _status_fields(found: ServerStatus) -> dict[str, str | int | bool]:
    """The fields of the JSON, whose names stay as they are."""
    return {
        "engine": found.engine,
        "version": found.version,
        "address": found.address,
        "process": found.pid,
        "kept": found.kept,
        "job": found.held_job,
    }


def _describe_server(found: ServerStatus) -> str:

    server = f"{found.engine} {found.version}"
    if not found.pid:
        again = "it was to be kept up: storm store start" if found.kept else "a command that needs it starts it"
        return f"{server} is not running; {name_program(again)}"
    stays = name_program("stays until: storm store stop") if found.kept else "ends with the command that needs it"
    job = f"; {found.held_job} is being worked on" if found.held_job else ""
    return f"{server} is running at {make_printable(found.address)} (process {found.pid}) and {stays}{job}"


@app.command("stop")
def stop_server(
    force: Annotated[bool, typer.Option("--force", help="Stop it even if a job is running.")] = False,
) -> None:
    """Stop the embedded server. The jobs stay on disk; the next command that needs the server starts it.

    Example: storm store stop
    """
    data_dir = read_settings().data_dir
    clear_abandoned(data_dir)
    stopped = run_async(stop_embedded(data_dir, force=force))
    print_line("Stopped." if stopped else "No embedded server is running.")


@app.command("cli", context_settings={"ignore_unknown_options": True})
def run_redis_command(
    command: Annotated[list[str], typer.Argument(help="A Redis command and its arguments.")],
) -> None:
    """Run one Redis command, like redis-cli. MONITOR and SUBSCRIBE run until Ctrl-C.

    Example: storm store cli ZRANGE source_collections 0 -1
    """

    async def print_answers() -> None:
        async with open_app(read_settings()) as app:
            async for answer in raw_command(app.store, command):
                print_line(answer)

    try:
        run_async(print_answers())
    except KeyboardInterrupt:  # the usual end of a stream, as of redis-cli's
        raise typer.Exit(130) from None
