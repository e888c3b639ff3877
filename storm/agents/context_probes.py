"""Measures the models of a job once. Context lengths found by sending test prompts (probes) are stored, so that a
resume sends none again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Self

from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM
from storm.agents.preflight import ContextLimits, run_preflight
from storm.agents.server_report import public_address
from storm.ports import Journal

#: The journal's name for the context lengths found by probes.
_STAGE = "trials"


class ContextProbes:
    """The context lengths that this job found by probes, by server; the journal keeps them."""

    def __init__(self, journal: Journal | None, contexts: dict[str, int]) -> None:
        self._journal = journal
        self._contexts = contexts

    @classmethod
    async def load(cls, journal: Journal | None) -> Self:
        """The stored results of the job; none without a journal."""
        return cls(journal, json.loads(await journal.find_stage(_STAGE) or "{}") if journal else {})

    def apply_context(self, choice: ModelChoice) -> ModelChoice:
        """The choice with the context found by a probe, if it has none itself."""
        probed = self._contexts.get(_server_key(choice))
        return choice if choice.context is not None or probed is None else choice.model_copy(update={"context": probed})

    async def add_context(self, choice: ModelChoice, usable: ContextLimits) -> None:
        """Store the context if a probe found it."""
        if self._journal and usable.source == "probe":
            self._contexts[_server_key(choice)] = usable.context
            await self._journal.finish_stage(_STAGE, json.dumps(self._contexts))


async def measure_models(lms: Mapping[str, MeteredLM], probes: ContextProbes) -> Mapping[str, ContextLimits]:
    """Measure each model in its first role; its other roles get the same limits."""
    first: dict[ModelChoice, MeteredLM] = {}
    usable: dict[str, ContextLimits] = {}
    for role, lm in lms.items():
        model = lm.choice.model_copy(update={"adapter": "chat"})  # whatever the adapter, it is one model
        if known := first.get(model):
            lm.context = known.context
            lm.limit_reply(known.reply_tokens)
            lm.share_endpoint(known)
            continue
        first[model] = lm
        usable[role] = await run_preflight(lm)
        await probes.add_context(lm.choice, usable[role])
    return usable


def _server_key(choice: ModelChoice) -> str:
    """The key of a model in the store, without what may be a secret in its address."""
    return f"{choice.name} {public_address(choice.api_base)}" if choice.api_base else choice.name
