"""Tools for agents, programs and people: registered by name, described by a schema, run with progress.

`tool.py` says what a tool is, `registry.py` has those that there are, `running.py` runs one.
"""

from storm.toolkit.agent_tool import as_dspy_tool
from storm.toolkit.registry import find_tool, list_tools, register_tool
from storm.toolkit.running import call_tool, run_tool
from storm.toolkit.tool import Executor, ToolConfig, ToolContext, ToolProgress, ToolRecorder, ToolResult

__all__ = [
    "Executor", "ToolConfig", "ToolContext", "ToolProgress", "ToolRecorder", "ToolResult", "as_dspy_tool", "call_tool",
    "find_tool", "list_tools", "register_tool", "run_tool",
]  # fmt: skip
