"""Tools are found by name, once each, and listing them is fast."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from registered import make_tool, use_tool

import storm
from storm.errors import UsageError
from storm.toolkit import ToolConfig, ToolContext, ToolResult, find_tool, list_tools, register_tool
from storm.toolkit.registry import BUILT_IN

NAMES = ["run_drug", "report", "repurpose", "deep_research", "search_database", "search_corpus", "get_source"]


async def answer(params: Any, context: ToolContext) -> ToolResult:
    return ToolResult("yes")


def test_storm_s_own_tools_are_registered() -> None:
    assert [tool.name for tool in list_tools()][: len(NAMES)] == NAMES


@pytest.mark.parametrize("tool", BUILT_IN, ids=lambda tool: tool.name)
def test_each_of_them_says_when_to_use_it_and_when_not_and_how_long_it_takes(tool: ToolConfig) -> None:
    assert "Use it " in tool.description and "Do not use it " in tool.description and "It takes " in tool.description


@pytest.mark.parametrize("tool", BUILT_IN, ids=lambda tool: tool.name)
def test_each_of_them_has_a_schema_that_refuses_unknown_parameters_and_describes_the_others(tool: ToolConfig) -> None:
    Draft202012Validator.check_schema(tool.input_schema)
    assert tool.input_schema["additionalProperties"] is False
    assert all(part["description"] for part in tool.input_schema["properties"].values())


@pytest.mark.parametrize("tool", BUILT_IN, ids=lambda tool: tool.name)
def test_a_default_is_a_value_that_the_schema_allows(tool: ToolConfig) -> None:
    for part in tool.input_schema["properties"].values():
        if "default" in part:
            Draft202012Validator(part).validate(part["default"])


def test_a_description_names_only_tools_that_there_are() -> None:
    named = {word.strip("().,") for tool in BUILT_IN for word in tool.description.split() if "_" in word}
    assert named and named <= set(NAMES)


def test_a_registered_tool_is_found_and_listed_last(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, answer)
    assert find_tool("repeat").executor is answer
    assert storm.list_tools()[-1] is find_tool("repeat")


@pytest.mark.parametrize("name", ["repeat", "report"])
def test_a_name_that_is_taken_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    use_tool(monkeypatch, answer)
    with pytest.raises(UsageError, match=f"there is a tool {name} already"):
        register_tool(make_tool(answer, name))


@pytest.mark.parametrize("name", ["", "two words", "1st", "a" * 65, "näme"])
def test_a_name_that_no_provider_of_models_takes_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not a valid name of a tool"):
        register_tool(make_tool(answer, name))


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "objekt"}, "is not a JSON Schema"),
        ({"type": "object", "properties": {"word": {"type": "text"}}}, r"properties\.word"),
        ({"type": "string"}, 'no "type": "object"'),
        ({}, 'no "type": "object"'),
    ],
)
def test_a_schema_that_describes_no_parameters_is_refused(schema: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        register_tool(make_tool(answer, "another", schema))
    assert "another" not in [tool.name for tool in list_tools()]


def test_a_tool_without_a_description_is_refused() -> None:
    with pytest.raises(UsageError, match="has no description"):
        register_tool(ToolConfig("another", " ", {"type": "object"}, answer))


@pytest.mark.parametrize(("name", "near"), [("serch_corpus", "search_corpus"), ("reports", "report")])
def test_an_unknown_tool_is_answered_with_the_nearest(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"there is no tool '{name}'") as refused:
        find_tool(name)
    assert str(refused.value.hint).startswith(f"did you mean {near}? there are: run_drug, report")


def test_listing_the_tools_loads_nothing_that_only_running_them_needs() -> None:
    code = "import sys, storm; storm.list_tools(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = (
        "storm.api",
        "storm.app",
        "storm.agents",
        "storm.models",
        "storm.databases",
        "pydantic",
        "jsonschema",
        "dspy",
    )
    assert [name for name in done.stdout.split() if name.startswith(heavy)] == []
