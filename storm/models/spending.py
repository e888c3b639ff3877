"""What the language models of a job came to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from storm.models.base import Frozen

#: Under what name a journal keeps which language models have worked on its job.
ENGINES = "engines"


class Spent(NamedTuple):
    """What calls came to. `usd` is None where no call's price is known; `unpriced_calls` are those without one."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    unpriced_calls: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def price(self) -> str:
        """The dollars as a person reads them, and what is not in them."""
        if self.usd is None:
            return "price unknown"
        unpriced = f" and {self.unpriced_calls:,} calls of unknown price" if self.unpriced_calls else ""
        return f"${self.usd:.4f}{unpriced}"

    def __str__(self) -> str:
        return f"{self.calls:,} {'call' if self.calls == 1 else 'calls'}, {self.tokens:,} tokens, {self.price}"


class Spending(Frozen):
    """What one role spent on one question; without a `question`, beside all of them."""

    role: str
    question: str | None = None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None = None
    unpriced_calls: int = 0

    @property
    def spent(self) -> Spent:
        """The amounts alone."""
        return Spent(self.calls, self.prompt_tokens, self.completion_tokens, self.usd, self.unpriced_calls)


class PaidReply(Frozen):
    """What a model replied, and a digest of all that it was asked: a resumed job need not ask the same again.

    `fault` is what made it of no use, where it was cut.
    """

    digest: str
    outputs: list[Any] = []
    fault: str = ""


class SpentSoFar(NamedTuple):
    """What a job has spent by role and question, and for how many seconds its models could be asked."""

    spending: tuple[Spending, ...] = ()
    seconds: float = 0.0


def summed(amounts: Iterable[Spent]) -> Spent:
    """All of them together."""
    rows = list(amounts)
    known = [spent.usd for spent in rows if spent.usd is not None]
    return Spent(
        sum(spent.calls for spent in rows),
        sum(spent.prompt_tokens for spent in rows),
        sum(spent.completion_tokens for spent in rows),
        sum(known) if known else None,
        sum(spent.unpriced_calls for spent in rows),
    )
