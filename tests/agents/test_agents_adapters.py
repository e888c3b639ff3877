"""The adapters that a job's models are asked with."""

from __future__ import annotations

from typing import get_args

import dspy
import pytest

from storm.agents.adapters import adapter_of
from storm.agents.model_choice import AdapterName

DSPY = {
    "chat": dspy.ChatAdapter(use_json_adapter_fallback=False),
    "json": dspy.JSONAdapter(),
    "xml": dspy.XMLAdapter(use_json_adapter_fallback=False),
}


@pytest.mark.parametrize("name", get_args(AdapterName))
def test_the_messages_are_those_of_dspy_also_after_an_instruction_or_a_field_was_changed(name: AdapterName) -> None:
    first = dspy.Signature("question: str -> answer: list[str]", "Answer the question.")
    signatures = [first, first.with_instructions("Answer briefly."), first.append("year", dspy.InputField(), type_=int)]
    inputs = {"question": "Which?", "year": 2019}
    for signature in (*signatures, *signatures):
        expected = DSPY[name].format(signature, [], inputs)
        assert adapter_of(name).format(signature, [], inputs) == expected
    first.instructions = "Answer at length."
    assert adapter_of(name).format(first, [], inputs) == DSPY[name].format(first, [], inputs)


def test_an_unchanged_system_message_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[type[dspy.Signature]] = []
    description = dspy.ChatAdapter.format_field_description
    monkeypatch.setattr(
        dspy.ChatAdapter, "format_field_description", lambda self, s: (written.append(s), description(self, s))[1]
    )
    signature = dspy.Signature("question -> answer")
    for step in range(5):
        adapter_of("chat").format(signature, [], {"question": f"Step {step}?"})
    assert written == [signature]
