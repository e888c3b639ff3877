"""The outermost wrapper: a reply that the job has paid for is not asked for again."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from storm.agents.budget import Budget
from storm.agents.calls import Call, CallHandler
from storm.errors import BadReply


class Remembering:
    """Where the budget shares replies, equal calls are made once, one after the other or at once.

    Whoever wants another reply asks in other words, or with a `rollout_id`. Calls that are not awaited are not shared.
    """

    def __init__(self, inner: CallHandler, budget: Budget) -> None:
        self._inner = inner
        self._budget = budget

    def __call__(self, call: Call) -> Any:
        """The outputs of a call that is made in any case."""
        return self._inner(call)

    async def acall(self, call: Call) -> Any:
        """The outputs that the job has, or those of the call; BadReply again for a reply that was bad before."""
        async with self._budget.share_reply(call.digest) as paid:
            if paid is None:
                return await self._inner.acall(call)
        if paid.fault:
            raise BadReply(paid.fault)
        return deepcopy(paid.outputs)
