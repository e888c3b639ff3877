"""What a tool is: a description, a schema of its input, an executor that ends with a result."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from storm.app import App
    from storm.ports import EventSink, Observer
    from storm.settings import Settings


@dataclass(frozen=True)
class ToolProgress:
    """How far a tool is: its stage, a message as a chat shows it, and the part that is done, from 0 to 1.

        yield storm.ToolProgress("searching", "Searching PubMed: metformin", 0.4, {"query": "metformin"})

    `run_tool` yields it with a `progress` that never falls.
    """

    stage: str
    message: str
    progress: float = 0.0
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolResult:
    """How a tool ended: `text` for a reader or a model, `payload` for a program.

        *_, result = [step async for step in storm.run_tool("report", {"question": "…", "offline": True})]
        print(result.text, result.exit_code)

    `payload` is `{"type": "NAME_result", "data": {…}}`. `failed` says that the tool did not do what was asked; `text`
    then says why and what to do. `exit_code` is that of the command line: 0 complete, 1 error, 2 wrong input, 3 partial
    or not searched, 4 nothing found, 130 stopped.
    """

    text: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False
    exit_code: int = 0


class ToolRecorder(Protocol):
    """Keeps a record of each use of a tool.

        context = storm.ToolContext(recorder=MyRecorder())  # for storm.run_tool

    One that raises an error is not called again, and the tool goes on.
    """

    async def start(self, tool: str, params: Mapping[str, Any], context: ToolContext) -> str:
        """Begin the record of a use whose input is valid; returns its id, which the executor finds as `trace_id`."""
        ...

    async def record_progress(self, trace_id: str, progress: ToolProgress) -> None:
        """Add a report of progress."""
        ...

    async def end(self, trace_id: str, result: ToolResult | None) -> None:
        """End the record with the result; None if the use was cancelled."""
        ...


@dataclass(frozen=True)
class ToolContext:
    """Who uses a tool, and with what: never chosen by the model that calls it.

        context = storm.ToolContext(user_id=7, app=app, out=Path("reports"))

    `user_id` is 0 for the local user. `app` is an open App of the same event loop; without one the tool opens its own,
    with `settings`. `out` is a folder in which each job gets one for its files, named by its id; without it no
    file is written. `on_event` gets each Event
    of a job. `recorder` keeps a record of the use, by default a trace (docs/traces.md), and `trace_id` is its id.
    """

    user_id: int = 0
    org_id: int | None = None
    app: App | None = None
    settings: Settings | None = None
    out: Path | None = None
    on_event: Observer | EventSink | None = None
    recorder: ToolRecorder | None = None
    trace_id: str = ""


#: What an executor yields.
Step: TypeAlias = ToolProgress | ToolResult
Params: TypeAlias = Mapping[str, Any]
#: An async generator whose last value is a ToolResult; a generator that returns one, which runs in a thread; or an
#: async function that returns one.
Executor: TypeAlias = (
    Callable[[Params, ToolContext], AsyncGenerator[Step, None]]
    | Callable[[Params, ToolContext], Generator[ToolProgress, None, ToolResult]]
    | Callable[[Params, ToolContext], Awaitable[ToolResult]]
)


@dataclass(frozen=True)
class ToolConfig:
    """A tool: `description` tells an agent when to use it and when not; `input_schema` is a JSON Schema of its input.

        tool = storm.ToolConfig(
            name="count_letters",
            description="Count the letters of a word. At once.",
            input_schema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
            executor=count_letters,  # async def count_letters(params, context): … return storm.ToolResult("9 letters")
        )

    `streaming` says that it reports progress. The `default` of a property is filled in before the executor is called.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    executor: Executor
    streaming: bool = False
