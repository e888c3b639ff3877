"""Single values out of foreign records, whatever they turn out to hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

#: One value of a record is cut off at this length.
MAX_TEXT = 4_000_000

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def inside(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at that path of objects, or an empty one."""
    for name in path:
        value = mapping(value).get(name)
    return mapping(value)


def members(value: Any) -> list[Any]:
    """The value if it is a JSON array, or an empty one."""
    return value if isinstance(value, list) else []


def clean(value: Any) -> str:
    """A text value without control characters and outer white space; empty if it is no text or number."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _CONTROL.sub(" ", str(value)[:MAX_TEXT]).strip()


def line(value: Any) -> str:
    """A text value on one line, its white space collapsed."""
    return _SPACE.sub(" ", clean(value)).strip()


def lines(value: Any) -> tuple[str, ...]:
    """The text values of an array, each once and on one line; a single text counts as an array of one."""
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for text in map(line, values) if text))


def sentence(text: str) -> str:
    """The text with a full stop, where it has no end of its own."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
