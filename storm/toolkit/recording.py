"""Keeps the record of one use of a tool through its context's recorder, whose errors do not stop the tool."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TypeVar

from storm.toolkit.tool import Params, ToolContext, ToolProgress, ToolRecorder, ToolResult
from storm.toolkit.tracing import default_recorder

_log = logging.getLogger("storm")
T = TypeVar("T")


class Recording:
    """The record of one use; without a recorder, or after it raised an error, nothing is recorded."""

    def __init__(self, tool: str, recorder: ToolRecorder | None, trace_id: str) -> None:
        self.trace_id = trace_id
        self._tool = tool
        self._recorder = recorder

    @classmethod
    async def begin(cls, context: ToolContext, tool: str, params: Params) -> Recording:
        """Begin the record of this use: by the context's recorder, or else as a trace."""
        recorder = context.recorder or default_recorder(context)
        recording = cls(tool, recorder, context.trace_id)
        if recorder:
            begun = await recording._write(recorder.start(tool, params, context))
            recording.trace_id = begun or context.trace_id
        return recording

    async def add(self, progress: ToolProgress) -> None:
        """Add a report of progress."""
        if self._recorder:
            await self._write(self._recorder.record_progress(self.trace_id, progress))

    async def end(self, result: ToolResult | None) -> None:
        """End the record; None if the use was cancelled."""
        if self._recorder:
            await self._write(self._recorder.end(self.trace_id, result))

    async def _write(self, writing: Awaitable[T]) -> T | None:
        try:
            return await writing
        except Exception as exc:  # a record that is lost must not lose the work
            _log.warning("the use of %s is recorded no further: %s: %s", self._tool, type(exc).__name__, exc)
            self._recorder = None
            return None
