"""Metering alone: what is held before a call is sent, and settled after it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from agents.scripted import ledger
from fault_server import Time

from storm.agents.budget import Budget, CallReport, Limits
from storm.agents.calls import Call
from storm.agents.endpoint import Endpoint
from storm.agents.metering import Metering, record_attempt
from storm.agents.model_facts import Facts
from storm.errors import BadReply, BudgetSpent, PromptTooLong
from storm.models import PaidReply, Spending, Spent

FACTS = Facts(1e-6, 2e-6, None)


def metering(budget: Budget, context: int | None = None) -> Metering:
    return Metering(budget, Endpoint(1), FACTS, context)


def sent(send: Any, prompt: str = "x" * 300) -> Call:
    return Call("agent", "openai/x", prompt, None, {"max_tokens": 100}, send)


async def test_a_call_is_settled_by_what_it_came_to_and_kept_with_its_reply() -> None:
    kept: list[tuple[int, PaidReply | None]] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.append((spending.calls, reply))

    async def send() -> list[str]:
        held = 308 + 100  # no token has less than a byte
        with pytest.raises(BudgetSpent):
            budget.reserve_call("judge", 1001 - held, None)
        record_attempt({"outputs": ["yes"], "usage": {"prompt_tokens": 90, "completion_tokens": 7}})
        return ["yes"]

    budget = Budget(Limits(tokens=1000), monotonic=Time().monotonic, keep_for_writing=0, log=log)
    call = sent(send)
    assert await metering(budget).acall(call) == ["yes"]
    assert ledger(budget) == {"agent": Spent(1, 90, 7, pytest.approx(104e-6), 0)}
    assert kept == [(1, PaidReply(digest=call.digest, outputs=["yes"]))]


@pytest.mark.parametrize(
    ("outputs", "error", "reported"),
    [
        (["yes"], None, ("ok", 90, 7, pytest.approx(104e-6))),
        (["C" * 5_000_000], None, ("bad reply", 90, 100, pytest.approx(290e-6))),
        (["yes"], asyncio.CancelledError(), ("aborted", 308, 100, pytest.approx(508e-6))),
        (["yes"], ImportError("no litellm"), ("failed", 0, 0, 0)),
    ],
    ids=["answered", "too long", "aborted", "failed"],
)
async def test_each_call_that_was_sent_is_reported_without_what_was_said(
    outputs: list[str], error: BaseException | None, reported: tuple[Any, ...]
) -> None:
    calls: list[CallReport] = []
    time = Time()

    async def report(call: CallReport) -> None:
        calls.append(call)

    async def send() -> list[str]:
        await time.sleep(2.5)
        if error:
            raise error
        record_attempt({"outputs": outputs, "usage": {"prompt_tokens": 90, "completion_tokens": 7}})
        return outputs

    budget = Budget(Limits(), monotonic=time.monotonic, report=report)
    with suppress(BadReply, ImportError, asyncio.CancelledError):
        await metering(budget).acall(sent(send))
    assert calls == [CallReport("agent", "openai/x", *reported, 2.5)]


async def test_a_call_that_the_budget_refuses_is_none() -> None:
    async def report(call: CallReport) -> None:
        raise AssertionError(f"{call} was not sent")

    budget = Budget(Limits(tokens=10), monotonic=Time().monotonic, report=report)
    with pytest.raises(BudgetSpent):
        await metering(budget).acall(sent(lambda: None))


def test_a_call_that_failed_before_it_was_sent_leaves_nothing_held() -> None:
    def send() -> None:
        raise ImportError("no litellm")

    budget = Budget(Limits(tokens=500), monotonic=Time().monotonic, keep_for_writing=0)
    for _ in range(3):
        with pytest.raises(ImportError):
            metering(budget)(sent(send))
    assert ledger(budget) == {}


def test_a_prompt_that_has_no_room_in_the_context_is_not_sent() -> None:
    def send() -> None:
        raise AssertionError("it is not to be sent")

    with pytest.raises(PromptTooLong, match=r"about 108 tokens and a reply of up to 100 .* context of 200"):
        metering(Budget(Limits(), monotonic=Time().monotonic), context=200)(sent(send))
