"""Runs a tool: checks its input, steadies its progress, and turns whatever goes wrong into a failed result."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from storm.errors import StormError
from storm.toolkit.executing import iterate_steps
from storm.toolkit.recording import Recording
from storm.toolkit.registry import find_tool
from storm.toolkit.tool import Params, ToolConfig, ToolContext, ToolProgress, ToolResult

_log = logging.getLogger("storm")

#: Characters of the reason of an unexpected error.
_REASON = 300


async def run_tool(
    name: str, params: Params | None = None, context: ToolContext | None = None
) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    """Run a tool: its progress, which never falls, and last its result, one.

        async with contextlib.aclosing(storm.run_tool("report", {"question": "…", "offline": True})) as steps:
            async for step in steps:
                print(step)

    An unknown tool, wrong input and any error are a result with `failed` and a text that says what to do. Closing it
    early, or cancelling who reads it, stops the tool.
    """
    given = context or ToolContext()
    from storm.toolkit.input_check import read_params  # with jsonschema: listing the tools must not wait for it

    try:
        tool = find_tool(str(name))
        read = read_params(tool, params)
    except StormError as exc:
        yield describe_failure(exc, str(name))
        return
    recording = await Recording.begin(given, tool.name, read)
    result: ToolResult | None = None
    try:
        async with aclosing(_follow(tool, read, replace(given, trace_id=recording.trace_id))) as steps:
            async for step in steps:
                if isinstance(step, ToolResult):
                    result = step
                else:
                    await recording.add(step)
                    yield step
    finally:
        await recording.end(result)
    if result:
        yield result


async def call_tool(name: str, params: Params | None = None, context: ToolContext | None = None) -> ToolResult:
    """Run a tool to its end and return its result.

        result = await storm.call_tool("search_corpus", {"query": "metformin"})

    Errors are a result, too, as of `storm.run_tool`.
    """
    async with aclosing(run_tool(name, params, context)) as steps:
        return [step async for step in steps if isinstance(step, ToolResult)][-1]


async def _follow(tool: ToolConfig, params: Params, context: ToolContext) -> AsyncGenerator[Any, None]:
    """The executor's progress, steadied, and then one result."""
    reached, result = 0.0, None
    try:
        async with aclosing(iterate_steps(tool, params, context)) as steps:
            async for step in steps:
                if result:
                    _log.warning("the tool %s went on after its result; what came then is ignored", tool.name)
                    break
                if isinstance(step, ToolResult):
                    result = step
                elif isinstance(step, ToolProgress):
                    reached = max(reached, _read_part(step.progress))
                    yield replace(step, progress=reached)
                elif step is not None:  # what a generator returns that returns nothing
                    _log.warning("the tool %s yielded a %s, which is ignored", tool.name, type(step).__name__)
    except Exception as exc:  # whatever an executor raises, its caller's loop goes on
        if not isinstance(exc, StormError):
            _log.warning("the tool %s failed", tool.name, exc_info=exc)
        result = result or describe_failure(exc, tool.name)
    yield result or ToolResult(f"{tool.name} ended without a result", failed=True, exit_code=1)


def describe_failure(error: BaseException, tool: str) -> ToolResult:
    """The failed result for an error: what went wrong and what to do, without a traceback."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, StormError):
        hint = error.hint or ""
        if error.unfinished_job:
            hint = f"{hint}; then resume the job {error.unfinished_job}".removeprefix("; ")
        text = f"{error.message}; {hint}" if hint else error.message
        return ToolResult(text, _error_payload(error.message, hint), failed=True, exit_code=error.exit_code)
    from storm.agents.fencing import hide_paths  # a model may read it

    reason = hide_paths(str(error).strip().partition("\n")[0])[:_REASON]
    text = f"{tool} failed: {type(error).__name__}{f': {reason}' if reason else ''}"
    return ToolResult(text, _error_payload(text, ""), failed=True, exit_code=1)


def _error_payload(message: str, hint: str) -> Params:
    return {"type": "error", "data": {"message": message, "hint": hint}}


def _read_part(given: Any) -> float:
    """The part that is done, within 0 and 1; 0 for what is not a number."""
    try:
        part = float(given)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return 0.0 if math.isnan(part) else min(1.0, max(0.0, part))
