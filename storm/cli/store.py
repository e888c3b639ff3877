"""`storm store …`: the Redis that holds the jobs."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import counted, plain, run_async, say, say_json
from storm.settings import read_settings
from storm.store import StoreInfo, raw_command, stop_embedded

app = typer.Typer(
    help="The Redis that holds the jobs.\n\nExample: storm store info", rich_markup_mode=None, no_args_is_help=True
)


@app.command()
def info(as_json: Annotated[bool, typer.Option("--json", help="As JSON on standard output.")] = False) -> None:
    """Which server it is, where, and what it holds.

    Example: storm store info
    """

    async def ask() -> StoreInfo:
        async with open_app(read_settings()) as app:
            return await app.store.info()

    found = run_async(ask())
    if as_json:
        say_json(found._asdict())
        return
    kind = "embedded, started by storm" if found.embedded else "yours"
    say(f"{found.engine} {found.version} at {plain(found.address)} ({kind})")
    kept = "kept on disk" if found.persistent else "NOT kept on disk"
    evicts = "" if found.keeps_all else f", MAY EVICT the data of jobs (maxmemory-policy {found.eviction})"
    say(f"{counted(found.jobs, 'job')}, {found.memory_bytes / 1e6:.1f} MB in memory, {kept}{evicts}")


@app.command()
def stop(
    force: Annotated[bool, typer.Option("--force", help="Also while a job is being worked on.")] = False,
) -> None:
    """Stop the embedded server; the jobs stay on disk and the next command starts it again.

    Example: storm store stop
    """
    stopped = run_async(stop_embedded(read_settings().data_dir, force=force))
    say("Stopped." if stopped else "No embedded server is running.")


@app.command(context_settings={"ignore_unknown_options": True})
def cli(
    command: Annotated[list[str], typer.Argument(help="A Redis command and its arguments.")],
) -> None:
    """One Redis command, answered as redis-cli would; MONITOR and SUBSCRIBE until Ctrl-C.

    Example: storm store cli ZRANGE source_collections 0 -1
    """

    async def ask() -> None:
        async with open_app(read_settings()) as app:
            async for answer in raw_command(app.store, command):
                say(answer)

    run_async(ask())
