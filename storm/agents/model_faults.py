"""What a language model's failures mean: DSPy's errors become ours here, and context errors are told from others."""

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

#: What each kind of failure is called, after the model's name; the most specific first.
FAILURE_NAMES: tuple[tuple[type[LMError], str], ...] = (
    (LMAuthError, "the key was refused"),
    (LMBillingError, "the account has no credit or quota left"),
    (LMRateLimitError, "it asks us to wait"),
    (LMUnsupportedModelError, "there is no such model"),
    (LMTimeoutError, "no answer in time"),
    (LMServerError, "the server fails"),
    (LMInvalidRequestError, "the request was refused"),
    (LMProviderError, "the answer cannot be read"),
    (LMTransportError, "the connection fails"),
    (LMLockTimeoutError, "its credentials are locked by another process"),
    (LMNotConfiguredError, "it is not configured"),
    (LMConfigurationError, "it is configured wrongly"),
    (LMUnsupportedFeatureError, "it cannot do what is asked of it"),
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

#: Who tells of the wire below litellm, and what its errors are called where a server answered with a status of its own.
_WIRES = ("httpx", "aiohttp", "urllib3")
_ANSWERED = ("HTTPStatusError", "APIStatusError")

#: What litellm and the wire put before and into what was said.
_NOISE = re.compile(r"^(?:litellm\.\w+: |\w+(?:Error|Exception)(?:: | - ))+| ssl:<[^<>]*>")

#: Who an address is asked as, a proxy's too.
_USER = re.compile(r"(?<=://)[^/\s@]+@")

#: What is called so has no other name, or was refused on this side.
_NOT_ASKED = "it cannot be asked"

_LONGEST = 300

_SHORTEST_CONTEXT = 1_000


def is_context_error(exc: BaseException) -> bool:
    """Whether it says that the prompt is too long for the model, in whatever words the server has for that."""
    if isinstance(exc, PromptTooLong | ContextWindowExceededError | lm15.ContextLengthError):
        return True
    if not isinstance(exc, LMError | lm15.LM15Error):
        return False
    if isinstance(exc, LMRateLimitError | lm15.RateLimitError):  # "too many tokens per minute"
        return False
    # vLLM before its errors were nested: what it says is lost on the way here, and this is what it mostly says.
    wordless = exc.status == 400 and not exc.message.strip()
    return wordless or _TOO_LONG.search(exc.message) is not None


def context_limit(exc: BaseException) -> int | None:
    """The context's size in tokens, where a context error names it."""
    found = _LIMIT.search(getattr(exc, "message", ""))
    return next((int(number) for number in found.groups() if number), None) if found else None


def was_prompt_cut(counted: int, least: int) -> bool:
    """Whether a server that counted so many tokens, where there are at least so many, cut the prompt without a word.

    Ollama does: it keeps its context's length or half of it, and such lengths are round. Other low counts are taken
    for a server that counts in its own way.
    """
    return _SHORTEST_CONTEXT <= counted < least and min(counted % 256, -counted % 256) <= 8


def may_pass(exc: LMError) -> bool:
    """Whether the same call may succeed later."""
    return is_retryable_lm_error(exc) and not is_context_error(exc) and _name_unanswered(exc) != _NOT_ASKED


def timed_out(exc: BaseException) -> bool:
    """Whether we waited as long as we may, and no answer came."""
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
    """Our error for it, in one line; the caller takes the key out of what the server said. `saying` is what the failure
    is called, where the caller knows it better."""
    said = _server_message(exc)
    if is_context_error(exc):
        return PromptTooLong(f"{model}: the prompt is too long for it{said}", context=context_limit(exc))
    unasked = _name_unanswered(exc)
    saying = saying or unasked or next((text for kind, text in FAILURE_NAMES if isinstance(exc, kind)), _NOT_ASKED)
    status = None if unasked else getattr(exc, "status", None)
    number = f" (HTTP {status})" if status not in (None, 200) else ""
    return ModelError(f"{model}: {saying}{number}{said}")


def _server_message(exc: Exception) -> str:
    """What the server said, without the advice that DSPy adds and the tracebacks that litellm does, as a line's end."""
    text = str(getattr(exc, "message", exc)).partition("\n\n")[0].partition("Traceback (most recent call last)")[0]
    line = _USER.sub("", _NOISE.sub("", " ".join(text.split())))
    return f": {line[:_LONGEST]}" if line else ""


def _name_unanswered(exc: BaseException) -> str:
    """What a failure is called to which litellm gave a status that no server sent; empty where one answered."""
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
    """What led to it, also where litellm does not say that it did."""
    cause = exc.__cause__ or exc.__context__
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
