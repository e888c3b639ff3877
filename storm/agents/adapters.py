"""In which form a model is asked for its replies: DSPy's adapters, by the names that config/models.yaml has."""

from __future__ import annotations

import dspy

from storm.agents.model_choice import AdapterName


def adapter_of(name: AdapterName) -> dspy.Adapter:
    """The adapter of that name. A reply that it cannot read is told to the model, and not asked for in another form."""
    if name == "json":
        return dspy.JSONAdapter()
    kind = {"chat": dspy.ChatAdapter, "xml": dspy.XMLAdapter}[name]
    return kind(use_json_adapter_fallback=False)
