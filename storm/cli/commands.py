"""The commands by name. Each is one file, which is loaded when the command is called."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from storm.cli.strict_command import StrictCommand
from storm.errors import Interrupted

#: The list of commands that `storm --help` prints without loading any. Each text is the start of the command's help.
COMMANDS = {
    "run": "Write the dossier of one drug: search, file, answer, write.",
    "report": "Write a report on a question or topic: plan its questions, research them side by side, review, write.",
    "repurpose": "Report whether a drug could treat a disease: hypotheses, and the evidence for and against each.",
    "ask": "Answer a question with cited sources: make a checklist, search in rounds for what is open, answer.",
    "batch": "Run many jobs from a file.",
    "submit": "Hand a job over to the workers, print its id and return at once.",
    "worker": "Carry out submitted jobs until it is stopped, on any number of machines that share STORM_REDIS_URL.",
    "workers": "List the workers that are there, and the jobs that no worker takes.",
    "jobs": "List the jobs in this store, newest first.",
    "stats": "Count the jobs, workers and batches of this store, and say what limits their pace.",
    "inspect": "Show a job: sources per question and its last events.",
    "watch": "Follow a job until it ends.",
    "resume": "Go on with an unfinished job.",
    "update": "Bring a finished job's dossier up to date, in a new job:",
    "cancel": "Stop a job within two seconds, wherever it runs.",
    "delete": "Delete jobs from the store.",
    "open": "Show a finished job's report in the browser.",
    "export": "Write a finished job's files again.",
    "optimize": "Optimise the models' prompts on local jobs.",
    "doctor": "Check settings, store, databases and models.",
    "corpus": "Manage your own records.",
    "databases": "List or search the public databases.",
    "traces": "Look back at what jobs and tools did.",
    "tools": "List storm's tools, or call one.",
    "store": "Manage the Redis that holds the jobs.",
}


class LazyCommands(TyperGroup):
    """Loads a command when it is called: `storm inspect` must not wait for what only `storm run` needs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, summary in COMMANDS.items():
            self.add_command(TyperCommand(name, help=summary), name)

    def invoke(self, ctx: Any) -> Any:
        """Call the command; typer would end silently at Ctrl-C, also while the command is loaded."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as exc:
            raise Interrupted("interrupted") from exc

    def get_help_option(self, ctx: Any) -> Any:
        """Without a default typer imports pydantic, to check that it is none."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in COMMANDS:
            self.add_command(load_command(args[0]), args[0])
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """The command or group of that name: `app` in its file, or else the function of the same name."""
    gc.disable()  # what is imported stays: looking through it again and again takes a tenth of the time
    try:
        module = import_module(f"storm.cli.{name}")
    finally:
        gc.freeze()
        gc.enable()
    group: typer.Typer | None = getattr(module, "app", None)
    app = group or typer.Typer(rich_markup_mode=None, add_completion=False)
    if group is None:
        app.command(name, context_settings=getattr(module, "CONTEXT_SETTINGS", None))(getattr(module, name))
    for each in app.registered_commands:
        each.cls = StrictCommand
    return typer.main.get_group(app) if group else typer.main.get_command(app)
