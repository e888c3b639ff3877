"""What DSPy's own tests ask of `dspy.ReAct`, asked of the bounded agent through the same doors.

Of the twelve tests of DSPy 3.4.1 six hold here, with one difference: an observation is text ("3" for 3). Four look into
ReAct's insides (they replace its predictors by functions, or call `truncate_trajectory` and the method that retries);
what those are for, a run that goes on or ends well where a prompt is too long, is tested below. Two cannot hold: one
wants Python's traceback in the observation, with paths of this machine, the other pictures, which are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import dspy
import pytest
from agents.scripted import asked, chat, prompts_of, scripted_lm
from dspy.utils.dummies import DummyLM
from pydantic import BaseModel

from storm.agents.bounded import BoundedAgent

FINISHING = {"next_thought": "That is all.", "next_tool_name": "finish", "next_tool_args": {}}
FINISHED = {"thought_1": "That is all.", "tool_name_1": "finish", "tool_args_1": {}, "observation_1": "Completed."}


class Trip(BaseModel):
    """A type that a tool takes and a task is given."""

    town: str
    nights: dict[str, int]


class Booking(dspy.Signature):
    """Book a room."""

    guest: str = dspy.InputField()
    trip: Trip = dspy.InputField()
    confirmation: str = dspy.OutputField()


def book(guest: str, trip: Trip) -> str:
    return f"{guest} sleeps {trip.nights[guest]} nights in {trip.town}"


async def book_later(guest: str, trip: Trip) -> str:
    return book(guest, trip)


def broken(a: Any, b: Any) -> None:
    raise RuntimeError("no power")


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"next_thought": "Call it.", "next_tool_name": tool, "next_tool_args": arguments}


async def run(is_async: bool, agent: BoundedAgent, replies: Sequence[dict[str, Any]], **inputs: Any) -> Any:
    """The agent through one of its two doors, with DSPy's own scripted model."""
    with dspy.context(lm=DummyLM(list(replies)), adapter=dspy.ChatAdapter()):
        return await agent.acall(**inputs) if is_async else agent(**inputs)


@pytest.mark.parametrize(("is_async", "tool"), [(False, book), (True, book_later)])
async def test_a_tool_takes_a_pydantic_argument_and_the_trajectory_has_the_call(
    is_async: bool, tool: Callable[..., Any]
) -> None:
    trip = {"town": "Ghent", "nights": {"Ada": 3}}
    replies = [
        calling(tool.__name__, guest="Ada", trip=trip),
        FINISHING,
        {"reasoning": "Booked.", "confirmation": "Yes"},
    ]
    result = await run(is_async, BoundedAgent(Booking, [tool]), replies, guest="Ada", trip=Trip(**trip))
    assert result.confirmation == "Yes"
    assert result.trajectory == {
        "thought_0": "Call it.",
        "tool_name_0": tool.__name__,
        "tool_args_0": {"guest": "Ada", "trip": trip},
        "observation_0": "Ada sleeps 3 nights in Ghent",
        **FINISHED,
    }


async def test_a_tool_without_hints_is_called_and_its_result_is_text() -> None:
    def add(a, b):  # type: ignore[no-untyped-def]
        return a + b

    replies = [calling("add", a=1, b=2), FINISHING, {"reasoning": "Added.", "c": 3}]
    result = await run(False, BoundedAgent("a, b -> c: int", [add]), replies, a=1, b=2)
    assert (result.c, result.trajectory["tool_args_0"]) == (3, {"a": 1, "b": 2})
    assert result.trajectory["observation_0"] == "3"
    assert result.trajectory.items() >= FINISHED.items()


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_tool_that_fails_is_an_observation_and_max_iters_of_the_call_ends_the_run(is_async: bool) -> None:
    replies = [calling("broken", a=1, b=2), calling("broken", a=1, b=2), {"reasoning": "By heart.", "c": 3}]
    result = await run(is_async, BoundedAgent("a, b -> c: int", [broken]), replies, a=1, b=2, max_iters=2)
    assert (result.c, result.stop_reason) == (3, "max_iters")
    assert [result.trajectory[f"tool_name_{n}"] for n in (0, 1)] == ["broken", "broken"]
    assert [result.trajectory[f"observation_{n}"] for n in (0, 1)] == ["broken failed: RuntimeError: no power"] * 2
    assert "thought_2" not in result.trajectory


async def test_an_observation_of_an_error_has_its_type_and_words_and_no_path_of_this_machine() -> None:
    replies = [calling("broken", a=1, b=2), {"reasoning": "It failed.", "answer": "?"}]
    result = await run(False, BoundedAgent("question -> answer", [broken]), replies, question="?", max_iters=1)
    observation = result.trajectory["observation_0"]
    assert observation.endswith("RuntimeError: no power")
    assert "Traceback" not in observation and __file__ not in observation


async def test_arguments_of_any_type_are_read_where_the_adapter_takes_types_for_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = BoundedAgent("request -> result", [broken])
    generic = agent.react.signature.output_fields["next_tool_args"].annotation

    def strict(cls: Any, kinds: Any) -> bool:
        if cls == generic:
            raise TypeError("issubclass() arg 1 must be a class")
        return issubclass(cls, kinds)

    for module in ("dspy.adapters.base", "dspy.adapters.utils"):
        monkeypatch.setattr(f"{module}.issubclass", strict, raising=False)
    replies = [calling("broken", a=1, b=2), FINISHING, {"reasoning": "Done.", "result": "resolved"}]
    result = await run(False, agent, replies, request="Help.")
    assert (result.result, result.trajectory["tool_args_0"]) == ("resolved", {"a": 1, "b": 2})


def spoken(fields: dict[str, Any]) -> str:
    return chat(**fields)


def too_long() -> Exception:
    return dspy.ContextWindowExceededError(message="prompt is too long: context length exceeded")


@pytest.mark.slow
def test_a_prompt_that_the_model_finds_too_long_shows_fewer_steps_and_the_record_keeps_them_all() -> None:
    def echo(text: str) -> str:
        return f"echo of {text} " * 200

    script = [*(spoken(calling("echo", text=str(n))) for n in range(3)), too_long(), spoken(FINISHING)]
    lm = scripted_lm([*script, spoken({"reasoning": "Heard.", "output": "three"})])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
        result = BoundedAgent("input -> output", [echo])(input="shout")
    assert (result.output, result.stop_reason) == ("three", "complete")
    before, after = (asked(prompt)["recent_steps"] for prompt in prompts_of(lm)[3:5])
    assert "echo of 0" in before and "echo of 0" not in after and "echo of 2" in after
    assert result.trajectory["observation_0"].startswith("echo of 0")


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_prompt_that_never_fits_ends_the_run_with_its_reason_and_raises_nothing(is_async: bool) -> None:
    lm = scripted_lm(lambda prompt: too_long())
    agent = BoundedAgent("input -> output", [broken])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
        result = await agent.acall(input="shout") if is_async else agent(input="shout")
    assert (result.output, result.stop_reason, result.trajectory) == (None, "model_error", {})
    assert "too long" in result.stop_detail


async def test_a_picture_as_observation_is_refused_with_what_to_do() -> None:
    def draw() -> tuple[dspy.Image, str]:
        return dspy.Image("https://example.com/red.png"), "red"

    replies = [calling("draw"), FINISHING, {"reasoning": "No picture.", "answer": "none"}]
    result = await run(False, BoundedAgent("question -> answer", [draw]), replies, question="Draw.")
    assert result.trajectory["observation_0"] == (
        "Refused: draw returned an Image, which an observation cannot hold: it must return text"
    )
