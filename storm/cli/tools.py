"""`storm tools`: what other agents and programs may call, and a way to call it by hand."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from storm.cli.console import (
    exit_with,
    print_error,
    print_json,
    print_line,
    print_note,
    print_text,
    run_async,
    shorten_text,
)
from storm.cli.interruption import Interruption
from storm.cli.tool_steps import print_step, to_plain
from storm.errors import UsageError
from storm.toolkit import ToolConfig, ToolContext, ToolResult, find_tool, list_tools, run_tool

app = typer.Typer(
    help="List storm's tools, or call one. They are what other agents and programs call.\n\nExample: storm tools",
    rich_markup_mode=None,
    invoke_without_command=True,
)
#: Columns of a line of progress.
_WIDTH = 100
_EXAMPLE = 'for example: \'{"query": "metformin"}\', @FILE, or - for standard input'

Name = Annotated[str, typer.Argument(help="The tool, as `storm tools` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def list_all(context: typer.Context, as_json: AsJson = False) -> None:
    """List the tools: when to use each, and what it takes.

    Example: storm tools
    """
    if not context.invoked_subcommand:
        _print_tools(as_json)


def _print_tools(as_json: bool) -> None:
    if as_json:
        print_json([_describe_tool(tool) for tool in list_tools()])
        return
    for tool in list_tools():
        print_line(f"{tool.name}({_list_parameters(tool)})")
        print_line(f"    {tool.description}")


@app.command("list")
def list_named(as_json: AsJson = False) -> None:
    """List the tools, as `storm tools` does.

    Example: storm tools list
    """
    _print_tools(as_json)


@app.command("show")
def show_tool(name: Name, as_json: AsJson = False) -> None:
    """Show a tool: its description, and the JSON Schema of its input.

    Example: storm tools show search_database
    """
    tool = find_tool(name)
    if as_json:
        print_json(_describe_tool(tool))
        return
    print_line(f"{tool.name}: {tool.description}")
    print_json(tool.input_schema)


@app.command("call")
def call_tool(
    name: Name,
    given: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="Its input as JSON; @FILE for that of a file, - for standard input.",
            show_default=False,
        ),
    ] = "{}",
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Folder in which a job's files go: PATH/JOB/.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no progress.")] = False,
    stream: Annotated[bool, typer.Option("--stream", help="Print progress and result as JSON lines.")] = False,
    as_json: AsJson = False,
) -> None:
    """Call a tool: its progress on standard error, its result on standard output. Exit codes are those of
    `storm run`; 2 for wrong input.

    Example: storm tools call report @question.json --out reports
    """
    params = _read_input(given)
    find_tool(name)
    interruption = Interruption()
    with interruption.watch_signals():
        result = run_async(
            interruption.hear_once(_follow_tool(name, params, ToolContext(out=out), interruption, stream, quiet))
        )
    if stream:
        print_step(result)
    elif as_json:
        print_json(to_plain(asdict(result)))
    elif not result.failed:
        print_text(result.text)
    if result.failed and not stream:
        error = result.payload.get("data", {}) if result.payload.get("type") == "error" else {}
        print_error(error.get("message", result.text), error.get("hint", ""))
    exit_with(result.exit_code)


async def _follow_tool(
    name: str, params: Any, context: ToolContext, interruption: Interruption, stream: bool, quiet: bool
) -> ToolResult:
    """Run the tool to its result; its progress is printed on the way."""
    last = ""
    try:
        async with aclosing(run_tool(name, params, context)) as steps:
            async for step in steps:
                if isinstance(step, ToolResult):
                    return step
                interruption.job_id = str(step.data.get("job_id") or interruption.job_id)
                if stream:
                    print_step(step)
                elif not quiet and (line := shorten_text(f"{step.progress:4.0%}  {step.message}", _WIDTH)) != last:
                    print_note(line)
                    last = line
    except (KeyboardInterrupt, asyncio.CancelledError) as exc:
        raise interruption.make_error() from exc
    raise AssertionError("run_tool ends with a result")


def _read_input(given: str) -> Any:
    """The JSON value; UsageError for a file that cannot be read, or what is not JSON."""
    try:
        if given == "-":
            text = sys.stdin.read()
        else:
            text = Path(given[1:]).read_text(encoding="utf-8") if given.startswith("@") else given
    except (OSError, UnicodeError) as exc:
        raise UsageError(f"{given[1:] if given != '-' else 'standard input'} cannot be read: {exc}") from exc
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise UsageError(f"the input is not JSON: {exc}", hint=_EXAMPLE) from exc


def _describe_tool(tool: ToolConfig) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "streaming": tool.streaming,
        "input_schema": tool.input_schema,
    }


def _list_parameters(tool: ToolConfig) -> str:
    required = tool.input_schema.get("required", ())
    return ", ".join(name if name in required else f"[{name}]" for name in tool.input_schema.get("properties", {}))
