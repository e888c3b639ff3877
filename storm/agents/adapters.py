"""The format of prompts and replies: DSPy's adapters, by their names in config/models.yaml."""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import dspy

from storm.agents.model_choice import AdapterName


class _CachesSystemMessage:
    """Caches the system message of each signature: formatting it is a third of the work of a step."""

    _messages: ClassVar[WeakKeyDictionary[type[dspy.Signature], tuple[str, str]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._messages = WeakKeyDictionary()

    def format_system_message(self, signature: Any) -> str:
        """DSPy's message; formatted again if the signature's instructions have changed."""
        instructions, message = self._messages.get(signature, (None, ""))
        if instructions != signature.instructions:
            message = super().format_system_message(signature)  # type: ignore[misc]
            self._messages[signature] = signature.instructions, message
        return message


class _ChatAdapter(_CachesSystemMessage, dspy.ChatAdapter):  # type: ignore[misc]
    pass


class _JSONAdapter(_CachesSystemMessage, dspy.JSONAdapter):  # type: ignore[misc]
    pass


class _XMLAdapter(_CachesSystemMessage, dspy.XMLAdapter):  # type: ignore[misc]
    pass


def adapter_of(name: AdapterName) -> dspy.Adapter:
    """The adapter of that name. An unreadable reply is reported to the model, without a fallback to another format."""
    if name == "json":
        return _JSONAdapter()
    kind = {"chat": _ChatAdapter, "xml": _XMLAdapter}[name]
    return kind(use_json_adapter_fallback=False)
