"""The commands by name: one file each, which is loaded when its command is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from storm.cli.strict_command import StrictCommand

#: What the list of commands says of each, which is how its own help begins: `storm --help` loads none of them.
COMMANDS = {
    "run": "One drug, one dossier: search, file, answer, write.",
    "jobs": "The jobs in this store, newest first.",
    "inspect": "What a job has: sources per question, what happened last, and with --sources each source.",
    "watch": "Follow a job until it ends; what happened before is shown first.",
    "resume": "Go on with an unfinished job; of a finished one, write the files again.",
    "cancel": "Stop a job, also one that runs in another process or on another machine, within two seconds.",
    "delete": "Delete jobs from the store: their sources, citations and answers.",
    "export": "Write a finished job's dossier; `sources` writes the collection with its full texts",
    "optimize": "Better prompts for the agent and the writer, learnt and measured on jobs on this machine.",
    "doctor": "Check settings, store, corpus, sample, keys, public databases and engine",
    "corpus": "Records of your own, searched like a database.",
    "databases": "The public databases.",
    "store": "The Redis that holds the jobs.",
}


class LazyCommands(TyperGroup):
    """The group of all commands: `storm inspect` must not wait for what only `storm run` needs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, told in COMMANDS.items():
            self.add_command(TyperCommand(name, help=told), name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in COMMANDS:
            self.add_command(load_command(args[0]), args[0])
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """The command, or the group of commands, of that name: `app` of its file, or else its function."""
    module = import_module(f"storm.cli.{name}")
    group: typer.Typer | None = getattr(module, "app", None)
    app = group or typer.Typer(rich_markup_mode=None, add_completion=False)
    if group is None:
        app.command(name)(getattr(module, name))
    for each in app.registered_commands:
        each.cls = StrictCommand
    return typer.main.get_group(app) if group else typer.main.get_command(app)
