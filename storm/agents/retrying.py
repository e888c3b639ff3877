"""The middle wrapper: a call that failed is made again where that may help, and every failure becomes one of ours."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import dspy

from storm.agents.budget import Budget
from storm.agents.calls import Call, CallHandler
from storm.agents.endpoint import Endpoint
from storm.agents.model_choice import ModelChoice
from storm.agents.model_faults import may_pass, model_error, timed_out
from storm.databases.http.redaction import SHORTEST_SECRET, remove_secrets
from storm.databases.http.retries import TRIES, backoff, limit_backoff
from storm.errors import ModelError

#: Where a server asks us to wait, so many seconds in all for one call.
LONGEST_WAIT = 300.0
#: Whoever watches is told of waits no more often than once in so many seconds.
_QUIET = 10.0

#: What DSPy and its engines raise for a call that failed.
_FAILURES = (dspy.LMError, ImportError, ValueError)


class Waiting(NamedTuple):
    """How time passes between two attempts; `sleep` where the call is awaited, `pause` where it is not."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    pause: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


class Retrying:
    """Repeats what may pass: faults a few times, rate limits as long as the server asks; else ModelError.

    `watched` is told of waits where it is set; the key is in no message and in no cause.
    """

    def __init__(
        self,
        inner: CallHandler,
        choice: ModelChoice,
        budget: Budget,
        endpoint: Endpoint,
        waiting: Waiting,
        notify: Callable[[str], Awaitable[None]] | None = None,
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
        """The outputs of the first attempt that succeeds, for callers that await."""
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
        """The seconds after which the call is made again; ModelError where that is of no use."""
        exc = failures[-1]
        if not isinstance(exc, dspy.LMError) or not may_pass(exc):
            raise self._make_error(call, exc)
        if isinstance(exc, dspy.LMRateLimitError):
            return self._limit_wait(call, failures)
        if len(failures) >= TRIES:
            raise self._make_error(call, exc)
        return backoff(len(failures), self._waiting.jitter)

    def _limit_wait(self, call: Call, failures: Sequence[Exception]) -> float:
        """The seconds that a rate limit takes; ModelError where all such waits take longer than we may."""
        waits = [failure.retry_after for failure in failures if isinstance(failure, dspy.LMRateLimitError)]
        jitter = self._waiting.jitter
        seconds = [limit_backoff(n, jitter) if wait is None else wait for n, wait in enumerate(waits, 1)]
        left = self._budget.seconds_left(call.role)
        if sum(seconds) > LONGEST_WAIT or (left is not None and seconds[-1] > left):
            saying = f"it has asked us to wait for {sum(seconds):,.0f} s in all, longer than we may"
            raise self._make_error(call, failures[-1], saying)
        return seconds[-1]

    async def _report_wait(self, call: Call, exc: Exception, seconds: float) -> None:
        """Whoever watches learns why nothing happens."""
        now = asyncio.get_running_loop().time()
        if self._notify and now >= self._endpoint.quiet_until:
            self._endpoint.quiet_until = now + _QUIET
            await self._notify(f"{self._make_error(call, exc).message}; asked again in {math.ceil(seconds)} s")

    def _make_error(self, call: Call, exc: Exception, saying: str = "") -> ModelError:
        """Ours for it, without the key; what holds the key in its text is not kept as the cause either."""
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
