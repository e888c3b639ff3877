"""Which replies are not read at all: the parsers of DSPy's adapters take minutes for a long or deeply nested one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

#: Characters of a reply; the longest that a model is asked for have a tenth of it.
MAX_REPLY = 400_000
#: Brackets that are open at once; what we ask for has five.
MAX_DEPTH = 60

_BRACKET = re.compile(r"[\[\]{}]")


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
    depth = 0
    for bracket in _BRACKET.findall(text):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            return True
    return False
