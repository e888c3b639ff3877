"""Which replies are not read: unfinished ones, and long or deeply nested ones, which take DSPy's parsers minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Characters of a reply; the longest that a model is asked for have a tenth of it.
MAX_REPLY = 400_000
#: Brackets that are open at once; what we ask for has five.
MAX_DEPTH = 60
#: Parentheses that are open at once; quotes that were cut leave some open.
MAX_PARENTHESES = 500

#: What is wrong with a reply that ended in one of these ways.
_UNFINISHED = {
    "length": "the reply was cut at {most:,} tokens, its `max_tokens`",
    "content_filter": "the provider's filter kept the reply back",
}

_BRACKET = re.compile(r"[\[\]{}]")
_PARENTHESIS = re.compile(r"[()]")


def reply_fault(outputs: Any) -> str:
    """Why a reply is not read; empty if it is."""
    texts = list(_iterate_texts(outputs))
    length = sum(map(len, texts))
    if length > MAX_REPLY:
        return f"its reply has {length:,} characters, more than the {MAX_REPLY:,} that are read"
    return "its reply is nested too deep" if any(map(_is_deep, texts)) else ""


def explain_unfinished(response: Any, most: int) -> str:
    """What kept the model from finishing a reply of at most so many tokens; empty if nothing did."""
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
    return (
        _nesting_depth(_BRACKET.findall(text)) > MAX_DEPTH
        or _nesting_depth(_PARENTHESIS.findall(text)) > MAX_PARENTHESES
    )


def _nesting_depth(brackets: Sequence[str]) -> int:
    """How many brackets are open at once at most."""
    depth = deepest = 0
    for bracket in brackets:
        depth = depth + 1 if bracket in "[{(" else max(0, depth - 1)
        deepest = max(depth, deepest)
    return deepest
