"""Asks a model until its reply can be used, at most twice; without a usable reply the caller uses rules instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from storm.agents.fencing import fence_text
from storm.agents.predictor_calls import call_predictor
from storm.errors import BudgetSpent, PromptTooLong

T = TypeVar("T")

#: How many replies are requested until one can be used.
_ATTEMPTS = 2
#: Why rules replace the model.
NOT_USABLE = "the model gave no reply that can be used"
_NOT_READABLE = "the model gave no reply that can be read"
NO_BUDGET, TOO_LONG = "the budget was spent", "the model cannot take so long a prompt"


class UnusableReply(Exception):
    """A reply that can be parsed but not used; its message, for the model, says what is wrong with it."""


class ModelReply(NamedTuple, Generic[T]):
    """What was read from a model's reply; if `value` is None, `refusal` says why, for the reader."""

    value: T | None
    refusal: str = ""


async def ask_until_usable(predict: Any, read: Callable[[Any], T], **inputs: Any) -> ModelReply[T]:
    """The model's reply as `read` returns it. If `read` raises UnusableReply, the model is asked once more, with its
    message in the input `problems`, which is added here and which the predictor must have. ModelError if the model
    fails."""
    try:
        return await ask_twice(predict, read, **inputs)
    except PromptTooLong:
        return ModelReply(None, TOO_LONG)


async def ask_twice(predict: Any, read: Callable[[Any], T], **inputs: Any) -> ModelReply[T]:
    """As `ask_until_usable`, but raises PromptTooLong, for callers that can shorten the inputs."""
    problems, refusal = "", ""
    for _ in range(_ATTEMPTS):
        try:
            reply = await call_predictor(predict, **inputs, problems=problems)
        except BudgetSpent:
            return ModelReply(None, NO_BUDGET)
        if reply is None:
            return ModelReply(None, _NOT_READABLE)
        try:
            return ModelReply(read(reply))
        except UnusableReply as exc:
            problems = f"Your last reply could not be used.\n{fence_text(str(exc), 'fault')}"
            refusal = NOT_USABLE
    return ModelReply(None, refusal)
