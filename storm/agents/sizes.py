"""Estimates the tokens of a text for models whose own count is unknown."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

#: Bytes of a prompt that make a token: prose has more, codes and tables fewer.
BYTES_PER_TOKEN = 3
#: Tokens of a message besides its text.
MESSAGE_TOKENS = 8


def count_bytes(value: Any) -> int:
    """The bytes of all text in a value."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, Mapping):
        return sum(count_bytes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(count_bytes(item) for item in value)
    if dataclasses.is_dataclass(value):
        return sum(count_bytes(getattr(value, field.name)) for field in dataclasses.fields(value))
    return 0


def cut_to_bytes(text: str, most: int) -> str:
    """The beginning of the text, at most so many bytes."""
    if count_bytes(text) <= most:
        return text
    return text.encode("utf-8", "surrogatepass")[: max(0, most)].decode("utf-8", "ignore")
