"""Refuse empty options and arguments."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from storm.errors import UsageError

#: Arguments that are checked here; names and queries have checks that say more.
_ARGUMENTS = ("paths", "dataset", "job")


class StrictCommand(TyperCommand):
    """A command that refuses an empty option, path or job, which would silently mean the default."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given, _, order = self.make_parser(ctx).parse_args(list(args))
        for parameter in order:
            name, is_option = str(parameter.name), parameter.param_type_name == "option"
            values = given[name] if isinstance(given[name], list | tuple) else (given[name],)
            if "" in values and (is_option or name in _ARGUMENTS):
                shown = parameter.opts[0] if is_option else name.upper()
                raise UsageError(f"{shown} is empty", hint="give it a value, or leave it out" if is_option else None)
        return super().parse_args(ctx, args)
