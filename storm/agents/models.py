"""The language models of a job: DSPy's LM behind three wrappers, each with one job.

A call passes through `reply_cache`, `retrying` and `metering`, in this order, and then to DSPy. They wrap the call, not
the LM, since DSPy changes, copies and saves an LM as one object.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Self

# Without this DSPy and litellm fetch a price list from the network.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import dspy
from dspy import lm15
from dspy.clients._litellm import get_litellm
from dspy.clients.backend_selection import select_backend

from storm.agents.budget import Budget
from storm.agents.calls import Call, CallHandler, reply_tokens
from storm.agents.endpoint import Endpoint
from storm.agents.metering import Metering, record_attempt
from storm.agents.model_choice import ModelChoice
from storm.agents.model_facts import facts_of
from storm.agents.model_faults import is_context_error, model_error
from storm.agents.reply_cache import ReplyCache
from storm.agents.retrying import Notify, Retrying, Waiting
from storm.errors import UsageError

__all__ = ["MeteredLM", "is_context_error", "make_lm"]

#: Default tokens of a reply, and the minimum for OpenAI's reasoning models.
REPLY_TOKENS = 4_000
REASONING_REPLY_TOKENS = 16_000


class MeteredLM(dspy.LM):  # type: ignore[misc]
    """A `dspy.LM` with a budget: BudgetSpent before a call that could exceed it, ModelError for failures.

    `context` is the maximum of prompt and reply in tokens, once known: a longer prompt is not sent. Temporary failures
    are retried, rate limits for as long as the server asks; `notify`, if set, receives a message for such waits. DSPy's
    cache is off; the key is never shown. Copies, also deep ones, spend from the same budget.
    """

    def __init__(
        self,
        choice: ModelChoice,
        budget: Budget,
        role: str,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        **options: Any,
    ) -> None:
        self.choice, self.budget, self.role = choice, budget, role
        self.context = choice.context
        self.notify: Notify | None = None
        self._waiting = Waiting(sleep, pause, jitter)
        self._endpoint = Endpoint(choice.parallel)
        options = {"engine": "auto", "cache": False, "num_retries": 0, "temperature": choice.temperature, **options}
        if isinstance(options["engine"], str):  # a custom engine has its own connection
            options |= {"timeout": choice.timeout, **connection_options(choice)}
        is_fixed = choice.max_tokens is not None or choice.temperature is not None
        sizes = (choice.max_tokens or REPLY_TOKENS,) if is_fixed else (REPLY_TOKENS, REASONING_REPLY_TOKENS)
        for size in sizes:
            try:
                super().__init__(choice.name, max_tokens=size, **options)
                break
            except dspy.LMConfigurationError as exc:
                if size == sizes[-1]:
                    raise model_error(exc, choice.name) from exc
        self.facts = facts_of(self)

    def __repr__(self) -> str:
        return f"MeteredLM({self.model!r}, role={self.role!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()  # type: ignore[no-any-return]

    @property
    def reply_tokens(self) -> int:
        """The longest reply, in tokens."""
        return reply_tokens(self.kwargs)

    @property
    def counted_tokens(self) -> int | None:
        """Tokens of the model's last prompt, as the server counted them."""
        return self._endpoint.counted_tokens

    def share_endpoint(self, other: MeteredLM) -> None:
        """Share the queue, and the knowledge of how the model counts, with an LM of the same model."""
        self._endpoint = other._endpoint

    def limit_reply(self, tokens: int) -> None:
        """Limit the length of replies."""
        self.kwargs["max_completion_tokens" if "max_completion_tokens" in self.kwargs else "max_tokens"] = tokens

    def __call__(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        send = partial(super().__call__, prompt, messages=messages, **kwargs)
        return self._call_chain(self._make_call(prompt, messages, kwargs, send))

    async def acall(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """Asynchronous; replies are shared and stored if the budget does so."""
        send = partial(super().acall, prompt, messages=messages, **kwargs)
        return await self._call_chain.acall(self._make_call(prompt, messages, kwargs, send))

    @property
    def _call_chain(self) -> CallHandler:
        """The wrappers of a call; built for each call, since an LM may be changed in between."""
        metering = Metering(self.budget, self._endpoint, self.facts, self.context)
        retrying = Retrying(metering, self.choice, self.budget, self._endpoint, self._waiting, self.notify)
        return ReplyCache(retrying, self.budget)

    def _make_call(self, prompt: Any, messages: Any, kwargs: Mapping[str, Any], send: Callable[[], Any]) -> Call:
        return Call(self.role, self.model, prompt, messages, {**self.kwargs, **kwargs}, send)

    def update_history(self, entry: Mapping[str, Any]) -> None:
        """DSPy's hook for the record of a call."""
        if record_attempt(entry):
            super().update_history(entry)


def make_lm(choice: ModelChoice, budget: Budget, role: str, **options: Any) -> MeteredLM:
    """The LM of a role; ModelError for a missing key, UsageError for an unknown provider. litellm is imported only for
    providers that DSPy does not support itself."""
    choice.check_key()
    lm = MeteredLM(choice, budget, role, engine="lm15", **options)
    try:
        select_backend(lm)
    except lm15.LM15Error:
        check_provider(choice)
        return MeteredLM(choice, budget, role, engine="auto", **options)
    return lm


def check_provider(choice: ModelChoice) -> None:
    """UsageError if litellm does not know the provider, ModelError if litellm is missing; no model is called."""
    try:
        litellm = get_litellm(feature=choice.name)
    except ImportError as exc:
        raise model_error(exc, choice.name) from exc
    try:
        litellm.get_llm_provider(choice.name, api_base=choice.api_base)
    except litellm.BadRequestError as exc:
        raise UsageError(
            f"{choice.name}: unknown provider {choice.provider!r}",
            hint="a name says provider and model: openai/gpt-4.1-mini, ollama_chat/qwen3:14b, hosted_vllm/…",
        ) from exc


def connection_options(choice: ModelChoice) -> dict[str, str]:
    """Address and key; a server that the choice names only gets the key named with it."""
    found = {"api_base": choice.api_base, "api_key": choice.key or (choice.api_base and "none")}
    return {name: value for name, value in found.items() if value}
