"""How often a step of the agent asks the store, and what a step takes with it: a job on the bundled sample.

Counted is what goes to the server between a call of the model and the next one, by the tools that were called then: how
often the connection was written to, however many commands went at once.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from _bibliographer import busy_step, inputs_of, next_step
from _report import Row, p50
from dspy import lm15
from redis.asyncio.connection import AbstractConnection

from storm.agents.broad_researcher import BroadResearcher
from storm.agents.budget import Budget, Limits
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM
from storm.api import job_request
from storm.app import open_app
from storm.models import Plan, Step
from storm.settings import read_settings
from storm.store import stop_embedded


class Counted:
    """The model, which answers at once, and what was asked of the store before each of its calls.

    Each fourth step calls all kinds of tools at once.
    """

    def __init__(self) -> None:
        self.trips: list[int] = []
        self.seconds: list[float] = []
        self._count = 0
        self._since = time.perf_counter()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what this process writes to its store."""
        send = AbstractConnection.send_packed_command

        async def counted(connection: Any, *args: Any, **kwargs: Any) -> Any:
            self._count += 1
            return await send(connection, *args, **kwargs)

        setattr(AbstractConnection, "send_packed_command", counted)  # noqa: B010 - a method is replaced on purpose
        yield
        setattr(AbstractConnection, "send_packed_command", send)  # noqa: B010

    def complete(self, request: lm15.Request) -> lm15.Response:
        """The next reply, by the prompt alone."""
        self.trips.append(self._count)
        self.seconds.append(time.perf_counter() - self._since)
        prompt = "\n\n".join("\n".join(part.text for part in message.parts) for message in request.messages)
        given = inputs_of(prompt)
        said = (busy_step if len(self.trips) % 4 == 0 else next_step)(given["recent_steps"], given["state"])
        reply = lm15.Message.assistant(said)
        self._count, self._since = 0, time.perf_counter()
        return lm15.Response(id=None, model=request.model, message=reply, finish_reason="stop", usage=lm15.Usage())


class AsyncEngine:
    """The same for those that await."""

    def __init__(self, model: Counted) -> None:
        self._model = model

    async def complete(self, request: lm15.Request) -> lm15.Response:
        return self._model.complete(request)


def store_rows() -> list[Row]:
    """A row for each tool that the job calls."""
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        try:
            return asyncio.run(_measured(Path(folder)))
        finally:
            asyncio.run(stop_embedded(Path(folder), force=True))


async def _measured(data_dir: Path) -> list[Row]:
    settings = read_settings()._replace(data_dir=data_dir, redis_url=None)
    async with open_app(settings) as app:
        job = await app.start(job_request("trastuzumab", settings, offline=True, mode="extractive"))
        async with app.workbench(job.job_id) as bench:
            model = Counted()
            budget = Budget(Limits(), monotonic=time.monotonic, log=bench.journal.log_spending)
            choice = ModelChoice(name="openai/scripted", context=128_000)
            lm = MeteredLM(choice, budget, "agent", engine=model, async_engine=AsyncEngine(model))
            researcher = BroadResearcher(lm, job=bench)
            with model.counting():
                await researcher.gather(job.request, Plan(names=("trastuzumab",), syllabus=job.request.syllabus))
            steps = await bench.journal.steps()
    return _rows(model, [_tools(step) for step in steps])


def _tools(step: Step) -> str:
    """The tools that a step called, and how many calls it made where they are several."""
    names = " + ".join(sorted({call.tool for call in step.calls}))
    return names if len(step.calls) == 1 else f"{names} ({len(step.calls)} calls)"


def _rows(model: Counted, tools: list[str]) -> list[Row]:
    """The steps but the first, which also learns what the job is; the last trips are those before a call."""
    by_tool: defaultdict[str, list[int]] = defaultdict(list)
    for place, tool in enumerate(tools[1:-1], 1):
        by_tool[tool].append(place + 1)
    return [
        {
            "variant": f"storm with its store: {tool}",
            "n": len(places),
            "store_trips_per_step": max(model.trips[place] for place in places),
            "ms_per_step_p50": p50([model.seconds[place] for place in places]),
        }
        for tool, places in sorted(by_tool.items())
    ]
