"""Which replies are not read at all: the parsers of DSPy's adapters take minutes for a long or deeply nested one."""

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

_BRACKET = re.compile(r"[\[\]{}]")
_PARENTHESIS = re.compile(r"[()]")


def reply_fault(outputs: Any) -> str:
    """Why a reply is not read; empty if it is."""
    texts = list(_texts(outputs))
    length = sum(map(len, texts))
    if length > MAX_REPLY:
        return f"its reply has {length:,} characters, more than the {MAX_REPLY:,} that are read"
    return "its reply is nested too deep" if any(map(_is_deep, texts)) else ""


def _texts(outputs: Any) -> Iterator[str]:
    if isinstance(outputs, str):
        yield outputs
    elif isinstance(outputs, dict | list | tuple):
        for value in outputs.values() if isinstance(outputs, dict) else outputs:
            yield from _texts(value)


def _is_deep(text: str) -> bool:
    return _depth(_BRACKET.findall(text)) > MAX_DEPTH or _depth(_PARENTHESIS.findall(text)) > MAX_PARENTHESES


def _depth(brackets: Sequence[str]) -> int:
    """How many brackets are open at once at most."""
    depth = deepest = 0
    for bracket in brackets:
        depth = depth + 1 if bracket in "[{(" else max(0, depth - 1)
        deepest = max(depth, deepest)
    return deepest
