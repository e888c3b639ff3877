"""The reply cache alone: which calls reach the wrapper behind it."""

from __future__ import annotations

import pytest
from agents.inner import Inner, call
from fault_server import Time

from storm.agents.budget import Budget, Limits
from storm.agents.reply_cache import ReplyCache
from storm.errors import BadReply
from storm.models import PaidReply


def shared(*paid: PaidReply) -> Budget:
    budget = Budget(Limits(), monotonic=Time().monotonic)
    budget.cached_replies = {reply.digest: reply for reply in paid}
    return budget


async def test_a_reply_that_is_there_is_returned_and_the_call_goes_no_further() -> None:
    inner = Inner()
    cache = ReplyCache(inner, shared(PaidReply(digest=call().digest, outputs=["yes"])))
    assert await cache.acall(call()) == ["yes"]
    assert inner.calls == []


async def test_a_reply_that_was_bad_is_bad_again() -> None:
    with pytest.raises(BadReply, match=r"^it was cut$"):
        await ReplyCache(Inner(), shared(PaidReply(digest=call().digest, fault="it was cut"))).acall(call())


async def test_any_other_call_and_one_that_is_not_awaited_is_passed_on() -> None:
    inner = Inner(["a"], ["b"])
    cache = ReplyCache(inner, shared(PaidReply(digest=call().digest, outputs=["yes"])))
    assert await cache.acall(call("Was it?")) == ["a"]
    assert cache(call()) == ["b"]


def test_where_a_server_is_and_by_which_key_it_is_asked_is_not_in_the_digest_and_the_temperature_is() -> None:
    assert call().digest == call(api_base="http://localhost", api_key="k", timeout=3).digest
    assert call().digest != call(temperature=1.0).digest
