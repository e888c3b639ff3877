"""The innermost wrapper: reserves the budget of an attempt before it, and settles it afterwards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import dspy

from storm.agents.budget import Budget, BudgetReserved, CallReport, Reservation
from storm.agents.calls import Call, CallSize
from storm.agents.endpoint import Endpoint
from storm.agents.model_facts import Facts
from storm.agents.model_faults import was_billed, was_prompt_cut
from storm.agents.reply_limits import explain_unfinished, reply_fault
from storm.agents.sizes import BYTES_PER_TOKEN, count_bytes
from storm.errors import BadReply, BudgetSpent, PromptTooLong
from storm.models import PaidReply

#: Maximum ratio of the model's token count to our estimate when the context is checked.
_MAX_SCALE = 1.5
#: Maximum bytes of a token, and the usual maximum: a token count below the text's bytes by the second is ignored.
_MAX_BYTES = 10
_USUAL_BYTES = 5
#: Shorter prompts do not show how a model counts.
_TELLING_TOKENS = 500

#: Loggers whose warnings storm reports itself, or that concern nobody.
_CHATTER = ("dspy.clients.lm", "litellm.llms.huggingface.chat.transformation")


class CallEnded(BudgetSpent):
    """A call was aborted at the limit of minutes; its cost is unknown."""


@dataclass
class _Attempt:
    """DSPy's record of an attempt, and whether it goes into the history; once it was sent, its report."""

    history: bool
    entry: Mapping[str, Any] = field(default_factory=dict)
    report: CallReport | None = None


_attempt: ContextVar[_Attempt | None] = ContextVar("attempt", default=None)

for _each in _CHATTER:
    logging.getLogger(_each).addFilter(lambda record: _attempt.get() is None or record.levelno > logging.WARNING)


def record_attempt(entry: Mapping[str, Any]) -> bool:
    """Keep DSPy's record of the current attempt; returns whether it belongs in the history, too."""
    attempt = _attempt.get()
    if attempt is not None:
        attempt.entry = entry
    return attempt is None or attempt.history


class Metering:
    """Sends a call once, within the budget: BudgetSpent before one that could exceed it, PromptTooLong before one that
    does not fit into the `context` where that is known, BadReply after one whose reply is incomplete."""

    def __init__(self, budget: Budget, endpoint: Endpoint, facts: Facts, context: int | None) -> None:
        self._budget = budget
        self._endpoint = endpoint
        self._facts = facts
        self._context = context

    def __call__(self, call: Call) -> Any:
        """The outputs; blocks the thread while only reservations of other calls are in its way."""
        size = self._measure_call(call)
        with self._settle_attempt(call, size, self._block_for_budget(call, size), _new_attempt()):
            return _replace_surrogates(call.send())

    async def acall(self, call: Call) -> Any:
        """The outputs; the budget's minutes also abort a running call.

        Its cost and its reply are logged atomically, and the call is reported.
        """
        size, attempt = self._measure_call(call), _new_attempt()
        reply: PaidReply | None = None
        try:
            outputs = await self._call_in_time(call, size, attempt)
            reply = PaidReply(digest=call.digest, outputs=outputs)
            return outputs
        except BadReply as exc:
            reply = PaidReply(digest=call.digest, fault=exc.message)
            if attempt.report:
                attempt.report = attempt.report._replace(outcome="bad reply")
            raise
        finally:
            await self._budget.log_spending(call.role, reply)
            if attempt.report:
                await self._budget.report_call(attempt.report)

    async def _call_in_time(self, call: Call, size: CallSize, attempt: _Attempt) -> Any:
        try:
            async with asyncio.timeout(self._budget.seconds_left(call.role)) as deadline:
                async with self._endpoint.turn:
                    with self._settle_attempt(call, size, await self._wait_for_budget(call, size), attempt):
                        return _replace_surrogates(await call.send())
        except TimeoutError as exc:
            if not deadline.expired():
                raise
            refusal = f"a call of the {call.role} was aborted at the limit of {self._budget.limits.minutes:g} minutes"
            self._budget.mark_cut_short(refusal)
            raise CallEnded(refusal) from exc

    def _measure_call(self, call: Call) -> CallSize:
        """The call's size; PromptTooLong if prompt and reply do not fit into the context."""
        one = call.estimate_size(min(_MAX_SCALE, self._endpoint.scale or 1.0))
        if self._context is not None and one.prompt + one.reply > self._context:
            raise PromptTooLong(
                f"{call.model}: a prompt of about {one.prompt:,} tokens and a reply of up to {one.reply:,} do not fit "
                f"into its context of {self._context:,}",
                context=self._context,
            )
        return CallSize(*(part * call.reply_count for part in one))

    def _reserve_budget(self, call: Call, size: CallSize) -> Reservation:
        prompt = self._endpoint.max_prompt_tokens(size)
        return self._budget.reserve_call(call.role, prompt + size.reply, self._facts.estimate_cost(prompt, size.reply))

    def _block_for_budget(self, call: Call, size: CallSize) -> Reservation:
        """Reserve the budget, blocking until calls in the way are settled."""
        while True:
            try:
                return self._reserve_budget(call, size)
            except BudgetReserved as held:
                if _is_in_event_loop():  # blocking the loop could prevent the settlement
                    self._budget.mark_cut_short(held.message)
                    raise BudgetSpent(held.message) from held
                held.until_settled.result()

    async def _wait_for_budget(self, call: Call, size: CallSize) -> Reservation:
        while True:
            try:
                return self._reserve_budget(call, size)
            except BudgetReserved as held:
                await asyncio.wrap_future(held.until_settled)

    @contextmanager
    def _settle_attempt(
        self, call: Call, size: CallSize, reservation: Reservation, attempt: _Attempt
    ) -> Iterator[None]:
        """Settle the reservation by the cost of the attempt within the context, and check the reply."""
        token, began = _attempt.set(attempt), self._budget.read_clock()
        prompt, reply, usd = reservation.tokens - size.reply, size.reply, reservation.usd
        billed, outcome = True, "ok"
        try:
            with dspy.context(disable_history=False):
                yield
            prompt, reply, usd = self._read_usage(size, attempt.entry)
        except BaseException as exc:
            billed = was_billed(exc)
            outcome = "aborted" if isinstance(exc, asyncio.CancelledError) else "failed"
            raise
        finally:
            _attempt.reset(token)
            self._budget.settle_call(reservation, prompt_tokens=prompt, completion_tokens=reply, usd=usd, billed=billed)
            spent = (prompt, reply, usd) if billed else (0, 0, 0.0)
            attempt.report = CallReport(call.role, call.model, outcome, *spent, self._budget.read_clock() - began)
        self._check_prompt(call, size, attempt.entry)
        if fault := reply_fault(attempt.entry.get("outputs")) or explain_unfinished(
            attempt.entry.get("response"), size.reply
        ):
            raise BadReply(f"{call.model}: {fault}")

    def _read_usage(self, size: CallSize, entry: Mapping[str, Any]) -> tuple[int, int, float | None]:
        """Tokens of prompt and reply and the dollars: as the server reports them, or estimated if it reports none or
        implausibly few."""
        usage = entry.get("usage") or {}
        written = count_bytes(entry.get("outputs"))
        prompt = _credible_tokens(usage.get("prompt_tokens"), size.octets) or size.prompt
        reply = _credible_tokens(usage.get("completion_tokens"), written)
        if reply is None:
            reply = min(size.reply, 1 + written // BYTES_PER_TOKEN)
        as_reported = (prompt, reply) == (usage.get("prompt_tokens"), usage.get("completion_tokens"))
        cost = entry.get("cost")
        return prompt, reply, cost if as_reported and cost is not None else self._facts.estimate_cost(prompt, reply)

    def _check_prompt(self, call: Call, size: CallSize, entry: Mapping[str, Any]) -> None:
        """PromptTooLong if the server did not read the whole prompt."""
        counted = self._endpoint.counted_tokens = (entry.get("usage") or {}).get("prompt_tokens")
        if not counted or size.prompt <= _TELLING_TOKENS:
            return
        if was_prompt_cut(counted, size.octets // _MAX_BYTES):
            raise PromptTooLong(
                f"{call.model}: the server cut the prompt to {counted:,} tokens without saying so",
                context=counted,
                hint="give the server a longer context (Ollama: OLLAMA_CONTEXT_LENGTH), or state it as `context`",
            )
        self._endpoint.learn_scale(size, counted)


def _new_attempt() -> _Attempt:
    return _Attempt(history=not dspy.settings.disable_history)


def _credible_tokens(tokens: int | None, length: int) -> int | None:
    """The server's token count for a text of so many bytes; None if implausibly low."""
    return tokens if tokens is not None and tokens >= -(-length // _USUAL_BYTES) else None


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _replace_surrogates(outputs: Any) -> Any:
    """The outputs with lone surrogates, which no store accepts, replaced."""
    if isinstance(outputs, str):
        return outputs.encode("utf-8", "replace").decode()
    if isinstance(outputs, dict):
        return {name: _replace_surrogates(value) for name, value in outputs.items()}
    return [_replace_surrogates(value) for value in outputs] if isinstance(outputs, list) else outputs
