"""What all LMs of one model share: its queue of calls, and how it counts tokens."""

from __future__ import annotations

import asyncio
import math
from weakref import WeakKeyDictionary

from storm.agents.calls import CallSize
from storm.agents.sizes import TOKEN_BYTES

#: How many times as many tokens to a byte a prompt may have as the densest one before it: of prose, a table has.
_MARGIN = 1.5


class Endpoint:
    """How many calls of a model are made at once, how it counts, and when a wait for it was last reported."""

    def __init__(self, parallel: int) -> None:
        self.quiet_until = -math.inf  # by the clock of event loops: when a wait may be reported again
        self.scale: float | None = None  # the model's count of tokens by our estimate, at its highest so far
        self.counted_tokens: int | None = None  # tokens of the last prompt, as the server counted them
        self._parallel = parallel
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    @property
    def turn(self) -> asyncio.Semaphore:
        """To be held while a call is made; each event loop has a queue of its own."""
        return self._turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._parallel))

    def max_prompt_tokens(self, size: CallSize) -> int:
        """What the prompt may come to: no token has less than a byte, and the model's own count is a guide."""
        if self.scale is None:
            return size.octets + size.frame
        return min(size.octets, math.ceil(size.octets / TOKEN_BYTES * self.scale * _MARGIN)) + size.frame

    def learn_scale(self, size: CallSize, counted: int) -> None:
        """Take into account how many tokens the model counted for a prompt of this size."""
        scale = (counted - size.frame) / (size.octets / TOKEN_BYTES)
        self.scale = max(1.0, self.scale or 0.0, scale)
