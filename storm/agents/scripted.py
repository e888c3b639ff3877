"""A language model that answers from a script, for tests of programs that use storm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dspy import lm15

from storm.agents.budget import Budget
from storm.agents.model_choice import ROLES, ModelChoice
from storm.agents.models import MeteredLM

#: The replies in order, or a function of the prompt's text.
Script = Sequence[str | Exception] | Callable[[str], str | Exception]


class ScriptedModel:
    """A language model that answers from a script; `prompts` are all prompts so far, in order.

        model = ScriptedModel(["the first reply", "the second"])

    A reply that is an exception is raised, as by a provider's client. AssertionError when no reply is left. A subclass
    that overrides `reply_to` decides by the whole request.
    """

    def __init__(self, script: Script = ()) -> None:
        self.prompts: list[str] = []
        self._answer_prompt = script if callable(script) else None
        self._replies: Iterator[str | Exception] = iter(()) if callable(script) else iter(script)

    def complete(self, request: lm15.Request) -> lm15.Response:
        """The reply to a request, as DSPy's synchronous engine."""
        prompt = prompt_text(request)
        self.prompts.append(prompt)
        reply = self.reply_to(request)
        if isinstance(reply, Exception):
            raise reply
        return lm15.Response(
            id=None,
            model=request.model,
            message=lm15.Message.assistant(reply),
            finish_reason="stop",
            usage=lm15.Usage(input_tokens=estimate_tokens(prompt), output_tokens=estimate_tokens(reply)),
        )

    def make_lm(self, choice: ModelChoice, budget: Budget, role: str) -> MeteredLM:
        """The LM of a role, like `storm.agents.models.make_lm`."""
        return MeteredLM(choice, budget, role, **self.as_engines())

    def as_engines(self) -> dict[str, Any]:
        """The options of an LM that answers from this script."""
        return {"engine": self, "async_engine": _AsyncEngine(self)}

    def reply_to(self, request: lm15.Request) -> str | Exception:
        """The script's reply to a request. Requests may come from several threads at once: a list of replies is then
        handed out in the order in which they come."""
        if self._answer_prompt:
            return self._answer_prompt(prompt_text(request))
        reply = next(self._replies, None)
        if reply is None:
            raise AssertionError("the script has no reply left")
        return reply


#: The scripted model in each role.
SCRIPTED = dict.fromkeys(ROLES, ModelChoice(name="openai/scripted", context=128_000))


class _AsyncEngine:
    """The scripted model as DSPy's asynchronous engine."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    async def complete(self, request: lm15.Request) -> lm15.Response:
        return self._model.complete(request)


def estimate_tokens(text: str) -> int:
    """The tokens of a text, at four characters each."""
    return (len(text) + 3) // 4


def prompt_text(request: lm15.Request) -> str:
    """All the text of a request, system text first."""
    system = request.system or ""
    texts = [system if isinstance(system, str) else "\n".join(part.text for part in system)]
    texts += ["\n".join(part.text for part in message.parts) for message in request.messages]
    return "\n\n".join(text for text in texts if text)
