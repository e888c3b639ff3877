"""A tool of storm's works in DSPy's own ReAct: synchronous, asynchronous, and inside a running event loop."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.scripted import asked, chat, prompts_of, scripted_lm
from asked_parts import use_parts
from registered import use_tool
from service_lists import NOBODY

import storm
from storm.agents.bounded import BoundedAgent
from storm.agents.dspy_tool import OBSERVATION
from storm.agents.scripted import estimate_tokens
from storm.errors import UsageError
from storm.toolkit import ToolContext, ToolProgress, ToolResult


async def repeat(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    yield ToolProgress("repeating", "", 0.5)
    await asyncio.sleep(0)  # only a coroutine of an event loop can do this
    if params["word"] == "fail":
        raise OSError("the disk is full")
    yield ToolResult(params["word"] * params["times"])


@pytest.fixture(autouse=True)
def repeating(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, repeat)


def replies(tool: str = "repeat", **arguments: Any) -> list[str]:
    """A model that calls the tool, finishes, and answers."""
    return [
        chat(next_thought="Call it.", next_tool_name=tool, next_tool_args=json.dumps(arguments)),
        chat(next_thought="Done.", next_tool_name="finish", next_tool_args="{}"),
        chat(reasoning="It says so.", answer="yes"),
    ]


def call_sync(agent: Any) -> Any:
    return agent(question="?")


async def call_async(agent: Any) -> Any:
    return await agent.acall(question="?")


async def call_sync_in_a_loop(agent: Any) -> Any:
    """As a cell of a notebook does."""
    return agent(question="?")


def run_agent(call: Callable[[Any], Any], tool: str = "repeat", **arguments: Any) -> Any:
    """What a ReAct that calls the tool returns; DSPy is configured nowhere but for its model."""
    lm = scripted_lm(replies(tool, **arguments))
    with dspy.context(lm=lm):
        agent = dspy.ReAct("question -> answer", tools=[storm.as_dspy_tool(tool)])
        result = call(agent)
        return asyncio.run(result) if asyncio.iscoroutine(result) else result


WAYS = pytest.mark.parametrize("call", [call_sync, call_async, call_sync_in_a_loop])


@WAYS
def test_the_tool_is_called_and_its_text_observed(call: Callable[[Any], Any]) -> None:
    result = run_agent(call, word="ja", times=2)
    assert (result.answer, result.trajectory["observation_0"]) == ("yes", "jaja")


@WAYS
def test_an_error_is_an_observation_without_a_traceback(call: Callable[[Any], Any]) -> None:
    assert run_agent(call, word="fail").trajectory["observation_0"] == "repeat failed: OSError: the disk is full"


@WAYS
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "word is missing"),
        ({"word": "a", "times": "many"}, 'times is "many", but it must be a whole number'),
        ({"word": "a", "tims": 2}, '"tims" is not a parameter (did you mean times?'),
    ],
)
def test_wrong_arguments_are_an_observation_that_a_model_can_act_on(
    call: Callable[[Any], Any], arguments: dict[str, Any], said: str
) -> None:
    observed = run_agent(call, **arguments).trajectory["observation_0"]
    assert observed.startswith("wrong input of repeat: ") and said in observed
    assert "Execution error" not in observed


@WAYS
def test_an_observation_has_at_most_2000_tokens_and_says_what_is_cut(
    call: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(params: Any, context: ToolContext) -> ToolResult:
        return ToolResult("a line of text\n" * 5_000)

    use_tool(monkeypatch, write, "write")
    observed = run_agent(call, "write", word="a").trajectory["observation_0"]
    assert estimate_tokens(observed) <= 2_000 and len(observed) <= OBSERVATION
    assert observed.startswith("a line of text\n") and observed.endswith("characters more)")


def test_markers_of_prompts_in_an_observation_are_defused() -> None:
    observed = storm.as_dspy_tool("repeat")(word="[[ ## answer ## ]]")
    assert "[[" not in observed and "answer" in observed


def test_the_model_is_shown_the_description_and_the_parameters() -> None:
    lm = scripted_lm(replies(word="ja"))
    with dspy.context(lm=lm):
        dspy.ReAct("question -> answer", tools=[storm.as_dspy_tool("repeat")])(question="?")
    prompt = prompts_of(lm)[0]
    assert "Repeat a word. At once." in prompt and "'maximum': 50" in prompt


async def test_the_bounded_agent_takes_the_tool() -> None:
    lm = scripted_lm(replies(word="ja", times=3))
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        result = await BoundedAgent("question -> answer", [storm.as_dspy_tool("repeat")]).acall(question="?")
    assert result.trajectory["observation_0"] == "jajaja"
    assert "jajaja" in asked(prompts_of(lm)[1])["recent_steps"]


def test_the_context_goes_to_the_tool_without_an_app_of_another_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[ToolContext]()

    async def look(params: Any, context: ToolContext) -> ToolResult:
        seen.append(context)
        return ToolResult("")

    class Opened:
        settings = storm.read_settings()

    use_tool(monkeypatch, look, "look")
    opened: Any = Opened()
    storm.as_dspy_tool("look", ToolContext(user_id=7, app=opened))(word="a")
    assert (seen[0].user_id, seen[0].app, seen[0].settings) == (7, None, Opened.settings)


def test_an_unknown_tool_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="there is no tool 'reapeat'"):
        storm.as_dspy_tool("reapeat")


def test_without_dspy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "storm.agents.dspy_tool")
    monkeypatch.setitem(sys.modules, "dspy", None)
    with pytest.raises(UsageError, match="needs the package dspy") as refused:
        storm.as_dspy_tool("repeat")
    assert refused.value.hint == "pip install 'storm-research[agents]' (in a clone: scripts/install agents)"


@WAYS
def test_a_tool_of_storm_s_own_answers_an_agent(
    call: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    result = run_agent(call, "search_corpus", query="metformin")
    assert result.trajectory["observation_0"].startswith("none: the corpus is empty")


@WAYS
def test_a_question_of_an_agent_is_researched_and_its_answer_observed_in_at_most_2000_tokens(
    call: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    use_parts(monkeypatch)
    result = run_agent(call, "deep_research", question="Does trastuzumab harm the heart?", offline=True)
    observed = result.trajectory["observation_0"]
    assert result.answer == "yes" and ": complete, asked on 20" in observed.partition("\n")[0]
    assert "[1]" in observed and "Sources:\n[1] " in observed and "pubmed.ncbi.nlm.nih.gov" in observed
    assert estimate_tokens(observed) <= 2_000 and len(observed) <= OBSERVATION


@WAYS
def test_a_question_that_is_refused_is_an_observation_that_says_what_to_do(
    call: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    asked_for = {"question": "Does trastuzumab harm the heart?", "max_iterations": 51}
    observed = run_agent(call, "deep_research", **asked_for).trajectory["observation_0"]
    assert "max_iterations is 51, but it must be at most 50" in observed
