"""Retrying alone: how often the wrapper behind it is called, and what is waited for."""

from __future__ import annotations

from typing import Any

import dspy
import pytest
from agents.inner import Inner, call
from fault_server import Time

from storm.agents.budget import Budget, Limits
from storm.agents.endpoint import Endpoint
from storm.agents.model_choice import ModelChoice
from storm.agents.retrying import Retrying, Waiting
from storm.errors import BadReply, ModelError

FAILED = dspy.LMServerError(message="oops", status=500)


def retrying(inner: Inner, time: Time, paused: list[float] | None = None) -> Retrying:
    waiting = Waiting(time.sleep, (paused if paused is not None else []).append, lambda: 0.5)
    budget = Budget(Limits(), monotonic=time.monotonic)
    return Retrying(inner, ModelChoice(name="openai/x"), budget, Endpoint(1), waiting)


@pytest.mark.parametrize("failures", [0, 1, 2])
async def test_a_fault_that_passes_is_waited_out(failures: int) -> None:
    time, paused = Time(), list[float]()
    assert await retrying(Inner(*[FAILED] * failures, ["yes"]), time).acall(call()) == ["yes"]
    assert retrying(Inner(*[FAILED] * failures, ["yes"]), Time(), paused)(call()) == ["yes"]
    assert time.slept == paused == [0.5, 1.0][:failures]


@pytest.mark.parametrize(
    ("failure", "calls"),
    [(FAILED, 3), (ImportError("no litellm"), 1)],
)
async def test_a_fault_that_stays_is_our_error_with_its_cause(failure: Any, calls: int) -> None:
    inner = Inner(*[failure] * 4)
    with pytest.raises(ModelError, match=r"^openai/x: ") as caught:
        await retrying(inner, Time()).acall(call())
    assert len(inner.calls) == calls and caught.value.__cause__ is failure


async def test_an_error_of_ours_is_passed_on_at_once() -> None:
    inner = Inner(BadReply("it was cut"), ["yes"])
    with pytest.raises(BadReply):
        await retrying(inner, Time()).acall(call())
    assert len(inner.calls) == 1
