"""A tool of storm's as a `dspy.Tool` that works in a synchronous and an asynchronous agent, also inside a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import dspy
from dspy.utils.callback import with_callbacks

from storm.agents.fencing import defuse_text
from storm.agents.observations import cut_observation
from storm.agents.predictor_calls import run_sync

#: Characters of an observation: 2,000 tokens, at four characters each.
OBSERVATION = 8_000


class BothWaysTool(dspy.Tool):  # type: ignore[misc]
    """A tool whose function is a coroutine; called synchronously, it runs in an event loop of its own.

    The function checks its arguments itself and answers in words that a model can act on.
    """

    @with_callbacks  # type: ignore[untyped-decorator]
    def __call__(self, **kwargs: Any) -> str:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return str(asyncio.run(self.func(**kwargs)))  # here Ctrl-C cancels it
        return str(run_sync(self.func, **kwargs))

    @with_callbacks  # type: ignore[untyped-decorator]
    async def acall(self, **kwargs: Any) -> str:
        return str(await self.func(**kwargs))


def make_dspy_tool(
    name: str,
    description: str,
    input_schema: Mapping[str, Any],
    call: Callable[[Mapping[str, Any]], Awaitable[str]],
) -> BothWaysTool:
    """The tool, whose observation is the text of `call`: data, not instructions, in at most 2,000 tokens."""

    async def observe(**arguments: Any) -> str:
        return cut_observation(defuse_text(await call(arguments)), OBSERVATION)

    required = input_schema.get("required", ())
    args = {
        one: dict(schema) if one in required else {"default": None, **schema}
        for one, schema in input_schema.get("properties", {}).items()
    }
    return BothWaysTool(observe, name=name, desc=description, args=args, arg_types=dict.fromkeys(args, Any))
