"""Commands that refuse empty values, and whose help names values as other programs do: `--out PATH`, `JOB`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand

from storm.errors import UsageError
from storm.value_wording import describe_problem, describe_range, list_choices

#: Arguments that are checked here; names and queries have checks that say more.
_ARGUMENTS = ("paths", "dataset", "job")
#: What help calls the value of an option, by the type that typer shows.
_VALUES = {"<str>": "TEXT", "<list[str]>": "TEXT", "<path>": "PATH", "<int range>": "N", "<float range>": "N"}


class StrictCommand(TyperCommand):
    """A command that refuses an empty option, path or job, which would silently mean the default."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                parameter.metavar = parameter.metavar or str(parameter.name).upper()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given, extra, order = self.make_parser(ctx).parse_args(list(args))
        if extra:
            raise UsageError(
                f"{' '.join(map(str, extra))!r} is too much: this command takes {_count_arguments(self)}",
                hint="put quotes around a name or question of several words",
            )
        for parameter in order:
            name, is_option = str(parameter.name), parameter.param_type_name == "option"
            values = given[name] if isinstance(given[name], list | tuple) else (given[name],)
            if "" in values and (is_option or name in _ARGUMENTS):
                shown = parameter.opts[0] if is_option else name.upper()
                raise UsageError(
                    f"{shown} is empty", hint="give it a value, or leave it out" if is_option else "give one"
                )
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as exc:
            from pydantic import ValidationError  # typer has loaded it, and help has no need of it

            if isinstance(exc.__cause__, ValidationError):
                raise _explain_value(exc.param, exc.__cause__.errors()[0]) from exc
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", *map(_show_argument, self._list_parameters(ctx, "argument"))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            rows = [_describe_parameter(parameter, ctx) for parameter in self._list_parameters(ctx, kind)]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _list_parameters(self, ctx: Any, kind: str) -> list[Any]:
        return [
            one for one in self.get_params(ctx) if one.param_type_name == kind and not getattr(one, "hidden", False)
        ]


def _explain_value(parameter: Any, problem: Mapping[str, Any]) -> UsageError:
    """The error for a value that the option or argument does not take."""
    shown = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar
    given, taken = repr(problem["input"]), describe_problem(problem)
    kind = parameter.type_descriptor.annotation
    if kind in (int, float):
        bounds = getattr(parameter, "min", None), getattr(parameter, "max", None)
        given = given if "parsing" in problem["type"] else str(problem["input"])
        taken = f"it must be {describe_range(*bounds, is_whole=kind is int)}"
    elif choices := parameter.type_descriptor.choices:
        taken = f"it must be {list_choices(str(choice.value) for choice in choices)}"
    return UsageError(f"{shown} is {given}; {taken}")


def _count_arguments(command: StrictCommand) -> str:
    named = [one.metavar for one in command.params if one.param_type_name == "argument"]
    return " and ".join(filter(None, named)) or "no argument"


def _show_argument(argument: Any) -> str:
    """`JOB`, `[DRUG]`, `PATH...`"""
    shown = argument.metavar if argument.required else f"[{argument.metavar}]"
    return shown if argument.nargs == 1 else f"{shown}..."


def _describe_parameter(parameter: Any, ctx: Any) -> tuple[str, str]:
    """The name of an argument or option with that of its value, and its help."""
    name, text = parameter.get_help_record(ctx)
    if parameter.param_type_name == "argument":
        return _show_argument(parameter), text
    option, _, value = name.partition(" <")
    return (f"{option} {_VALUES.get(f'<{value}', f'<{value}')}" if value else option), text
