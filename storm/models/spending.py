"""The cost of a job's language models."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from storm.models.base import Frozen

#: The name under which a journal stores the language models that worked on its job.
ENGINES = "engines"


class Spent(NamedTuple):
    """The cost of calls. `usd` is None if no price is known; `unpriced_calls` are those without a price."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    unpriced_calls: int = 0

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def price(self) -> str:
        """The cost in dollars as text, with the number of unpriced calls."""
        if self.usd is None:
            return "price unknown"
        unpriced = f" and {self.unpriced_calls:,} calls of unknown price" if self.unpriced_calls else ""
        return f"${self.usd:.4f}{unpriced}"

    def __str__(self) -> str:
        return f"{self.calls:,} {'call' if self.calls == 1 else 'calls'}, {self.tokens:,} tokens, {self.price}"


class Spending(Frozen):
    """What one role spent on one question; without a `question`, on work for none of them."""

    role: str
    question: str | None = None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None = None
    unpriced_calls: int = 0

    @property
    def amounts(self) -> Spent:
        """The amounts alone."""
        return Spent(self.calls, self.prompt_tokens, self.completion_tokens, self.usd, self.unpriced_calls)


class PaidReply(Frozen):
    """A model's reply with a digest of its prompt and parameters, so that a resumed job need not call it again.

    `fault` says why a cut reply is unusable.
    """

    digest: str
    outputs: list[Any] = []
    fault: str = ""


class SpentSoFar(NamedTuple):
    """What a job has spent by role and question, and the seconds used of its time budget."""

    spending: tuple[Spending, ...] = ()
    seconds: float = 0.0


def sum_amounts(amounts: Iterable[Spent]) -> Spent:
    """The sum of all amounts."""
    rows = list(amounts)
    known = [spent.usd for spent in rows if spent.usd is not None]
    return Spent(
        sum(spent.calls for spent in rows),
        sum(spent.prompt_tokens for spent in rows),
        sum(spent.completion_tokens for spent in rows),
        sum(known) if known else None,
        sum(spent.unpriced_calls for spent in rows),
    )
