"""Asks a model for something that can be used: once more if its reply cannot be, and then goes on without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from storm.agents.fencing import fence_text
from storm.agents.predictor_calls import call_predictor
from storm.errors import BudgetSpent, PromptTooLong

T = TypeVar("T")

#: How often a reply is asked for that can be used.
_ATTEMPTS = 2
#: Why rules replace the model.
NOT_USABLE = "the model gave no reply that can be used"
_NOT_READABLE = "the model gave no reply that can be read"
NO_BUDGET, TOO_LONG = "the budget was spent", "the model cannot take so long a prompt"


class UnusableReply(Exception):
    """A reply that can be read and not used; its message tells the model what is wrong with it."""


class Asked(NamedTuple, Generic[T]):
    """What was made of a model's reply; if it is None, `refusal` says why, for the reader."""

    made: T | None
    refusal: str = ""


def share_with_copies(role: T) -> Callable[[], T]:
    """A function that returns this role: `deepcopy` copies objects but not functions, so copies of a program share what
    the role works with."""
    return lambda: role


async def ask_usable(predict: Any, read: Callable[[Any], T], **inputs: Any) -> Asked[T]:
    """What `read` makes of the reply; it raises UnusableReply, and the model is asked once more with its message.
    Failures of the model are a ModelError."""
    try:
        return await ask_twice(predict, read, **inputs)
    except PromptTooLong:
        return Asked(None, TOO_LONG)


async def ask_twice(predict: Any, read: Callable[[Any], T], **inputs: Any) -> Asked[T]:
    """As `ask_usable`; PromptTooLong if less of the inputs is to be shown."""
    problems, refusal = "", ""
    for _ in range(_ATTEMPTS):
        try:
            reply = await call_predictor(predict, **inputs, problems=problems)
        except BudgetSpent:
            return Asked(None, NO_BUDGET)
        if reply is None:
            return Asked(None, _NOT_READABLE)
        try:
            return Asked(read(reply))
        except UnusableReply as exc:
            problems = f"Your last reply could not be used.\n{fence_text(str(exc), 'fault')}"
            refusal = NOT_USABLE
    return Asked(None, refusal)
