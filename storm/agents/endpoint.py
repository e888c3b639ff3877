"""What all LMs of one model share: the queue of calls, and how the model counts tokens."""

from __future__ import annotations

import asyncio
import math
from weakref import WeakKeyDictionary

from storm.agents.calls import CallSize
from storm.agents.sizes import BYTES_PER_TOKEN

#: A prompt may have this many times the tokens per byte of the densest one so far: tables are denser than prose.
_MARGIN = 1.5


class Endpoint:
    """Limits concurrent calls of a model, learns how it counts, and knows when a wait was last reported."""

    def __init__(self, parallel: int) -> None:
        self.quiet_until = -math.inf  # event loop time from which a wait may be reported again
        self.scale: float | None = None  # highest ratio so far of the model's token count to our estimate
        self.counted_tokens: int | None = None  # tokens of the last prompt, as the server counted them
        self._parallel = parallel
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    @property
    def turn(self) -> asyncio.Semaphore:
        """Held during a call; each event loop has its own queue."""
        return self._turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._parallel))

    def max_prompt_tokens(self, size: CallSize) -> int:
        """The most tokens that the prompt can have: one per byte, or less by the model's own counts."""
        if self.scale is None:
            return size.octets + size.frame
        return min(size.octets, math.ceil(size.octets / BYTES_PER_TOKEN * self.scale * _MARGIN)) + size.frame

    def learn_scale(self, size: CallSize, counted: int) -> None:
        """Learn from the tokens that the model counted for a prompt of this size."""
        scale = (counted - size.frame) / (size.octets / BYTES_PER_TOKEN)
        self.scale = max(1.0, self.scale or 0.0, scale)
