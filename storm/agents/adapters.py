"""In which form a model is asked for its replies: DSPy's adapters, by the names that config/models.yaml has."""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import dspy

from storm.agents.model_choice import AdapterName


class _WritesSystemMessageOnce:
    """Keeps the system message of each signature, which is the same in all steps and a third of the work of one."""

    _messages: ClassVar[WeakKeyDictionary[type[dspy.Signature], tuple[str, str]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._messages = WeakKeyDictionary()

    def format_system_message(self, signature: Any) -> str:
        """As DSPy writes it; anew where the signature's instructions have changed."""
        instructions, message = self._messages.get(signature, (None, ""))
        if instructions != signature.instructions:
            message = super().format_system_message(signature)  # type: ignore[misc]
            self._messages[signature] = signature.instructions, message
        return message


class _ChatAdapter(_WritesSystemMessageOnce, dspy.ChatAdapter):  # type: ignore[misc]
    pass


class _JSONAdapter(_WritesSystemMessageOnce, dspy.JSONAdapter):  # type: ignore[misc]
    pass


class _XMLAdapter(_WritesSystemMessageOnce, dspy.XMLAdapter):  # type: ignore[misc]
    pass


def adapter_of(name: AdapterName) -> dspy.Adapter:
    """The adapter of that name. A reply that it cannot read is told to the model, and not asked for in another form."""
    if name == "json":
        return _JSONAdapter()
    kind = {"chat": _ChatAdapter, "xml": _XMLAdapter}[name]
    return kind(use_json_adapter_fallback=False)
