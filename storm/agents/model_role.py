"""The base class of roles that one predictor of a language model takes, with rules to fall back on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Generic, TypeVar

import dspy

from storm.agents.predictor_calls import run_sync, use_model
from storm.agents.shared_value import Shared

#: The role that is taken, one of `storm.roles`.
Role = TypeVar("Role")


class ModelRole(dspy.Module, Generic[Role]):  # type: ignore[misc]
    """A role of a job, taken by a language model; `rule_based` takes the same role without one.

    Without `lm` it uses the model that DSPy is configured with. As a `dspy.Module` it is called with the inputs of its
    `aforward`; copies of it share `rule_based`.
    """

    def __init__(
        self, lm: dspy.LM | None, rule_based: Role, adapter: dspy.Adapter | None, today: Callable[[], date]
    ) -> None:
        super().__init__()
        self._lm = lm
        self._rule_based = Shared(rule_based)
        self._adapter = adapter
        self._today = today

    def forward(self, *args: Any, **inputs: Any) -> dspy.Prediction:
        """Synchronous wrapper."""
        return run_sync(self.aforward, *args, **inputs)

    async def _call_model(self, **inputs: Any) -> dspy.Prediction:
        """The prediction for these inputs, with the role's own model and adapter."""
        with use_model(self._lm, self._adapter):
            return await self.acall(**inputs)
