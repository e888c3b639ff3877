"""What an agent did: one reply of its model, and what came of it."""

from __future__ import annotations

from pydantic import Field

from storm.models.base import Frozen

#: The thread of a job's only agent, and of one that says nothing else.
AGENT = "agent"


class ToolCall(Frozen):
    """One call of a tool: its arguments as a JSON object, and what the model is told of the result."""

    tool: str
    arguments: str
    observation: str


class Step(Frozen):
    """One reply of the model with the calls that it asked for; `unreadable` says what was wrong with the reply.

    `thread` says whose step it is: each agent of a job counts its own, from 1.

    `progress` is how far the work had come after it, as a number that grows; `state` is how things stood then, in the
    words of the next prompt.
    """

    number: int = Field(ge=1)
    thread: str = Field(default=AGENT, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$")
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    unreadable: str = ""
    progress: int = 0
    state: str = ""
