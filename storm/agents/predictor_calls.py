"""Calls predictors until a reply can be read: each retry reports to the model what was wrong with its last reply."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from typing import Any, TypeVar

import dspy

from storm.agents.adapters import adapter_of
from storm.agents.fencing import fence_text, plain_line
from storm.agents.model_faults import model_error
from storm.errors import BadReply, PromptTooLong, UsageError

T = TypeVar("T")

#: Raised for unreadable replies; the last three by the adapters' parsers, for replies nested too deep.
PARSE_ERRORS = (dspy.AdapterParseError, BadReply, ValueError, RecursionError, MemoryError)
#: Prompts of one question that are sent at once.
PARALLEL = 4
#: Retries after an unreadable reply.
RETRIES = 2
#: Characters of an instruction for which every prompt has room.
_INSTRUCTION = 2_000
_FORM = "Give each output field, in the form that is asked for."
_CUT = "It was empty or cut at its greatest length. Give less."
_REMEDY = "try `adapter: json` in config/models.yaml, a larger `max_tokens`, or another model"
#: Characters of what was wrong with a reply.
_FAULT = 300


async def call_predictor(predict: Any, **inputs: Any) -> Any | None:
    """The predictor's reply; None if no reply can be read, although `problems` reported the faults. Demonstrations for
    which the prompt has no room are left out. Other failures are a ModelError, BudgetSpent or PromptTooLong."""
    require_model(predict)
    try:
        return await _ask_until_readable(predict, inputs)
    except PromptTooLong:
        if not predict.demos:
            raise
        bare = copy(predict)
        bare.demos = []
        return await _ask_until_readable(bare, inputs)


async def _ask_until_readable(predict: Any, given: Mapping[str, Any]) -> Any | None:
    inputs = dict(given)
    problems = inputs["problems"]
    for attempt in range(1, 2 + RETRIES):
        try:
            return await predict.acall(**inputs)
        except PARSE_ERRORS as exc:
            inputs["problems"] = f"{problems}\n{explain_unreadable(attempt, exc)}".strip()
        except dspy.LMError as exc:  # of an LM other than MeteredLM, which raises ModelError itself
            raise model_error(exc, exc.model or "the model") from exc
    return None


def explain_unreadable(attempt: int, exc: BaseException) -> str:
    """What was wrong with a reply, for the model. Each attempt has a different text: equal requests would get the
    stored reply."""
    advice = _CUT if isinstance(exc, BadReply) else f"{_FORM}\n{fence_text(describe_fault(exc), 'fault')}"
    return f"Your reply no. {attempt} could not be read. {advice}"


def describe_fault(exc: BaseException) -> str:
    """Why a reply is unreadable, in one line; it may quote the reply."""
    if not isinstance(exc, dspy.AdapterParseError):
        return plain_line(str(exc), _FAULT) or "it is nested too deep"
    said = exc.message.partition("\n\n")[0]
    missing = [name for name in exc.signature.output_fields if name not in (exc.parsed_result or {})]
    return plain_line(said if not said.startswith("Adapter ") else f"no {', '.join(missing)}", _FAULT)


def explain_giving_up(predict: Any, said: str) -> str:
    """For the user: which model gave no readable reply, what was wrong with the last one, and what may help."""
    name = getattr(predict.lm or dspy.settings.lm, "model", "the model")
    said = said.removeprefix(f"{name}: ")
    return f"{name} gave no reply that can be read, {1 + RETRIES} times ({said}); {_REMEDY}"


def require_model(predict: Any) -> None:
    """UsageError unless the predictor has a model."""
    if not (predict.lm or dspy.settings.lm):
        raise UsageError("no language model is set", hint="dspy.configure(lm=dspy.LM(…))")


async def run_parallel(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order, a few running at once. If one fails, its exception is raised and the others are
    cancelled."""
    waiting = enumerate(work)
    results: dict[int, T] = {}

    async def take_next() -> None:
        for index, one in waiting:
            results[index] = await one

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(PARALLEL):
                group.create_task(take_next())
    except ExceptionGroup as failed:
        first = failed.exceptions[0]
        raise first from first.__cause__
    return [results[index] for index in sorted(results)]


@contextmanager
def use_model(lm: dspy.LM | None, adapter: dspy.Adapter | None) -> Iterator[None]:
    """Within the context DSPy uses this model and adapter; by default those it is configured with. A model given
    here wins over `dspy.context` around it, as the `lm` of a `dspy.Predict` does."""
    chosen: dict[str, Any] = {} if lm is None else {"lm": lm}
    chosen["adapter"] = adapter or dspy.settings.adapter or adapter_of("chat")
    with dspy.context(**chosen):
        yield


def count_optimized_characters(predict: Any) -> int:
    """Characters that an optimiser added: the demonstrations, and the instruction beyond its usual length."""
    fields = predict.signature.fields
    demos = sum(len(str(value)) for demo in predict.demos for name, value in dict(demo).items() if name in fields)
    return demos + max(0, len(predict.signature.instructions) - _INSTRUCTION)


def run_sync(work: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **inputs: Any) -> T:
    """Run a coroutine function from synchronous code, in an event loop of its own."""
    context = contextvars.copy_context()
    with ThreadPoolExecutor(1) as own:
        return own.submit(context.run, asyncio.run, work(*args, **inputs)).result()
