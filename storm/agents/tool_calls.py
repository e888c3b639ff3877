"""Describes an agent's tools to the model, and makes its calls."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, get_type_hints

import dspy
from pydantic import ConfigDict, TypeAdapter, ValidationError
from rapidfuzz import fuzz, process
from typing_extensions import TypedDict

from storm.agents.fencing import hide_paths, plain_line
from storm.agents.observations import cut_observation, read_observation
from storm.errors import BudgetSpent, ModelError, StoreError, StormError, UsageError
from storm.models import ToolCall

#: Characters of all observations of one step, and the minimum for each of several.
STEP_CHARACTERS = 8_000
_MIN_OBSERVATION_CHARACTERS = 600
#: Characters of an error.
_REASON = 300


class RequestedCall(NamedTuple):
    """A call requested by the model."""

    tool: str
    arguments: Mapping[str, Any]


class _Tool(NamedTuple):
    """A function as described to the model; `reader` validates the model's arguments."""

    name: str
    purpose: str
    parameters: str
    reader: TypeAdapter[dict[str, Any]]
    call: Callable[..., Any]


class Tools:
    """Functions by name, called with a model's arguments: functions, coroutine functions and `dspy.Tool`s."""

    def __init__(self, functions: Sequence[Callable[..., Any]]) -> None:
        made = [
            _wrap_dspy_tool(function) if isinstance(function, dspy.Tool) else _wrap_function(function)
            for function in functions
        ]
        self._tools = {tool.name: tool for tool in made}
        if twice := [tool.name for tool in made if self._tools[tool.name] is not tool]:
            raise UsageError(f"two tools are named {twice[0]}", hint="rename one")

    @property
    def names(self) -> Sequence[str]:
        """The tools' names, in the order given."""
        return list(self._tools)

    @property
    def manual(self) -> str:
        """What each tool does and takes. Text after the first paragraph that several tools share appears once."""
        seen: set[str] = set()
        lines = []
        for tool in self._tools.values():
            first, _, rest = inspect.cleandoc(tool.purpose).partition("\n\n")
            more = "" if rest in seen else rest
            seen.add(rest)
            lines.append(f"{tool.name}({tool.parameters}): {' '.join(f'{first} {more}'.split())}".rstrip(" :"))
        return "\n".join(lines)

    async def call_all(self, wanted: Sequence[RequestedCall]) -> list[ToolCall]:
        """Make all calls at once and return them with their results; an error of the store ends them all."""
        written = [_write_arguments(call.arguments) for call in wanted]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._make_call(call)) for call in wanted]
        except* StormError as failed:
            raise failed.exceptions[0] from None
        limit = _share_room([len(task.result()) for task in tasks])
        return [
            ToolCall(
                tool=plain_line(clean_tool_name(call.tool), 60),
                arguments=arguments,
                observation=cut_observation(task.result(), limit),
            )
            for call, arguments, task in zip(wanted, written, tasks, strict=True)
        ]

    async def _make_call(self, wanted: RequestedCall) -> str:
        name = clean_tool_name(wanted.tool)
        if name not in self._tools:
            near = process.extract(name, self.names, scorer=fuzz.ratio, limit=3, score_cutoff=50)
            hint = f"did you mean {', '.join(match for match, _, _ in near)}?" if near else ", ".join(self.names)
            return f"There is no tool {plain_line(name, 60)!r}: {hint}"
        try:
            arguments = self._tools[name].reader.validate_python(dict(wanted.arguments))
        except ValidationError as exc:
            wrong = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in exc.errors())
            return plain_line(f"Wrong arguments: {wrong}", _REASON)
        try:
            result = self._tools[name].call(**arguments)
            return read_observation(await result if inspect.isawaitable(result) else result, name)
        except (StoreError, BudgetSpent, ModelError):
            raise
        except StormError as exc:
            return plain_line(f"Refused: {exc.message}", _REASON)
        except Exception as exc:  # any error of a tool is reported to the model, and the run goes on
            reason = str(exc).strip().partition("\n")[0]
            return plain_line(f"{name} failed: {type(exc).__name__}: {hide_paths(reason)}", _REASON)


def _share_room(lengths: Sequence[int]) -> int:
    """The characters that each observation of a step may have: what short ones leave is shared by the long ones."""
    room, limit = STEP_CHARACTERS, 0
    for done, length in enumerate(sorted(lengths)):
        limit = max(limit, room // (len(lengths) - done))
        room -= min(length, limit)
    return max(_MIN_OBSERVATION_CHARACTERS, limit)


def tool_name(tool: Callable[..., Any]) -> str:
    """The name of a tool, as `dspy.Tool` chooses it."""
    return str(tool.name if isinstance(tool, dspy.Tool) else getattr(tool, "__name__", type(tool).__name__))


def _wrap_function(function: Callable[..., Any]) -> _Tool:
    hints = get_type_hints(function if inspect.isroutine(function) else type(function).__call__, include_extras=True)
    tool = dspy.Tool(function, arg_types={name: hint for name, hint in hints.items() if name != "return"})
    tool.args = _named_args(tool)
    required = [name for name, schema in tool.args.items() if "default" not in schema]
    return _Tool(tool.name, tool.desc or "", _describe_parameters(tool), _make_reader(tool, required), function)


def _wrap_dspy_tool(tool: Any) -> _Tool:
    """A `dspy.Tool`, which validates its arguments and runs its callbacks itself."""
    shown = tool.model_copy(update={"args": _named_args(tool)})
    return _Tool(tool.name, tool.desc or "", _describe_parameters(shown), _make_reader(shown, ()), tool.acall)


def _named_args(tool: Any) -> dict[str, Any]:
    """The tool's arguments without `*args` and `**kwargs`, which DSPy lists as arguments of that name.

    Arguments set explicitly on a `dspy.Tool`, as MCP tools do, stay as they are.
    """
    parameters = inspect.signature(tool.func if inspect.isroutine(tool.func) else tool.func.__call__).parameters
    if tool.args.keys() != parameters.keys():
        return dict(tool.args)
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name: schema for name, schema in tool.args.items() if parameters[name].kind not in variable}


def _make_reader(tool: Any, required: Sequence[str]) -> TypeAdapter[dict[str, Any]]:
    """Validates arguments by the tool's type hints, with plain conversions: "3" to 3, 7 to "7"."""
    hints = {name: hint for name, hint in tool.arg_types.items() if name != "return" and name in tool.args}
    hints |= {name: Any for name in tool.args if name not in hints}
    fields = {name: hint if name in required else NotRequired[hint] for name, hint in hints.items()}
    typed_dict: Any = TypedDict  # mypy knows it with literal fields only
    shape = typed_dict("shape", fields)
    shape.__pydantic_config__ = ConfigDict(
        coerce_numbers_to_str=True, extra="allow" if tool.has_kwargs else "forbid", arbitrary_types_allowed=True
    )
    return TypeAdapter(shape)


def _describe_parameters(tool: Any) -> str:
    named = [
        f"{name}{'?' if 'default' in schema else ''}: {_describe_type(schema)}"
        + (f" ({schema['description']})" if "description" in schema else "")
        for name, schema in tool.args.items()
    ]
    return ", ".join([*named, *(["and any others by name"] if tool.has_kwargs else [])])


def _describe_type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_describe_type(one) for one in schema["anyOf"] if one.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_describe_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def clean_tool_name(name: str) -> str:
    """The name without the quotation marks, "functions." and "()" that models add."""
    return name.strip().strip("`'\"").removesuffix("()").rpartition("functions.")[2]


def _write_arguments(arguments: Mapping[str, Any]) -> str:
    """The arguments as JSON, with lone surrogates, which no store accepts, replaced."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, default=str)
    except RecursionError:
        text = json.dumps(dict.fromkeys(arguments, "…"))
    return text.encode("utf-8", "replace").decode()
