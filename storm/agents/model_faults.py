"""Maps DSPy's errors to storm's, and recognises prompts that are too long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from dspy import lm15
from dspy.utils.exceptions import (
    ContextWindowExceededError,
    LMAuthError,
    LMBillingError,
    LMConfigurationError,
    LMError,
    LMInvalidRequestError,
    LMLockTimeoutError,
    LMNotConfiguredError,
    LMProviderError,
    LMRateLimitError,
    LMServerError,
    LMTimeoutError,
    LMTransportError,
    LMUnexpectedError,
    LMUnsupportedFeatureError,
    LMUnsupportedModelError,
    is_retryable_lm_error,
)

from storm.errors import ModelError, PromptTooLong

#: The message for each kind of failure, after the model's name; the most specific first.
FAILURE_NAMES: tuple[tuple[type[LMError], str], ...] = (
    (LMAuthError, "the key was refused"),
    (LMBillingError, "the account has no credit or quota left"),
    (LMRateLimitError, "rate-limited"),
    (LMUnsupportedModelError, "there is no such model"),
    (LMTimeoutError, "no answer in time"),
    (LMServerError, "the server fails"),
    (LMInvalidRequestError, "the request was refused"),
    (LMProviderError, "the answer cannot be read"),
    (LMTransportError, "the connection fails"),
    (LMLockTimeoutError, "its credentials are locked by another process"),
    (LMNotConfiguredError, "it is not configured"),
    (LMConfigurationError, "it is configured wrongly"),
    (LMUnsupportedFeatureError, "it does not support what was requested"),
    (LMUnexpectedError, "the answer cannot be used"),
)

#: How servers say that a prompt is too long: OpenAI and vLLM, llama.cpp, Anthropic, Ollama, Gemini, SGLang, LM Studio,
#: xAI, Bedrock, Cohere and text-generation-inference.
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|available context size"
    r"|(?:exceed\w{0,3}|longer than|larger than|overflows?)\b.{0,60}\bcontext(?: |-)?(?:length|window|size)"
    r"|context (?:length|window|size)\b.{0,40}\bexceed|context the overflows|prompt is too long|input is too long"
    r"|input token count.{0,40}exceeds|maximum prompt length|too many (?:input )?tokens\b|inputs` tokens \+"
    r"|input length and .?max_tokens.? exceed|reduce the length of the (?:messages|prompt)",
    re.I | re.S,
)

#: The limit that some of them name: "maximum context length is 4096 tokens", "208310 tokens > 200000 maximum" …
_LIMIT = re.compile(
    r"maximum (?:context|prompt) length (?:is|of) (\d+)|tokens > (\d+) maximum|context size \((\d+)"
    r"|context length(?: is| of)?(?: only)? \(?(\d+)|tokens allowed \((\d+)\)|context window of (\d+)",
    re.I,
)

#: Transport failures of these kinds happen before anything is sent.
_UNSENT = ("ConnectError", "ConnectTimeout")

#: HTTP libraries below litellm, and their errors for a status that a server sent.
_WIRES = ("httpx", "aiohttp", "urllib3")
_ANSWERED = ("HTTPStatusError", "APIStatusError")

#: What litellm and the HTTP libraries add to the server's message.
_NOISE = re.compile(r"^(?:litellm\.\w+: |\w+(?:Error|Exception)(?:: | - ))+| ssl:<[^<>]*>")

#: The user in an address, also of a proxy.
_USER = re.compile(r"(?<=://)[^/\s@]+@")

#: Failures without a more specific message, and those before anything was sent.
_NOT_ASKED = "it cannot be called"

#: Characters shown of a server's message.
_LONGEST = 300
#: The least tokens of a context to which a server is taken to have cut a prompt.
_SHORTEST_CONTEXT = 1_000


def is_context_error(exc: BaseException) -> bool:
    """Whether the error says, in the words of any known server, that the prompt is too long."""
    if isinstance(exc, PromptTooLong | ContextWindowExceededError | lm15.ContextLengthError):
        return True
    if not isinstance(exc, LMError | lm15.LM15Error):
        return False
    if isinstance(exc, LMRateLimitError | lm15.RateLimitError):  # "too many tokens per minute"
        return False
    # Old versions of vLLM: the message is lost on the way, and is usually this one.
    wordless = exc.status == 400 and not exc.message.strip()
    return wordless or _TOO_LONG.search(exc.message) is not None


def context_limit(exc: BaseException) -> int | None:
    """The context's size in tokens, if the error names it."""
    found = _LIMIT.search(getattr(exc, "message", ""))
    return next((int(number) for number in found.groups() if number), None) if found else None


def was_prompt_cut(counted: int, least: int) -> bool:
    """Whether a server that counted so many of at least `least` tokens cut the prompt silently.

    Ollama does: it keeps its context's length or half of it, and such lengths are round. Other low counts are
    attributed to a different way of counting.
    """
    return _SHORTEST_CONTEXT <= counted < least and min(counted % 256, -counted % 256) <= 8


def may_pass(exc: LMError) -> bool:
    """Whether the same call may succeed later."""
    return is_retryable_lm_error(exc) and not is_context_error(exc) and _name_unanswered(exc) != _NOT_ASKED


def timed_out(exc: BaseException) -> bool:
    """Whether the request timed out."""
    return any(type(cause).__name__ == "ReadTimeout" for cause in _iterate_causes(exc))


def was_billed(exc: BaseException) -> bool:
    """Whether the failed call may be on the bill: the model may have worked on it."""
    if isinstance(exc, LMTimeoutError):
        return True
    if any(type(cause).__name__ in _UNSENT for cause in _iterate_causes(exc)) or _name_unanswered(exc) == _NOT_ASKED:
        return False
    if isinstance(exc, LMTransportError) or _name_unanswered(exc):
        return True
    unsent = (LMConfigurationError, LMUnsupportedFeatureError, LMLockTimeoutError, ImportError, ValueError)
    if isinstance(exc, unsent):
        return False
    return getattr(exc, "status", None) in (None, 200) and not is_context_error(exc)


def model_error(exc: Exception, model: str, *, saying: str = "") -> ModelError:
    """The error as storm's, in one line; the caller removes the key from it. `saying` replaces the message for the
    kind of failure."""
    details = _server_message(exc)
    if is_context_error(exc):
        return PromptTooLong(f"{model}: the prompt is too long for it{details}", context=context_limit(exc))
    unasked = _name_unanswered(exc)
    saying = saying or unasked or next((text for kind, text in FAILURE_NAMES if isinstance(exc, kind)), _NOT_ASKED)
    status = None if unasked else getattr(exc, "status", None)
    number = f" (HTTP {status})" if status not in (None, 200) else ""
    return ModelError(f"{model}: {saying}{number}{details}")


def _server_message(exc: Exception) -> str:
    """The server's message as the end of a line, without DSPy's advice and litellm's tracebacks."""
    text = str(getattr(exc, "message", exc)).partition("\n\n")[0].partition("Traceback (most recent call last)")[0]
    line = _USER.sub("", _NOISE.sub("", " ".join(text.split())))
    return f": {line[:_LONGEST]}" if line else ""


def _name_unanswered(exc: BaseException) -> str:
    """The message for a failure whose status litellm made up; empty if a server answered."""
    causes = list(_iterate_causes(exc))
    below = [cause for cause in causes if not type(cause).__module__.startswith("litellm.")]
    if len(below) == len(causes) or getattr(exc, "status", None) == 200:
        return ""
    if any(kind.__name__ in _ANSWERED for cause in below for kind in type(cause).__mro__):
        return ""
    if isinstance(exc, LMTimeoutError):
        return "no answer in time"
    if any(isinstance(cause, json.JSONDecodeError) for cause in causes):
        return "the answer cannot be read"
    on_the_wire = any(type(cause).__module__.partition(".")[0] in _WIRES for cause in causes)
    return "the connection fails" if on_the_wire else _NOT_ASKED


def _iterate_causes(exc: BaseException) -> Iterator[BaseException]:
    """The chain of causes, explicit or implicit."""
    cause = exc.__cause__ or exc.__context__
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
