"""Prices and context of a model from DSPy's bundled table."""

from __future__ import annotations

from typing import Any, NamedTuple

from dspy import lm15
from dspy.clients.capabilities import resolve
from dspy.clients.model_metadata import model_info, rate

from storm.agents.model_choice import LOCAL_SERVERS

#: Prices of tariffs that storm does not use.
_OTHER_TARIFFS = ("_batches", "_flex", "_priority")


class Facts(NamedTuple):
    """Highest prices of a prompt token and a reply token in dollars, and the context in tokens, where known."""

    prompt_usd: float | None = None
    reply_usd: float | None = None
    context: int | None = None

    def estimate_cost(self, prompt_tokens: int, reply_tokens: int) -> float | None:
        """The maximum cost of a call in dollars; None if the prices are unknown."""
        if self.prompt_usd is None or self.reply_usd is None:
            return None
        return prompt_tokens * self.prompt_usd + reply_tokens * self.reply_usd


def facts_of(lm: Any) -> Facts:
    """The facts on the model of this LM; empty for a custom engine."""
    if not isinstance(lm.engine, str):
        return Facts()
    try:
        route = resolve(lm)
        provider, model = route.provider, route.model
    except lm15.LM15Error:
        provider, _, model = lm.model.partition("/")
    info = model_info(provider, model)
    context = info.get("max_input_tokens")
    if lm.model.partition("/")[0] in LOCAL_SERVERS:  # the cost of a local machine is unknown
        info = {}
    return Facts(
        _highest_rate(info, "input_cost_per_token"),
        _highest_rate(info, "output_cost_per_token", "output_cost_per_reasoning_token"),
        context if isinstance(context, int) and context > 0 else None,
    )


def _highest_rate(info: dict[str, Any], *kinds: str) -> float | None:
    rates = [rate(info, key) for key in info if key.startswith(kinds) and not key.endswith(_OTHER_TARIFFS)]
    return max((found for found in rates if found is not None), default=None)
