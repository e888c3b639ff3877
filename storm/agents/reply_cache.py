"""The outermost wrapper: caches a job's language model replies."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from storm.agents.budget import Budget
from storm.agents.calls import Call, CallHandler
from storm.errors import BadReply


class ReplyCache:
    """A cache of replies: equal calls, consecutive or concurrent, are made once if the budget shares replies.

    Another reply needs another prompt, or a `rollout_id`. Synchronous calls bypass the cache.
    """

    def __init__(self, inner: CallHandler, budget: Budget) -> None:
        self._inner = inner
        self._budget = budget

    def __call__(self, call: Call) -> Any:
        """The outputs; always calls the model."""
        return self._inner(call)

    async def acall(self, call: Call) -> Any:
        """The cached outputs, or those of the call; BadReply again for a cached bad reply."""
        async with self._budget.lock_request(call.digest) as paid:
            if paid is None:
                return await self._inner.acall(call)
        if paid.fault:
            raise BadReply(paid.fault)
        return deepcopy(paid.outputs)
