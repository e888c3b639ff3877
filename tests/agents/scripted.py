"""A model that answers from a script: what it was asked is read back, and nobody is called.

`scripted_lm(["first reply", "second reply"])` answers in that order and fails when it is asked more often;
`scripted_lm(lambda prompt: …)` answers each prompt. A reply that is an exception is raised, as the provider would.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast
from xml.sax.saxutils import escape

import dspy

from storm.agents.adapters import adapter_of
from storm.agents.budget import Budget
from storm.agents.model_choice import AdapterName
from storm.agents.scripted import Script, ScriptedModel
from storm.models import Spent, sum_amounts


def engines(script: Script) -> dict[str, Any]:
    """`engine` and `async_engine` for any LM class: `MeteredLM(…, **engines(script))`."""
    return ScriptedModel(script).as_engines()


def scripted_lm(script: Script, **options: Any) -> dspy.LM:
    """An LM that answers from the script, without cache or retries."""
    return dspy.LM("scripted", cache=False, num_retries=0, **engines(script), **options)


def prompts_of(lm: dspy.LM) -> list[str]:
    """Everything that the scripted LM was asked."""
    found: list[str] = lm.engine.prompts
    return found


def asked(prompt: str) -> dict[str, str]:
    """The input fields of the last request in a prompt, as the Chat, JSON or XML adapter wrote them."""
    request = prompt.rpartition("\n\nRespond with ")[0].rpartition("In adhering to this structure")[2]
    parts = re.split(r"^\[\[ ## (\w+) ## \]\]$", request, flags=re.M)
    if len(parts) > 1:  # the last of each name is the request's, those before are demonstrations
        return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {name: text.strip() for name, text in re.findall(r"^<(\w+)>\n(.*?)\n</\1>$", request, re.M | re.S)}


def chat(**fields: Any) -> str:
    """A reply as the Chat adapter reads it."""
    return "\n\n".join(f"[[ ## {name} ## ]]\n{_text(value)}" for name, value in fields.items()) + (
        "\n\n[[ ## completed ## ]]\n"
    )


def as_json(**fields: Any) -> str:
    """A reply as the JSON adapter reads it."""
    return json.dumps(fields, ensure_ascii=False)


def as_xml(**fields: Any) -> str:
    """A reply as the XML adapter reads it."""
    return "\n".join(f"<{name}>\n{escape(_text(value))}\n</{name}>" for name, value in fields.items())


#: How each adapter's replies are written.
DIALECTS: Mapping[str, Callable[..., str]] = {"chat": chat, "json": as_json, "xml": as_xml}


def adapter(dialect: str) -> dspy.Adapter:
    """The adapter that reads that dialect, as a job sets it."""
    return adapter_of(cast(AdapterName, dialect))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def ledger(budget: Budget) -> dict[str, Spent]:
    """What each role has spent."""
    entries = budget.list_spending()
    return {
        role: sum_amounts(row.amounts for row in entries if row.role == role) for role in {row.role for row in entries}
    }
