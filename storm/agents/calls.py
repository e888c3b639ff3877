"""A request to a language model, as the wrappers around DSPy's LM pass it on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from storm.agents.sizes import BYTES_PER_TOKEN, MESSAGE_TOKENS, count_bytes

#: Options that only concern the connection.
_CONNECTION = frozenset(("api_base", "api_key", "timeout"))


class CallSize(NamedTuple):
    """A call's prompt in bytes and estimated tokens, the tokens besides its text, and the longest reply."""

    octets: int
    prompt: int
    frame: int
    reply: int


@dataclass(frozen=True)
class Call:
    """One request of a role: its text, all its options, and `send`, which sends it once through DSPy.

    `send` returns the outputs, or an awaitable of them where the call is made by `acall`.
    """

    role: str
    model: str
    prompt: Any
    messages: Any
    options: Mapping[str, Any]
    send: Callable[[], Any]

    @cached_property
    def digest(self) -> str:
        """A digest of all that shapes a reply; the server's address and key do not."""
        options = {name: value for name, value in self.options.items() if name not in _CONNECTION}
        shape = (self.role, self.model, options, self.prompt, self.messages)
        return hashlib.sha256(json.dumps(shape, default=str).encode()).hexdigest()

    def estimate_size(self, scale: float) -> CallSize:
        """The estimated size for one reply; `scale` is the ratio of the model's token count to our estimate."""
        length = count_bytes(self.messages if self.messages is not None else self.prompt)
        frame = MESSAGE_TOKENS * (len(self.messages) if self.messages is not None else 1)
        return CallSize(length, round(length / BYTES_PER_TOKEN * scale) + frame, frame, reply_tokens(self.options))

    @property
    def reply_count(self) -> int:
        """The number of replies requested."""
        return int(self.options.get("n") or 1)


class CallHandler(Protocol):
    """A wrapper: passes a call on and returns its outputs."""

    def __call__(self, call: Call) -> Any:
        """The outputs."""
        ...

    async def acall(self, call: Call) -> Any:
        """The outputs, asynchronously."""
        ...


def reply_tokens(options: Mapping[str, Any]) -> int:
    """The longest reply, in tokens."""
    return int(options.get("max_tokens") or options["max_completion_tokens"])
