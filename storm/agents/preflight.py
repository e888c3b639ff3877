"""Checks a model before a job uses it: whether it answers, and how long a prompt may be.

If neither the server nor DSPy's table says so, a test prompt (probe) is sent: a gateway with too short a context is
then refused before the job has paid for anything.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import cycle, islice
from typing import Literal, NamedTuple

from storm.agents.budget import Limits
from storm.agents.metering import CallEnded
from storm.agents.model_faults import was_prompt_cut
from storm.agents.models import MeteredLM
from storm.agents.server_report import ServerReport, read_server_report
from storm.errors import BadReply, BudgetSpent, ModelError, PromptTooLong

#: The minimum prompt length, in tokens.
MIN_PROMPT_TOKENS = 5_300

#: A reply takes at most a quarter of the context, unless the choice sets it.
_REPLY_SHARE = 4

#: Words of a probe, which is sent if the context is unknown: about the longest prompt of a job.
PROBE_WORDS = 11_000

#: Words that are one token each to every model.
_WORDS = ("the", "of", "and", "to", "in", "is", "that", "for", "it", "was", "on", "as", "with", "be", "at", "by")

_HINT = (
    "give the server a longer context (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: -c, vLLM: --max-model-len), "
    "or choose another model"
)

_QUESTION = "Reply with the one word yes."

Source = Literal["server", "configured", "known", "probe", "unanswered", "assumed"]


class ContextLimits(NamedTuple):
    """The context and the longest prompt of a model, in tokens, and where they are known from.

    A probe without an answer in time is `unanswered`. `remarks` are sentences for the user on what is unknown, and the
    consequences.
    """

    context: int
    prompt_tokens: int
    source: Source
    remarks: tuple[str, ...] = ()


async def run_preflight(lm: MeteredLM) -> ContextLimits:
    """Measure the usable context and limit the LM to it; ModelError if the model cannot be used.

    The server's report counts, up to the configured value; else that value, else DSPy's table, else a probe, which
    costs one call. Roles that share one choice need one preflight.
    """
    lm.choice.check_key()
    context, source = await _find_context(lm)
    if lm.choice.max_tokens is None and lm.reply_tokens > context // _REPLY_SHARE:
        lm.limit_reply(context // _REPLY_SHARE)
    usable = ContextLimits(context, max(0, context - lm.reply_tokens), source, _list_remarks(lm, source))
    if usable.prompt_tokens < MIN_PROMPT_TOKENS:
        raise ModelError(
            f"{lm.model} reads prompts of up to about {usable.prompt_tokens:,} tokens here (context {context:,}, "
            f"{lm.reply_tokens:,} of it for the reply); {MIN_PROMPT_TOKENS:,} are needed",
            hint=_suggest_remedy(lm, context, source),
        )
    lm.context = context
    return usable


async def _find_context(lm: MeteredLM) -> tuple[int, Source]:
    configured = lm.choice.context
    reported = (await _read_report(lm)).context if lm.choice.api_base and isinstance(lm.engine, str) else None
    if reported is not None and (configured is None or reported <= configured):
        return reported, "server"
    if configured is not None:
        return configured, "configured"
    if lm.facts.context is not None:
        return lm.facts.context, "known"
    return await _send_probes(lm) if isinstance(lm.engine, str) else (_context_for(lm, PROBE_WORDS), "assumed")


async def _read_report(lm: MeteredLM) -> ServerReport:
    model = lm.model.partition("/")[2]
    report = await read_server_report(lm.choice.api_base or "", model, lm.choice.key)
    if not report.loads_late:
        return report
    with suppress(BadReply, BudgetSpent):
        await lm.acall(_QUESTION)
    return await read_server_report(lm.choice.api_base or "", model, lm.choice.key)


async def _send_probes(lm: MeteredLM) -> tuple[int, Source]:
    """Send a long prompt, shorter by a quarter each time it is refused without a limit."""
    words = PROBE_WORDS
    if lm.notify:
        await lm.notify(f"{lm.model}: trying how long a prompt may be")
    while words >= MIN_PROMPT_TOKENS:
        text = " ".join(islice(cycle(_WORDS), words))
        try:
            with suppress(BadReply):
                await lm.acall(f"{text}\n{_QUESTION}")
        except BudgetSpent as exc:
            return _context_for(lm, words), "unanswered" if isinstance(exc, CallEnded) else "assumed"
        except PromptTooLong as exc:
            if exc.context is not None:
                return exc.context, "probe"
            words = words * 3 // 4
            continue
        if lm.counted_tokens is not None and was_prompt_cut(lm.counted_tokens, words):
            return lm.counted_tokens, "probe"
        return _context_for(lm, words), "probe"
    raise ModelError(f"{lm.model} refuses prompts that are long enough to work with", hint=_HINT)


def _context_for(lm: MeteredLM, prompt_tokens: int) -> int:
    return prompt_tokens + lm.reply_tokens


def _suggest_remedy(lm: MeteredLM, context: int, source: Source) -> str:
    """What to do if prompts are too short: models.yaml is checked before the server."""
    room = context - MIN_PROMPT_TOKENS
    if lm.choice.max_tokens is not None and room >= context // _REPLY_SHARE:
        return f"`max_tokens` in models.yaml leaves prompts too little of the context: give {room:,} at most"
    if source == "configured":
        return "`context` in models.yaml says so: give more there if the model takes it, or choose another model"
    return _HINT


def _describe_cap(limits: Limits) -> str:
    """What limits a model of unknown price."""
    if limits.usd is None:
        return "its cost is reported in tokens and calls, not in dollars"
    caps = [f"{most:,} {what}" for most, what in ((limits.tokens, "tokens"), (limits.calls, "calls")) if most]
    return f"${limits.usd:g} cannot limit its cost, its limit is {' and '.join(caps) or 'none'}"


def _list_remarks(lm: MeteredLM, source: Source) -> tuple[str, ...]:
    found = []
    if lm.facts.estimate_cost(0, 0) is None:
        found.append(f"no price is known for {lm.model}: {_describe_cap(lm.budget.limits)}")
    if source == "assumed":
        found.append(f"the context of {lm.model} is unknown; it was not tried")
    if source == "unanswered":
        found.append(
            f"the context of {lm.model} is unknown: the test prompt got no answer in time, and is charged at its "
            "maximum cost"
        )
    return tuple(found)
