"""Rejects unfinished replies, and long or deeply nested ones, which take DSPy's parsers minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Maximum characters of a reply, ten times the longest that storm requests.
MAX_REPLY = 400_000
#: Maximum nesting of brackets; requested replies have five levels.
MAX_DEPTH = 60
#: Maximum nesting of parentheses; truncated quotes leave some open.
MAX_PARENTHESES = 500

#: The fault of a reply by its finish reason.
_UNFINISHED = {
    "length": "the reply was cut at {most:,} tokens, its `max_tokens`",
    "content_filter": "the provider's filter withheld the reply",
}

_BRACKET = re.compile(r"[\[\]{}]")
_PARENTHESIS = re.compile(r"[()]")


def reply_fault(outputs: Any) -> str:
    """Why a reply is rejected; empty if it is not."""
    texts = list(_iterate_texts(outputs))
    length = sum(map(len, texts))
    if length > MAX_REPLY:
        return f"its reply has {length:,} characters, more than the {MAX_REPLY:,} that are read"
    return "its reply is nested too deep" if any(map(_is_deep, texts)) else ""


def explain_unfinished(response: Any, most: int) -> str:
    """Why a reply of at most `most` tokens is unfinished; empty if it is finished."""
    return _UNFINISHED.get(_finish_reason(response) or "", "").format(most=most)


def _finish_reason(response: Any) -> str | None:
    """Why the model stopped, as DSPy's own engine or litellm reports it."""
    if hasattr(response, "finish_reason"):
        return str(response.finish_reason)
    choices = getattr(response, "choices", None) or [None]
    return getattr(choices[0], "finish_reason", None)


def _iterate_texts(outputs: Any) -> Iterator[str]:
    if isinstance(outputs, str):
        yield outputs
    elif isinstance(outputs, dict | list | tuple):
        for value in outputs.values() if isinstance(outputs, dict) else outputs:
            yield from _iterate_texts(value)


def _is_deep(text: str) -> bool:
    return _nests_deeper(_BRACKET.findall(text), MAX_DEPTH) or _nests_deeper(
        _PARENTHESIS.findall(text), MAX_PARENTHESES
    )


def _nests_deeper(brackets: Sequence[str], most: int) -> bool:
    """Whether they nest deeper than this; one that closes nothing is left out."""
    depth = 0
    for bracket in brackets:
        if bracket in "[{(":
            depth += 1
            if depth > most:
                return True
        elif depth:
            depth -= 1
    return False
