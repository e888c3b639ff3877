"""`storm submit COMMAND …`: hand a job over to the workers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from storm.cli.console import exit_with
from storm.cli.submission import submitting
from storm.errors import UsageError
from storm.value_wording import list_choices

#: The commands whose jobs can be handed over.
_COMMANDS = ("run", "report", "repurpose", "ask")


class Priority(StrEnum):
    """Which jobs are begun first."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


#: The options after the command are the command's own.
CONTEXT_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


def submit(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help=f"What is to be done: {', '.join(_COMMANDS)}.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="ARGUMENTS", help="What that command takes, with its options.")
    ] = None,
    priority: Annotated[
        Priority, typer.Option(metavar="PRIORITY", help="high, normal or low: which jobs are begun first.")
    ] = Priority.NORMAL,
) -> None:
    """Hand a job over to the workers, print its id and return at once.

    The command takes its usual options; its files are written later, where `storm export` is called.

    Example: storm submit run trastuzumab --offline
    """
    from storm.cli.commands import load_command

    if command not in _COMMANDS:
        raise UsageError(f"{command!r} cannot be handed over; it must be {list_choices(_COMMANDS)}")
    with submitting(priority):
        exit_with(load_command(command).main(arguments or [], f"storm submit {command}", standalone_mode=False) or 0)
