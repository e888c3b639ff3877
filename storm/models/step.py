"""A step of an agent: one reply of its model, and the results."""

from pydantic import Field

from storm.models.base import Frozen

#: The name of a job's only agent.
AGENT = "agent"
#: The name of a tool that searches a database begins with this.
SEARCH = "search_"
#: The name of the tool that lists what is saved.
LIST_SOURCES = "list_sources"
#: In an observation that shows a record, this follows its database and id.
AFTER_RECORD = " · "


class ToolCall(Frozen):
    """One tool call: its arguments as a JSON object, and the result as shown to the model."""

    tool: str
    arguments: str
    observation: str


class Step(Frozen):
    """One reply of the model with its tool calls; `unreadable` says why a reply could not be parsed.

    `thread` is the name of the agent, whose steps are numbered from 1; a job's agents have different names. `progress`
    is a growing measure of the work done after the step; `state` is the state shown in the next prompt.
    """

    number: int = Field(ge=1)
    thread: str = Field(default=AGENT, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$")
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    unreadable: str = ""
    progress: int = 0
    state: str = ""
