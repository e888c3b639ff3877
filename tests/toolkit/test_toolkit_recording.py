"""A recorder gets each use of a tool; one that fails loses its record and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import pytest
from registered import use_tool

from storm.toolkit import ToolContext, ToolProgress, ToolResult, call_tool


class Kept:
    """A recorder that keeps all it gets, and fails at one of its methods."""

    def __init__(self, failing: str = "") -> None:
        self.lines: list[Any] = []
        self._failing = failing

    async def start(self, tool: str, params: Mapping[str, Any], context: ToolContext) -> str:
        self._keep("start", tool, params, context.user_id)
        return "trace-1"

    async def record_progress(self, trace_id: str, progress: ToolProgress) -> None:
        self._keep("progress", trace_id, progress.progress)

    async def end(self, trace_id: str, result: ToolResult | None) -> None:
        self._keep("end", trace_id, result and (result.text, result.failed))

    def _keep(self, method: str, *arguments: Any) -> None:
        if method == self._failing:
            raise OSError("the disk is full")
        self.lines.append((method, *arguments))


async def work(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    yield ToolProgress("working", "", 0.5)
    yield ToolProgress("working", "", 0.2)
    if params["word"] == "fail":
        raise ValueError("no")
    yield ToolResult(f"{params['word']} in {context.trace_id}")


async def test_a_use_is_recorded_from_its_input_to_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, work)
    kept = Kept()
    result = await call_tool("repeat", {"word": "ja"}, ToolContext(user_id=7, recorder=kept))
    assert result.text == "ja in trace-1"
    assert kept.lines == [
        ("start", "repeat", {"word": "ja", "times": 1}, 7),
        ("progress", "trace-1", 0.5),
        ("progress", "trace-1", 0.5),
        ("end", "trace-1", ("ja in trace-1", False)),
    ]


async def test_an_error_is_recorded_as_the_failed_result(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, work)
    kept = Kept()
    await call_tool("repeat", {"word": "fail"}, ToolContext(recorder=kept))
    assert kept.lines[-1] == ("end", "trace-1", ("repeat failed: ValueError: no", True))


async def test_wrong_input_is_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, work)
    kept = Kept()
    await call_tool("repeat", {}, ToolContext(recorder=kept))
    assert kept.lines == []


async def test_a_use_that_is_cancelled_ends_without_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, kept = asyncio.Event(), Kept()

    async def hang(params: Any, context: ToolContext) -> ToolResult:
        begun.set()
        await asyncio.Event().wait()
        return ToolResult("never")

    use_tool(monkeypatch, hang)
    task = asyncio.create_task(call_tool("repeat", {"word": "ja"}, ToolContext(recorder=kept)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kept.lines[-1] == ("end", "trace-1", None)


@pytest.mark.parametrize(("failing", "recorded"), [("start", 0), ("progress", 1), ("end", 3)])
async def test_a_recorder_that_fails_is_asked_no_more_and_the_tool_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failing: str, recorded: int
) -> None:
    use_tool(monkeypatch, work)
    kept = Kept(failing)
    result = await call_tool("repeat", {"word": "ja"}, ToolContext(recorder=kept))
    assert (result.failed, len(kept.lines)) == (False, recorded)
    assert caplog.text.count("is recorded no further: OSError: the disk is full") == 1
