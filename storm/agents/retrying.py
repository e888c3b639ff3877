"""The middle wrapper: retries failed calls where that may help, and maps failures to storm's errors."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, Protocol

import dspy
from pydantic import JsonValue

from storm.agents.budget import Budget
from storm.agents.calls import Call, CallHandler
from storm.agents.endpoint import Endpoint
from storm.agents.model_choice import ModelChoice
from storm.agents.model_faults import may_pass, model_error, timed_out
from storm.databases.http.redaction import SHORTEST_SECRET, remove_secrets
from storm.databases.http.retries import TRIES, backoff_seconds, rate_limit_backoff_seconds
from storm.errors import ModelError

#: Maximum seconds of waiting for rate limits, for one call.
LONGEST_WAIT = 300.0
#: Minimum seconds between two notifications of a wait.
_QUIET = 10.0

#: Errors of DSPy and its engines for a failed call.
_FAILURES = (dspy.LMError, ImportError, ValueError)


class Waiting(NamedTuple):
    """How to wait between two attempts: `sleep` in asynchronous calls, `pause` in synchronous ones."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    pause: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


class Notify(Protocol):
    """Takes a message on a wait, with values by name."""

    def __call__(self, message: str, /, **data: JsonValue) -> Awaitable[None]: ...


class Retrying:
    """Retries temporary faults a few times, and rate limits for as long as the server asks; else ModelError.

    `notify`, if set, receives a message for each wait, and the model's name as `rate_limited` where that is why. No
    message and no cause contains the key.
    """

    def __init__(
        self,
        inner: CallHandler,
        choice: ModelChoice,
        budget: Budget,
        endpoint: Endpoint,
        waiting: Waiting,
        notify: Notify | None = None,
    ) -> None:
        self._inner = inner
        self._choice = choice
        self._budget = budget
        self._endpoint = endpoint
        self._waiting = waiting
        self._notify = notify

    def __call__(self, call: Call) -> Any:
        """The outputs of the first attempt that succeeds."""
        failures: list[Exception] = []
        while True:
            try:
                return self._inner(call)
            except _FAILURES as exc:
                failures.append(exc)
                self._waiting.pause(self._seconds_to_wait(call, failures))

    async def acall(self, call: Call) -> Any:
        """The outputs of the first attempt that succeeds, asynchronously."""
        failures: list[Exception] = []
        while True:
            try:
                return await self._inner.acall(call)
            except _FAILURES as exc:
                failures.append(exc)
                seconds = self._seconds_to_wait(call, failures)
                await self._report_wait(call, exc, seconds)
                await self._waiting.sleep(seconds)

    def _seconds_to_wait(self, call: Call, failures: Sequence[Exception]) -> float:
        """Seconds until the next attempt; ModelError if a retry cannot help."""
        exc = failures[-1]
        if not isinstance(exc, dspy.LMError) or not may_pass(exc):
            raise self._make_error(call, exc)
        if isinstance(exc, dspy.LMRateLimitError):
            return self._limit_wait(call, failures)
        if len(failures) >= TRIES:
            raise self._make_error(call, exc)
        return backoff_seconds(len(failures), self._waiting.jitter)

    def _limit_wait(self, call: Call, failures: Sequence[Exception]) -> float:
        """Seconds to wait for a rate limit; ModelError if all such waits exceed the maximum."""
        waits = [failure.retry_after for failure in failures if isinstance(failure, dspy.LMRateLimitError)]
        jitter = self._waiting.jitter
        seconds = [rate_limit_backoff_seconds(n, jitter) if wait is None else wait for n, wait in enumerate(waits, 1)]
        left = self._budget.seconds_left(call.role)
        if sum(seconds) > LONGEST_WAIT or (left is not None and seconds[-1] > left):
            saying = f"rate-limited for {sum(seconds):,.0f} s in all, longer than storm waits"
            raise self._make_error(call, failures[-1], saying)
        return seconds[-1]

    async def _report_wait(self, call: Call, exc: Exception, seconds: float) -> None:
        """Notify the user why nothing happens."""
        now = asyncio.get_running_loop().time()
        if self._notify and now >= self._endpoint.quiet_until:
            self._endpoint.quiet_until = now + _QUIET
            limited = {"rate_limited": call.model} if isinstance(exc, dspy.LMRateLimitError) else {}
            await self._notify(f"{self._make_error(call, exc).message}; retrying in {math.ceil(seconds)} s", **limited)

    def _make_error(self, call: Call, exc: Exception, saying: str = "") -> ModelError:
        """The failure as ModelError without the key; a cause that contains the key is dropped."""
        secrets = [key] if len(key := self._choice.key or "") >= SHORTEST_SECRET else []
        error = model_error(exc, call.model, saying=saying)
        if timed_out(exc):
            allowed = f"no answer in {self._choice.timeout:g} s; `timeout:` in models.yaml allows more"
            error = ModelError(f"{call.model}: {allowed}")
        error.message = remove_secrets(error.message, secrets)
        error.args = (error.message,)
        error.__cause__ = exc if remove_secrets(str(exc), secrets) == str(exc) else None
        error.__suppress_context__ = True
        return error
