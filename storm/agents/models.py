"""The language models of a job: what each call may cost is held before it, its failures are ours, retries are told."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import logging
import math
import os
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

# Read when DSPy, or litellm under it, first needs prices: otherwise both fetch a list of them from the network.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import dspy
from dspy import lm15
from dspy.clients._litellm import get_litellm
from dspy.clients.backend_selection import select_backend

from storm.agents.budget import Budget, BudgetHeld, Reservation
from storm.agents.model_choice import ModelChoice
from storm.agents.model_facts import facts_of
from storm.agents.model_faults import is_context_error, is_cut, may_pass, model_error, timed_out, was_billed
from storm.agents.reply_limits import reply_fault
from storm.agents.sizes import MESSAGE_TOKENS, TOKEN_BYTES, octets
from storm.databases.http.redaction import SHORTEST_SECRET, remove_secrets
from storm.databases.http.retries import TRIES, backoff, limit_backoff
from storm.errors import BadReply, BudgetSpent, ModelError, PromptTooLong, UsageError
from storm.models import PaidReply

__all__ = ["MeteredLM", "is_context_error", "make_lm"]

#: Tokens of a reply where the choice says nothing, and what OpenAI's reasoning models want at least.
REPLY_TOKENS = 4_000
REASONING_REPLY_TOKENS = 16_000

#: Where a server asks us to wait, so many seconds in all for one call.
LONGEST_WAIT = 300.0
#: Whoever watches is told of waits no more often than once in so many seconds.
_QUIET = 10.0

#: What the model's own count may come to by our estimate where a context is kept, however strangely it counts.
_MOST_SCALE = 1.5
#: How many times as many tokens to a byte a prompt may have as the densest one before it: of prose, a table has.
_MARGIN = 1.5
#: No text has more bytes to a token than this, and hardly any more than that: a server that counts fewer tokens than
#: the second makes of a text is not believed.
_MOST_BYTES = 10
_USUAL_BYTES = 5
#: Shorter prompts say nothing about bytes and tokens.
_TELLING_TOKENS = 500


#: What becomes of a reply that ended in one of these ways, and what is wrong with it.
_UNFINISHED = {
    "length": "the reply was cut at {most:,} tokens, its `max_tokens`",
    "content_filter": "the provider's filter kept the reply back",
}

#: Loggers that warn of what is told by us, or of no concern to anybody.
_CHATTER = ("dspy.clients.lm", "litellm.llms.huggingface.chat.transformation")

#: Options of a call that say how the server is reached.
_CONNECTION = frozenset(("api_base", "api_key", "timeout"))


class CallEnded(BudgetSpent):
    """A call was ended at the limit of minutes; nobody knows what it came to."""


class _Size(NamedTuple):
    """A call's prompt in bytes and in estimated tokens, those of them beside its text, and the longest reply."""

    octets: int
    prompt: int
    frame: int
    reply: int


class _Server:
    """What the LMs of one model share: how many of their calls are made at once, and how it counts."""

    def __init__(self, parallel: int) -> None:
        self.quiet_until = -math.inf  # by the clock of event loops: when a wait may be told again
        self.scale: float | None = None  # the model's count of tokens by our estimate, at its highest so far
        self._parallel = parallel
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    @property
    def turn(self) -> asyncio.Semaphore:
        """To be held while a call is made; each event loop has a queue of its own."""
        return self._turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._parallel))

    def most(self, size: _Size) -> int:
        """What the prompt may come to: no token has less than a byte, and the model's own count is a guide."""
        if self.scale is None:
            return size.octets + size.frame
        return min(size.octets, math.ceil(size.octets / TOKEN_BYTES * self.scale * _MARGIN)) + size.frame


@dataclasses.dataclass
class _Call:
    """One attempt: what DSPy records of it, and whether that goes into the history."""

    history: bool
    entry: Mapping[str, Any] = dataclasses.field(default_factory=dict)


_call: ContextVar[_Call | None] = ContextVar("call", default=None)

for _each in _CHATTER:
    logging.getLogger(_each).addFilter(lambda record: _call.get() is None or record.levelno > logging.WARNING)


class MeteredLM(dspy.LM):  # type: ignore[misc]
    """A `dspy.LM` that asks within a budget: BudgetSpent before a call that could pass it, ModelError for failures.

    `context` is what prompt and reply may come to in tokens, once it is known: a longer prompt is not sent. Faults
    that may pass are tried again, rate limits as long as the server asks; `watched` is told of such waits where it is
    set. Nothing is cached; the key is never shown.
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
        **engines: Any,
    ) -> None:
        self.choice, self.budget, self.role = choice, budget, role
        self.context = choice.context
        self._sleep, self._pause, self._jitter = sleep, pause, jitter
        self.watched: Callable[[str], Awaitable[None]] | None = None
        self.counted: int | None = None  # tokens of the last prompt, as the server counted them
        self._server = _Server(choice.parallel)
        options = {"engine": "auto", "cache": False, "num_retries": 0, "temperature": choice.temperature, **engines}
        if isinstance(options["engine"], str):  # an engine of the caller's own has its own connection
            options |= {"timeout": choice.timeout, **_client(choice)}
        try:
            super().__init__(choice.name, max_tokens=choice.max_tokens or REPLY_TOKENS, **options)
        except dspy.LMConfigurationError as exc:
            if choice.max_tokens is not None or choice.temperature is not None:
                raise model_error(exc, choice.name) from exc
            super().__init__(choice.name, max_tokens=REASONING_REPLY_TOKENS, **options)
        self.facts = facts_of(self)

    def __repr__(self) -> str:
        return f"MeteredLM({self.model!r}, role={self.role!r})"

    @property
    def reply_tokens(self) -> int:
        """The longest reply, in tokens."""
        return self._reply_tokens({})

    def join(self, other: MeteredLM) -> None:
        """Ask in one queue with an LM of the same model, and know what it knows of how that model counts."""
        self._server = other._server

    def limit_reply(self, tokens: int) -> None:
        """Ask for no longer replies than this."""
        self.kwargs["max_completion_tokens" if "max_completion_tokens" in self.kwargs else "max_tokens"] = tokens

    def __call__(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        size = self._size(prompt, messages, kwargs)
        failures: list[Exception] = []
        while True:
            try:
                with self._metered(size, self._reserved(size)):
                    return _sendable(super().__call__(prompt, messages=messages, **kwargs))
            except (dspy.LMError, ImportError, ValueError) as exc:
                failures.append(exc)
                self._pause(self._wait(failures))

    async def acall(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """The same for callers that await; the budget's minutes also end a call under way.

        What it came to is kept where the budget keeps it. Where the budget shares replies, what was paid for before,
        or is under way, is not asked again: whoever wants another reply asks in other words, or with a `rollout_id`.
        """
        digest = self._digest(prompt, messages, kwargs)
        async with self.budget.asking(digest) as paid:
            if paid is None:
                return await self._asked(digest, prompt, messages, kwargs)
        if paid.fault:
            raise BadReply(paid.fault)
        return deepcopy(paid.outputs)

    async def _asked(self, digest: str, prompt: Any, messages: Any, kwargs: Mapping[str, Any]) -> Any:
        """The reply to a request that is made now."""
        size = self._size(prompt, messages, kwargs)
        reply: PaidReply | None = None
        failures: list[Exception] = []
        while True:
            try:
                try:
                    async with asyncio.timeout(self.budget.seconds_left(self.role)) as deadline:
                        async with self._server.turn:
                            with self._metered(size, await self._areserved(size)):
                                outputs = _sendable(await super().acall(prompt, messages=messages, **kwargs))
                    reply = PaidReply(digest=digest, outputs=outputs)
                    return outputs
                except BadReply as exc:
                    reply = PaidReply(digest=digest, fault=exc.message)
                    raise
                finally:
                    await self.budget.keep(self.role, reply)
            except (dspy.LMError, ImportError, ValueError) as exc:
                failures.append(exc)
                seconds = self._wait(failures)
                await self._tell(exc, seconds)
                await self._sleep(seconds)
            except TimeoutError as exc:
                if not deadline.expired():
                    raise
                refusal = f"a call of the {self.role} was ended at the limit of {self.budget.limits.minutes:g} minutes"
                self.budget.cut_short(refusal)
                raise CallEnded(refusal) from exc

    def update_history(self, entry: Mapping[str, Any]) -> None:
        """Where DSPy tells what a call came to."""
        call = _call.get()
        if call is not None:
            call.entry = entry
        if call is None or call.history:
            super().update_history(entry)

    def _reserve(self, size: _Size) -> Reservation:
        held = self._server.most(size)
        return self.budget.reserve(self.role, held + size.reply, self.facts.cost(held, size.reply))

    def _reserved(self, size: _Size) -> Reservation:
        """What the call may come to, held; after others that are in its way have been settled."""
        while True:
            try:
                return self._reserve(size)
            except BudgetHeld as held:
                if _is_in_a_loop():  # which would stand still, and who is to settle it may need it
                    self.budget.cut_short(held.message)
                    raise BudgetSpent(held.message) from held
                held.settled.result()

    async def _areserved(self, size: _Size) -> Reservation:
        """The same for callers that await."""
        while True:
            try:
                return self._reserve(size)
            except BudgetHeld as held:
                await asyncio.wrap_future(held.settled)

    @contextmanager
    def _metered(self, size: _Size, reservation: Reservation) -> Iterator[None]:
        """Settle what is held for the call inside by what it came to."""
        call = _Call(history=not dspy.settings.disable_history)
        token = _call.set(call)
        prompt, reply, usd = reservation.tokens - size.reply, size.reply, reservation.usd
        billed = True
        try:
            with dspy.context(disable_history=False):
                yield
            prompt, reply, usd = self._came_to(size, call.entry)
        except BaseException as exc:
            billed = was_billed(exc)
            raise
        finally:
            _call.reset(token)
            self.budget.settle(reservation, prompt_tokens=prompt, completion_tokens=reply, usd=usd, billed=billed)
        self._check(size, call.entry)

    def _came_to(self, size: _Size, entry: Mapping[str, Any]) -> tuple[int, int, float | None]:
        """Tokens of prompt and reply and the dollars: as the server reports them, or as they are estimated where it
        reports none, or fewer tokens than such a text can have."""
        usage = entry.get("usage") or {}
        written = octets(entry.get("outputs"))
        prompt = _credible(usage.get("prompt_tokens"), size.octets) or size.prompt
        reply = _credible(usage.get("completion_tokens"), written)
        if reply is None:
            reply = min(size.reply, 1 + written // TOKEN_BYTES)
        as_reported = (prompt, reply) == (usage.get("prompt_tokens"), usage.get("completion_tokens"))
        cost = entry.get("cost")
        return prompt, reply, cost if as_reported and cost is not None else self.facts.cost(prompt, reply)

    def _check(self, size: _Size, entry: Mapping[str, Any]) -> None:
        """Whether the whole prompt was read and the whole reply written."""
        usage = entry.get("usage") or {}
        counted = self.counted = usage.get("prompt_tokens")
        if counted and size.prompt > _TELLING_TOKENS:
            if is_cut(counted, size.octets // _MOST_BYTES):
                raise PromptTooLong(
                    f"{self.model}: the server cut the prompt to {counted:,} tokens without saying so",
                    context=counted,
                    hint="give the server a longer context (Ollama: OLLAMA_CONTEXT_LENGTH), or state it as `context`",
                )
            scale = (counted - size.frame) / (size.octets / TOKEN_BYTES)
            self._server.scale = max(1.0, self._server.scale or 0.0, scale)
        if unread := reply_fault(entry.get("outputs")):
            raise BadReply(f"{self.model}: {unread}")
        if fault := _UNFINISHED.get(_finish_reason(entry.get("response")) or ""):
            raise BadReply(f"{self.model}: {fault.format(most=size.reply)}")

    def _wait(self, failures: Sequence[Exception]) -> float:
        """The seconds after which the call is made again; ModelError where that is of no use."""
        exc = failures[-1]
        if not isinstance(exc, dspy.LMError) or not may_pass(exc):
            raise self._error(exc)
        if not isinstance(exc, dspy.LMRateLimitError):
            if len(failures) >= TRIES:
                raise self._error(exc)
            return backoff(len(failures), self._jitter)
        waits = [failure.retry_after for failure in failures if isinstance(failure, dspy.LMRateLimitError)]
        seconds = [limit_backoff(n, self._jitter) if wait is None else wait for n, wait in enumerate(waits, 1)]
        left = self.budget.seconds_left(self.role)
        if sum(seconds) > LONGEST_WAIT or (left is not None and seconds[-1] > left):
            raise self._error(exc, f"it has asked us to wait for {sum(seconds):,.0f} s in all, longer than we may")
        return seconds[-1]

    async def _tell(self, exc: Exception, seconds: float) -> None:
        """Whoever watches learns why nothing happens."""
        now = asyncio.get_running_loop().time()
        if self.watched and now >= self._server.quiet_until:
            self._server.quiet_until = now + _QUIET
            await self.watched(f"{self._error(exc).message}; asked again in {math.ceil(seconds)} s")

    def _error(self, exc: Exception, saying: str = "") -> ModelError:
        """Ours for it, without the key; what holds the key in its text is not kept as the cause either."""
        secrets = [key] if len(key := self.choice.key or "") >= SHORTEST_SECRET else []
        error = model_error(exc, self.model, saying=saying)
        if timed_out(exc):
            allowed = f"no answer in {self.choice.timeout:g} s; `timeout:` in models.yaml allows more"
            error = ModelError(f"{self.model}: {allowed}")
        error.message = remove_secrets(error.message, secrets)
        error.args = (error.message,)
        error.__cause__ = exc if remove_secrets(str(exc), secrets) == str(exc) else None
        error.__suppress_context__ = True
        return error

    def _size(self, prompt: Any, messages: Any, kwargs: Mapping[str, Any]) -> _Size:
        """PromptTooLong if prompt and reply cannot both have room in the context."""
        length = octets(messages if messages is not None else prompt)
        frame = MESSAGE_TOKENS * (len(messages) if messages is not None else 1)
        tokens = round(length / TOKEN_BYTES * min(_MOST_SCALE, self._server.scale or 1.0)) + frame
        reply = self._reply_tokens(kwargs)
        if self.context is not None and tokens + reply > self.context:
            raise PromptTooLong(
                f"{self.model}: a prompt of about {tokens:,} tokens and a reply of up to {reply:,} do not fit into "
                f"its context of {self.context:,}",
                context=self.context,
            )
        candidates = kwargs.get("n") or self.kwargs.get("n") or 1
        return _Size(length * candidates, tokens * candidates, frame * candidates, reply * candidates)

    def _digest(self, prompt: Any, messages: Any, kwargs: Mapping[str, Any]) -> str:
        """Of all that shapes a reply; where the server is, and by which key it is asked, does not."""
        options = {name: value for name, value in {**self.kwargs, **kwargs}.items() if name not in _CONNECTION}
        asked = (self.role, self.model, options, prompt, messages)
        return hashlib.sha256(json.dumps(asked, default=str).encode()).hexdigest()

    def _reply_tokens(self, kwargs: Mapping[str, Any]) -> int:
        given = {**self.kwargs, **kwargs}
        return int(given.get("max_tokens") or given["max_completion_tokens"])


def make_lm(choice: ModelChoice, budget: Budget, role: str, **options: Any) -> MeteredLM:
    """The LM of a role; ModelError for a missing key, UsageError for a provider that nobody knows. litellm is imported
    only for what DSPy itself cannot reach."""
    choice.check_key()
    lm = MeteredLM(choice, budget, role, engine="lm15", **options)
    try:
        select_backend(lm)
    except lm15.LM15Error:
        _check_provider(choice)
        return MeteredLM(choice, budget, role, engine="auto", **options)
    return lm


def _check_provider(choice: ModelChoice) -> None:
    """UsageError if litellm knows no such provider either, ModelError if it is not there; nobody is asked."""
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


def _credible(tokens: int | None, length: int) -> int | None:
    """The tokens that a server counted for a text of so many bytes; None if it can hardly have so few."""
    return tokens if tokens is not None and tokens >= -(-length // _USUAL_BYTES) else None


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _sendable(outputs: Any) -> Any:
    """The same, where half of a surrogate pair, which no store takes, is a question mark."""
    if isinstance(outputs, str):
        return outputs.encode("utf-8", "replace").decode()
    if isinstance(outputs, dict):
        return {name: _sendable(value) for name, value in outputs.items()}
    return [_sendable(value) for value in outputs] if isinstance(outputs, list) else outputs


def _client(choice: ModelChoice) -> dict[str, str]:
    """A server that the choice names gets no key but the one named with it, whatever the environment holds."""
    found = {"api_base": choice.api_base, "api_key": choice.key or (choice.api_base and "none")}
    return {name: value for name, value in found.items() if value}


def _finish_reason(response: Any) -> str | None:
    """Why the model stopped, as DSPy's own engine or litellm tells it."""
    if hasattr(response, "finish_reason"):
        return str(response.finish_reason)
    choices = getattr(response, "choices", None) or [None]
    return getattr(choices[0], "finish_reason", None)
